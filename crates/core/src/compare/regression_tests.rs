//! Limits on change as text, and what runs that changed by a known amount are said to have done.

use super::*;
use crate::outcome::Outcome;
use crate::summary::fixture::trace;
use proptest::prelude::*;

fn allowed(text: &str) -> Regression {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Answers after `from`, `from + 1`, … ms.
fn answers(n: u32, from: i64) -> Vec<Trace> {
    (0..n).map(|id| trace(id, from + i64::from(id))).collect()
}

fn judged(text: &str, a: &[Trace], b: &[Trace]) -> Option<bool> {
    let (a, b): (Vec<&Trace>, Vec<&Trace>) = (a.iter().collect(), b.iter().collect());
    changed(allowed(text), &a, &b, 7).expect("both have it").regressed()
}

#[test]
fn limits_on_change_are_read_and_written() {
    for (text, want) in [
        ("p95(first_visible) +10%", "p95(first_visible) +10%"),
        (" p99.9( e2e )+1.5s ", "p99.9(end_to_end) +1500ms"),
        ("p50(output_rate) -5.25%", "p50(output_rate) -5.25%"),
        ("p50(output_rate) − 3 tok/s", "p50(output_rate) -3tokens/s"),
        ("p95(render_gap_first) +5ms", "p95(render_gap_first) +5ms"),
        ("error_rate +1%", "error_rate +1%"),
        ("pass_rate -0.5%", "pass_rate -0.5%"),
    ] {
        assert_eq!(allowed(text).to_string(), want);
        assert_eq!(allowed(want), allowed(text));
    }
    let refused = |text: &str| text.parse::<Regression>().expect_err("refused").to_string();
    assert!(refused("p95(first_visible)").contains("+10%"));
    assert!(refused("p95(speed) +10%").contains("first_visible"));
    assert!(refused("first_visible +10%").contains("p95(first_visible)"));
    assert!(refused("p95(first_visible) +10").contains("ms, s or us"));
    assert!(refused("p95(first_visible) +ten%").contains('%'));
    assert!(refused("p95(first_visible) -10%").contains("worse the larger"), "{}", refused("p95(first_visible) -10%"));
    assert!(refused("p50(output_rate) +10%").contains("worse the smaller"));
    assert!(refused("p95(render_gap_first) +10%").contains("+5ms"));
    assert!(refused("p50(output_rate) -100%").contains("less than 100"));
    assert!(refused("error_rate +5ms").contains("percentage points"));
}

#[test]
fn the_interval_decides_whether_more_was_lost_than_allowed() {
    let (base, same) = (answers(200, 1000), answers(200, 1000));
    // p50 from 1,100 to 1,200 ms: 9 % more.
    let slower = answers(200, 1100);
    let check = |text: &str, b: &[Trace], want| assert_eq!(judged(text, &base, b), want, "{text}");
    check("p50(first_answer) +5%", &slower, Some(true));
    check("p50(first_answer) +20%", &slower, Some(false));
    check("p50(first_answer) +9%", &slower, None);
    check("p50(first_answer) +50ms", &slower, Some(true));
    check("p50(first_answer) +150ms", &slower, Some(false));
    check("p50(first_answer) +100ms", &slower, None);
    check("p50(first_answer) +10%", &same, Some(false));
    check("p50(first_answer) +10%", &answers(200, 500), Some(false));
    // What 200 requests can't tell of the tail stays open, and says how many it takes.
    let few = judged("p99(first_answer) +10%", &base, &slower);
    assert_eq!(few, None);
}

#[test]
fn an_amount_moves_the_interval_by_exactly_as_much() {
    let (a, b) = (answers(100, 100), answers(100, 130));
    let (a, b): (Vec<&Trace>, Vec<&Trace>) = (a.iter().collect(), b.iter().collect());
    let of = |text: &str| changed(allowed(text), &a, &b, 3).expect("both").above_allowed;
    let (Interval::Between { lower, upper }, Interval::Between { lower: low, upper: high }) =
        (of("p50(first_answer) +0ms"), of("p50(first_answer) +25ms"))
    else {
        panic!("enough samples")
    };
    let less = |us: Option<i64>| us.map(|us| us - 25_000);
    assert_eq!((low, high), (less(lower), less(upper)));
}

#[test]
fn rates_change_by_percentage_points() {
    let with = |failed: u32| {
        let mut all = answers(400, 100);
        all.iter_mut().take(failed as usize).for_each(|t| t.outcome = Outcome::NetworkError);
        all
    };
    let check = |text: &str, before, after, want| assert_eq!(judged(text, &with(before), &with(after)), want, "{text}");
    check("error_rate +1%", 4, 80, Some(true));
    check("error_rate +5%", 4, 4, Some(false));
    check("error_rate +1%", 4, 8, None);
    let (a, b) = (with(4), with(80));
    let (a, b): (Vec<&Trace>, Vec<&Trace>) = (a.iter().collect(), b.iter().collect());
    let found = changed(allowed("error_rate +1%"), &a, &b, 1).expect("both");
    assert_eq!((found.a.lower, found.b.lower, found.n), (Some(10_000), Some(200_000), (400, 400)));
    // Nothing was checked, so nothing can be said of what passed.
    assert_eq!(changed(allowed("pass_rate -1%"), &a, &b, 1), None);
    assert_eq!(changed(allowed("p95(first_visible) +1%"), &a, &b, 1), None);
}

proptest! {
    #[test]
    fn a_share_moves_every_percentile_by_as_much(values in prop::collection::vec(1i64..100_000, 72..120), percent in 0i64..300) {
        let traces: Vec<Trace> = (0..).zip(&values).map(|(id, first)| trace(id, *first)).collect();
        let traces: Vec<&Trace> = traces.iter().collect();
        let rows = metric_rows(crate::metrics::Metric::FirstAnswer, Mode::Streaming, &traces);
        let further = moved(&rows[0], Regression { by: By::Share(percent * 10_000), ..allowed("p95(first_answer) +1%") });
        for p in crate::stats::P::SHOWN {
            let before = rows[0].distribution.percentile(p).expect("samples").value;
            let after = further.distribution.percentile(p).expect("samples").value;
            prop_assert_eq!(after, before * (100 + percent) / 100, "times are whole milliseconds");
        }
        // Equal runs never regress by any share.
        let found = changed(Regression { by: By::Share(percent * 10_000), ..allowed("p95(first_answer) +1%") }, &traces, &traces, 5);
        prop_assert_ne!(found.expect("both").regressed(), Some(true));
    }

    #[test]
    fn no_text_breaks_the_reader(text in ".{0,40}") {
        let _ = text.parse::<Regression>();
    }
}
