//! Every definition against synthetic traces whose figures are known exactly.

use super::*;
use crate::decode::Choice;
use crate::decode::Rule;
use crate::gap::{PartKind, Wait, split};
use crate::outcome::{Outcome, Stop};
use crate::paint::Probe;
use crate::record::Recorder;
use crate::trace::{Covered, Mode, Planned, ResponseFacts};

/// A planned, painted, measured request.
pub(crate) fn planned(mode: Mode) -> Planned {
    Planned { painted: true, ..Planned::measured(0, mode) }
}

/// A recorder of a reply that began well.
pub(crate) fn begun(mode: Mode, content_type: &str) -> Recorder {
    let mut recorder = Recorder::new(planned(mode), Rule::Word, Choice::default(), Micros::ZERO);
    recorder.sent(Micros::ZERO);
    recorder.headers(Micros::ms(5), head(200, content_type), Vec::new());
    recorder
}

pub(crate) fn head(status: u16, content_type: &str) -> ResponseFacts {
    ResponseFacts { status, content_type: Some(content_type.to_owned()), ..ResponseFacts::default() }
}

pub(crate) const SSE: &str = "text/event-stream; charset=utf-8";

/// One chunk with a piece of the answer.
pub(crate) fn token(text: &str) -> Vec<u8> {
    format!("data: {}\n\n", serde_json::json!({"choices": [{"index": 0, "delta": {"content": text}}]})).into_bytes()
}

/// Sent 0, first token 450, last 1400, 20 tokens; the final usage event says 720 for a named component.
pub(crate) fn worked_example() -> Trace {
    let mut r = begun(Mode::Streaming, SSE);
    r.read(Micros::ms(6), b"data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n");
    for n in 0..20 {
        r.read(Micros::ms(450 + 50 * n), &token(if n == 0 { "Light" } else { " light" }));
    }
    r.read(
        Micros::ms(1401),
        b"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":20},\"server_timing\":[{\"name\":\"model_container\",\"dur\":720}]}\n\n",
    );
    r.read(Micros::ms(1402), b"data: [DONE]\n\n");
    r.body_end(Micros::ms(1403));
    r.finish()
}

fn exactly(metric: Metric, trace: &Trace) -> i64 {
    match metric.of(trace) {
        Ok(Figure::Exact(value)) => value,
        other => panic!("{metric:?} is {other:?}"),
    }
}

#[test]
fn the_worked_example_is_reproduced_exactly() {
    let trace = worked_example();
    assert_eq!(trace.outcome, Outcome::Complete);
    assert_eq!(exactly(Metric::Ttft, &trace), 450_000);
    assert_eq!(exactly(Metric::EndToEnd, &trace), 1_400_000);
    assert_eq!(exactly(Metric::Generation, &trace), 950_000);
    assert_eq!(exactly(Metric::Tpot, &trace), 50_000);
    let gap = split(&trace, Wait::LastOutput, Micros::ZERO).expect("a split");
    assert_eq!(gap.total, Micros::ms(1400));
    assert_eq!(gap.reported(), Micros::ms(720));
    assert_eq!(gap.unattributed(), Micros::ms(680));
    assert!(gap.parts.iter().all(|p| matches!(p.kind, PartKind::Server { .. } | PartKind::Unattributed)));
    // The component's position is not known: it explains nothing of the first wait.
    let first = split(&trace, Wait::FirstAnswer, Micros::ZERO).expect("a split");
    assert_eq!((first.has_report, first.unattributed()), (false, Micros::ms(450)));
}

#[test]
fn every_other_metric_of_the_worked_example() {
    let mut trace = worked_example();
    trace.first_visible =
        crate::paint::seen(Probe::Element { presented: Micros(458_250), in_view: true, covered: Covered::No }, true);
    trace.complete_visible =
        crate::paint::seen(Probe::Element { presented: Micros(1_411_000), in_view: true, covered: Covered::No }, true);
    assert_eq!(exactly(Metric::FirstEvent, &trace), 6_000);
    assert_eq!(exactly(Metric::FirstAnswer, &trace), 450_000);
    // “Light” is whole once the next word's space is there.
    assert_eq!(exactly(Metric::FirstUseful, &trace), 500_000);
    assert_eq!(exactly(Metric::LastAnswer, &trace), 1_400_000);
    assert_eq!(exactly(Metric::FirstVisible, &trace), 458_250);
    assert_eq!(exactly(Metric::CompleteVisible, &trace), 1_411_000);
    assert_eq!(exactly(Metric::RenderGapFirst, &trace), 8_250);
    assert_eq!(exactly(Metric::RenderGapLast, &trace), 11_000);
    assert_eq!(exactly(Metric::LongestStall, &trace), 50_000);
    assert_eq!(gaps(&trace), Ok(vec![50_000; 19]));
    // 19 tokens in 950 ms.
    assert_eq!(exactly(Metric::OutputRate, &trace), 20_000);
    assert_eq!(exactly(Metric::TokensPerChunk, &trace), 1_000);
    // 23 events in 23 reads.
    assert_eq!(exactly(Metric::EventsPerRead, &trace), 1_000);
    assert_eq!(Metric::Ttfb.of(&trace), Err(Absence::NoResourceTiming));
}

#[test]
fn a_reply_that_is_not_streamed_has_no_first_token() {
    let body = br#"{"choices":[{"message":{"content":"Hello there"},"finish_reason":"stop"}],"usage":{"completion_tokens":2}}"#;
    let mut r = begun(Mode::NonStreaming, "application/json");
    r.read(Micros::ms(900), body);
    assert_eq!(r.body_end(Micros::ms(901)).show, "Hello there");
    r.paint_first(Probe::Element { presented: Micros::ms(910), in_view: true, covered: Covered::No }, true);
    r.paint_complete(Probe::Element { presented: Micros::ms(910), in_view: true, covered: Covered::No }, true);
    let trace = r.finish();
    assert_eq!(trace.outcome, Outcome::Complete);
    for metric in
        [Metric::Ttft, Metric::FirstAnswer, Metric::FirstUseful, Metric::Generation, Metric::Tpot, Metric::LongestStall]
    {
        assert_eq!(metric.of(&trace), Err(Absence::NonStreaming), "{metric:?}");
    }
    assert_eq!(exactly(Metric::EndToEnd, &trace), 901_000);
    assert_eq!(exactly(Metric::LastAnswer, &trace), 901_000);
    assert_eq!(exactly(Metric::FirstVisible, &trace), 910_000);
    assert_eq!(exactly(Metric::RenderGapFirst, &trace), 9_000);
}

#[test]
fn a_single_prediction_has_a_completion_and_no_tokens() {
    let mut r = begun(Mode::NonStreaming, "application/json");
    r.read(Micros::ms(80), br#"{"score": 0.93}"#);
    r.body_end(Micros::ms(81));
    let trace = r.finish();
    assert_eq!(trace.outcome, Outcome::Complete);
    assert_eq!(Metric::Ttft.of(&trace), Err(Absence::SinglePrediction));
    assert_eq!(exactly(Metric::EndToEnd, &trace), 81_000);
    let rate = throughput(&[&trace]).expect("throughput");
    assert_eq!(rate.tokens, None);
    assert!((rate.items.expect("items") - 1.0 / 0.081).abs() < 1e-9);
}

#[test]
fn tokens_of_reasoning_that_was_never_streamed_are_taken_off() {
    use crate::trace::Usage;
    let with = |output, reasoning, streamed: u64| {
        let mut t = worked_example();
        t.usage = Some(Usage { output: Some(output), reasoning: Some(reasoning), ..Usage::default() });
        t.amounts.reasoning_chars = streamed;
        output_tokens(&t).map(|n| (n.count, n.estimated))
    };
    assert_eq!(with(20, 15, 0), Ok((5, false)));
    assert_eq!(with(20, 15, 99), Ok((20, false)));
    // Counted beside the output, not in it.
    assert_eq!(with(1, 290, 0), Ok((1, false)));
    assert_eq!(with(1, 290, 99), Ok((291, false)));
    let mut none = worked_example();
    none.usage = None;
    assert!(output_tokens(&none).expect("an estimate").estimated);
}

#[test]
fn two_reads_and_fifty_milliseconds_are_the_least_for_a_rate() {
    let stream = |gap: i64, reads: i64| {
        let mut r = begun(Mode::Streaming, SSE);
        (0..reads).for_each(|n| drop(r.read(Micros::ms(100 + gap * n), &token("word "))));
        r.read(Micros::ms(900), b"data: {\"choices\":[],\"usage\":{\"completion_tokens\":10}}\n\ndata: [DONE]\n\n");
        r.finish()
    };
    assert_eq!(Metric::OutputRate.of(&stream(100, 2)), Err(Absence::TooFew));
    assert_eq!(Metric::OutputRate.of(&stream(20, 3)), Err(Absence::TooShort));
    assert!(Metric::OutputRate.of(&stream(25, 3)).is_ok());
    assert_eq!(Metric::Tpot.of(&stream(100, 1)), Err(Absence::TooFew));
    assert_eq!(gaps(&stream(100, 1)), Err(Absence::TooFew));
}

#[test]
fn a_request_that_never_ended_has_no_end_to_end_time() {
    let mut r = begun(Mode::Streaming, SSE);
    r.read(Micros::ms(450), &token("Hi"));
    r.stopped(Micros::ms(1000), Stop::TimedOut, "");
    let trace = r.finish();
    assert_eq!(trace.outcome, Outcome::Timeout);
    assert_eq!(exactly(Metric::Ttft, &trace), 450_000);
    assert_eq!(Metric::EndToEnd.of(&trace), Err(Absence::NotReached));
    assert_eq!(trace.elapsed(), Some(Micros::ms(1000)));
}

#[test]
fn throughput_and_the_steady_state_of_two_lanes() {
    // Two lanes of two requests each, one token a read every 100 ms for 1 s.
    let one = |start: i64| {
        let mut r = Recorder::new(planned(Mode::Streaming), Rule::Word, Choice::default(), Micros::ms(start));
        r.sent(Micros::ms(start));
        r.headers(Micros::ms(start + 1), head(200, SSE), Vec::new());
        (1..=10).for_each(|n| drop(r.read(Micros::ms(start + 100 * n), &token("w "))));
        r.read(Micros::ms(start + 1000), b"data: {\"choices\":[],\"usage\":{\"completion_tokens\":10}}\n\ndata: [DONE]\n\n");
        r.finish()
    };
    let traces = [one(0), one(500), one(1000), one(1500)];
    let all: Vec<&Trace> = traces.iter().collect();
    let rate = throughput(&all).expect("throughput");
    assert_eq!(rate.window, Micros::ms(2500));
    assert_eq!(rate.requests, 4.0 / 2.5);
    assert_eq!(rate.tokens, Some((40.0 / 2.5, false)));
    // At its target from 500 to 2000 ms: 30 reads but for those at the edges.
    let steady = steady_state(&all, 2).expect("a window");
    assert!((steady - 20.0).abs() < 1.5, "{steady}");
    assert_eq!(steady_state(&all, 3), Err(Absence::NeverAtTarget));
}
