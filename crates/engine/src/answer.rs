//! The generated output of a reply, in any of its formats.

use std::ops::Range;

use serde_json::json;

use crate::ask::Ask;
use crate::chunk;
use crate::format::Format;
use crate::words;

/// Writes tokens as pieces of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Writer {
    pub(crate) ask: Ask,
}

impl Writer {
    /// Tokens of the answer.
    pub(crate) fn answer(&self, format: Format, tokens: Range<u64>) -> Vec<u8> {
        self.text(format, tokens.map(words::answer).collect())
    }

    /// The same, filled up with plain words to so many bytes of text.
    pub(crate) fn filled(&self, format: Format, tokens: Range<u64>, bytes: usize) -> Vec<u8> {
        let mut text: String = tokens.map(words::answer).collect();
        while text.len() < bytes {
            text.push_str(words::PLAIN);
        }
        self.text(format, text)
    }

    fn text(&self, format: Format, text: String) -> Vec<u8> {
        match format {
            Format::OpenAi => chunk::delta(&self.ask, json!({"content": text}), None),
            Format::Text | Format::Prediction | Format::Html => text.into_bytes(),
        }
    }

    /// Tokens of the reasoning.
    pub(crate) fn reasoning(&self, tokens: Range<u64>) -> Vec<u8> {
        let text: String = tokens.map(words::reasoning).collect();
        chunk::delta(&self.ask, json!({"reasoning_content": text}), None)
    }
}
