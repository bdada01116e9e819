//! Merged runs: figures are those of all samples together, origins stay, and what can't be merged is told.

use super::*;
use crate::mark::Absence;
use crate::metrics::Metric;
use crate::paint::{Method, Seen};
use crate::stats::{Distribution, Histogram, P};
use crate::summary::fixture::{run, trace};
use crate::summary::{Edge, Summary};
use crate::trace::Mode;
use proptest::prelude::*;

/// A run of answers whose first words came after so many ms, begun at a second of its own.
fn begun(second: u32, firsts: &[i64]) -> Run {
    let mut run = run((0..).zip(firsts).map(|(id, first)| trace(id, *first)).collect());
    run.created = format!("2026-01-02T03:04:{second:02}Z");
    run.environment.user_agent = format!("Mozilla/5.0 Gecko/20100101 Firefox/15{}.0", second % 2);
    run.clock.step_us = i64::from(second) + 1;
    run
}

fn named(runs: Vec<Run>) -> Vec<(String, Run)> {
    ('a'..).zip(runs).map(|(name, run)| (format!("{name}.json"), run)).collect()
}

fn merged(runs: Vec<Run>) -> Run {
    merge(named(runs), false).expect("merged").0
}

fn of(run: &Run, metric: Metric) -> Distribution {
    Summary::of(run).row(metric, Mode::Streaming, Edge::Value).expect("a row").distribution.clone()
}

proptest! {
    #[test]
    fn figures_are_those_of_all_samples_together(lists in prop::collection::vec(prop::collection::vec(1i64..5_000, 1..40), 2..5)) {
        let runs: Vec<Run> = (0..).zip(&lists).map(|(second, firsts)| begun(second, firsts)).collect();
        let whole = merged(runs.clone());
        let all = run((0..).zip(lists.iter().flatten()).map(|(id, first)| trace(id, *first)).collect());
        for metric in [Metric::FirstAnswer, Metric::EndToEnd, Metric::InterChunk, Metric::Generation] {
            let (of_whole, of_all) = (of(&whole, metric), of(&all, metric));
            prop_assert_eq!(of_whole.sorted(), of_all.sorted());
            for p in P::SHOWN {
                prop_assert_eq!(of_whole.percentile(p), of_all.percentile(p));
                prop_assert_eq!(of_whole.interval(p), of_all.interval(p));
            }
            // Bucket by bucket: the histograms of the parts, added, are the histogram of the whole.
            let mut added = Histogram::of(&Distribution::new(vec![], vec![])).expect("empty");
            for part in &runs {
                prop_assert!(added.add(&Histogram::of(&of(part, metric)).expect("a histogram")));
            }
            prop_assert_eq!(added.encode(), Histogram::of(&of_whole).expect("a histogram").encode());
        }
    }

    #[test]
    fn every_request_keeps_its_origin_and_its_own_times(lists in prop::collection::vec(prop::collection::vec(1i64..5_000, 1..20), 2..5)) {
        let runs: Vec<Run> = (0..).zip(&lists).map(|(second, firsts)| begun(second, firsts)).collect();
        let back = Run::from_json(&merged(runs.clone()).to_json()).expect("opened");
        let origins = back.origins();
        prop_assert_eq!(origins.len(), runs.len());
        for (origin, own) in origins.iter().zip(&runs) {
            prop_assert_eq!(origin.environment, &own.environment);
            prop_assert_eq!((origin.created, origin.clock), (own.created.as_str(), &own.clock));
            let restored = origin.traces.iter().map(|t| {
                let mut t = moved(t.clone(), Micros::ZERO - origin.shift);
                t.planned.id -= origin.first;
                t
            });
            prop_assert_eq!(restored.collect::<Vec<_>>(), own.traces.clone());
            for t in origin.traces {
                prop_assert_eq!(back.environment_of(t.planned.id), &own.environment);
            }
        }
        // The parts follow one another: nothing of one is under way with anything of another.
        let sent = |t: &Trace| t.marks.get(Mark::Sent).ok();
        let span = |o: &super::super::Origin<'_>| (o.traces.iter().filter_map(sent).min(), o.traces.iter().map(end).max());
        let spans: Vec<_> = origins.iter().map(span).collect();
        prop_assert!(spans.windows(2).all(|w| w[0].1 < w[1].0));
        let ids: Vec<u32> = back.traces.iter().map(|t| t.planned.id).collect();
        prop_assert!(ids.windows(2).all(|w| w[0] < w[1]));
    }
}

#[test]
fn what_holds_of_the_whole_is_the_worst_of_its_parts() {
    let (mut a, mut b) = (begun(1, &[100, 200]), begun(2, &[300]));
    b.environment.isolated = false;
    b.environment.arrival = Arrival::Worker;
    a.environment.arrival = Arrival::Main;
    a.clock.joint_us = Some(70);
    (b.stopped, a.config.requests, b.config.requests) = (true, 2, 1);
    let run = merged(vec![b, a]);
    assert_eq!((run.clock.step_us, run.clock.joint_us, run.environment.isolated), (3, Some(70), false));
    assert_eq!(run.environment.user_agent, "Firefox 150.0, Firefox 151.0");
    assert_eq!((run.environment.arrival, run.stopped, run.config.requests), (Arrival::Main, true, 3));
    assert_eq!(run.created, "2026-01-02T03:04:01Z");
    let summary = Summary::of(&run);
    assert!(summary.throughput.iter().all(|(_, t)| *t == Err(Absence::OwnClocks)), "no rate over two clocks");
    assert!(summary.steady.iter().all(|(_, s)| *s == Err(Absence::OwnClocks)));
    let text = run.to_json();
    assert!(text.contains("\"part\":1"), "a reader of the file needs no arithmetic");
    assert!(!begun(1, &[1]).to_json().contains("\"part"), "a run of its own is written as it was");
}

#[test]
fn pairs_and_turns_stay_together() {
    let paired = |second| {
        let mut run = begun(second, &[100, 200, 300]);
        for (t, pair) in run.traces.iter_mut().zip([None, Some(0), Some(0)]) {
            t.planned.pair = pair;
        }
        run.traces[1].planned.mode = Mode::NonStreaming;
        run.traces[2].planned.after = Some(1);
        run.config.mode = crate::config::ModeChoice::Both;
        run
    };
    let run = merged(vec![paired(1), paired(2), paired(3)]);
    let pairs: Vec<Option<u32>> = run.traces.iter().map(|t| t.planned.pair).collect();
    assert_eq!(pairs, [None, Some(0), Some(0), None, Some(1), Some(1), None, Some(2), Some(2)]);
    assert_eq!(run.traces[8].planned.after, Some(7));
    let summary = Summary::of(&run);
    let e2e = summary.paired.iter().find(|p| p.metric == Metric::EndToEnd).expect("pairs");
    assert_eq!(e2e.differences.sorted(), [200_000; 3]);
}

#[test]
fn every_instant_moves_and_no_length_does() {
    let mut t = trace(0, 100);
    let at = |ms| Micros::ms(ms);
    t.first_visible = Ok(Seen { method: Method::FrameCallbacks, earliest: at(1), latest: Some(at(2)), value: None });
    t.complete_visible = Ok(Seen { method: Method::ElementTiming, earliest: at(3), latest: None, value: Some(at(4)) });
    t.network = Ok(crate::network::NetworkTiming { start: at(5), request_start: Some(at(6)), ..Default::default() });
    let there = moved(t.clone(), at(7));
    assert_eq!(there.first_visible.map(|s| (s.earliest, s.latest, s.value)), Ok((at(8), Some(at(9)), None)));
    assert_eq!(there.complete_visible.map(|s| (s.earliest, s.latest, s.value)), Ok((at(10), None, Some(at(11)))));
    let network = there.network.as_ref().expect("timing");
    assert_eq!((network.start, network.request_start, network.first_byte), (at(12), Some(at(13)), None));
    assert_eq!((there.reads[0].at, there.elapsed()), (t.reads[0].at + at(7), t.elapsed()));
    for metric in Metric::ALL {
        assert_eq!(metric.of(&there), metric.of(&t));
    }
    assert_eq!(moved(there, Micros::ZERO - at(7)), t);
}

#[test]
fn merged_runs_merge_again() {
    let (a, b, c) = (begun(1, &[100]), begun(2, &[200, 300]), begun(3, &[400]));
    let at_once = merged(vec![a.clone(), b.clone(), c.clone()]);
    let two = merge(vec![("a.json".into(), a), ("b.json".into(), b)], false).expect("merged").0;
    let in_turn = merge(vec![("ab.json".into(), two), ("c.json".into(), c)], false).expect("merged").0;
    assert_eq!(in_turn, at_once);
}

#[test]
fn other_set_ups_are_refused_with_what_differs() {
    let a = begun(1, &[100]);
    assert_eq!(merge(named(vec![a.clone()]), false), Err(MergeError::TooFew));
    let twice = merge(named(vec![a.clone(), begun(2, &[7]), a.clone()]), true);
    assert_eq!(twice, Err(MergeError::Same("a.json".into(), "c.json".into())));
    let with = merged(vec![a.clone(), begun(2, &[7])]);
    assert!(matches!(merge(named(vec![with, a.clone()]), true), Err(MergeError::Same(..))), "inside a merged one too");
    let mut b = begun(2, &[100]);
    b.config.concurrency = 8;
    b.config.prompt = "Something else".into();
    b.config.requests = 99;
    let Err(MergeError::SetUps(apart)) = merge(named(vec![a.clone(), b.clone()]), false) else { panic!("refused") };
    let items: Vec<&ContextItem> = apart[0].differences.iter().map(|d| &d.item).collect();
    assert_eq!((apart.len(), apart[0].label.as_str()), (1, "b.json"));
    assert_eq!(items, [&ContextItem::Workload, &ContextItem::Concurrency]);
    let (run, told) = merge(named(vec![a, b]), true).expect("asked for");
    assert_eq!((run.traces.len(), told), (2, apart));
}
