//! A run driven by hand: the session decides, the test plays the browser.

use super::*;
use crate::config::tests::sound;
use crate::cost::Prices;
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
    let mut come = |url: &str, start, end, waited| {
        s.entry(url.to_owned(), timing(start, end), Vec::new());
        s.match_entries(waited, |_| "http://a/")
    };
    // Two requests were sent before its end: whose it is shows once the other's has come, or none is waited for.
    assert_eq!(come("http://a/", 300, 303, None), Vec::<u32>::new());
    assert_eq!(come("http://b/", 300, 303, None), Vec::<u32>::new());
    // Only one was sent before the end of this one; then the other is the only one left.
    assert_eq!(come("http://a/", 10, 13, None), [0]);
    assert_eq!(come("http://a/", 300, 303, None), [1]);
    assert_eq!(come("http://a/", 300, 303, Some(1)), Vec::<u32>::new());
}

#[test]
fn only_a_request_that_has_waited_takes_an_entry_that_may_be_anothers() {
    let mut s = session(2, 2, 0);
    let ids: Vec<u32> = (0..2).filter_map(|_| s.dispatch(Micros::ZERO)).map(|d| d.planned.id).collect();
    for (id, at) in ids.iter().zip([10, 12]) {
        answer(&mut s, *id, at);
    }
    for start in [13, 11] {
        let (start, response_end) = (Micros::ms(start), Micros::ms(start + 3));
        s.entry("http://a/".to_owned(), NetworkTiming { start, response_end, ..Default::default() }, Vec::new());
    }
    let mut matched = |waited| s.match_entries(waited, |_| "http://a/");
    assert_eq!(matched(None), Vec::<u32>::new());
    assert_eq!(matched(Some(1)), [1]);
    // Only one is left now, for the one entry that is.
    assert_eq!(matched(None), [0]);
    s.settle(0);
    s.settle(1);
    let starts: Vec<Micros> = s.traces().iter().filter_map(|t| Some(t.network.as_ref().ok()?.start)).collect();
    assert_eq!(starts, [Micros::ms(11), Micros::ms(13)]);
}

#[test]
fn a_long_frame_counts_for_the_answers_that_were_drawn_in_it() {
    let blocks = [(Micros::ms(0), Micros::ms(60)), (Micros::ms(90), Micros::ms(190)), (Micros::ms(200), Micros::ms(230))];
    let of = |begin, end| super::blocks::long_frames(&blocks, (Micros::ms(begin), Micros::ms(end)));
    assert_eq!(of(10, 250), [Micros::ms(60), Micros::ms(100)]);
    assert_eq!(of(61, 150), [Micros::ms(100)]);
    assert_eq!(of(191, 500), []);
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
fn a_limit_on_spend_speaks_when_a_reply_has_ended_and_not_when_its_evidence_is_in() {
    let mut config = config(9, 1, 0);
    config.prices = Some(Prices { currency: "USD".into(), input_per_million: 1_000.0, output_per_million: 0.0 });
    config.stop_rules = vec!["spend<=2".parse().expect("a rule")];
    let mut s = Session::new(config, 4, true, false);
    let mut sent = 0;
    while let Some(dispatch) = s.dispatch(Micros::ms(sent * 10)) {
        let (id, at) = (dispatch.planned.id, sent * 10);
        s.sent(id, Micros::ms(at));
        s.headers(id, Micros::ms(at), head(200, SSE), Vec::new());
        let event = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}],\"usage\":{\"prompt_tokens\":1000,\"completion_tokens\":1}}\n\ndata: [DONE]\n\n";
        s.read(id, Micros::ms(at + 1), event.as_bytes());
        sent += 1;
    }
    // One unit each: the third is over the limit of two. None of the three is settled.
    assert_eq!(sent, 3);
    let broken = s.stopped_by().expect("a rule");
    assert_eq!((broken.seen, broken.request, broken.spent), (3, 2, Some(3.0)));
    assert_eq!(s.traces().len(), 3);
}

#[test]
fn a_request_that_runs_into_its_own_limit_is_a_timeout_and_not_cut_by_the_end_of_the_load() {
    let mut s = session(1, 1, 0);
    let id = s.dispatch(Micros::ZERO).expect("the last one").planned.id;
    // Sent a moment after it was given out: its limit ends as much after the load's end.
    s.sent(id, Micros(400));
    let due = s.next_due().expect("an end of the grace");
    assert!(due > Micros(400) + Micros::ms(1000), "{due:?}");
    assert_eq!(s.overdue(Micros::ms(1000)), Vec::<u32>::new());
    assert_eq!(s.expired(Micros(1_000_400)), [id]);
    assert_eq!(s.traces()[0].outcome, Outcome::Timeout);
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
