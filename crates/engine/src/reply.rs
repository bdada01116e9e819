//! A reply to be made: the plan with the question's limit applied, and what follows from both.

use crate::ask::Ask;
use crate::dialect::{CALL_TOKENS, Closing, Counts, Finish};
use crate::fault::Fault;
use crate::format::Format;
use crate::limit::Service;
use crate::piece::Kind;
use crate::plan::Plan;
use crate::report;
use crate::timeline::{Part, Timeline};

/// The instants that everything else follows from, in µs since the request was received.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// The queue ends.
    pub(crate) queue_us: u64,
    /// The input is read: the first output, unless a modelled server holds it back.
    pub(crate) prefill_us: u64,
    /// First output.
    pub(crate) first_us: u64,
    /// Last output.
    pub(crate) last_us: u64,
}

/// A reply to be made.
pub(crate) struct Reply<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) ask: &'a Ask,
    pub(crate) service: Service,
    /// Where a modelled server says the times.
    pub(crate) timeline: Option<&'a Timeline>,
    /// Tokens of reasoning.
    pub(crate) reasoning: u64,
    /// Tokens of the answer.
    pub(crate) answer: u64,
    /// Tool calls.
    pub(crate) calls: u64,
    cut: bool,
}

impl Reply<'_> {
    pub(crate) fn new<'a>(plan: &'a Plan, ask: &'a Ask, service: Service) -> Reply<'a> {
        let limit = ask.max_tokens.map_or(u64::MAX, u64::from);
        // Only chats have channels for reasoning and calls.
        let (wanted, wanted_calls) = if plan.format.is_chat() { (plan.reasoning_tokens, plan.tool_calls) } else { (0, 0) };
        let reasoning = wanted.min(limit);
        let answer = plan.tokens.min(limit - reasoning);
        let calls = wanted_calls.min((limit - reasoning - answer) / CALL_TOKENS);
        let cut = reasoning + answer < wanted + plan.tokens || calls < wanted_calls;
        Reply { plan, ask, service, timeline: None, reasoning, answer, calls, cut }
    }

    /// On a server that never stands still.
    pub(crate) fn times(&self) -> Times {
        let plan = self.plan;
        if let Some(timeline) = self.timeline {
            return timeline.times(&self.parts());
        }
        let ms = |ms: u64| plan.start_us(self.service) + ms * 1000;
        let first = if self.reasoning > 0 { plan.reasoning_at_ms } else { plan.ttft_ms };
        let last = match (self.answer, self.reasoning) {
            _ if plan.format == Format::Prediction => plan.ttft_ms,
            _ if plan.format == Format::Embeddings => plan.ttft_ms + u64::from(self.ask.items.saturating_sub(1)) * plan.gap_ms,
            _ if self.calls > 0 => self.calls_at_ms() + (self.calls * CALL_TOKENS - 1) * plan.gap_ms,
            (0, 0) => plan.ttft_ms,
            (0, n) => plan.reasoning_at_ms + (plan.chunks(n) - 1) * plan.gap_ms,
            (n, _) => plan.ttft_ms + (plan.chunks(n) - 1) * plan.gap_ms,
        };
        Times { queue_us: ms(0), prefill_us: ms(first), first_us: ms(first), last_us: ms(last) }
    }

    /// Its kinds of output, in order: how many tokens there are of each, how many make a chunk at least, and whether a chunk holds
    /// just so many.
    pub(crate) fn parts(&self) -> [Part; 3] {
        let per_chunk = self.plan.tokens_per_chunk;
        let part = |kind, tokens| Part { kind, tokens, per_chunk, just: false };
        let per_call = if self.plan.format.calls_whole() { CALL_TOKENS } else { 1 };
        let calls = Part { kind: Kind::Tool, tokens: self.calls * CALL_TOKENS, per_chunk: per_call, just: true };
        [part(Kind::Reasoning, self.reasoning), part(Kind::Answer, self.answer), calls]
    }

    /// When the first token of a call comes, in ms after the start.
    pub(crate) fn calls_at_ms(&self) -> u64 {
        self.plan.ttft_ms + self.plan.chunks(self.answer) * self.plan.gap_ms
    }

    /// As they really come.
    fn real_times(&self) -> Times {
        let Times { queue_us, prefill_us, first_us, last_us } = self.times();
        let comes = |us| self.service.comes(us);
        let [queue_us, prefill_us, first_us, last_us] = [queue_us, prefill_us, first_us, last_us].map(comes);
        Times { queue_us, prefill_us, first_us, last_us }
    }

    /// Everything generated.
    pub(crate) fn tokens(&self) -> u64 {
        self.reasoning + self.answer + self.calls * CALL_TOKENS
    }

    /// What the end tells.
    pub(crate) fn closing(&self) -> Closing {
        let plan = self.plan;
        let finish = match self.calls {
            _ if self.cut => Finish::Length,
            0 => Finish::Stop,
            _ => Finish::Tools,
        };
        let input = u64::from(self.ask.prompt_tokens);
        let counts = Counts {
            input,
            output: self.tokens(),
            reasoning: self.reasoning,
            cached: self.timeline.map(|t| u64::from(t.cached_tokens)),
        };
        let times = self.reported_times();
        let timings = report::timings(plan, times, self.ask.prompt_tokens, counts.output);
        let server_timing = report::server_timing(plan, times);
        Closing {
            finish: plan.finish.then_some(finish),
            done: plan.done && plan.fault != Some(Fault::MissingTerminator),
            counts: plan.usage.then_some(counts),
            times,
            reports: [("timings", timings), ("server_timing", server_timing)]
                .into_iter()
                .filter_map(|(name, value)| Some((name, value?)))
                .collect(),
        }
    }

    /// As they really come, unless the server lies.
    fn reported_times(&self) -> Times {
        let Times { queue_us, prefill_us, first_us, last_us } = self.real_times();
        let told = |us: u64| if self.plan.fault == Some(Fault::LyingServerTiming) { report::lie(us) } else { us };
        let [queue_us, prefill_us, first_us, last_us] = [queue_us, prefill_us, first_us, last_us].map(told);
        Times { queue_us, prefill_us, first_us, last_us }
    }
}
