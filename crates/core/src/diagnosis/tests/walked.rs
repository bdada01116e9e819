//! Excess planted in each stage is found there.

use super::*;
use crate::gap::{Wait, split};
use crate::outcome::Outcome;
use crate::paint::{Method, Seen};
use crate::server_report::Boundary;
use crate::summary::clock_error;

/// So many more ms in each stage of a request.
#[derive(Clone, Copy, Default)]
struct Planted {
    client_queue: i64,
    before: i64,
    queue: i64,
    prefill: i64,
    rest: i64,
    render: i64,
    generation: i64,
}

/// Every stage measured: due, 5 ms to the wire, 10 of queue and 40 of prefill reported, 45 besides, 16 to the screen.
fn staged(n: u32, planted: impl Fn(u32) -> Planted) -> Run {
    requests(n, |i, t| {
        // Each a little different.
        let p = Planted { rest: planted(i).rest + i64::from(i % 5), ..planted(i) };
        mark(t, Mark::Intended, -p.client_queue);
        let out = 5 + p.before;
        let first = out + 10 + p.queue + 40 + p.prefill + 45 + p.rest;
        answered(t, first, first + 300 + p.generation);
        network(t, 0, out, "h2");
        mark(t, Mark::FirstByte, out + 20);
        let span = |boundary, ms: i64| crate::server_report::Span { value: Micros::ms(ms), boundary, ..t.spans[0].clone() };
        t.spans = vec![span(Boundary::Queue, 10 + p.queue), span(Boundary::Prefill, 40 + p.prefill)];
        let seen = |at: Micros| Ok(Seen { method: Method::ElementTiming, earliest: at, latest: Some(at), value: Some(at) });
        t.first_visible = seen(sent(t) + Micros::ms(first + 16 + p.render));
        t.complete_visible = seen(sent(t) + Micros::ms(first + 300 + p.generation + 16 + p.render));
    })
}

fn planted(p: Planted) -> Run {
    staged(20, |i| if i == 7 { p } else { Planted::default() })
}

#[test]
fn excess_is_found_in_the_stage_in_which_it_was_planted() {
    let none = Planted::default();
    let cases = [
        (Planted { render: 300, ..none }, Stage::Render),
        (Planted { prefill: 300, ..none }, Stage::Server(Some(Boundary::Prefill))),
        (Planted { queue: 300, ..none }, Stage::Server(Some(Boundary::Queue))),
        (Planted { rest: 300, ..none }, Stage::Unattributed),
        (Planted { before: 300, ..none }, Stage::BeforeRequest),
        (Planted { client_queue: 300, ..none }, Stage::ClientQueue),
    ];
    for (p, stage) in cases {
        let run = planted(p);
        let walked = walk(&run, 7, Lang::En);
        assert_eq!((walked.state, walked.explained_by), (State::Explained, Some(stage)), "{walked:?}");
        assert_eq!(walked.wait, Some(Wait::FirstVisible));
        assert!(walked.conclusion.contains(&stage.name(Lang::En)), "{}", walked.conclusion);
        // Stages are the parts of the wait.
        let whole = split(&run.traces[7], Wait::FirstVisible, clock_error(&run)).expect("parts");
        assert_eq!(walked.steps.iter().filter_map(|s| s.value).sum::<Micros>(), whole.total);
        assert!(walked.steps.iter().all(|s| !s.evidence.is_empty() && !s.evidence.contains('{')), "{walked:?}");
        // Backwards: the screen first, the moment at which it was due last.
        assert_eq!(walked.steps.first().map(|s| s.stage), Some(Stage::Render));
        assert_eq!(walked.steps.last().map(|s| s.stage), Some(Stage::ClientQueue));
    }
}

#[test]
fn what_came_late_only_at_the_end_is_sought_there() {
    let run = planted(Planted { generation: 2000, ..Planted::default() });
    let walked = walk(&run, 7, Lang::En);
    assert_eq!((walked.wait, walked.explained_by), (Some(Wait::CompleteVisible), Some(Stage::Unattributed)));
    assert!(walked.conclusion.contains("here evidence ends"), "{}", walked.conclusion);
}

#[test]
fn excess_spread_over_three_stages_is_explained_by_none() {
    let walked = walk(&planted(Planted { render: 100, prefill: 110, before: 100, ..Planted::default() }), 7, Lang::En);
    assert_eq!((walked.state, walked.explained_by), (State::Unexplained, None));
    assert!(walked.conclusion.contains("server: prefill"), "{}", walked.conclusion);
}

#[test]
fn a_request_that_is_not_slow_or_failed_says_so() {
    let mut run = planted(Planted { render: 300, ..Planted::default() });
    let ordinary = walk(&run, 8, Lang::En);
    assert_eq!((ordinary.state, ordinary.steps.len()), (State::NotSlow, 0), "{ordinary:?}");
    run.traces[7].outcome = Outcome::HttpError { status: 503 };
    let failed = walk(&run, 7, Lang::En);
    assert_eq!((failed.state, failed.excess), (State::Failed, None));
    assert_eq!(walk(&run, 99, Lang::En).state, State::CantTell);
    let few = walk(&staged(5, |_| Planted::default()), 0, Lang::En);
    assert_eq!(few.state, State::CantTell);
    assert!(few.symptom.contains("needs ≥ 6 requests with the same evidence, has 5"), "{}", few.symptom);
}

#[test]
fn what_is_not_measured_is_said_and_not_guessed() {
    // Neither paint, nor the way to the wire, nor a report, nor a plan.
    let run = requests(12, |i, t| {
        t.spans.clear();
        if i == 3 {
            answered(t, 500, 600);
        }
    });
    let walked = walk(&run, 3, Lang::En);
    assert_eq!((walked.wait, walked.explained_by), (Some(Wait::FirstAnswer), Some(Stage::Unattributed)));
    let unknown: Vec<Stage> = walked.steps.iter().filter(|s| s.verdict == StepVerdict::CantTell).map(|s| s.stage).collect();
    assert_eq!(unknown, [Stage::Render, Stage::Server(None), Stage::BeforeRequest, Stage::ClientQueue]);
    // A report that doesn't fit can't be taken apart.
    let mut wrong = planted(Planted::default());
    wrong.traces[7].spans[1].value = Micros::ms(40_000);
    assert_eq!(walk(&wrong, 7, Lang::En).state, State::CantTell);
}
