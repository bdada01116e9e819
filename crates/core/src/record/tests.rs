//! Recording: marks on the right reads, outcomes, reasons.

use super::*;
use crate::metrics::tests::{SSE, begun, head, planned, token};
use crate::server_report::Boundary;
use proptest::prelude::*;

fn chunk(json: &str) -> Vec<u8> {
    format!("data: {json}\n\n").into_bytes()
}

fn at(trace: &Trace, mark: Mark) -> Option<i64> {
    trace.marks.get(mark).ok().map(|m| m.0 / 1000)
}

#[test]
fn reasoning_role_usage_and_comments_move_no_answer_mark() {
    let mut r = begun(Mode::Streaming, SSE);
    r.read(Micros::ms(10), b": ping\n\n");
    r.read(Micros::ms(20), &chunk(r#"{"choices":[{"delta":{"role":"assistant","content":""}}]}"#));
    r.read(Micros::ms(30), &chunk(r#"{"choices":[{"delta":{"reasoning_content":"hm"}}]}"#));
    r.read(Micros::ms(40), &token(" \n**"));
    r.read(Micros::ms(50), &token("Yes"));
    r.read(Micros::ms(60), &chunk(r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#));
    r.read(Micros::ms(70), &chunk(r#"{"choices":[],"usage":{"completion_tokens":3}}"#));
    let end = r.read(Micros::ms(80), b"data: [DONE]\n\n");
    assert!(end.finished);
    let t = r.finish();
    let got =
        [Mark::FirstRead, Mark::FirstEvent, Mark::FirstOutput, Mark::FirstReasoning, Mark::FirstAnswer, Mark::FirstUseful];
    assert_eq!(got.map(|m| at(&t, m)), [10, 20, 30, 30, 50, 50].map(Some));
    assert_eq!([Mark::LastAnswer, Mark::LastOutput, Mark::Terminal].map(|m| at(&t, m)), [50, 50, 80].map(Some));
    assert_eq!((t.outcome, t.amounts.comments), (Outcome::Complete, 1));
}

#[test]
fn nothing_a_user_would_see_is_no_answer_and_not_a_success() {
    let mut r = begun(Mode::Streaming, SSE);
    r.read(Micros::ms(30), &chunk(r#"{"choices":[{"delta":{"reasoning":"hm"}}]}"#));
    r.read(Micros::ms(40), &chunk(r#"{"choices":[{"delta":{},"finish_reason":"length"}]}"#));
    r.read(Micros::ms(50), b"data: [DONE]\n\n");
    let t = r.finish();
    assert_eq!(t.outcome, Outcome::NoAnswer);
    assert_eq!(at(&t, Mark::FirstOutput), Some(30));
    assert_eq!(t.marks.get(Mark::FirstAnswer), Err(Absence::NoOutput));
    assert_eq!(t.first_visible, Err(Absence::NoOutput));
}

#[test]
fn ends_of_a_stream() {
    let check = |pieces: &[&[u8]], stop: Option<Stop>, want: Outcome| {
        let mut r = begun(Mode::Streaming, SSE);
        pieces.iter().zip(1..).for_each(|(p, n)| drop(r.read(Micros::ms(10 * n), p)));
        match stop {
            None => drop(r.body_end(Micros::ms(900))),
            Some(stop) => r.stopped(Micros::ms(900), stop, "TypeError: network error"),
        }
        let t = r.finish();
        assert_eq!(t.outcome, want);
        t
    };
    let word = token("Hi ");
    let finish = chunk(r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#);
    let error = chunk(r#"{"error":{"message":"overloaded"}}"#);
    check(&[&word, &finish], None, Outcome::Complete);
    let no_done = check(&[&word, &finish], None, Outcome::Complete);
    assert!(no_done.diagnostics.iter().any(|d| d.code == "no_end_marker"));
    check(&[&word], None, Outcome::Truncated);
    check(&[&word, &error, b"data: [DONE]\n\n"], None, Outcome::StreamError);
    let cut = check(&[&word], Some(Stop::Failed), Outcome::NetworkError);
    assert_eq!(at(&cut, Mark::FirstAnswer), Some(10));
    check(&[&word], Some(Stop::Cancelled), Outcome::Cancelled);
}

#[test]
fn other_replies_than_the_one_asked_for() {
    let mut r = begun(Mode::Streaming, "application/json");
    r.read(Micros::ms(500), br#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}"#);
    r.body_end(Micros::ms(501));
    let t = r.finish();
    assert_eq!(t.outcome, Outcome::NotAStream);
    assert_eq!(t.marks.get(Mark::FirstAnswer), Err(Absence::NonStreaming));
    assert_eq!(at(&t, Mark::LastAnswer), Some(501));

    let mut r = begun(Mode::NonStreaming, "application/json");
    r.read(Micros::ms(5), br#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}"#);
    r.body_end(Micros::ms(6));
    let t = r.finish();
    assert_eq!((&t.outcome, t.diagnostics.len()), (&Outcome::Complete, 0));

    let mut r = begun(Mode::NonStreaming, "text/html");
    r.read(Micros::ms(5), b"<!doctype html>");
    r.body_end(Micros::ms(6));
    let t = r.finish();
    assert_eq!(t.outcome, Outcome::NoAnswer);
    assert!(t.diagnostics.iter().any(|d| d.code == "html_page"));

    let mut r = begun(Mode::NonStreaming, SSE);
    r.read(Micros::ms(5), &token("A"));
    let end = r.read(Micros::ms(9), b"data: [DONE]\n\n");
    assert_eq!((end.show.as_str(), end.finished), ("A", true));
    let t = r.finish();
    assert_eq!((at(&t, Mark::LastAnswer), t.marks.get(Mark::FirstAnswer)), (Some(9), Err(Absence::NonStreaming)));

    let mut r = begun(Mode::Streaming, "text/plain");
    assert_eq!(r.read(Micros::ms(7), "안녕".as_bytes()).show, "안녕");
    r.body_end(Micros::ms(8));
    let t = r.finish();
    assert_eq!((at(&t, Mark::FirstAnswer), &t.outcome), (Some(7), &Outcome::Complete));
    assert!(t.diagnostics.iter().any(|d| d.code == "end_unverified"));
    assert_eq!(t.marks.get(Mark::Terminal), Err(Absence::NoTerminator));

    let mut r = Recorder::new(planned(Mode::Streaming), Rule::Word, Choice::default(), Micros::ZERO);
    r.sent(Micros::ZERO);
    r.headers(Micros::ms(3), ResponseFacts { retry_after: Some("7".into()), ..head(429, "application/json") }, Vec::new());
    r.read(Micros::ms(4), br#"{"error":{"message":"slow down"}}"#);
    r.body_end(Micros::ms(5));
    let t = r.finish();
    assert_eq!(t.outcome, Outcome::HttpError { status: 429 });
    assert_eq!(t.diagnostics, [Diagnostic { code: "server_said", detail: "slow down".into() }]);
}

#[test]
fn what_was_painted_before_the_page_was_hidden_stays() {
    let run = |hidden: i64| {
        let mut r = begun(Mode::Streaming, SSE);
        r.read(Micros::ms(100), &token("Hi "));
        r.hidden(Micros::ms(hidden));
        r.paint_first(Probe::Element { presented: Micros::ms(110), in_view: true, covered: Covered::No }, true);
        r.read(Micros::ms(900), b"data: [DONE]\n\n");
        r.finish()
    };
    assert!(run(500).first_visible.is_ok());
    assert_eq!(run(500).complete_visible, Err(Absence::Hidden));
    assert_eq!(run(105).first_visible, Err(Absence::Hidden));
    assert!(run(105).flags.hidden_during);
    let mut bounds = begun(Mode::Streaming, SSE);
    bounds.read(Micros::ms(100), &token("Hi "));
    bounds.hidden(Micros::ms(103));
    bounds.paint_first(
        Probe::Frames {
            first: Micros::ms(101),
            second: Micros::ms(900),
            in_view: true,
            covered: Covered::Unknown,
            bounded: true,
        },
        true,
    );
    assert_eq!(bounds.finish().first_visible, Err(Absence::Hidden));
}

#[test]
fn server_timing_comes_from_the_header_else_from_the_entry() {
    let entry = || crate::server_report::parse_server_timing("queue;dur=3");
    let timing =
        || Ok(NetworkTiming { request_start: Some(Micros::ms(1)), first_byte: Some(Micros::ms(4)), ..Default::default() });
    let run = |header: Option<&str>, cross_origin| {
        let mut r = Recorder::new(planned(Mode::Streaming), Rule::Word, Choice::default(), Micros::ZERO);
        r.sent(Micros::ZERO);
        r.headers(
            Micros::ms(5),
            ResponseFacts { server_timing: header.map(str::to_owned), cross_origin, ..head(200, SSE) },
            Vec::new(),
        );
        r.read(Micros::ms(9), b"data: [DONE]\n\n");
        r
    };
    let mut both = run(Some("queue;dur=2.5"), true);
    both.network(timing(), crate::server_report::parse_server_timing("queue;dur=2.5, total;dur=8"));
    let t = both.finish();
    let spans: Vec<_> = t.spans.iter().map(|s| (s.value, s.source, s.boundary)).collect();
    // What the browser lists beyond the header came behind the body.
    assert_eq!(
        spans,
        [(Micros(2_500), Source::ServerTimingHeader, Boundary::ToHeaders), (Micros(8_000), Source::Trailer, Boundary::Total)]
    );
    assert_eq!((at(&t, Mark::RequestStart), at(&t, Mark::FirstByte)), (Some(1), Some(4)));
    let mut from_entry = run(None, true);
    from_entry.network(timing(), entry());
    let t = from_entry.finish();
    assert_eq!((t.spans[0].source, t.server_timing_access), (Source::ServerTimingEntry, Access::Read));
    let mut hidden = run(None, true);
    hidden.network(Ok(NetworkTiming::default()), Vec::new());
    let t = hidden.finish();
    assert_eq!(t.server_timing_access, Access::HiddenOrNotSent);
    assert_eq!(t.marks.get(Mark::FirstByte), Err(Absence::NoTimingAllowOrigin));
    assert_eq!(run(None, false).finish().server_timing_access, Access::NotSent);
    let mut refused = Recorder::new(planned(Mode::Streaming), Rule::Word, Choice::default(), Micros::ZERO);
    refused.sent(Micros::ZERO);
    refused.stopped(Micros::ms(3), Stop::Failed, "TypeError");
    refused.network(Ok(NetworkTiming::default()), Vec::new());
    assert_eq!(refused.finish().marks.get(Mark::FirstByte), Err(Absence::NotReached));
}

#[test]
fn an_order_that_a_coarse_clock_breaks_is_flagged_and_not_mended() {
    let mut r = Recorder::new(planned(Mode::Streaming), Rule::Word, Choice::default(), Micros::ms(1));
    r.sent(Micros::ms(10));
    r.headers(Micros::ms(9), head(200, SSE), Vec::new());
    r.read(Micros::ms(9), &token("Hi "));
    let t = r.finish();
    assert!(t.flags.order_violation);
    assert_eq!(t.order_violations(), [(Mark::Sent, Mark::FirstRead)]);
    assert_eq!(at(&t, Mark::FirstRead), Some(9));
}

proptest! {
    /// The marks of a stream fall on the read that completed the event, in their order, however it is split.
    #[test]
    fn marks_stand_in_order_and_on_the_read_that_completed_the_event(
        words in prop::collection::vec("[a-z ]{1,5}|안녕|\\*\\*", 1..12),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..10),
    ) {
        let mut body: Vec<u8> = b": hi\r\n\r\n".to_vec();
        let mut first_ends = None;
        for word in &words {
            body.extend(token(word));
            if has_visible(word) && first_ends.is_none() {
                // The blank line's own line end completes the event.
                first_ends = Some(body.len());
            }
        }
        body.extend(b"data: [DONE]\n\n");
        let mut at: Vec<usize> = cuts.iter().map(|i| i.index(body.len() + 1)).collect();
        at.extend([0, body.len()]);
        at.sort_unstable();
        at.dedup();
        let mut r = begun(Mode::Streaming, SSE);
        for (n, w) in at.windows(2).enumerate() {
            r.read(Micros::ms(10 + n as i64), &body[w[0]..w[1]]);
        }
        let t = r.finish();
        prop_assert!(t.order_violations().is_empty());
        prop_assert!(!t.flags.order_violation);
        let completing = first_ends.map(|end| Micros::ms(10 + at.windows(2).position(|w| w[1] >= end).expect("a read") as i64));
        prop_assert_eq!(t.marks.get(Mark::FirstAnswer).ok(), completing);
        prop_assert_eq!(t.reads.iter().map(|r| r.bytes as usize).sum::<usize>(), body.len());
    }
}

/// What is stated of the memory that a run keeps: a request's own size, and what each of its reads adds.
#[test]
fn a_request_keeps_a_few_bytes_per_read_and_none_of_its_text() {
    assert_eq!(std::mem::size_of::<Read>(), 24);
    assert!(std::mem::size_of::<Trace>() <= 1_100, "{}", std::mem::size_of::<Trace>());
    let mut r = begun(Mode::Streaming, SSE);
    for n in 0..10_000 {
        r.read(Micros::ms(10 + n), &token(&"x".repeat(100)));
    }
    // A streamed answer is shown and forgotten.
    assert_eq!(r.held.capacity(), 0);
    let t = r.finish();
    assert_eq!((t.reads.capacity(), t.amounts.answer_chars), (10_000, 1_000_000));
}
