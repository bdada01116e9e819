//! A run driven by hand: the session decides, the test plays the browser.

use super::*;
use crate::config::tests::sound;
use crate::metrics::tests::{SSE, head, token};
use crate::outcome::Outcome;

fn config(requests: u32, concurrency: u32, warmup: u32) -> RunConfig {
    RunConfig { requests, concurrency, warmup, timeout_ms: 1000, seed: 7, ..sound() }
}

fn session(requests: u32, concurrency: u32, warmup: u32) -> Session {
    Session::new(config(requests, concurrency, warmup), 2, true, false)
}

fn answer(s: &mut Session, id: u32, at: i64) {
    s.sent(id, Micros::ms(at));
    s.headers(id, Micros::ms(at + 1), head(200, SSE), Vec::new());
    s.read(id, Micros::ms(at + 2), &token("Hi "));
    assert!(s.read(id, Micros::ms(at + 3), b"data: [DONE]\n\n").finished);
}

#[test]
fn a_closed_loop_keeps_its_concurrency_and_warms_up_first() {
    let mut s = session(3, 2, 1);
    let warm = s.dispatch(Micros::ZERO).expect("warm-up");
    assert!(warm.planned.warmup);
    assert_eq!(s.dispatch(Micros::ZERO), None, "the measured part waits for the warm-up");
    answer(&mut s, 0, 0);
    let first = s.dispatch(Micros::ms(4)).expect("free at the protocol's end, before the evidence is in");
    let second = s.dispatch(Micros::ms(4)).expect("two at once");
    assert_eq!((first.planned.id, second.planned.id), (1, 2));
    assert_eq!(s.dispatch(Micros::ms(4)), None);
    answer(&mut s, 1, 5);
    assert!(s.dispatch(Micros::ms(9)).is_some());
    answer(&mut s, 2, 10);
    answer(&mut s, 3, 10);
    assert!(!s.is_done());
    (0..4).for_each(|id| s.settle(id));
    assert!(s.is_done());
    let traces = s.traces();
    assert_eq!(traces.iter().map(|t| t.planned.id).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert!(traces.iter().all(|t| t.outcome == Outcome::Complete));
}

#[test]
fn a_hidden_page_sends_nothing_and_catches_nothing_up() {
    let mut s = session(5, 1, 0);
    s.visibility(true, Micros::ZERO);
    assert_eq!(s.dispatch(Micros::ms(1)), None);
    assert!(s.progress(Micros::ms(1)).paused);
    s.visibility(false, Micros::ms(9000));
    assert!(s.dispatch(Micros::ms(9000)).is_some());
    assert_eq!(s.dispatch(Micros::ms(9000)), None);
}

#[test]
fn a_limit_that_runs_out_ends_the_request_and_frees_its_place() {
    let mut s = session(2, 1, 0);
    s.dispatch(Micros::ZERO);
    s.sent(0, Micros::ms(5));
    assert!(s.expired(Micros::ms(1004)).is_empty());
    assert_eq!(s.expired(Micros::ms(1005)), [0]);
    assert!(s.expired(Micros::ms(1005)).is_empty());
    assert!(s.dispatch(Micros::ms(1005)).is_some());
    s.settle(0);
    assert_eq!(s.traces()[0].outcome, Outcome::Timeout);
}

#[test]
fn stopping_keeps_what_was_measured_and_cancels_what_was_under_way() {
    let mut s = session(50, 2, 0);
    s.dispatch(Micros::ZERO);
    s.dispatch(Micros::ZERO);
    answer(&mut s, 0, 0);
    s.sent(1, Micros::ZERO);
    assert_eq!(s.stop(Micros::ms(50)), [1]);
    assert_eq!(s.dispatch(Micros::ms(51)), None);
    s.failed(1, Micros::ms(51), "AbortError");
    s.settle(0);
    s.settle(1);
    assert!(s.is_done() && s.was_stopped());
    let outcomes: Vec<Outcome> = s.traces().into_iter().map(|t| t.outcome).collect();
    assert_eq!(outcomes, [Outcome::Complete, Outcome::Cancelled]);
}

#[test]
fn places_are_given_out_while_they_last() {
    let mut s = session(10, 1, 0);
    let first = s.dispatch(Micros::ZERO).expect("first");
    assert_eq!(first.slot, Some(0));
    answer(&mut s, 0, 0);
    let second = s.dispatch(Micros::ms(5)).expect("second");
    assert_eq!(second.slot, Some(1), "the first place still waits for its paint");
    s.release(0);
    answer(&mut s, 1, 5);
    assert_eq!(s.dispatch(Micros::ms(10)).expect("third").slot, Some(0), "free before its network timing is in");
    answer(&mut s, 2, 10);
    assert_eq!(s.dispatch(Micros::ms(15)).expect("fourth").slot, None, "both are taken");
}

#[test]
fn running_figures_say_what_is_known_and_no_more() {
    let mut s = session(4, 1, 0);
    assert_eq!(s.progress(Micros::ZERO).time_left, None);
    for id in 0..2 {
        s.dispatch(Micros::ms(100 * i64::from(id)));
        answer(&mut s, id, 100 * i64::from(id));
        s.settle(id);
    }
    let p = s.progress(Micros::ms(200));
    assert_eq!((p.measured, p.failed, p.in_flight), ((2, 4), 0, 0));
    assert_eq!(p.time_left, Some(Micros::ms(200)));
    assert_eq!(p.first, Some((Micros::ms(2), Micros::ms(2))));
}

#[test]
fn a_network_entry_goes_to_its_request_once() {
    let mut s = session(2, 2, 0);
    s.dispatch(Micros::ZERO);
    s.dispatch(Micros::ZERO);
    answer(&mut s, 0, 10);
    answer(&mut s, 1, 300);
    let timing = |start, end| NetworkTiming { start: Micros::ms(start), response_end: Micros::ms(end), ..Default::default() };
    let mut come = |url: &str, start, end, patient| {
        s.entry(url.to_owned(), timing(start, end), Vec::new());
        s.match_entries(patient, |_| "http://a/")
    };
    // Two requests were sent before its end: whose it is shows once the other's has come, or none is waited for.
    assert_eq!(come("http://a/", 300, 303, true), Vec::<u32>::new());
    assert_eq!(come("http://b/", 300, 303, true), Vec::<u32>::new());
    // Only one was sent before the end of this one; then the other is the only one left.
    assert_eq!(come("http://a/", 10, 13, true), [0]);
    assert_eq!(come("http://a/", 300, 303, true), [1]);
    assert_eq!(come("http://a/", 300, 303, false), Vec::<u32>::new());
}

#[test]
fn a_blocked_main_thread_is_laid_over_the_waits_it_overlaps() {
    let mut s = session(2, 1, 0);
    let first = s.dispatch(Micros::ms(0)).expect("a request").planned.id;
    s.sent(first, Micros::ms(100));
    s.headers(first, Micros::ms(101), head(200, SSE), Vec::new());
    s.read(first, Micros::ms(400), &token("Hello "));
    s.read(first, Micros::ms(900), b"data: [DONE]\n\n");
    s.body_end(first, Micros::ms(900));
    // Before it, across its beginning, across its first output, and after its end.
    for (from, to) in [(0, 50), (80, 130), (350, 500), (950, 990)] {
        s.blocked(Micros::ms(from), Micros::ms(to));
    }
    s.settle(first);
    let trace = s.traces().remove(0);
    assert_eq!(trace.flags.blocked_first, Micros::ms(30 + 50));
    assert_eq!(trace.flags.blocked, Micros::ms(30 + 150));
}

#[test]
fn what_was_under_way_while_the_page_stood_still_is_void_and_not_sent_again() {
    let mut s = session(4, 2, 0);
    let ids: Vec<u32> = (0..2).filter_map(|_| s.dispatch(Micros::ms(0))).map(|d| d.planned.id).collect();
    answer(&mut s, ids[0], 10);
    s.sent(ids[1], Micros::ms(20));
    // A third one ended, and was closed, while the page stood still.
    let third = s.dispatch(Micros::ms(30)).expect("a place is free").planned.id;
    answer(&mut s, third, 4_990);
    s.settle(third);
    assert_eq!(s.stood_still(Micros::ms(4_992), Micros::ms(9_000), Stop::Frozen), [ids[1]]);
    let next = s.dispatch(Micros::ms(9_001)).expect("the run goes on").planned.id;
    assert!(!ids.contains(&next), "a request is sent once");
    let traces = s.traces();
    let of = |id| traces.iter().find(|t| t.planned.id == id).expect("a trace").outcome.clone();
    assert_eq!((of(ids[0]), of(ids[1]), of(third)), (Outcome::Complete, Outcome::Frozen, Outcome::Frozen));
}
