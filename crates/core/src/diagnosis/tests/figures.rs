//! Rules about what figures say.

use super::*;
use crate::config::ModeChoice;
use crate::trace::{Mode, Shape};

/// Pairs of both modes; not streaming ends after 1,000 ms, streaming so much later.
fn pairs(n: u32, later: impl Fn(i64) -> i64) -> Run {
    let mut run = requests(2 * n, |i, t| {
        t.planned.pair = Some(i / 2);
        if i % 2 == 0 {
            answered(t, 100, 1000 + later(i64::from(i / 2)));
        } else {
            t.planned.mode = Mode::NonStreaming;
            t.shape = Some(Shape::Whole);
            answered(t, 1000, 1000);
        }
    });
    run.config.mode = ModeChoice::Both;
    run
}

#[test]
fn streaming_that_ends_when_the_whole_answer_would() {
    let found = check(&pairs(12, |i| i % 5 - 2), Rule::Completion, Verdict::Found);
    assert!(found.evidence.contains("inside ±50.0 ms (12 pairs)"), "{}", found.evidence);
    check(&pairs(12, |i| 200 + i), Rule::Completion, Verdict::NotFound);
    // As far above as below: neither is shown.
    check(&pairs(12, |i| if i % 2 == 0 { 300 } else { -300 }), Rule::Completion, Verdict::CantTell);
    check(&pairs(5, |_| 0), Rule::Completion, Verdict::CantTell);
    check(&requests(20, |_, _| {}), Rule::Completion, Verdict::CantTell);
}

/// So many of 100 requests take five times as long.
fn slow(n: u32, of: u32) -> Run {
    requests(of, move |i, t| {
        let first = if i < n { 500 } else { 100 };
        answered(t, first, 1000);
    })
}

#[test]
fn a_median_that_hides_a_tail() {
    let found = check(&slow(15, 100), Rule::Tail, Verdict::Found);
    assert!(found.evidence.contains("p95 is 5.00 times p50, 95 % interval 5.00 to 5.00 (n = 100)"), "{}", found.evidence);
    assert_eq!(found.requests, (0..15).collect::<Vec<_>>());
    check(&slow(0, 100), Rule::Tail, Verdict::NotFound);
    check(&requests(100, |i, t| answered(t, 100 + i64::from(i) / 2, 1000)), Rule::Tail, Verdict::NotFound);
    // Six slow ones may be more than a twentieth or less.
    check(&slow(6, 100), Rule::Tail, Verdict::CantTell);
    check(&slow(15, 60), Rule::Tail, Verdict::CantTell);
    // From 368 on the p99 is judged.
    let found = check(&slow(12, 400), Rule::Tail, Verdict::Found);
    assert!(found.evidence.contains("p99 is"), "{}", found.evidence);
}
