//! Lines of the form `name:data`.

use super::{LIMIT, Part, Sink, text_of};

/// Holds the line that is not over yet.
#[derive(Default)]
pub(crate) struct Lines {
    line: Vec<u8>,
}

impl Lines {
    /// Takes one read.
    pub(crate) fn push(&mut self, mut bytes: &[u8], sink: Sink<'_>) {
        while let Some(at) = bytes.iter().position(|b| *b == b'\n') {
            self.line.extend_from_slice(&bytes[..at]);
            bytes = &bytes[at + 1..];
            give(&std::mem::take(&mut self.line), sink);
        }
        self.line.extend_from_slice(bytes);
        if self.line.len() > LIMIT {
            sink(Part::TooLarge);
        }
    }

    /// The body ended.
    pub(crate) fn end(&mut self, sink: Sink<'_>) {
        if !self.line.is_empty() {
            give(&std::mem::take(&mut self.line), sink);
            sink(Part::Unterminated);
        }
    }
}

fn give(line: &[u8], sink: Sink<'_>) {
    let line = text_of(line);
    let line = line.trim_start_matches('\u{feff}').trim_end_matches('\r');
    match line.split_once(':') {
        Some((name, data)) => sink(Part::Event { name, data }),
        None if line.is_empty() => {}
        None => sink(Part::Unreadable(line)),
    }
}
