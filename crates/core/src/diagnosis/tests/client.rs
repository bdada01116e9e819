//! Rules about the client and its page.

use super::*;
use crate::load::{Shape, Spacing};
use crate::outcome::Outcome;
use crate::paint::{Method, Seen};
use crate::report::Arrival;

#[test]
fn a_client_that_could_not_keep_to_its_schedule() {
    let run = |n: u32, late: i64| {
        let mut run = requests(n, move |_, t| mark(t, Mark::Intended, -late));
        run.config.load.shape = Shape::Open { per_second: 1.0, spacing: Spacing::Even };
        run
    };
    let found = check(&run(20, 200), Rule::Client, Verdict::Found);
    assert_eq!(found.requests.len(), 20);
    check(&run(20, 5), Rule::Client, Verdict::NotFound);
    check(&run(10, 200), Rule::Client, Verdict::CantTell);
    check(&requests(20, |_, _| {}), Rule::Client, Verdict::NotFound);
    check(&requests(5, |_, _| {}), Rule::Client, Verdict::CantTell);
}

#[test]
fn a_busy_main_thread_limits_only_what_is_read_through_it() {
    let mut run = requests(8, |_, t| t.flags.blocked = Micros::ms(50));
    let found = check(&run, Rule::Client, Verdict::Found);
    assert_eq!(found.share, Some(0.25));
    run.environment.arrival = Arrival::Worker;
    check(&run, Rule::Client, Verdict::NotFound);
}

#[test]
fn stamps_that_are_taken_late() {
    let run = |n, p99_us| {
        let mut run = requests(8, |_, _| {});
        run.clock.lag = Some(crate::load::Lag { n, p99_us, ..Default::default() });
        run
    };
    check(&run(1000, 20_000), Rule::Client, Verdict::Found);
    check(&run(1000, 2_000), Rule::Client, Verdict::NotFound);
    // One timer of twenty is an accident.
    check(&run(20, 20_000), Rule::Client, Verdict::NotFound);
}

/// First words on the screen so many ms after they came, exactly or with a lower bound only.
fn painted(n: u32, late: impl Fn(u32) -> i64, exact: bool) -> Run {
    requests(n, |i, t| {
        let at = sent(t) + Micros::ms(100 + late(i));
        let value = exact.then_some(at);
        t.first_visible = Ok(Seen { method: Method::ElementTiming, earliest: at, latest: value, value });
    })
}

#[test]
fn arrived_and_not_painted() {
    let mut run = painted(8, |_| 150, true);
    let found = check(&run, Rule::Render, Verdict::Found);
    assert_eq!((found.share, found.requests.len()), (Some(0.6), 8));
    assert!(!found.evidence.contains("main thread"));
    run.traces[0].flags.blocked_first = Micros::ms(140);
    let found = check(&run, Rule::Render, Verdict::Found);
    assert!(found.evidence.ends_with("The main thread was blocked in 1 of them."), "{}", found.evidence);
    check(&painted(8, |_| 20, true), Rule::Render, Verdict::NotFound);
    check(&painted(20, |i| if i < 3 { 150 } else { 20 }, true), Rule::Render, Verdict::NotFound);
    // Known by a lower bound: enough if it is late already, else nothing is known.
    check(&painted(8, |_| 150, false), Rule::Render, Verdict::Found);
    check(&painted(8, |_| 5, false), Rule::Render, Verdict::CantTell);
    check(&painted(4, |_| 150, true), Rule::Render, Verdict::CantTell);
}

#[test]
fn a_page_that_was_not_in_view() {
    let with_frames = |interval: Option<i64>, change: fn(u32, &mut Trace)| {
        let mut run = requests(4, change);
        run.environment.frame_interval_us = interval;
        run
    };
    let hidden = with_frames(Some(16_667), |i, t| t.flags.hidden_during = i == 2);
    assert_eq!(check(&hidden, Rule::Hidden, Verdict::Found).requests, [2]);
    check(&with_frames(None, |_, t| t.outcome = Outcome::Frozen), Rule::Hidden, Verdict::Found);
    let slow = check(&with_frames(Some(33_333), |_, _| {}), Rule::Hidden, Verdict::Found);
    assert!(slow.evidence.contains("33.3 ms"), "{}", slow.evidence);
    check(&with_frames(Some(16_667), |_, _| {}), Rule::Hidden, Verdict::NotFound);
    check(&with_frames(None, |_, _| {}), Rule::Hidden, Verdict::CantTell);
}
