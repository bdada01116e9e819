//! What does an answer that is written in Markdown look like so far, and what of it can still change?
//!
//! Text comes in pieces. What is sure to stay as it is, is given out once and forgotten; only the last open block is parsed
//! again when more comes. What is given out is a tree of known tags and of text: whatever an answer holds of HTML is text,
//! links lead nowhere, and of an image only its description is left.

mod tree;

#[cfg(test)]
mod tests;

pub use tree::{Node, Tag};

/// An answer on its way.
#[derive(Clone, Debug)]
pub struct Markdown {
    /// Text of blocks that more text may still change.
    open: String,
    keep: usize,
}

impl Markdown {
    /// Nothing so far. Of a block that grows without an end, at least the last `keep` bytes are looked at, and at most about
    /// twice as many: of so long a block nobody sees the beginning.
    pub fn new(keep: usize) -> Markdown {
        Markdown { open: String::new(), keep: keep.max(1) }
    }

    /// Takes more text; gives the blocks that nothing can change any more, in order.
    pub fn push(&mut self, text: &str) -> Vec<Node> {
        self.open.push_str(text);
        let most = self.keep.saturating_mul(2);
        let long = self.open.len() > most;
        if !long && !text.contains('\n') {
            return Vec::new();
        }
        // A line that is not complete may become something else, unless it is a very long one.
        let complete = if long { self.open.len() } else { self.open.rfind('\n').map_or(0, |at| at + 1) };
        let starts = tree::starts(&self.open[..complete]);
        let mut closed = Vec::new();
        let mut from = 0;
        for start in starts.into_iter().skip(1) {
            // Each by itself, so that it does not matter how much came at once.
            closed.extend(tree::parse(&self.open[from..start]));
            from = start;
        }
        self.open.drain(..from);
        if self.open.len() > most {
            self.cut();
        }
        closed
    }

    /// The blocks that more text may still change, as they stand.
    pub fn open(&self) -> Vec<Node> {
        tree::parse(&self.open)
    }

    /// Leaves out the beginning of a long block: up to a line that begins at the margin if there is one, since an item or a
    /// row begins there. What is inside a code block stays inside.
    fn cut(&mut self) {
        let latest = self.open.floor_char_boundary(self.open.len() - self.keep);
        let before = &self.open[..latest];
        let fence = fence(&self.open);
        let is_start = |at: &usize| fence.is_some() || !self.open[*at..].starts_with([' ', '\t', '\n', '\r']);
        let line = before.rmatch_indices('\n').map(|(at, _)| at + 1).find(is_start);
        let cut = line.or_else(|| before.rfind(' ').map(|at| at + 1)).unwrap_or(latest);
        let head = fence.filter(|line| line.len() < cut).map(|line| format!("{line}\n")).unwrap_or_default();
        self.open.replace_range(..cut, &head);
    }
}

/// The line that opens a code block, if the text begins with one.
fn fence(text: &str) -> Option<&str> {
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    let mark = first.trim_start_matches(' ');
    let indented = first.len() - mark.len();
    (indented <= 3 && (mark.starts_with("```") || mark.starts_with("~~~"))).then_some(first)
}
