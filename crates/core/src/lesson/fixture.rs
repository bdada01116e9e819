//! Runs as they would be measured if nothing but the endpoint's schedule took time, and runs in which it took other times.

use super::{Lesson, Plan, Step};
use crate::Micros;
use crate::load::{Cases, plan};
use crate::mark::{Absence, Mark, Marks};
use crate::outcome::Outcome;
use crate::paint::{Method, Seen};
use crate::report::Run;
use crate::server_report::{Boundary, Source, Span, Unit};
use crate::stop_rule::Watch;
use crate::summary::fixture::{run as run_of, trace as trace_of};
use crate::trace::{Mode, Planned, Read, Shape, Trace, Usage};

/// One reply: when its parts came, in ms since it was sent.
#[derive(Clone, Debug)]
pub struct Reply {
    pub event: i64,
    pub first: i64,
    pub last: i64,
    pub tokens: u64,
    pub spans: Vec<(&'static str, i64, Boundary)>,
    pub shape: Shape,
    /// Results, of a prediction.
    pub items: u64,
}

impl Reply {
    pub fn streamed(first: i64, last: i64, tokens: u64) -> Reply {
        Reply { event: 1, first, last, tokens, spans: Vec::new(), shape: Shape::Stream, items: 0 }
    }
}

/// The runs of a lesson's plan, each request answered as `reply` says: step, its place among the step's requests. As many at
/// once as the step says, each beginning when the one before it in its place has ended.
pub fn runs(lesson: Lesson, reply: impl Fn(usize, &Planned) -> Reply) -> Vec<Run> {
    let Plan { steps, .. } = lesson.plan();
    let mut runs = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let run = one(step, |planned| reply(at, planned));
        let stopped = run.stopped_by.is_some();
        runs.push(run);
        if stopped {
            break;
        }
    }
    runs
}

fn one(step: &Step, reply: impl Fn(&Planned) -> Reply) -> Run {
    let config = step.config("http://localhost:1/v1/chat/completions", "", 3);
    let cases = match &config.workload.source {
        crate::workload::Source::Cases(cases) => Cases { count: cases.len() as u32, ..Cases::ONE },
        _ => Cases::ONE,
    };
    let mut free = vec![0i64; config.concurrency as usize];
    let mut watch = Watch::new(&config.stop_rules, None);
    let mut traces = Vec::new();
    for planned in plan(&config, &cases, 6) {
        let slot = (0..free.len()).min_by_key(|slot| free[*slot]).expect("a slot");
        let reply = reply(&planned);
        // Warm-up is long over when the measured part begins.
        let sent = if planned.warmup { -60_000 } else { free[slot] };
        free[slot] += if planned.warmup { 0 } else { reply.last };
        traces.push(trace(planned, &reply, sent));
        if watch.add(&traces[traces.len() - 1], None).is_some() {
            break;
        }
    }
    let stopped_by = watch.broken().copied();
    Run { config, stopped_by, ..run_of(traces) }
}

fn trace(planned: Planned, reply: &Reply, sent_ms: i64) -> Trace {
    let at = |ms: i64| Micros::ms(sent_ms + ms);
    let seen =
        |ms: i64| Ok(Seen { method: Method::ElementTiming, earliest: at(ms), latest: Some(at(ms)), value: Some(at(ms)) });
    let streamed = planned.mode == Mode::Streaming && reply.shape == Shape::Stream;
    let shape = if streamed || reply.shape == Shape::Prediction { reply.shape } else { Shape::Whole };
    let mut marks = Marks::default();
    let mut mark = |mark, ms| marks.set(mark, at(ms));
    let ends = [Mark::LastOutput, Mark::LastAnswer, Mark::BodyEnd].map(|which| (which, reply.last));
    ends.into_iter().chain([(Mark::Sent, 0)]).for_each(|(which, ms)| mark(which, ms));
    if streamed {
        mark(Mark::FirstEvent, reply.event);
        [Mark::FirstOutput, Mark::FirstAnswer].into_iter().for_each(|which| mark(which, reply.first));
    }
    let reads = match streamed {
        // As many as an output rate needs.
        true => vec![reply.first, (reply.first + reply.last) / 2, reply.last],
        false => vec![reply.last],
    };
    let span = |(name, ms, boundary): &(&'static str, i64, Boundary)| Span {
        name: (*name).to_owned(),
        description: None,
        raw: ms.to_string(),
        unit: Unit::Ms,
        value: Micros::ms(*ms),
        source: Source::BodyField,
        boundary: *boundary,
        before_end: false,
    };
    let prediction = shape == Shape::Prediction;
    Trace {
        planned,
        first_visible: seen(if streamed { reply.first + 8 } else { reply.last + 8 }),
        complete_visible: seen(reply.last + 8),
        reads: reads.into_iter().map(|ms| Read { at: at(ms), bytes: 9, events: 1, output_events: 1 }).collect(),
        shape: Some(shape),
        spans: reply.spans.iter().map(span).collect(),
        usage: (!prediction).then_some(Usage { output: Some(reply.tokens), ..Usage::default() }),
        items: prediction.then_some(reply.items),
        outcome: Outcome::Complete,
        last_known: at(reply.last),
        marks,
        network: Err(Absence::NoResourceTiming),
        ..trace_of(planned.id, 1)
    }
}
