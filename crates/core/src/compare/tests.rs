//! Two runs side by side: contexts before figures, and only what the intervals allow.

use super::*;
use crate::Micros;
use crate::outcome::Outcome;
use crate::summary::fixture::{run, trace};
use crate::text::Lang;

/// `n` answers whose first words came after `from`, `from + 1`, … ms.
fn answers(n: u32, from: i64) -> Run {
    run((0..n).map(|id| trace(id, from + i64::from(id))).collect())
}

fn first_answer(arms: &Arms, p: P) -> &MetricDifference {
    arms.metrics.iter().find(|d| d.metric == Metric::FirstAnswer && d.difference.p == p).expect("a difference")
}

#[test]
fn contexts_are_listed_and_secrets_are_not() {
    let a = answers(10, 100);
    assert_eq!(context_differences(&a, &a), []);
    let mut b = a.clone();
    b.config.seed = 99;
    b.created = "later".into();
    assert_eq!(context_differences(&a, &b), [], "neither the seed nor the time is a context");
    b.config.url = "https://example.com/v1?key=secret-key-1".into();
    b.config.model = "other".into();
    b.config.prompt = "x".repeat(100);
    b.config.concurrency = 8;
    b.config.key_header = "X-Key".into();
    b.config.useful = crate::config::RuleChoice::Sentence;
    b.environment.user_agent = "Mozilla/5.0 Gecko/20100101 Firefox/153.0".into();
    b.environment.isolated = false;
    b.clock.step_us = 1000;
    let found = context_differences(&a, &b);
    let items: Vec<ContextItem> = found.iter().map(|d| d.item.clone()).collect();
    use ContextItem::*;
    let setting = Setting("useful".into());
    assert_eq!(items, [Target, Model, Workload, Concurrency, setting, Browser, Isolation, Clock]);
    let lines = context_lines(&found, Lang::En);
    assert_eq!(lines[2], "model: m → other");
    assert!(lines[0].starts_with("The contexts differ.") && lines.len() == found.len() + 1);
    assert!(lines.iter().all(|l| !l.contains("secret-key-1") && l.chars().count() < 200), "{lines:?}");
    assert!(context_lines(&[], Lang::Ko)[0].contains("다른 것이 없습니다"));
}

#[test]
fn a_later_run_against_its_baseline() {
    let (a, b) = (answers(100, 100), answers(100, 400));
    let comparison = compare_runs(&a, &b, Some(20_000));
    assert_eq!(comparison.modes.len(), 1);
    let arms = &comparison.modes[0].1;
    for p in [P50, P95] {
        let d = first_answer(arms, p);
        assert_eq!(d.difference.estimate, Bounds { lower: Some(300_000), upper: Some(300_000) });
        assert_eq!(d.verdict, Verdict::Higher);
    }
    assert!(
        !arms.metrics.iter().any(|d| d.metric != Metric::InterChunk && d.difference.p == crate::stats::P99),
        "100 are too few for p99"
    );
    assert!(arms.metrics.iter().any(|d| d.metric == Metric::InterChunk), "pooled gaps are compared by requests");
    let words = sentence(first_answer(arms, P50), "before", "after", Micros(5), Lang::En);
    assert!(
        words.starts_with("p50 Time to first answer token: after is higher than before (449 ms against 149 ms)"),
        "{words}"
    );
    let same = &compare_runs(&a, &a, Some(30_000)).modes[0].1;
    assert_eq!(first_answer(same, P50).verdict, Verdict::NoDifference);
    assert_eq!(first_answer(&compare_runs(&a, &a, None).modes[0].1, P50).verdict, Verdict::Undecided);
    let few = &compare_runs(&a, &answers(20, 100), None).modes[0].1;
    let words = sentence(first_answer(few, P95), "A", "B", Micros(5), Lang::En);
    assert!(words.ends_with("each side needs ≥ 72, the smaller has 20."), "{words}");
}

#[test]
fn failures_are_compared_beside_latencies() {
    let (a, mut b) = (answers(100, 100), answers(100, 100));
    b.traces.iter_mut().take(30).for_each(|t| t.outcome = Outcome::NetworkError);
    b.traces[99].outcome = Outcome::Cancelled;
    let failures = compare_runs(&a, &b, None).modes[0].1.failures;
    assert_eq!((failures.a, failures.b), (Share { hits: 0, of: 100 }, Share { hits: 30, of: 99 }));
    assert!(failures.interval.is_some_and(|(low, high)| low > 0.2 && high < 0.41));
    let words = failure_sentence(&failures, "A", "B", Lang::En);
    assert!(words.starts_with("B failed more often than A (30/99 against 0/100)"), "{words}");
}

#[test]
fn pairs_are_compared_pair_by_pair() {
    // Waits differ by far more from pair to pair than inside one.
    let a: Vec<Trace> = (0..30).map(|id| trace(id, 100 + i64::from(id) * 50)).collect();
    let b: Vec<Trace> = (0..30).map(|id| trace(id, 110 + i64::from(id) * 50)).collect();
    let pairs: Vec<(&Trace, &Trace)> = a.iter().zip(&b).collect();
    let differences = paired_differences(Metric::FirstAnswer, &pairs);
    assert_eq!((differences.n(), differences.median()), (30, Some(10_000)));
    assert_eq!(paired_verdict(&differences, None), Verdict::Higher);
    assert_eq!(paired_verdict(&differences, Some(20_000)), Verdict::NoDifference);
    let (a, b): (Vec<&Trace>, Vec<&Trace>) = (a.iter().collect(), b.iter().collect());
    assert_eq!(first_answer(&compare_arms(&a, &b, 1, None), P50).verdict, Verdict::Undecided);
    assert!(matches!(paired_verdict(&Distribution::default(), None), Verdict::NotEnoughData { at_least: 6, has: 0 }));
}

#[test]
fn bounds_are_compared_by_their_outer_ends() {
    let bounded = |from: i64| -> Vec<Trace> {
        let one = |id: u32| {
            let mut t = trace(id, from + i64::from(id));
            let at = |ms: i64| Micros::ms(1000 + from + i64::from(id) + ms);
            t.first_visible = Ok(crate::paint::Seen {
                method: crate::paint::Method::FrameCallbacks,
                earliest: at(0),
                latest: Some(at(16)),
                value: None,
            });
            t
        };
        (0..50).map(one).collect()
    };
    let (a, b) = (bounded(100), bounded(110));
    let (a, b): (Vec<&Trace>, Vec<&Trace>) = (a.iter().collect(), b.iter().collect());
    let arms = compare_arms(&a, &b, 1, None);
    let d = arms.metrics.iter().find(|d| d.metric == Metric::FirstVisible).expect("a difference");
    assert_eq!(d.difference.estimate, Bounds { lower: Some(-6_000), upper: Some(26_000) });
    assert!(sentence(d, "A", "B", Micros(5), Lang::En).contains("124 … 140 ms"));
}
