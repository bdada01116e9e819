//! A reply in parts.

use serde_json::json;

use crate::answer::Writer;
use crate::chunk;
use crate::fault::Fault;
use crate::format::Format;
use crate::piece::{Ending, Endless, Kind, Piece};
use crate::reply::{Reply, Times};
use crate::schedule::{Expected, Schedule, reset_after};
use crate::writes::written;

/// Output that never ends comes no faster than this.
const ENDLESS_GAP_US: u64 = 1_000;

impl Reply<'_> {
    /// The schedule of a reply in parts.
    pub(crate) fn streamed(&self) -> Schedule {
        let (plan, times) = (self.plan, self.times());
        let mut output = self.output();
        let half = output.len() / 2;
        // Where a fault strikes: when the next output would have come.
        let next_us = output.get(half).map_or(times.last_us, |(piece, _)| piece.at_us);
        if plan.fault.is_some_and(Fault::halves) {
            output.truncate(half);
        }
        let tokens = output.iter().map(|(_, tokens)| tokens).sum();
        let mut pieces = self.opening(times);
        pieces.extend(output.into_iter().map(|(piece, _)| piece));
        match plan.fault {
            Some(Fault::ErrorInside) if plan.format == Format::OpenAi => {
                pieces.push(Piece { at_us: next_us, bytes: chunk::error(Fault::INSIDE), kind: Kind::Error });
            }
            Some(Fault::ErrorInside | Fault::Truncate | Fault::Reset | Fault::Stall | Fault::NeverEnds) => {}
            _ => pieces.extend(self.close(times.last_us)),
        }
        let pieces = written(plan, pieces);
        let ending = match plan.fault {
            Some(Fault::Reset) => reset_after(&pieces, next_us),
            Some(Fault::Stall) => Ending::Open,
            Some(Fault::NeverEnds) => Ending::Endless(self.endless(times)),
            _ => Ending::Clean,
        };
        let outputs = || pieces.iter().filter(|p| p.kind.is_output()).map(|p| p.at_us);
        let endless = matches!(ending, Ending::Endless(_));
        let expected =
            Expected { first_output_us: outputs().next(), last_output_us: outputs().next_back().filter(|_| !endless), tokens };
        Schedule {
            status: 200,
            content_type: match plan.format {
                Format::OpenAi => "text/event-stream; charset=utf-8",
                _ => "text/plain; charset=utf-8",
            },
            retry_after_s: None,
            queue_us: times.queue_us,
            head_at_us: (plan.fault != Some(Fault::Hang)).then_some(times.queue_us),
            streamed: true,
            pieces,
            ending,
            expected,
            server_timing: plan.server_timing.clone(),
        }
    }

    /// Chunks of reasoning and answer with their numbers of tokens.
    fn output(&self) -> Vec<(Piece, u64)> {
        let plan = self.plan;
        let writer = Writer { ask: self.ask.clone() };
        let chunks = |tokens: u64, from_ms: u64| {
            (0..plan.chunks(tokens)).map(move |n| {
                let first = n * plan.tokens_per_chunk;
                let at_us = (plan.queue_ms + from_ms + n * plan.gap_ms) * 1000;
                (at_us, first..tokens.min(first + plan.tokens_per_chunk))
            })
        };
        let reasoning = chunks(self.reasoning, plan.reasoning_at_ms).map(|(at_us, tokens)| {
            let count = tokens.end - tokens.start;
            (Piece { at_us, bytes: writer.reasoning(tokens), kind: Kind::Reasoning }, count)
        });
        let answer = chunks(self.answer, plan.ttft_ms).map(|(at_us, tokens)| {
            let count = tokens.end - tokens.start;
            let bytes = match tokens.start {
                0 => writer.filled(plan.format, tokens, plan.first_chunk_bytes),
                _ => writer.answer(plan.format, tokens),
            };
            (Piece { at_us, bytes, kind: Kind::Answer }, count)
        });
        reasoning.chain(answer).collect()
    }

    /// What comes before the output: the role, and comments while there is nothing else.
    fn opening(&self, times: Times) -> Vec<Piece> {
        if self.plan.format != Format::OpenAi {
            return Vec::new();
        }
        let role = || chunk::delta(self.ask, json!({"role": "assistant", "content": ""}), None);
        let role = self.plan.role_chunk.then(|| Piece { at_us: times.queue_us, bytes: role(), kind: Kind::Role });
        let comments =
            self.plan.keep_alive_ms.into_iter().flat_map(|ms| {
                (1..).map(move |n| times.queue_us + n * ms * 1000).take_while(move |at_us| *at_us < times.first_us)
            });
        let comments = comments.map(|at_us| Piece { at_us, bytes: chunk::keep_alive(), kind: Kind::KeepAlive });
        role.into_iter().chain(comments).collect()
    }

    /// What comes in the same moment as the last output.
    fn close(&self, at_us: u64) -> Vec<Piece> {
        if self.plan.format != Format::OpenAi {
            return Vec::new();
        }
        let finish = self.plan.finish.then(|| chunk::delta(self.ask, json!({}), Some(self.finish_reason())));
        let closing = chunk::closing(self.ask, self.reports());
        let done = self.plan.done.then(chunk::done);
        [(finish, Kind::Finish), (closing, Kind::Closing), (done, Kind::Done)]
            .into_iter()
            .filter_map(|(bytes, kind)| Some(Piece { at_us, bytes: bytes?, kind }))
            .collect()
    }

    /// What follows for ever after the planned output.
    fn endless(&self, times: Times) -> Endless {
        let gap_us = (self.plan.gap_ms * 1000).max(ENDLESS_GAP_US);
        Endless {
            writer: Writer { ask: self.ask.clone() },
            format: self.plan.format,
            crlf: self.plan.crlf && self.plan.format == Format::OpenAi,
            from_us: if self.answer > 0 { times.last_us + gap_us } else { times.last_us },
            gap_us,
            from_token: self.answer,
            tokens_per_chunk: self.plan.tokens_per_chunk,
        }
    }
}
