//! A reply to be made: the plan with the question's limit applied, and what follows from both.

use serde_json::{Value, json};

use crate::ask::Ask;
use crate::format::Format;
use crate::plan::Plan;
use crate::report;

/// The instants that everything else follows from, in µs since the request was received.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// The queue ends.
    pub(crate) queue_us: u64,
    /// First output.
    pub(crate) first_us: u64,
    /// Last output.
    pub(crate) last_us: u64,
}

/// A reply to be made.
pub(crate) struct Reply<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) ask: &'a Ask,
    /// Tokens of reasoning.
    pub(crate) reasoning: u64,
    /// Tokens of the answer.
    pub(crate) answer: u64,
    cut: bool,
}

impl Reply<'_> {
    pub(crate) fn new<'a>(plan: &'a Plan, ask: &'a Ask) -> Reply<'a> {
        let limit = ask.max_tokens.map_or(u64::MAX, u64::from);
        // Only chat completions have a channel for reasoning.
        let wanted = if plan.format == Format::OpenAi { plan.reasoning_tokens } else { 0 };
        let reasoning = wanted.min(limit);
        let answer = plan.tokens.min(limit - reasoning);
        Reply { plan, ask, reasoning, answer, cut: reasoning + answer < wanted + plan.tokens }
    }

    pub(crate) fn times(&self) -> Times {
        let plan = self.plan;
        let ms = |ms: u64| (plan.queue_ms + ms) * 1000;
        let first = if self.reasoning > 0 { plan.reasoning_at_ms } else { plan.ttft_ms };
        let last = match (self.answer, self.reasoning) {
            _ if plan.format == Format::Prediction => plan.ttft_ms,
            (0, 0) => plan.ttft_ms,
            (0, n) => plan.reasoning_at_ms + (plan.chunks(n) - 1) * plan.gap_ms,
            (n, _) => plan.ttft_ms + (plan.chunks(n) - 1) * plan.gap_ms,
        };
        Times { queue_us: ms(0), first_us: ms(first), last_us: ms(last) }
    }

    /// `length` if the question's limit cut the output.
    pub(crate) fn finish_reason(&self) -> &'static str {
        if self.cut { "length" } else { "stop" }
    }

    /// Fields that report at the end.
    pub(crate) fn reports(&self) -> Vec<(&'static str, Value)> {
        let tokens = self.reasoning + self.answer;
        let usage = self.plan.usage.then(|| {
            json!({
                "prompt_tokens": self.ask.prompt_tokens,
                "completion_tokens": tokens,
                "total_tokens": u64::from(self.ask.prompt_tokens) + tokens,
                "completion_tokens_details": {"reasoning_tokens": self.reasoning},
            })
        });
        let timings = report::timings(self.plan, self.times(), self.ask.prompt_tokens, tokens);
        let server_timing = report::server_timing(self.plan, self.times());
        [("usage", usage), ("timings", timings), ("server_timing", server_timing)]
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
            .collect()
    }
}
