//! What did a reply say? The ground truth of its text.

use super::call;
use crate::words::{self, Writing};

/// What is sent, whatever the dialect: nothing of it where only a part of one body is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The answer.
    pub answer: String,
    /// The reasoning before it.
    pub reasoning: String,
    /// Names and arguments of tool calls, one after the other.
    pub tool: String,
    /// Tool calls that were begun.
    pub calls: u64,
    /// Results in a batch.
    pub items: u64,
}

impl Said {
    /// So many tokens of each, and so many calls.
    pub(crate) fn whole(writing: Writing, reasoning: u64, answer: u64, calls: u64) -> Said {
        let mut said = Said {
            answer: (0..answer).map(|token| words::answer(writing, token)).collect(),
            reasoning: (0..reasoning).map(words::reasoning).collect(),
            ..Said::default()
        };
        (0..calls).for_each(|nth| said.call(nth, Some(call::NAME), &call::arguments(nth)));
        said
    }

    pub(super) fn call(&mut self, nth: u64, name: Option<&str>, arguments: &str) {
        self.calls = nth + 1;
        self.tool.push_str(name.unwrap_or_default());
        self.tool.push_str(arguments);
    }
}
