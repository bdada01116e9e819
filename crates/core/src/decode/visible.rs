//! What counts as shown: the page renders with the same text that these rules see.

use super::Event;

/// A character that Markdown uses as a mark and that may never be drawn as itself.
pub fn is_marker(c: char) -> bool {
    matches!(c, '*' | '_' | '#' | '>' | '`' | '~' | '-' | '+' | '|')
}

/// The text holds a character that one can see: not white space, not a control or zero-width character, not a Markdown
/// marker alone.
pub fn has_visible(text: &str) -> bool {
    text.chars().any(|c| !(c.is_whitespace() || c.is_control() || is_invisible(c) || is_marker(c)))
}

/// Characters without a glyph of their own.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{e0000}'..='\u{e0fff}')
}

impl Event {
    /// The text of this event that the page shows as the answer: answer output, of whichever choice.
    pub fn shown(&self) -> Option<&str> {
        match self {
            Event::Output { channel: super::Channel::Answer, text, .. } => Some(text),
            _ => None,
        }
    }
}

/// As much of the end of a text as is drawn: at least `least` characters, not cut before anything that can be seen.
pub fn drawn_tail(text: &str, least: usize) -> &str {
    let at = text.char_indices().nth_back(least.saturating_sub(1)).map_or(0, |(at, _)| at);
    let tail = text.get(at..).unwrap_or(text);
    if has_visible(tail) { tail } else { text }
}

#[cfg(test)]
mod tests {
    use super::{drawn_tail, has_visible};

    #[test]
    fn a_long_text_is_drawn_from_its_end_and_never_without_anything_to_see() {
        assert_eq!(drawn_tail("short", 10), "short");
        assert_eq!(drawn_tail("exactly", 7), "exactly");
        assert_eq!(drawn_tail("a 가나다라", 3), "나다라");
        assert_eq!(drawn_tail("word     ", 3), "word     ");
    }

    #[test]
    fn white_space_marks_and_zero_width_characters_are_not_visible() {
        for blank in ["", " \n\t", "**", "## ", "> - `", "\u{200b}\u{feff}", "\u{a0}", "\u{3000}", "---", "\u{0}"] {
            assert!(!has_visible(blank), "{blank:?}");
        }
        for seen in ["a", "**A", " 1", "안", "(", "👍🏽", "。", "-5"] {
            assert!(has_visible(seen), "{seen:?}");
        }
    }
}
