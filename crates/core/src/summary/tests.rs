//! What a run shows, from traces whose figures are known.

use super::*;
use crate::metrics::tests::{SSE, begun, token, worked_example};
use crate::outcome::Stop;
use crate::report::tests::run;
use crate::stats::{P50, P95};
use crate::text::Lang;

fn timed_out(ms: i64) -> Trace {
    let mut r = begun(Mode::Streaming, SSE);
    r.read(Micros::ms(450), &token("Hi "));
    r.stopped(Micros::ms(ms), Stop::TimedOut, "");
    r.finish()
}

fn of(traces: Vec<Trace>) -> Run {
    Run { traces, ..run() }
}

#[test]
fn errors_stand_beside_the_figures_and_not_in_them() {
    let mut failed = begun(Mode::Streaming, SSE);
    failed.read(Micros::ms(10), b"data: {\"error\":\"no\"}\n\ndata: [DONE]\n\n");
    let mut warmup = worked_example();
    warmup.planned.warmup = true;
    let run = of(vec![warmup, worked_example(), failed.finish()]);
    let summary = Summary::of(&run);
    assert_eq!(summary.row(Metric::EndToEnd, Mode::Streaming, Edge::Value).expect("row").distribution.n(), 1);
    assert_eq!((summary.measured(), summary.failed(), summary.warmup), (2, 1, 1));
}

#[test]
fn a_time_limit_censors_what_had_not_come_and_keeps_what_had() {
    let run = of(vec![worked_example(), timed_out(3000), timed_out(2000)]);
    let summary = Summary::of(&run);
    let e2e = &summary.row(Metric::EndToEnd, Mode::Streaming, Edge::Value).expect("row").distribution;
    assert_eq!((e2e.n(), e2e.censored()), (3, 2));
    assert_eq!(e2e.percentile(P95), Some(Quantile { value: 2_000_000, at_least: true }));
    let ttft = &summary.row(Metric::Ttft, Mode::Streaming, Edge::Value).expect("row").distribution;
    assert_eq!((ttft.n(), ttft.censored()), (3, 0));
    let table = table(&run, &summary, Lang::En);
    let row = table.iter().find(|r| r.metric == Metric::EndToEnd).expect("row");
    assert_eq!(row.cells.iter().find(|c| c.stat == "p95").expect("cell").text, "≥ 2,000");
    assert_eq!(row.cells.iter().find(|c| c.stat == "mean").expect("cell").text, "–");
}

#[test]
fn bounds_are_printed_twice_and_no_midpoint_is_made() {
    let summary = Summary::of(&run());
    assert!(summary.row(Metric::FirstVisible, Mode::Streaming, Edge::Value).is_none());
    let earliest = summary.row(Metric::FirstVisible, Mode::Streaming, Edge::Earliest).expect("row");
    assert_eq!(earliest.distribution.percentile(P50).map(|q| q.value), Some(451_000));
    let latest = summary.row(Metric::FirstVisible, Mode::Streaming, Edge::Latest).expect("row");
    assert_eq!(latest.distribution.percentile(P50), Some(Quantile { value: 451_000, at_least: true }));
}

#[test]
fn the_sentence_compares_per_request_and_says_when_it_can_not() {
    let run = of(vec![worked_example()]);
    let [line] = &headline(&run, &Summary::of(&run), Lang::En)[..] else { panic!("one mode, one sentence") };
    assert!(line.seen.contains("450 ms"), "{}", line.seen);
    assert!(line.against_server.contains("680 ms") && line.against_server.contains("49 %"), "{}", line.against_server);
    assert!(line.context.contains("12 in / 20 out tokens") && line.context.contains("1 at once"), "{}", line.context);
    assert!(!line.context.contains("sk-secret"));
    let mut silent = worked_example();
    silent.spans.clear();
    let run = of(vec![silent]);
    assert!(headline(&run, &Summary::of(&run), Lang::En)[0].against_server.contains("reported no time"));
    let mut wrong = worked_example();
    wrong.spans[0].value = Micros::ms(720_000);
    let run = of(vec![wrong]);
    assert!(headline(&run, &Summary::of(&run), Lang::En)[0].against_server.contains("does not fit"));
}

#[test]
fn every_metric_has_a_row_and_a_reason_where_it_has_no_figure() {
    let run = of(vec![worked_example()]);
    let table = table(&run, &Summary::of(&run), Lang::Ko);
    for metric in Metric::ALL {
        let row = table.iter().find(|r| r.metric == metric).unwrap_or_else(|| panic!("{metric:?}"));
        assert!(!row.cells.is_empty() || !row.missing.is_empty(), "{metric:?}");
        assert!(!row.definition.is_empty() && !row.context.is_empty());
    }
}

#[test]
fn pairs_compare_by_their_own_differences() {
    let trace = |pair, mode, shift: i64| {
        let mut t = worked_example();
        t.planned.pair = Some(pair);
        t.planned.mode = mode;
        let last = t.marks.get(crate::mark::Mark::LastOutput).expect("mark");
        t.marks.set(crate::mark::Mark::LastOutput, last + Micros::ms(shift));
        t
    };
    let mut run = of(vec![
        trace(0, Mode::Streaming, 0),
        trace(0, Mode::NonStreaming, 30),
        trace(1, Mode::NonStreaming, 10),
        trace(1, Mode::Streaming, 20),
    ]);
    run.config.mode = crate::config::ModeChoice::Both;
    run.traces.iter_mut().zip(0..).for_each(|(t, id)| t.planned.id = id);
    let paired = Summary::of(&run).paired;
    let e2e = paired.iter().find(|p| p.metric == Metric::EndToEnd).expect("paired");
    assert_eq!(e2e.differences.sorted(), [-30_000, 10_000]);
}

#[test]
fn figures_of_the_painted_subset_say_its_size() {
    let traces = |painted: u32| -> Vec<Trace> {
        let trace = |id| {
            let mut t = worked_example();
            t.planned.id = id;
            // Warm-up is in no figure, and not in the subset's size either.
            t.planned.warmup = id == 0;
            t.planned.painted = id <= painted;
            t.first_visible = match t.planned.painted {
                true => run().traces[0].first_visible,
                false => Err(Absence::NotInPaintedSubset),
            };
            t.complete_visible = t.first_visible;
            t
        };
        (0..=5).map(trace).collect()
    };
    let contexts = |run: &Run, lang: Lang| -> Vec<(Metric, String)> {
        table(run, &Summary::of(run), lang).into_iter().map(|row| (row.metric, row.context)).collect()
    };
    let part = of(traces(2));
    for (lang, words) in [(Lang::En, "painted subset: 2 of 5 requests"), (Lang::Ko, "표시 표본: 요청 5개 중 2개")] {
        for (metric, context) in contexts(&part, lang) {
            assert_eq!(context.contains(words), metric.is_seen(), "{metric:?}: {context}");
        }
        assert!(headline(&part, &Summary::of(&part), lang)[0].context.contains(words), "the sentence is about what was seen");
    }
    let first = contexts(&part, Lang::En).into_iter().find(|(metric, _)| *metric == Metric::FirstVisible).expect("a row").1;
    assert!(first.contains("n = 2, 95 % intervals from order statistics · painted subset: 2 of 5 requests · clock"), "{first}");
    // A sentence about what was received is about every request.
    let none = of(traces(0).into_iter().skip(1).collect());
    let sentence = headline(&none, &Summary::of(&none), Lang::En).remove(0);
    assert!(!sentence.context.contains("painted") && sentence.context.contains("n = 5"), "{}", sentence.context);
    // All painted: there is no subset.
    for (metric, context) in contexts(&of(traces(5)), Lang::En) {
        assert!(!context.contains("painted"), "{metric:?}: {context}");
    }
}
