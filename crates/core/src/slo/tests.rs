//! Limits as text, and requests of every kind against them.

use super::*;
use crate::Micros;
use crate::mark::{Absence, Mark};
use crate::outcome::Outcome;
use crate::paint::{Method, Seen};
use crate::summary::fixture::trace;
use crate::trace::{Trace, Usage};
use proptest::prelude::*;

fn threshold(text: &str) -> Threshold {
    text.parse().expect("a threshold")
}

fn criterion(text: &str) -> Criterion {
    text.parse().expect("a criterion")
}

#[test]
fn limits_are_read_and_written() {
    let check = |text: &str, metric, relation, limit, want: &str| {
        let t = threshold(text);
        assert_eq!(t, Threshold { metric, relation, limit }, "{text}");
        assert_eq!(t.to_string(), want);
    };
    check("first_visible<800ms", Metric::FirstVisible, Relation::Below, 800_000, "first_visible<800ms");
    check(" ttft <= 1.25 s", Metric::Ttft, Relation::AtMost, 1_250_000, "first_token<=1250ms");
    check("first_byte≤0.5ms", Metric::Ttfb, Relation::AtMost, 500, "first_byte<=0.5ms");
    check("output_rate>30tok/s", Metric::OutputRate, Relation::Above, 30_000, "output_rate>30tokens/s");
    check("events_per_read>=1.5", Metric::EventsPerRead, Relation::AtLeast, 1_500, "events_per_read>=1.5");
    let c = criterion("p99.9( e2e )<2s");
    assert_eq!(c.subject, Subject::Percentile(crate::stats::P999, Metric::EndToEnd));
    assert_eq!(c.to_string(), "p99.9(end_to_end)<2000ms");
    assert_eq!(criterion("error_rate < 1%"), criterion("error_rate<0.01"));
    assert_eq!(criterion("pass_rate>=99.5%").to_string(), "pass_rate>=99.5%");
}

#[test]
fn errors_say_what_is_allowed() {
    let threshold = |text: &str| text.parse::<Threshold>().expect_err("no threshold").to_string();
    let criterion = |text: &str| text.parse::<Criterion>().expect_err("no criterion").to_string();
    assert!(threshold("first_visible 800ms").contains("first_visible<800ms"));
    assert!(threshold("speed<1s").contains("first_visible, complete_visible, first_token"));
    assert!(threshold("inter_chunk_gap<1s").contains("longest_stall"));
    assert!(threshold("first_visible<800").contains("ms, s or us"));
    assert!(threshold("first_visible<0.0001ms").contains("not finer"));
    assert!(threshold("p95(first_visible)<800ms").contains("of many requests"));
    assert!(criterion("first_visible<800ms").contains("p95(first_visible)"));
    assert!(criterion("p42(first_visible)<800ms").contains("p50, p90, p95, p99 and p99.9"));
    assert!(criterion("error_rate<101%").contains("up to 100"));
    assert!(criterion("error_rate<-1%").contains('%'));
    assert!(criterion("error_rate<99999999999999999999%").contains('%'));
}

#[test]
fn a_mode_may_stand_in_front() {
    let read = |text: &str| text.parse::<Criterion>().map(|criterion| (criterion.mode, criterion.to_string()));
    let whole = "non_streaming p95(first_visible)<4000ms".to_owned();
    assert_eq!(read(" non-streaming  p95(first_visible) < 4s"), Ok((Some(Mode::NonStreaming), whole)));
    assert_eq!(read("streaming error_rate<1%"), Ok((Some(Mode::Streaming), "streaming error_rate<1%".to_owned())));
    assert_eq!(read("error_rate<1%"), Ok((None, "error_rate<1%".to_owned())));
    assert!(read("sideways p95(first_visible)<4s").is_err() && read("streaming<4s").is_err());
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(which in 0..NAMES.len(), limit in 0i64..1 << 40, p in 0usize..5, relation in 0usize..4, mode in 0usize..3) {
        let relation = [Relation::Below, Relation::AtMost, Relation::Above, Relation::AtLeast][relation];
        let one = Threshold { metric: NAMES[which].1, relation, limit };
        prop_assert_eq!(one.to_string().parse(), Ok(one));
        let mode = [None, Some(Mode::Streaming), Some(Mode::NonStreaming)][mode];
        let many = Criterion { mode, subject: Subject::Percentile(P::SHOWN[p], NAMES[which].1), relation, limit };
        prop_assert_eq!(many.to_string().parse(), Ok(many));
        let rate = Criterion { mode, subject: Subject::ErrorRate, relation, limit: limit % 1_000_001 };
        prop_assert_eq!(rate.to_string().parse(), Ok(rate));
        let json = serde_json::to_string(&rate).expect("json");
        prop_assert_eq!(serde_json::from_str::<Criterion>(&json).expect("back"), rate);
    }

    #[test]
    fn no_text_breaks_the_reader(text in ".{0,40}") {
        let _ = (text.parse::<Threshold>(), text.parse::<Criterion>());
    }
}

/// A request with words after `first` ms.
fn ended(first: i64, outcome: Outcome) -> Trace {
    Trace { outcome, ..trace(0, first) }
}

/// A painted request seen between two instants after `sent`.
fn seen(earliest: i64, latest: Option<i64>) -> Trace {
    let mut t = trace(0, 100);
    t.planned.painted = true;
    let at = |ms| Micros::ms(1000 + ms);
    t.first_visible = Ok(Seen { earliest: at(earliest), latest: latest.map(at), value: None, method: Method::FrameCallbacks });
    t
}

#[test]
fn each_kind_of_request_is_judged_once() {
    let limit = threshold("first_answer<500ms");
    let check = |t: &Trace, want| assert_eq!(judge(&limit, t), want, "{:?}", t.outcome);
    check(&ended(499, Outcome::Complete), Judged::Met);
    check(&ended(500, Outcome::Complete), Judged::NotMet);
    for failure in [Outcome::Timeout, Outcome::HttpError { status: 429 }, Outcome::NetworkError, Outcome::Truncated] {
        check(&ended(100, failure), Judged::NotMet);
    }
    check(&ended(100, Outcome::Cut), Judged::LeftOut);
    check(&ended(100, Outcome::Cancelled), Judged::LeftOut);
    check(&ended(100, Outcome::Frozen), Judged::NotJudged(None));
    let mut whole = ended(100, Outcome::Complete);
    whole.marks.withdraw(Mark::FirstAnswer, Absence::NonStreaming);
    check(&whole, Judged::NotJudged(Some(Absence::NonStreaming)));
}

#[test]
fn bounds_decide_only_where_both_lie_on_one_side() {
    let limit = threshold("first_visible<500ms");
    let check = |t: &Trace, want| assert_eq!(judge(&limit, t), want);
    check(&seen(400, Some(499)), Judged::Met);
    check(&seen(400, Some(500)), Judged::NotJudged(Some(Absence::BoundsOnly)));
    check(&seen(400, None), Judged::NotJudged(Some(Absence::BoundsOnly)));
    check(&seen(500, None), Judged::NotMet);
    // Outside the painted subset nothing is judged by what was seen, failures neither.
    check(&ended(1, Outcome::NetworkError), Judged::NotJudged(Some(Absence::NotInPaintedSubset)));
}

#[test]
fn attainment_and_goodput_by_hand() {
    let mut traces: Vec<Trace> = [100, 200, 300, 900].into_iter().map(|first| ended(first, Outcome::Complete)).collect();
    traces.push(ended(100, Outcome::HttpError { status: 500 }));
    traces.push(ended(100, Outcome::Cut));
    traces.push(ended(100, Outcome::Slept));
    for (t, n) in traces.iter_mut().zip(1..) {
        t.usage = Some(Usage { output: Some(n * 10), ..Usage::default() });
        let end = t.last_known;
        t.marks.set(Mark::Terminal, end);
    }
    let measured: Vec<&Trace> = traces.iter().collect();
    let limits = [threshold("first_answer<500ms"), threshold("end_to_end<500ms")];
    let (each, all) = attainment(&limits, &measured).expect("thresholds");
    assert_eq!((each[0].1.met, each[0].1.not_met), (3, 2));
    assert_eq!((each[1].1.met, each[1].1.not_met), (2, 3));
    assert_eq!((all.met, all.not_met, all.left_out, all.not_judged.clone()), (2, 3, 1, vec![(None, 1)]));
    assert_eq!(all.share().value(), Some(0.4));
    // 1,800 ms from the first `sent` to the last end; the two good ones had 10 and 20 tokens.
    let good = goodput(&limits, &measured).expect("thresholds").expect("a window");
    assert_eq!(good.window, Micros::ms(1800));
    assert!((good.requests - 2.0 / 1.8).abs() < 1e-9);
    assert_eq!(good.tokens.map(|(rate, estimated)| ((rate * 1.8).round(), estimated)), Some((30.0, false)));
    assert_eq!((good.not_judged, goodput(&[], &measured), attainment(&[], &measured)), (1, None, None));
}

#[test]
fn a_request_that_one_threshold_cannot_judge_is_not_judged() {
    let limits = [threshold("first_answer<1ms"), threshold("first_visible<500ms")];
    assert_eq!(judge_all(&limits, &ended(100, Outcome::Complete)), Judged::NotJudged(Some(Absence::NotInPaintedSubset)));
}
