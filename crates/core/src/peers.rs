//! Mistakes that users reported in other tools, each with the right behaviour: one test a row. The letter is the group: A first
//! token, B inter-token timing, C ends and failures, D bytes and events.

mod ends;

use crate::decode::{Choice, Rule, dialect};
use crate::delivery::{is_buffered_upstream, is_coalesced, stream_encoding};
use crate::gap::{Wait, split};
use crate::mark::{Absence, Mark};
use crate::metrics::tests::{SSE, begun, head, planned, token};
use crate::metrics::{Figure, Metric, gaps, output_tokens};
use crate::outcome::{Outcome, Stop};
use crate::record::Recorder;
use crate::stats::{Distribution, P95, P99};
use crate::trace::{Mode, ResponseFacts, Trace};
use crate::{Micros, config, session, summary, text};

fn us(trace: &Trace, metric: Metric) -> Result<i64, Absence> {
    metric.of(trace).map(|figure| match figure {
        Figure::Exact(value) => value,
        Figure::Bounds(..) => panic!("{metric:?} is not exact"),
    })
}

/// A stream of events, each in a read of its own at its millisecond.
fn stream(events: &[(i64, &str)]) -> Trace {
    streamed_by(begun(Mode::Streaming, SSE), events)
}

fn streamed_by(mut r: Recorder, events: &[(i64, &str)]) -> Trace {
    for (at, data) in events {
        r.read(Micros::ms(*at), format!("data: {data}\n\n").as_bytes());
    }
    r.body_end(Micros::ms(events.last().map_or(0, |e| e.0)));
    r.finish()
}

const ROLE: &str = r#"{"choices":[{"delta":{"role":"assistant","content":""}}]}"#;
const NULL: &str = r#"{"choices":[{"delta":{"role":"assistant","content":null}}]}"#;
const HI: &str = r#"{"choices":[{"delta":{"content":"Hi "}}]}"#;
const THERE: &str = r#"{"choices":[{"delta":{"content":"there "}}]}"#;
const HM: &str = r#"{"choices":[{"delta":{"reasoning_content":"hm"}}]}"#;
const STOP: &str = r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
const LENGTH: &str = r#"{"choices":[{"delta":{},"finish_reason":"length"}]}"#;
const DONE: &str = "[DONE]";

fn usage(output: u64, reasoning: u64) -> String {
    format!(
        r#"{{"choices":[],"usage":{{"completion_tokens":{output},"completion_tokens_details":{{"reasoning_tokens":{reasoning}}}}}}}"#
    )
}

#[test]
fn a1_a_role_only_or_empty_delta_does_not_stop_the_ttft_clock() {
    for first in [ROLE, NULL] {
        let t = stream(&[(5, first), (214, HI), (300, DONE)]);
        assert_eq!((us(&t, Metric::FirstEvent), us(&t, Metric::Ttft)), (Ok(5_000), Ok(214_000)));
    }
}

#[test]
fn a2_the_gap_before_the_first_token_belongs_to_ttft_and_not_to_the_gaps() {
    let t = stream(&[(10, ROLE), (1_310, HI), (1_360, THERE), (1_400, DONE)]);
    assert_eq!(us(&t, Metric::Ttft), Ok(1_310_000));
    assert_eq!(gaps(&t), Ok(vec![50_000]));
}

#[test]
fn a3_reasoning_and_the_answer_have_their_own_first_marks() {
    let t = stream(&[(1_175, HM), (183_581, HI), (183_600, DONE)]);
    assert_eq!((us(&t, Metric::Ttft), us(&t, Metric::FirstAnswer)), (Ok(1_175_000), Ok(183_581_000)));
}

#[test]
fn a4_an_output_capped_inside_reasoning_is_no_answer_and_no_zero() {
    let t = stream(&[(40, HM), (90, LENGTH), (100, DONE)]);
    assert_eq!((us(&t, Metric::Ttft), us(&t, Metric::FirstAnswer)), (Ok(40_000), Err(Absence::NoOutput)));
    assert_eq!(t.outcome, Outcome::NoAnswer);
    assert!(t.outcome.is_failure());
}

#[test]
fn a5_both_names_of_reasoning_count_and_count_once() {
    let both = r#"{"choices":[{"delta":{"reasoning":"hm","reasoning_content":"hm"}}]}"#;
    let differ = r#"{"choices":[{"delta":{"reasoning":"one","reasoning_content":"two"}}]}"#;
    let plain = r#"{"choices":[{"delta":{"reasoning":"hm"}}]}"#;
    for (event, chars, noted) in [(both, 2, false), (differ, 3, true), (plain, 2, false), (HM, 2, false)] {
        let t = stream(&[(10, event), (20, HI), (30, DONE)]);
        assert_eq!(t.amounts.reasoning_chars, chars, "{event}");
        assert_eq!(t.diagnostics.iter().any(|d| d.code == "two_reasonings"), noted, "{event}");
    }
}

#[test]
fn a6_think_tags_are_split_off_when_asked_also_across_chunks() {
    let delta = |text: &str| format!(r#"{{"choices":[{{"delta":{{"content":"{text}"}}}}]}}"#);
    let events = [delta("<thi"), delta("nk>hm</th"), delta("ink>"), delta("Yes")];
    let events: Vec<(i64, &str)> = events.iter().zip(1..).map(|(e, n)| (10 * n, e.as_str())).collect();
    let mut r =
        Recorder::new(planned(Mode::Streaming), Rule::Word, Choice { split_think: true, ..Choice::default() }, Micros::ZERO);
    r.sent(Micros::ZERO);
    r.headers(Micros::ms(1), head(200, SSE), Vec::new());
    let asked = streamed_by(r, &events);
    assert_eq!((us(&asked, Metric::Ttft), us(&asked, Metric::FirstAnswer)), (Ok(20_000), Ok(40_000)));
    // Off, the tags are the answer, as the page shows them.
    assert_eq!(us(&stream(&events), Metric::FirstAnswer), Ok(10_000));
}

#[test]
fn a7_a_turn_of_tool_calls_alone_has_a_ttft_and_no_answer() {
    let call = r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{}"}}]}}]}"#;
    let t = stream(&[(30, call), (40, r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#), (50, DONE)]);
    assert_eq!((us(&t, Metric::Ttft), us(&t, Metric::FirstAnswer)), (Ok(30_000), Err(Absence::NoOutput)));
    assert_eq!((t.outcome, t.amounts.tool_chars), (Outcome::NoAnswer, 3));
}

#[test]
fn a8_an_empty_completion_has_no_first_token() {
    let t = stream(&[(10, ROLE), (20, STOP), (30, DONE)]);
    for metric in [Metric::Ttft, Metric::FirstAnswer, Metric::EndToEnd] {
        assert_eq!(us(&t, metric), Err(Absence::NoOutput), "{metric:?}");
    }
    assert_eq!(t.outcome, Outcome::NoAnswer);
}

#[test]
fn a9_a_whole_reply_has_no_ttft_and_enters_no_histogram_of_streams() {
    let mut r = begun(Mode::NonStreaming, "application/json");
    r.read(Micros::ms(2_703), br#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}"#);
    r.body_end(Micros::ms(2_703));
    let t = r.finish();
    assert_eq!((us(&t, Metric::Ttft), us(&t, Metric::EndToEnd)), (Err(Absence::NonStreaming), Ok(2_703_000)));
}

#[test]
fn a10_a_rate_needs_three_visible_reads_and_fifty_milliseconds() {
    let t = stream(&[(8_000, HI), (8_010, THERE), (8_020, &usage(400, 0)), (8_021, DONE)]);
    assert_eq!(us(&t, Metric::OutputRate), Err(Absence::TooFew));
    let short = stream(&[(8_000, HI), (8_010, THERE), (8_020, THERE), (8_021, &usage(400, 0)), (8_022, DONE)]);
    assert_eq!(us(&short, Metric::OutputRate), Err(Absence::TooShort));
}

#[test]
fn a11_structural_events_of_no_protocol_stop_the_clock() {
    for (structural, output) in [
        (
            r#"{"type":"message_start","message":{"usage":{"input_tokens":1}}}"#,
            r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"Hi"}}"#,
        ),
        (
            r#"{"type":"content_block_start","content_block":{"type":"text","text":""}}"#,
            r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"Hi"}}"#,
        ),
        (r#"{"type":"ping"}"#, r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"Hi"}}"#),
        (r#"{"type":"response.created","response":{}}"#, r#"{"type":"response.output_text.delta","delta":"Hi"}"#),
        (r#"{"type":"message-start"}"#, r#"{"type":"content-delta","delta":{"message":{"content":{"text":"Hi"}}}}"#),
        (r#"{"type":"start-step"}"#, r#"{"type":"text-delta","delta":"Hi"}"#),
        (r#"{"choices":[],"prompt_filter_results":[{}]}"#, HI),
        (r#"{"choices":[{"delta":{}}],"prompt_progress":{"total":9}}"#, HI),
    ] {
        let t = stream(&[(10, structural), (50, output)]);
        assert_eq!((us(&t, Metric::FirstEvent), us(&t, Metric::Ttft)), (Ok(10_000), Ok(50_000)), "{structural}");
    }
    let mut lines = begun(Mode::Streaming, "application/x-ndjson");
    lines.read(Micros::ms(10), b"{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":false}\n");
    lines.read(Micros::ms(50), b"{\"model\":\"m\",\"message\":{\"content\":\"Hi\"},\"done\":false}\n");
    let t = lines.finish();
    assert_eq!((us(&t, Metric::FirstEvent), us(&t, Metric::Ttft)), (Ok(10_000), Ok(50_000)));
}

#[test]
fn a12_the_first_of_any_choice_counts() {
    let second = r#"{"choices":[{"index":1,"delta":{"content":"Hi"}}]}"#;
    let t = stream(&[(20, second), (60, HI), (70, DONE)]);
    assert_eq!((us(&t, Metric::Ttft), us(&t, Metric::FirstAnswer)), (Ok(20_000), Ok(20_000)));
}

#[test]
fn a13_output_that_the_server_held_back_is_the_gap() {
    let reported = r#"{"choices":[],"server_timing":[{"name":"ttft","dur":200,"boundary":"time_to_first_token"}]}"#;
    let t = stream(&[(8_000, HI), (8_010, reported), (8_011, DONE)]);
    let parts = split(&t, Wait::FirstAnswer, Micros::ZERO).expect("a split");
    assert_eq!((parts.total, parts.reported(), parts.unattributed()), (Micros::ms(8_000), Micros::ms(200), Micros::ms(7_800)));
}

#[test]
fn a14_what_was_never_stamped_is_absent_and_no_metric_is_negative() {
    let mut r = begun(Mode::Streaming, SSE);
    r.stopped(Micros::ms(50), Stop::Failed, "reset");
    let t = r.finish();
    for mark in [Mark::FirstRead, Mark::FirstOutput, Mark::FirstAnswer, Mark::LastOutput, Mark::BodyEnd] {
        assert!(t.marks.get(mark).is_err(), "{mark:?}");
    }
    for metric in Metric::ALL {
        assert!(metric.of(&t).is_err(), "{metric:?}");
    }
}

#[test]
fn b1_what_is_computed_from_chunks_is_not_called_tokens() {
    for metric in [Metric::InterChunk, Metric::LongestStall, Metric::EventsPerRead] {
        for lang in text::Lang::ALL {
            let name = text::metric_name(lang, metric).to_lowercase();
            assert!(!name.contains("token") && !name.contains("토큰"), "{name}");
        }
    }
}

#[test]
fn b2_tokens_sent_together_make_the_chunk_larger_and_not_the_token_slower() {
    let three = r#"{"choices":[{"delta":{"content":"a b c "}}]}"#;
    let t = stream(&[(100, three), (110, three), (120, three), (121, &usage(9, 0)), (122, DONE)]);
    // 20 ms over the 8 tokens after the first.
    assert_eq!((us(&t, Metric::Tpot), us(&t, Metric::TokensPerChunk)), (Ok(2_500), Ok(3_000)));
    assert_eq!(gaps(&t), Ok(vec![10_000, 10_000]));
}

#[test]
fn b3_events_of_one_read_share_its_one_stamp_and_are_marked() {
    let mut r = begun(Mode::Streaming, SSE);
    r.read(Micros::ms(17), &[token("a "), token("b "), token("c ")].concat());
    r.read(Micros::ms(30), &token("d"));
    r.read(Micros::ms(31), b"data: [DONE]\n\n");
    let t = r.finish();
    assert_eq!(gaps(&t), Ok(vec![13_000]));
    assert!(is_coalesced(&t));
    assert_eq!(t.reads.iter().map(|r| r.events).collect::<Vec<_>>(), [3, 1, 1]);
    assert!(
        summary::circumstances(&Default::default(), &t, text::Lang::En).contains(&"several outputs in one read".to_owned())
    );
}

#[test]
fn b4_bursts_of_a_buffering_proxy_are_named() {
    let paced = |reads: i64, each: usize, pause: i64| {
        let mut r = begun(Mode::Streaming, SSE);
        (0..reads).for_each(|n| drop(r.read(Micros::ms(287 + pause * n), &token("w ").repeat(each))));
        r.read(Micros::ms(9_000), b"data: [DONE]\n\n");
        r.finish()
    };
    assert!(is_buffered_upstream(&paced(8, 16, 90)));
    // A fast engine fills reads without pauses, and a steady one has pauses without bursts.
    assert!(!is_buffered_upstream(&paced(40, 7, 1)));
    assert!(!is_buffered_upstream(&paced(40, 1, 50)));
    assert!(!is_buffered_upstream(&paced(2, 16, 90)));
    let named = summary::circumstances(&Default::default(), &paced(8, 16, 90), text::Lang::En);
    assert!(named.iter().any(|c| c.contains("buffered")), "{named:?}");
}

#[test]
fn b5_a_compressed_stream_is_said() {
    let with = |encoding: Option<&str>| {
        let mut r = Recorder::new(planned(Mode::Streaming), Rule::Word, Choice::default(), Micros::ZERO);
        r.sent(Micros::ZERO);
        let facts = ResponseFacts { content_encoding: encoding.map(str::to_owned), ..head(200, SSE) };
        r.headers(Micros::ms(1), facts, Vec::new());
        streamed_by(r, &[(10, HI), (20, DONE)])
    };
    assert_eq!(stream_encoding(&with(Some("gzip"))), Some("gzip"));
    assert_eq!(stream_encoding(&with(Some("identity"))), None);
    assert_eq!(stream_encoding(&with(None)), None);
    assert!(with(Some("br")).diagnostics.iter().any(|d| d.code == "compressed_stream" && d.detail == "br"));
}

#[test]
fn b6_the_pooled_gap_and_the_mean_per_request_stand_side_by_side() {
    let t = stream(&[(100, HI), (110, THERE), (300, THERE), (301, &usage(3, 0)), (302, DONE)]);
    assert_eq!(us(&t, Metric::Tpot), Ok(100_000));
    assert_eq!(gaps(&t), Ok(vec![10_000, 190_000]));
    for metric in [Metric::Tpot, Metric::InterChunk] {
        assert!(Metric::ALL.contains(&metric));
        assert!(!text::metric_definition(text::Lang::En, metric).is_empty());
    }
}

#[test]
fn b7_one_token_has_no_time_per_token() {
    let t = stream(&[(100, HI), (101, &usage(1, 0)), (102, DONE)]);
    for metric in [Metric::Tpot, Metric::LongestStall, Metric::OutputRate] {
        assert_eq!(us(&t, metric), Err(Absence::TooFew), "{metric:?}");
    }
}

#[test]
fn b8_a_count_without_a_report_is_an_estimate_and_says_so() {
    let reported = stream(&[(10, HI), (20, &usage(7, 0)), (21, DONE)]);
    let guessed = stream(&[(10, HI), (20, DONE)]);
    assert_eq!(output_tokens(&reported).map(|n| (n.count, n.estimated)), Ok((7, false)));
    assert!(output_tokens(&guessed).expect("an estimate").estimated);
}

#[test]
fn b9_hidden_reasoning_is_neither_in_the_count_nor_in_the_window() {
    let hidden = stream(&[(900, HI), (1_000, THERE), (1_100, THERE), (1_101, &usage(103, 100)), (1_102, DONE)]);
    assert_eq!((us(&hidden, Metric::Tpot), us(&hidden, Metric::OutputRate)), (Ok(100_000), Ok(10_000)));
    let streamed = stream(&[(100, HM), (1_000, HI), (1_100, THERE), (1_101, &usage(103, 100)), (1_102, DONE)]);
    // 102 tokens in the second from the first of the reasoning.
    assert_eq!(us(&streamed, Metric::OutputRate), Ok(102_000));
}

#[test]
fn b10_the_rate_leaves_the_time_to_first_token_out() {
    let t = stream(&[(5_000, HI), (5_100, THERE), (5_200, THERE), (5_201, &usage(3, 0)), (5_202, DONE)]);
    assert_eq!(us(&t, Metric::OutputRate), Ok(10_000));
    assert!(text::metric_definition(text::Lang::En, Metric::OutputRate).contains("generation"));
}

#[test]
fn b11_a_freeze_that_the_mean_hides_is_the_longest_stall() {
    let mut events: Vec<(i64, &str)> = (0..40).map(|n| (100 + 10 * n, HI)).collect();
    events.extend((0..40).map(|n| (100 + 390 + 800 + 10 * n, HI)));
    let t = stream(&events);
    assert_eq!(us(&t, Metric::LongestStall), Ok(800_000));
}

#[test]
fn b12_the_formula_of_the_time_per_token_is_printed() {
    let definition = text::metric_definition(text::Lang::En, Metric::Tpot);
    assert!(definition.contains("n − 1"), "{definition}");
}
