//! A checked set of parameters.

use crate::error::ScheduleError;
use crate::fault::Fault;
use crate::format::Format;
use crate::limit::{Limit, Service};
use crate::model::Modelled;
use crate::words::Writing;

/// The longest time of any parameter, in ms.
pub(crate) const MAX_MS: u64 = 600_000;
/// The largest first chunk.
pub(crate) const MAX_FIRST_CHUNK: u64 = 4_000_000;
/// The largest number of tool calls.
pub(crate) const MAX_CALLS: u64 = 1_000;
/// The largest number of slots.
pub(crate) const MAX_SLOTS: u64 = 100_000;
/// The longest name of a pool.
pub(crate) const MAX_POOL: usize = 100;
/// The largest number of tokens.
pub(crate) const MAX_TOKENS: u64 = 100_000;

/// What the `Server-Timing` response header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerTiming {
    /// The times that were really taken up to the moment when the header leaves.
    Truthful,
    /// This text.
    Verbatim(String),
    /// It is not sent.
    Left,
    /// Times that are longer than any client waits.
    Lying,
}

/// A named part that the server reports in the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// Its length in µs.
    pub us: u64,
}

/// A span of the schedule that the server can report in the body, with its boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// The time held before everything.
    Queue,
    /// From the end of the queue to the first output; in a modelled server, until the input is read.
    Prefill,
    /// From receipt to the first output.
    TimeToFirstToken,
    /// From the first output to the last.
    Decode,
    /// From receipt to the last output.
    Total,
}

impl Span {
    const ALL: [Span; 5] = [Span::Queue, Span::Prefill, Span::TimeToFirstToken, Span::Decode, Span::Total];

    /// The name, which is that of its boundary too.
    pub fn name(self) -> &'static str {
        match self {
            Span::Queue => "queue",
            Span::Prefill => "prefill",
            Span::TimeToFirstToken => "time_to_first_token",
            Span::Decode => "decode",
            Span::Total => "total",
        }
    }

    /// The spans of a list of names with commas between.
    pub(crate) fn parse_list(value: &str) -> Result<Vec<Span>, ScheduleError> {
        value
            .split(',')
            .map(|name| {
                Span::ALL.into_iter().find(|s| s.name() == name.trim()).ok_or_else(|| ScheduleError::Choice {
                    name: "spans".to_owned(),
                    value: name.to_owned(),
                    allowed: Span::ALL.map(Span::name).join(", "),
                })
            })
            .collect()
    }
}

/// How the endpoint behaves, whatever is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The answer's format.
    pub format: Format,
    /// What the answer is written in.
    pub writing: Writing,
    /// To the first answer token, in ms after the queue.
    pub ttft_ms: u64,
    /// Between chunks, in ms.
    pub gap_ms: u64,
    /// Tokens of the answer.
    pub tokens: u64,
    /// Tokens in each chunk.
    pub tokens_per_chunk: u64,
    /// The first chunk of the answer is filled up with plain words to so many bytes of text; they don't count as tokens.
    pub first_chunk_bytes: usize,
    /// Tokens of reasoning.
    pub reasoning_tokens: u64,
    /// To the first reasoning token, in ms after the queue.
    pub reasoning_at_ms: u64,
    /// Tool calls after the answer, or instead of one without tokens.
    pub tool_calls: u64,
    /// What a dialect sends before any output comes with the headers.
    pub role_chunk: bool,
    /// Usage is reported.
    pub usage: bool,
    /// The dialect's own end comes at the end, such as `[DONE]`.
    pub done: bool,
    /// A finish reason comes after the last token.
    pub finish: bool,
    /// Comments while nothing else comes, every so many ms.
    pub keep_alive_ms: Option<u64>,
    /// Held before everything else, in ms; in a slot, where there is a limit.
    pub queue_ms: u64,
    /// The response header.
    pub server_timing: ServerTiming,
    /// Named parts reported in the body.
    pub components: Vec<Component>,
    /// Spans of the schedule reported in the body.
    pub spans: Vec<Span>,
    /// llama.cpp's `timings` at the end.
    pub timings: bool,
    /// Pieces are cut into writes of so many bytes, 1 ms apart.
    pub split: Option<usize>,
    /// Lines end in CR LF.
    pub crlf: bool,
    /// The body begins with a byte order mark.
    pub bom: bool,
    /// Everything is sent at the time of the last token, as a proxy that buffers would.
    pub burst: bool,
    /// What goes wrong.
    pub fault: Option<Fault>,
    /// How many requests are served at once, and when the server stands still.
    pub limit: Limit,
    /// A modelled server says when what comes; the plan's own times then mean nothing.
    pub engine: Option<Modelled>,
}

impl Plan {
    /// When the time to the first output begins to count, in µs since the request was received: it has its slot, and was held
    /// for `queue_ms`.
    pub(crate) fn start_us(&self, service: Service) -> u64 {
        service.begins_us + self.queue_ms * 1000
    }

    /// Number of chunks for so many tokens.
    pub(crate) fn chunks(&self, tokens: u64) -> u64 {
        tokens.div_ceil(self.tokens_per_chunk)
    }

    /// What no single parameter can tell.
    pub(crate) fn check(self) -> Result<Plan, ScheduleError> {
        if self.reasoning_tokens > 0 && self.engine.is_none() {
            let ends_ms = self.reasoning_at_ms + (self.chunks(self.reasoning_tokens) - 1) * self.gap_ms;
            if ends_ms >= self.ttft_ms {
                let (tokens, ttft_ms) = (self.reasoning_tokens, self.ttft_ms);
                return Err(ScheduleError::ReasoningTooLong { tokens, ends_ms, ttft_ms });
            }
        }
        if self.limit.freeze.is_some_and(|freeze| freeze.ms == 0) {
            return Err(ScheduleError::FreezeWithoutLength);
        }
        if !self.limit.pool.is_empty() && !self.limit.binds() && self.engine.is_none() {
            return Err(ScheduleError::NothingToShare);
        }
        Ok(self)
    }
}
