//! Ways to ask, and what each endpoint's schedule says must come out.

use firstlight_core::Micros;
use firstlight_core::gap::{PartKind, Wait, split};
use firstlight_core::mark::{Absence, Mark};
use firstlight_core::outcome::Outcome;
use firstlight_core::server_report::{Access, Boundary, Source};
use firstlight_core::summary::clock_error;
use firstlight_core::trace::{Mode, Shape};
use firstlight_e2e::Browser;
use firstlight_e2e::page::Setup;

use crate::checks::{all_complete, at, measure, open, own};

pub(crate) fn whole_answers(browser: &Browser) {
    let (served, page) = open(browser);
    let run = measure(&page, &own(&served.endpoint("preset=fast"), 5).with("mode", "non-streaming"));
    all_complete(&run);
    assert_eq!(run.traces.len(), 5);
    for trace in &run.traces {
        assert_eq!((trace.planned.mode, trace.shape), (Mode::NonStreaming, Some(Shape::Whole)));
        for first in [Mark::FirstOutput, Mark::FirstAnswer, Mark::FirstUseful] {
            assert_eq!(trace.marks.get(first), Err(Absence::NonStreaming));
        }
        assert_eq!(at(trace, Mark::LastOutput), at(trace, Mark::BodyEnd));
        assert_eq!(at(trace, Mark::LastAnswer), at(trace, Mark::BodyEnd));
        // The last of ten tokens is due 20 + 9 × 5 ms after the request came.
        let wait = at(trace, Mark::BodyEnd) - at(trace, Mark::Sent);
        assert!(wait + Micros(2 * run.clock.step_us) >= Micros::ms(65), "{wait}");
        let seen = trace.first_visible.expect("seen");
        assert!(seen.earliest >= at(trace, Mark::LastOutput), "{trace:?}");
        // The header of a whole answer names the server's total.
        assert_eq!(trace.server_timing_access, Access::Read);
        let total = trace.spans.iter().find(|span| span.boundary == Boundary::Total).expect("a total");
        assert_eq!(total.source, Source::ServerTimingHeader);
        let parts = split(trace, Wait::LastOutput, clock_error(&run)).expect("consistent");
        assert_eq!(parts.reported(), total.value);
        assert_eq!(parts.parts.iter().map(|part| part.value).sum::<Micros>(), parts.total);
    }
}

pub(crate) fn both_in_pairs(browser: &Browser) {
    let (served, page) = open(browser);
    let run = measure(&page, &own(&served.endpoint("preset=fast"), 6).with("mode", "both"));
    all_complete(&run);
    assert_eq!(run.traces.len(), 12);
    for pair in run.traces.chunks(2) {
        assert!(pair[0].planned.pair.is_some());
        assert_eq!(pair[0].planned.pair, pair[1].planned.pair);
        let modes = [pair[0].planned.mode, pair[1].planned.mode];
        assert!(modes.contains(&Mode::Streaming) && modes.contains(&Mode::NonStreaming), "{modes:?}");
    }
    let modes: Vec<String> = page.table().expect("a table").into_iter().map(|row| row.mode).collect();
    assert!(modes.contains(&"streaming".to_owned()) && modes.contains(&"non_streaming".to_owned()));
}

pub(crate) fn the_worked_example(browser: &Browser) {
    let (_served, page) = open(browser);
    let setup = Setup::built_in("worked-example").with("requests", 3).with("warmup", 0);
    let run = measure(&page, &setup);
    all_complete(&run);
    assert_eq!(run.traces.len(), 3);
    let step = Micros(2 * run.clock.step_us);
    for trace in &run.traces {
        assert_eq!(trace.usage.and_then(|usage| usage.output), Some(20));
        let component = trace.spans.iter().find(|span| span.boundary == Boundary::Component).expect("a component");
        assert_eq!((component.name.as_str(), component.value), ("model_container", Micros::ms(720)));
        assert!(at(trace, Mark::FirstOutput) - at(trace, Mark::Sent) + step >= Micros::ms(450));
        assert!(at(trace, Mark::LastOutput) - at(trace, Mark::Sent) + step >= Micros::ms(1400));
        let parts = split(trace, Wait::LastOutput, clock_error(&run)).expect("consistent");
        assert_eq!(parts.total, at(trace, Mark::LastOutput) - at(trace, Mark::Sent));
        assert_eq!(parts.reported(), Micros::ms(720));
        assert_eq!(parts.parts.iter().map(|part| part.value).sum::<Micros>(), parts.total);
        // Its place inside the request is not known, so the rest is named nothing better.
        let known = |kind: &PartKind| {
            matches!(kind, PartKind::BeforeRequest | PartKind::Server { .. } | PartKind::Unattributed | PartKind::Render)
        };
        assert!(parts.parts.iter().all(|part| known(&part.kind)), "{parts:?}");
        let before: Micros =
            parts.parts.iter().filter(|part| part.kind == PartKind::BeforeRequest).map(|part| part.value).sum();
        assert_eq!(parts.unattributed(), parts.total - Micros::ms(720) - before);
        // Nothing reported can be compared with the wait for the first output.
        assert_eq!(split(trace, Wait::FirstAnswer, clock_error(&run)).expect("consistent").reported(), Micros::ZERO);
    }
}

pub(crate) fn a_single_prediction(browser: &Browser) {
    let (_served, page) = open(browser);
    let setup = Setup::built_in("prediction").with("mode", "non-streaming").with("requests", 4).with("warmup", 0);
    let run = measure(&page, &setup);
    assert_eq!(run.traces.len(), 4);
    for trace in &run.traces {
        assert_eq!((trace.shape, &trace.outcome), (Some(Shape::Prediction), &Outcome::Complete));
        let wait = at(trace, Mark::LastOutput) - at(trace, Mark::Sent);
        assert!(wait + Micros(2 * run.clock.step_us) >= Micros::ms(80), "{wait}");
        assert!(trace.marks.get(Mark::FirstOutput).is_err());
    }
}

pub(crate) fn reasoning_comes_before_the_answer(browser: &Browser) {
    let (_served, page) = open(browser);
    let run = measure(&page, &Setup::built_in("reasoning").with("requests", 2).with("warmup", 0));
    all_complete(&run);
    for trace in &run.traces {
        let sent = at(trace, Mark::Sent);
        let step = Micros(2 * run.clock.step_us);
        assert_eq!(at(trace, Mark::FirstReasoning), at(trace, Mark::FirstOutput));
        assert!(at(trace, Mark::FirstReasoning) - sent + step >= Micros::ms(200));
        assert!(at(trace, Mark::FirstAnswer) - sent + step >= Micros::ms(900));
        assert!(trace.first_visible.expect("seen").earliest >= at(trace, Mark::FirstAnswer));
        assert!(trace.amounts.reasoning_chars > 0 && trace.amounts.answer_chars > 0);
    }
}
