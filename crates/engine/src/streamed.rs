//! A reply in parts.

use crate::dialect::{CALL_TOKENS, Scribe};
use crate::fault::Fault;
use crate::piece::{Ending, Endless, Kind, Piece};
use crate::reply::{Reply, Times};
use crate::schedule::{Expected, Schedule, reset_after};
use crate::timeline::Chunk;
use crate::writes::{has_crlf, written};

/// Output that never ends comes no faster than this.
const ENDLESS_GAP_US: u64 = 1_000;

impl Reply<'_> {
    /// The schedule of a reply in parts.
    pub(crate) fn streamed(&self) -> Schedule {
        let (plan, times) = (self.plan, self.times());
        let mut output = self.output();
        let half = output.len() / 2;
        // Where a fault strikes: when the next output would have come.
        let next_us = output.get(half).map_or(times.last_us, |chunk| chunk.at_us);
        if plan.fault.is_some_and(Fault::halves) {
            output.truncate(half);
        }
        let tokens = output.iter().map(|chunk| chunk.tokens.end - chunk.tokens.start).sum();
        let mut scribe = Scribe::new(self.ask, plan);
        let mut pieces = self.opening(&mut scribe, times);
        pieces.extend(output.into_iter().map(|Chunk { at_us, kind, tokens }| {
            let fill = if kind == Kind::Answer && tokens.start == 0 { plan.first_chunk_bytes } else { 0 };
            Piece { at_us, bytes: scribe.output(kind, tokens, fill), kind }
        }));
        match plan.fault {
            Some(Fault::ErrorInside) => {
                let error = scribe.error(Fault::INSIDE);
                pieces.extend(error.map(|bytes| Piece { at_us: next_us, bytes, kind: Kind::Error }));
            }
            Some(Fault::Truncate | Fault::Reset | Fault::Stall | Fault::NeverEnds) => {}
            _ => {
                let close = scribe.close(&self.closing()).into_iter();
                pieces.extend(close.map(|(kind, bytes)| Piece { at_us: times.last_us, bytes, kind }));
            }
        }
        let pieces = written(plan, pieces);
        let said = scribe.said.clone();
        let ending = match plan.fault {
            Some(Fault::Reset) => reset_after(&pieces, next_us),
            Some(Fault::Stall) => Ending::Open,
            Some(Fault::NeverEnds) => Ending::Endless(Box::new(self.endless(scribe, times))),
            _ => Ending::Clean,
        };
        let outputs = || pieces.iter().filter(|p| p.kind.is_output()).map(|p| p.at_us);
        let endless = matches!(ending, Ending::Endless(_));
        let expected =
            Expected { first_output_us: outputs().next(), last_output_us: outputs().next_back().filter(|_| !endless), tokens };
        Schedule {
            status: 200,
            format: plan.format,
            content_type: plan.format.stream_type(),
            encoding: None,
            retry_after_s: None,
            queue_us: times.queue_us,
            head_at_us: (plan.fault != Some(Fault::Hang)).then_some(times.queue_us),
            streamed: true,
            pieces,
            ending,
            expected,
            said,
            server_timing: plan.server_timing.clone(),
        }
    }

    /// Chunks of reasoning, answer and calls.
    fn output(&self) -> Vec<Chunk> {
        if let Some(timeline) = self.timeline {
            return timeline.chunks(&self.parts());
        }
        let (plan, start_us) = (self.plan, self.times().queue_us);
        let chunks = |kind: Kind, tokens: u64, from_ms: u64| {
            (0..plan.chunks(tokens)).map(move |n| {
                let first = n * plan.tokens_per_chunk;
                let at_us = start_us + (from_ms + n * plan.gap_ms) * 1000;
                Chunk { at_us, kind, tokens: first..tokens.min(first + plan.tokens_per_chunk) }
            })
        };
        // Every token of a call has its time; a call that comes whole comes with its last.
        let together = if plan.format.calls_whole() { CALL_TOKENS } else { 1 };
        let calls = (1..=self.calls * CALL_TOKENS / together).map(|n| {
            let tokens = (n - 1) * together..n * together;
            let at_us = start_us + (self.calls_at_ms() + (tokens.end - 1) * plan.gap_ms) * 1000;
            Chunk { at_us, kind: Kind::Tool, tokens }
        });
        chunks(Kind::Reasoning, self.reasoning, plan.reasoning_at_ms)
            .chain(chunks(Kind::Answer, self.answer, plan.ttft_ms))
            .chain(calls)
            .collect()
    }

    /// What comes before the output, and signs of life while there is nothing else.
    fn opening(&self, scribe: &mut Scribe, times: Times) -> Vec<Piece> {
        let opening = if self.plan.role_chunk { scribe.opening() } else { None };
        let role = opening.map(|bytes| Piece { at_us: times.queue_us, bytes, kind: Kind::Role });
        let alive = scribe.keep_alive();
        let signs = self.plan.keep_alive_ms.zip(alive).into_iter().flat_map(|(ms, bytes)| {
            (1..)
                .map(move |n| Piece { at_us: times.queue_us + n * ms * 1000, bytes: bytes.clone(), kind: Kind::KeepAlive })
                .take_while(move |piece| piece.at_us < times.first_us)
        });
        role.into_iter().chain(signs).collect()
    }

    /// What follows for ever after the planned output.
    fn endless(&self, scribe: Scribe, times: Times) -> Endless {
        let gap_us = (self.plan.gap_ms * 1000).max(ENDLESS_GAP_US);
        Endless {
            scribe: scribe.endless(),
            crlf: has_crlf(self.plan),
            from_us: if self.answer > 0 { times.last_us + gap_us } else { times.last_us },
            gap_us,
            from_token: self.answer,
            tokens_per_chunk: self.plan.tokens_per_chunk,
            service: self.service,
        }
    }
}
