//! Plain text as it comes: UTF-8 over any split, nothing framed.

use super::{Part, Sink};

/// Holds the bytes of a character that a read cut in two.
#[derive(Default)]
pub(crate) struct Utf8 {
    carry: Vec<u8>,
}

impl Utf8 {
    /// Takes one read.
    pub(crate) fn push(&mut self, bytes: &[u8], sink: Sink<'_>) {
        self.carry.extend_from_slice(bytes);
        let mut text = String::new();
        let mut held = 0;
        let mut chunks = self.carry.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            text.push_str(chunk.valid());
            let bad = chunk.invalid();
            if chunks.peek().is_none() && is_unfinished(bad) {
                held = bad.len();
            } else if !bad.is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        let keep_from = self.carry.len() - held;
        self.carry.drain(..keep_from);
        if !text.is_empty() {
            sink(Part::Event { name: "", data: &text });
        }
    }

    /// The body ended: a character that was never finished is shown as the replacement character.
    pub(crate) fn end(&mut self, sink: Sink<'_>) {
        if !std::mem::take(&mut self.carry).is_empty() {
            sink(Part::Event { name: "", data: "\u{fffd}" });
        }
    }
}

/// A sequence that more bytes could still make a character.
fn is_unfinished(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|e| e.error_len().is_none())
}
