//! When the parts of a reply come where a model of a server says so, and a schedule made of that.

use std::ops::Range;

use crate::ask::Ask;
use crate::dialect;
use crate::error::ScheduleError;
use crate::limit::Service;
use crate::model::{Emission, What};
use crate::piece::{Kind, Piece};
use crate::plan::Plan;
use crate::reply::Times;
use crate::schedule::Schedule;

/// What stands between the steps of a [`Timeline::unknown`]: longer than any reply takes.
const STEP_US: u64 = 1 << 40;

/// When a modelled server did what for one reply, in µs since the request was received.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// The request got its place in a batch.
    pub queue_us: u64,
    /// Its input was read.
    pub prefill_us: u64,
    /// Tokens of the input that need not be read.
    pub cached_tokens: u32,
    /// When the tokens of each step left, and how many.
    pub steps: Vec<(u64, u32)>,
    /// The last of it left.
    pub end_us: u64,
}

/// Where a time of an unknown timeline stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// So many steps have left by then.
    pub steps: usize,
    /// And so many µs have passed since the last of them, or since the queue.
    pub after_us: u64,
}

/// Tokens that come as one.
pub(crate) struct Chunk {
    pub(crate) at_us: u64,
    pub(crate) kind: Kind,
    /// Of this kind, from 0.
    pub(crate) tokens: Range<u64>,
}

/// A kind of output of a reply.
pub(crate) struct Part {
    pub(crate) kind: Kind,
    pub(crate) tokens: u64,
    /// A chunk holds at least so many.
    pub(crate) per_chunk: u64,
    /// And no more.
    pub(crate) just: bool,
}

impl Timeline {
    /// One whose steps are known and whose times are not: each time tells its [`Place`].
    pub fn unknown(steps: &[u32]) -> Timeline {
        let steps: Vec<(u64, u32)> = steps.iter().zip(1..).map(|(tokens, n)| (n * STEP_US, *tokens)).collect();
        let end_us = steps.last().map_or(STEP_US, |(at_us, _)| *at_us);
        Timeline { queue_us: 0, prefill_us: 0, cached_tokens: 0, steps, end_us }
    }

    /// Where a time of an unknown timeline stands.
    pub fn place(at_us: u64) -> Place {
        Place { steps: (at_us / STEP_US) as usize, after_us: at_us % STEP_US }
    }

    /// Something happens; `received_us` is when the request was received on the model's clock.
    pub fn note(&mut self, emission: Emission, received_us: u64) {
        let at_us = emission.at_us.saturating_sub(received_us);
        match emission.what {
            What::Starts { cached_tokens, .. } => (self.queue_us, self.cached_tokens) = (at_us, cached_tokens),
            What::Prefilled => self.prefill_us = at_us,
            What::Tokens(tokens) => self.steps.push((at_us, tokens)),
            What::Ends => self.end_us = at_us,
        }
    }

    /// Everything that follows from it for a reply.
    pub(crate) fn times(&self, parts: &[Part]) -> Times {
        let first_us = self.chunks(parts).first().map_or(self.end_us, |chunk| chunk.at_us);
        Times { queue_us: self.queue_us, prefill_us: self.prefill_us, first_us, last_us: self.end_us }
    }

    /// What comes as one: the tokens of a step, and of as many steps as it takes until so many are there.
    pub(crate) fn chunks(&self, parts: &[Part]) -> Vec<Chunk> {
        let all: u64 = parts.iter().map(|part| part.tokens).sum();
        let (mut made, mut sent, mut chunks) = (0, 0, Vec::new());
        for (at_us, tokens) in self.steps.iter().copied() {
            made = (made + u64::from(tokens)).min(all);
            let mut from = 0;
            for Part { kind, tokens, per_chunk, just } in parts {
                let to = from + tokens;
                let upto = made.min(to);
                while sent >= from && upto > sent && (upto - sent >= *per_chunk || upto == to) {
                    let end = if *just { upto.min(sent + per_chunk) } else { upto };
                    chunks.push(Chunk { at_us, kind: *kind, tokens: sent - from..end - from });
                    sent = end;
                }
                from = to;
            }
        }
        chunks
    }
}

impl Plan {
    /// The reply to one question at the times of a modelled server.
    pub fn schedule_timed(&self, ask: &Ask, timeline: &Timeline) -> Result<Schedule, ScheduleError> {
        let service = Service { begins_us: timeline.queue_us, frozen: None };
        // Comments come while nothing else does, which only whoever waits can tell.
        let quiet = Plan { keep_alive_ms: None, ..self.clone() };
        quiet.build(ask, service, Some(timeline))
    }

    /// The bytes of one comment, and every how many µs it comes until there is output; none if there are none.
    pub fn comment(&self, ask: &Ask) -> Option<(u64, Vec<u8>)> {
        let every_us = self.keep_alive_ms? * 1_000;
        // One that has room for a single comment.
        let timeline = Timeline { steps: vec![(every_us + 1, 1)], end_us: every_us + 1, ..Timeline::default() };
        let whole = Plan { split: None, bom: false, burst: false, fault: None, ..self.clone() };
        let schedule = whole.build(ask, Service::default(), Some(&timeline)).ok()?;
        schedule.pieces.into_iter().find(|piece| piece.kind == Kind::KeepAlive).map(|piece| (every_us, piece.bytes))
    }

    /// The reply to a question that a modelled server does not admit.
    pub fn refused(&self, status: u16, why: &str) -> Schedule {
        let piece = Piece { at_us: 0, bytes: dialect::failure(self.format, status, why), kind: Kind::Error };
        let retry_after_s = (status == 429).then_some(1);
        Schedule { status, retry_after_s, ..self.one(Service::default(), "application/json", piece) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::Ending;

    fn plan(pairs: &[(&str, &str)]) -> Plan {
        Plan::parse(&[&[("engine", "interactive-small")], pairs].concat()).expect("a plan")
    }

    fn text(schedule: &Schedule) -> String {
        String::from_utf8(schedule.pieces.iter().flat_map(|piece| piece.bytes.clone()).collect()).expect("UTF-8")
    }

    fn known() -> Timeline {
        let steps = vec![(9_000, 1), (12_000, 3), (12_000, 2), (20_500, 1)];
        Timeline { queue_us: 2_000, prefill_us: 8_000, cached_tokens: 5, steps, end_us: 20_500 }
    }

    #[test]
    fn chunks_are_steps_cut_where_the_answer_begins() {
        use Kind::{Answer, Reasoning, Tool};
        let parts = |reasoning, answer, per_chunk| {
            let part = |kind, tokens| Part { kind, tokens, per_chunk, just: false };
            [part(Reasoning, reasoning), part(Answer, answer)]
        };
        let of =
            |parts: &[Part]| -> Vec<_> { known().chunks(parts).into_iter().map(|c| (c.at_us, c.kind, c.tokens)).collect() };
        let chunks = |reasoning, answer, per_chunk| of(&parts(reasoning, answer, per_chunk));
        assert_eq!(
            chunks(0, 7, 1),
            [(9_000, Answer, 0..1), (12_000, Answer, 1..4), (12_000, Answer, 4..6), (20_500, Answer, 6..7)]
        );
        assert_eq!(chunks(0, 7, 4), [(12_000, Answer, 0..4), (20_500, Answer, 4..7)]);
        assert_eq!(
            chunks(3, 4, 1),
            [
                (9_000, Reasoning, 0..1),
                (12_000, Reasoning, 1..3),
                (12_000, Answer, 0..1),
                (12_000, Answer, 1..3),
                (20_500, Answer, 3..4)
            ]
        );
        assert_eq!(chunks(0, 0, 1), []);
        // Calls are written token by token, or whole.
        let calls = |per_chunk| {
            let answer = Part { kind: Answer, tokens: 3, per_chunk: 1, just: false };
            of(&[answer, Part { kind: Tool, tokens: 4, per_chunk, just: true }])
        };
        let begin = [(9_000, Answer, 0..1), (12_000, Answer, 1..3)];
        let each = [(12_000, Tool, 0..1), (12_000, Tool, 1..2), (12_000, Tool, 2..3), (20_500, Tool, 3..4)];
        assert_eq!(calls(1), [begin.as_slice(), &each].concat());
        assert_eq!(calls(2), [begin.as_slice(), &[(12_000, Tool, 0..2), (20_500, Tool, 2..4)]].concat());
    }

    #[test]
    fn a_reply_at_modelled_times_reports_them() {
        let plan =
            plan(&[("tokens", "7"), ("spans", "queue,prefill,time_to_first_token,decode,total"), ("timings", "llamacpp")]);
        let ask = Ask { prompt_tokens: 10, ..Ask::streaming() };
        let s = plan.schedule_timed(&ask, &known()).expect("a schedule");
        assert_eq!((s.head_at_us, s.queue_us), (Some(2_000), 2_000));
        assert_eq!(s.expected, crate::Expected { first_output_us: Some(9_000), last_output_us: Some(20_500), tokens: 7 });
        let at: Vec<_> = s.pieces.iter().map(|piece| (piece.at_us, piece.kind)).collect();
        use Kind::{Answer, Closing, Done, Finish, Role};
        let answers = [(9_000, Answer), (12_000, Answer), (12_000, Answer), (20_500, Answer)];
        assert_eq!(at[0], (2_000, Role));
        assert_eq!(at[1..5], answers);
        assert_eq!(at[5..], [(20_500, Finish), (20_500, Closing), (20_500, Done)]);
        let closing = text(&s);
        for told in [
            r#"{"name":"queue","dur":2,"boundary":"queue"}"#,
            r#"{"name":"prefill","dur":6,"boundary":"prefill"}"#,
            r#"{"name":"time_to_first_token","dur":9,"#,
            r#"{"name":"decode","dur":11.5,"#,
            r#"{"name":"total","dur":20.5,"#,
            r#""prompt_tokens_details":{"cached_tokens":5}"#,
            r#""prompt_ms":6,"predicted_n":7,"predicted_ms":11.5"#,
        ] {
            assert!(closing.contains(told), "{told} in {closing}");
        }
        let whole = plan.schedule_timed(&Ask { prompt_tokens: 10, ..Ask::whole() }, &known()).expect("a schedule");
        assert_eq!((whole.head_at_us, whole.queue_us), (Some(20_500), 2_000));
    }

    #[test]
    fn an_unknown_timeline_tells_places_and_the_same_bytes_up_to_the_end() {
        for pairs in [&[("tokens", "7"), ("split", "30")][..], &[("tokens", "7"), ("reasoning_tokens", "0")]] {
            let (plan, ask) = (plan(pairs), Ask::streaming());
            let steps: Vec<u32> = known().steps.iter().map(|step| step.1).collect();
            let unknown = plan.schedule_timed(&ask, &Timeline::unknown(&steps)).expect("a schedule");
            let known = plan.schedule_timed(&ask, &known()).expect("a schedule");
            let before_last = unknown.pieces.iter().take_while(|piece| Timeline::place(piece.at_us).steps < 4).count();
            assert!(before_last >= 4);
            for (a, b) in unknown.pieces.iter().zip(&known.pieces).take(before_last) {
                assert_eq!((&a.bytes, a.kind), (&b.bytes, b.kind));
            }
            let first = unknown.pieces.iter().find(|piece| piece.kind == Kind::Answer).expect("an answer");
            assert_eq!(Timeline::place(first.at_us).steps, 1);
        }
        let cut = plan(&[("tokens", "7"), ("fault", "reset")]);
        let cut = cut.schedule_timed(&Ask::streaming(), &Timeline::unknown(&[1, 3, 2, 1])).expect("a schedule");
        let Ending::Reset(at_us) = cut.ending else { panic!("{:?}", cut.ending) };
        assert_eq!(Timeline::place(at_us), Place { steps: 3, after_us: 0 });
    }

    #[test]
    fn comments_are_those_of_the_format() {
        let ask = Ask::streaming();
        assert_eq!(plan(&[]).comment(&ask), None);
        assert_eq!(plan(&[("keep_alive_ms", "20")]).comment(&ask), Some((20_000, b": keep-alive\n\n".to_vec())));
        assert_eq!(plan(&[("keep_alive_ms", "20"), ("format", "text")]).comment(&ask), None);
    }
}
