//! A run of 100,000 requests: the figures that it must still give. `cargo xtask bench large` says how long they take.

use super::*;
use crate::summary::fixture::{run, trace};
use crate::text::Lang;
use crate::trace::Read;

/// Requests with 20 output-bearing reads each, of unequal pace.
fn large(n: u32) -> Run {
    let one = |id: u32| {
        let spread = i64::from(id.wrapping_mul(2_654_435_761) % 900);
        let mut t = trace(id, 100 + spread);
        let read = |i: i64| Read {
            at: Micros::ms(1100 + spread) + Micros(i * (20_000 + spread * 31) + spread * 7 * (i % 3)),
            bytes: 30,
            events: 1,
            output_events: 1,
        };
        t.reads = (0..20).map(read).collect();
        t.planned.painted = id.is_multiple_of(3);
        t
    };
    run((0..n).map(one).collect())
}

#[test]
fn a_hundred_thousand_requests() {
    let run = large(100_000);
    let summary = Summary::of(&run);
    assert!(!table(&run, &summary, Lang::En).is_empty());
    assert!(!headline(&run, &summary, Lang::En).is_empty());
    assert!(!typical_waits(&run, &summary, Mode::Streaming).is_empty());
    assert!(notes(&run, Lang::En).is_empty());
    assert_eq!(request_order(&run, true).len(), 100_000);
    assert!(!crate::compare::compare_runs(&run, &run, None).modes.is_empty());
    let all: Vec<&Trace> = run.traces.iter().collect();
    let metrics = crate::breakdown::waits(&all);
    assert_eq!(crate::breakdown::by(&all, &metrics, |t| t.planned.id % 5).len(), 5);
    let rules = ["p95(first_answer)<2s", "error_rate<1%"].map(|r| crate::stop_rule::StopRule::Keep(r.parse().expect("a rule")));
    let mut watch = crate::stop_rule::Watch::new(&rules, None);
    assert!(run.traces.iter().all(|t| watch.add(t, None).is_none()));
    let pool = summary.row(Metric::InterChunk, Mode::Streaming, Edge::Value).and_then(|r| r.pooled.as_ref()).expect("gaps");
    assert!(matches!(pool.interval(P(950), 1), Interval::Between { .. }));
}
