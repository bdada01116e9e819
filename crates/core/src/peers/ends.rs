//! Groups C and D: ends and failures, bytes and events.

use super::*;

#[test]
fn c1_a_trailing_usage_event_is_not_the_last_token_and_empty_choices_are_safe() {
    let t = stream(&[(10, HI), (20, THERE), (900, &usage(2, 0)), (901, "{}"), (902, r#"{"choices":null}"#), (903, DONE)]);
    assert_eq!((us(&t, Metric::EndToEnd), us(&t, Metric::LastAnswer)), (Ok(20_000), Ok(20_000)));
    assert_eq!(t.outcome, Outcome::Complete);
}

#[test]
fn c2_an_error_inside_a_200_stream_is_no_success_and_keeps_its_marks() {
    for error in [
        r#"{"error":{"message":"boom"}}"#,
        r#"{"error":"boom"}"#,
        r#"{"object":"error","message":"boom"}"#,
        r#"{"choices":[{"delta":{"content":""},"finish_reason":"error"}],"error":{"message":"boom","code":502}}"#,
    ] {
        let t = stream(&[(10, HI), (20, error), (30, DONE)]);
        assert_eq!((&t.outcome, us(&t, Metric::Ttft)), (&Outcome::StreamError, Ok(10_000)), "{error}");
        assert!(!t.outcome.enters_distributions());
        assert!(t.diagnostics.iter().any(|d| d.code == "server_said" && d.detail == "boom"), "{error}");
    }
    let mut named = begun(Mode::Streaming, SSE);
    named.read(Micros::ms(10), b"event: error\ndata: {\"type\":\"error\",\"error\":{\"message\":\"Overloaded\"}}\n\n");
    named.body_end(Micros::ms(11));
    assert_eq!(named.finish().outcome, Outcome::StreamError);
}

#[test]
fn c3_a_null_error_or_the_word_error_is_no_failure() {
    let word = r#"{"choices":[{"delta":{"content":"an error: {\"error\":\"x\"}"}}]}"#;
    for event in [
        word,
        r#"{"error":null,"choices":[{"delta":{"content":"Hi"}}]}"#,
        r#"{"error":"","choices":[{"delta":{"content":"Hi"}}]}"#,
    ] {
        assert_eq!(stream(&[(10, event), (20, STOP), (30, DONE)]).outcome, Outcome::Complete, "{event}");
    }
}

#[test]
fn c4_an_end_without_the_protocols_end_is_truncated() {
    assert_eq!(stream(&[(10, HI)]).outcome, Outcome::Truncated);
    assert_eq!(stream(&[(10, HI), (20, STOP)]).outcome, Outcome::Complete);
    assert_eq!(
        stream(&[(10, r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"Hi"}}"#)]).outcome,
        Outcome::Truncated
    );
    assert_eq!(stream(&[(10, r#"{"candidates":[{"content":{"parts":[{"text":"Hi"}]}}]}"#)]).outcome, Outcome::Truncated);
}

#[test]
fn c5_reading_stops_at_the_protocols_end_though_the_body_stays_open() {
    let mut r = begun(Mode::Streaming, SSE);
    r.read(Micros::ms(10), &token("Hi"));
    assert!(r.read(Micros::ms(20), b"data: [DONE]\n\n").finished);
    r.read(Micros::ms(9_000), &token("late"));
    r.left_open();
    let t = r.finish();
    assert_eq!((us(&t, Metric::EndToEnd), t.marks.get(Mark::Terminal)), (Ok(10_000), Ok(Micros::ms(20))));
    assert!(t.flags.body_left_open && t.marks.get(Mark::BodyEnd).is_err());
    assert_eq!(t.outcome, Outcome::Complete);
}

#[test]
fn c6_failed_requests_are_in_no_latency_distribution() {
    for outcome in [Outcome::HttpError { status: 500 }, Outcome::NetworkError, Outcome::StreamError, Outcome::Truncated] {
        assert!(!outcome.enters_distributions(), "{outcome:?}");
    }
    assert!(Outcome::Complete.enters_distributions());
}

#[test]
fn c7_errors_are_counted_and_a_users_cancel_is_no_error() {
    let failed = [Outcome::HttpError { status: 429 }, Outcome::NetworkError, Outcome::Timeout, Outcome::NoAnswer];
    assert!(failed.iter().all(Outcome::is_failure));
    assert!([Outcome::Cancelled, Outcome::Cut, Outcome::Complete].iter().all(|o| !o.is_failure()));
}

#[test]
fn c8_a_request_cut_at_the_end_is_a_lower_bound_and_not_left_out() {
    assert!(Outcome::Cut.censors() && Outcome::Timeout.censors() && !Outcome::NetworkError.censors());
    let distribution = Distribution::new((1..=99).map(|n| n * 1_000).collect(), vec![500_000]);
    assert_eq!(distribution.censored(), 1);
    // 100 requests: the 99th is the last that was measured, the 100th only known not to be faster.
    let at = |p| distribution.percentile(p).map(|q| (q.value, q.at_least));
    assert_eq!((at(P95), at(P99)), (Some((95_000, false)), Some((99_000, false))));
    assert_eq!(distribution.max().map(|q| (q.value, q.at_least)), Some((500_000, true)));
}

#[test]
fn c9_nothing_is_sent_again_by_itself() {
    let config = config::RunConfig { requests: 3, ..config::tests::sound() };
    let mut run = session::Session::new(config, 0, true, false);
    let mut sent = Vec::new();
    while let Some(dispatch) = run.dispatch(Micros::ms(10 * sent.len() as i64)) {
        let (id, now) = (dispatch.planned.id, Micros::ms(10 * sent.len() as i64));
        sent.push(id);
        run.sent(id, now);
        let facts = ResponseFacts { retry_after: Some("1".into()), ..head(429, "application/json") };
        run.headers(id, now, facts, Vec::new());
        run.body_end(id, now);
        run.no_entry(id);
        run.settle(id);
    }
    assert_eq!(sent, [0, 1, 2]);
    let traces = run.traces();
    assert!(traces.iter().all(|t| t.outcome == Outcome::HttpError { status: 429 }));
    assert!(traces.iter().all(|t| t.response.as_ref().is_some_and(|r| r.retry_after.as_deref() == Some("1"))));
}

#[test]
fn c10_a_cancelled_or_timed_out_request_keeps_what_it_had() {
    for (stop, outcome) in [(Stop::Cancelled, Outcome::Cancelled), (Stop::TimedOut, Outcome::Timeout)] {
        let mut r = begun(Mode::Streaming, SSE);
        r.read(Micros::ms(450), &token("Hi"));
        r.stopped(Micros::ms(700), stop, "");
        let t = r.finish();
        assert_eq!((t.outcome.clone(), us(&t, Metric::Ttft)), (outcome, Ok(450_000)));
        assert_eq!(us(&t, Metric::EndToEnd), Err(Absence::NotReached));
    }
}

/// Any cut of a stream gives the same answer, byte for byte, white space and all.
fn whole_answer(bytes: &[u8], at: usize) -> (u64, Option<Outcome>, u32) {
    let mut r = begun(Mode::Streaming, SSE);
    let mut shown = r.read(Micros::ms(10), &bytes[..at]).show;
    shown.push_str(&r.read(Micros::ms(20), &bytes[at..]).show);
    shown.push_str(&r.body_end(Micros::ms(30)).show);
    let t = r.finish();
    assert_eq!(shown, "  Hi \n 안녕 👋 ", "cut at {at}");
    (t.amounts.answer_chars, Some(t.outcome), t.amounts.comments)
}

fn spaced() -> Vec<u8> {
    [token("  Hi \n"), token(" 안녕 👋 "), b": ping\n\n".to_vec(), b"data: [DONE]\n\n".to_vec()].concat()
}

#[test]
fn d1_an_event_split_across_reads_is_whole_and_keeps_its_spaces() {
    let bytes = spaced();
    for at in 0..=bytes.len() {
        assert_eq!(whole_answer(&bytes, at), (12, Some(Outcome::Complete), 1));
    }
}

#[test]
fn d2_a_character_split_across_reads_is_whole() {
    let bytes = "data: {\"choices\":[{\"delta\":{\"content\":\"안👋\"}}]}\n\n".as_bytes();
    for at in 0..=bytes.len() {
        let mut r = begun(Mode::Streaming, SSE);
        let shown = r.read(Micros::ms(1), &bytes[..at]).show + &r.read(Micros::ms(2), &bytes[at..]).show;
        assert_eq!(shown, "안👋", "cut at {at}");
    }
}

#[test]
fn d3_several_documents_in_one_read_are_several_events() {
    let mut r = begun(Mode::Streaming, "application/x-ndjson");
    r.read(Micros::ms(10), b"{\"model\":\"m\",\"response\":\"a\",\"done\":false}\n{\"model\":\"m\",\"response\":\"b\",\"done\":false}\n{\"model\":\"m\",\"response\":\"\",\"done\":true}\n");
    let t = r.finish();
    assert_eq!((t.reads[0].events, t.reads[0].output_events, t.amounts.answer_chars), (3, 2, 2));
}

#[test]
fn d4_a_ping_is_no_error_no_end_and_no_token() {
    let mut r = begun(Mode::Streaming, SSE);
    r.read(Micros::ms(5), b": OPENROUTER PROCESSING\n\n:\n\n");
    r.read(Micros::ms(50), &token("Hi"));
    r.read(Micros::ms(60), b"data: [DONE]\n\n");
    let t = r.finish();
    assert_eq!((us(&t, Metric::FirstEvent), us(&t, Metric::Ttft), t.amounts.comments), (Ok(50_000), Ok(50_000), 2));
    assert_eq!(t.outcome, Outcome::Complete);
}

#[test]
fn d5_every_line_end_spelling_and_mark_of_the_standard() {
    let chunk = r#"{"choices":[{"delta":{"content":"Hi"}}]}"#;
    for body in [
        format!("data: {chunk}\n\n"),
        format!("data: {chunk}\r\n\r\n"),
        format!("data: {chunk}\r\r"),
        format!("data:{chunk}\n\n"),
        format!("\u{feff}data: {chunk}\n\n"),
        "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"Hi\"}}]}\n\n".to_owned(),
        format!("id: 7\nretry: 10\nevent: x\ndata: {chunk}\n\n"),
    ] {
        let mut r = begun(Mode::Streaming, SSE);
        assert_eq!(r.read(Micros::ms(1), body.as_bytes()).show, "Hi", "{body:?}");
    }
}

#[test]
fn d6_the_stamp_is_taken_before_decoding_and_nothing_tokenises() {
    // A megabyte in one read: whatever its decoding costs, its stamp is the one that was taken before.
    let mut r = begun(Mode::Streaming, SSE);
    r.read(Micros::ms(7), &token("word ").repeat(20_000));
    r.read(Micros::ms(8), b"data: [DONE]\n\n");
    let t = r.finish();
    assert_eq!((us(&t, Metric::Ttft), us(&t, Metric::EndToEnd)), (Ok(7_000), Ok(7_000)));
    assert_eq!(t.reads[0].output_events, 20_000);
    assert!(dialect("openai_chat").is_some());
}
