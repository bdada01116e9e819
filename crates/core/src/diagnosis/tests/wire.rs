//! Rules about the way to the wire.

use super::*;

#[test]
fn the_seventh_request_waits_for_a_connection_over_http_1() {
    let run = |n: u32, protocol: &'static str| {
        at_once(n, move |i, t| {
            answered(t, if i < 6 { 300 } else { 600 }, 1000);
            network(t, 0, if i < 6 { 0 } else { 300 }, protocol);
        })
    };
    let found = check(&run(12, "http/1.1"), Rule::BrowserQueue, Verdict::Found);
    assert_eq!(found.requests, [6, 7, 8, 9, 10, 11]);
    // 6 × 300 of 6 × 300 + 6 × 600 ms.
    assert!(found.evidence.ends_with("33 % of all waits."), "{}", found.evidence);
    check(&run(12, "h2"), Rule::BrowserQueue, Verdict::NotFound);
    check(&run(6, "http/1.1"), Rule::BrowserQueue, Verdict::NotFound);
    // The same time before the request, one after another, is no queue.
    check(&requests(12, |_, t| network(t, 0, 60, "http/1.1")), Rule::BrowserQueue, Verdict::NotFound);
    // One alone may be an accident.
    let one = at_once(7, |i, t| {
        answered(t, 600, 1000);
        network(t, 0, if i < 6 { 0 } else { 300 }, "http/1.1");
    });
    check(&one, Rule::BrowserQueue, Verdict::NotFound);
    let hidden = check(&at_once(12, |_, t| hidden_network(t)), Rule::BrowserQueue, Verdict::CantTell).evidence;
    assert!(hidden.contains("Timing-Allow-Origin: *"), "{hidden}");
}

#[test]
fn a_preflight_before_each_request() {
    let run = |cross: bool, paying: u32| {
        requests(12, move |i, t| {
            reply(t, cross, None);
            network(t, 0, if i < paying { 40 } else { 0 }, "h2");
        })
    };
    let found = check(&run(true, 12), Rule::Preflight, Verdict::Found);
    assert_eq!((found.share, found.requests.len()), (Some(0.4), 12));
    check(&run(true, 2), Rule::Preflight, Verdict::NotFound);
    check(&run(false, 12), Rule::Preflight, Verdict::NotFound);
    // A busy machine, or a coarse clock: a sixth of each wait, and less than a frame.
    let busy = requests(12, |_, t| {
        reply(t, true, None);
        network(t, 0, 15, "h2");
    });
    check(&busy, Rule::Preflight, Verdict::NotFound);
    // One engine's entry begins after the preflight.
    let later = requests(12, |_, t| {
        reply(t, true, None);
        network(t, 0, 0, "h2");
        t.network.as_mut().expect("timing").start += Micros::ms(40);
    });
    check(&later, Rule::Preflight, Verdict::Found);
    // Six others under way over HTTP/1.1: a queue looks the same.
    let queue = at_once(12, |_, t| {
        reply(t, true, None);
        network(t, 0, 40, "http/1.1");
    });
    let found = check(&queue, Rule::Preflight, Verdict::Found);
    assert_eq!(found.requests, [0, 1, 2, 3, 4, 5]);
    let hidden = requests(12, |_, t| {
        reply(t, true, None);
        hidden_network(t);
    });
    check(&hidden, Rule::Preflight, Verdict::CantTell);
}

#[test]
fn connections_that_are_opened_again_and_again() {
    let run = |opened: u32, ms: i64| requests(12, move |i, t| network(t, if i < opened { ms } else { 0 }, 0, "http/1.1"));
    let found = check(&run(6, 50), Rule::Cold, Verdict::Found);
    assert_eq!((found.requests, found.share), (vec![0, 1, 2, 3, 4, 5], Some(0.25)));
    check(&run(1, 50), Rule::Cold, Verdict::NotFound);
    check(&run(12, 2), Rule::Cold, Verdict::NotFound);
    check(&requests(12, |_, _| {}), Rule::Cold, Verdict::CantTell);
}

#[test]
fn headers_that_the_page_may_not_read() {
    use crate::server_report::Access;
    let run = |access, cross| {
        requests(2, move |_, t| {
            reply(t, cross, None);
            t.server_timing_access = access;
            network(t, 0, 0, "h2");
        })
    };
    let found = check(&run(Access::HiddenOrNotSent, true), Rule::Unreadable, Verdict::Found);
    let lines = "Let the target send: “Access-Control-Expose-Headers: Server-Timing”, “Timing-Allow-Origin: *”";
    assert_eq!((found.advice.as_str(), found.requests), (lines, vec![0, 1]));
    check(&run(Access::NotSent, false), Rule::Unreadable, Verdict::NotFound);
    check(&run(Access::Read, true), Rule::Unreadable, Verdict::NotFound);
    let timing = requests(2, |_, t| {
        reply(t, true, None);
        t.server_timing_access = Access::Read;
        hidden_network(t);
    });
    let found = check(&timing, Rule::Unreadable, Verdict::Found);
    assert_eq!(found.advice, "Let the target send: “Timing-Allow-Origin: *”");
    check(&requests(2, |_, _| {}), Rule::Unreadable, Verdict::CantTell);
}
