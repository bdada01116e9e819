//! Exact schedules: the same parameters always give the same bytes at the same times.

use super::*;
use crate::piece::Kind::{self, *};
use serde_json::Value;

fn schedule(pairs: &[(&str, &str)], ask: &Ask) -> Schedule {
    Schedule::parse(pairs, ask).expect("a schedule")
}

fn stream(pairs: &[(&str, &str)]) -> Schedule {
    schedule(pairs, &Ask::streaming())
}

fn kinds(schedule: &Schedule) -> Vec<(u64, Kind)> {
    schedule.pieces.iter().map(|p| (p.at_us / 1000, p.kind)).collect()
}

fn body(schedule: &Schedule) -> Vec<u8> {
    schedule.pieces.iter().flat_map(|p| p.bytes.clone()).collect()
}

fn text(schedule: &Schedule) -> String {
    String::from_utf8(body(schedule)).expect("UTF-8")
}

fn json(schedule: &Schedule) -> Value {
    serde_json::from_slice(&body(schedule)).expect("JSON")
}

#[test]
fn the_worked_example() {
    let s = stream(&[("preset", "worked-example")]);
    let mut want = vec![(0, Role)];
    want.extend((0..20).map(|n| (450 + 50 * n, Answer)));
    want.extend([(1400, Finish), (1400, Closing), (1400, Done)]);
    assert_eq!(kinds(&s), want);
    assert_eq!((s.status, s.head_at_us, s.content_type), (200, Some(0), "text/event-stream; charset=utf-8"));
    assert_eq!(s.ending, Ending::Clean);
    assert_eq!(s.expected, Expected { first_output_us: Some(450_000), last_output_us: Some(1_400_000), tokens: 20 });
    let closing = String::from_utf8(s.pieces[22].bytes.clone()).expect("UTF-8");
    assert!(
        closing.contains(r#""server_timing":[{"name":"model_container","dur":720,"desc":"model container"}]"#),
        "{closing}"
    );
    assert!(closing.contains(r#""completion_tokens":20"#), "{closing}");
    assert!(text(&s).ends_with("}\n\ndata: [DONE]\n\n"));
}

#[test]
fn events_are_chat_completion_chunks() {
    let ask = Ask { model: Some("m-1".into()), created_s: 7, ..Ask::streaming() };
    let s = schedule(&[("preset", "fast")], &ask);
    let first = String::from_utf8(s.pieces[1].bytes.clone()).expect("UTF-8");
    assert_eq!(
        first,
        concat!(
            r#"data: {"id":"chatcmpl-built-in","object":"chat.completion.chunk","created":7,"model":"m-1","#,
            r#""choices":[{"index":0,"delta":{"content":"Over"},"finish_reason":null}]}"#,
            "\n\n"
        )
    );
    assert!(text(&s).contains(r#""delta":{},"finish_reason":"stop""#));
}

#[test]
fn reasoning_comes_before_the_answer() {
    let s = stream(&[("preset", "reasoning")]);
    let (first, last) = (kinds(&s)[1], kinds(&s)[35]);
    assert_eq!((first, last), ((200, Reasoning), (880, Reasoning)));
    assert_eq!(kinds(&s)[36], (900, Answer));
    assert_eq!(s.expected.first_output_us, Some(200_000));
    assert_eq!(s.expected.tokens, 95);
    assert!(text(&s).contains(r#""completion_tokens_details":{"reasoning_tokens":35}"#));
}

#[test]
fn other_presets() {
    assert_eq!(stream(&[("preset", "slow-start")]).expected.first_output_us, Some(2_000_000));
    let chat = stream(&[]);
    assert_eq!((chat.expected.first_output_us, chat.expected.last_output_us), (Some(300_000), Some(1_480_000)));
    let prediction = stream(&[("preset", "prediction")]);
    assert!(!prediction.streamed);
    assert_eq!((prediction.head_at_us, kinds(&prediction)), (Some(80_000), vec![(80, Whole)]));
    assert_eq!(text(&prediction), r#"{"object":"prediction","label":"not_fraud","score":0.93}"#);
    let plain = stream(&[("preset", "text")]);
    assert_eq!((plain.content_type, plain.pieces.len()), ("text/plain; charset=utf-8", 60));
    assert!(text(&plain).starts_with("Over the café, air"));
}

#[test]
fn the_queue_moves_everything_and_is_reported_where_asked() {
    let s = stream(&[("preset", "fast"), ("queue_ms", "100"), ("spans", "queue,prefill,decode,total")]);
    assert_eq!((s.head_at_us, s.queue_us), (Some(100_000), 100_000));
    assert_eq!(kinds(&s)[..2], [(100, Role), (120, Answer)]);
    let want = concat!(
        r#""server_timing":[{"name":"queue","dur":100,"boundary":"queue"},{"name":"prefill","dur":20,"boundary":"prefill"},"#,
        r#"{"name":"decode","dur":45,"boundary":"decode"},{"name":"total","dur":165,"boundary":"total"}]"#
    );
    assert!(text(&s).contains(want), "{}", text(&s));
}

#[test]
fn llama_cpp_timings_leave_the_queue_out() {
    let s = stream(&[("preset", "fast"), ("queue_ms", "100"), ("timings", "llamacpp"), ("usage", "0")]);
    assert!(text(&s).contains(r#""timings":{"prompt_n":1,"prompt_ms":20,"predicted_n":10,"predicted_ms":45}"#));
}

#[test]
fn parts_can_be_left_out() {
    let s = stream(&[("preset", "fast"), ("role_chunk", "0"), ("usage", "0"), ("done", "0"), ("finish", "0")]);
    assert!(kinds(&s).iter().all(|(_, kind)| *kind == Answer));
    assert_eq!(s.pieces.len(), 10);
}

#[test]
fn several_tokens_in_a_chunk_make_fewer_chunks() {
    let s = stream(&[("preset", "fast"), ("tokens_per_chunk", "4")]);
    let answers: Vec<_> = kinds(&s).into_iter().filter(|(_, kind)| *kind == Answer).collect();
    assert_eq!(answers, [(20, Answer), (25, Answer), (30, Answer)]);
    assert!(text(&s).contains(r#""content":"Over the café, air""#));
    assert_eq!(s.expected.tokens, 10);
}

#[test]
fn the_first_chunk_may_be_large() {
    let plain = stream(&[("preset", "fast")]);
    let s = stream(&[("preset", "fast"), ("first_chunk_bytes", "100000")]);
    assert_eq!((s.expected, kinds(&s)), (plain.expected, kinds(&plain)));
    let sizes: Vec<usize> = s.pieces.iter().filter(|p| p.kind == Answer).map(|p| p.bytes.len()).collect();
    assert!((100_000..101_000).contains(&sizes[0]) && sizes[1] < 1_000, "{sizes:?}");
}

#[test]
fn comments_come_while_there_is_nothing_else() {
    let s = stream(&[("preset", "fast"), ("ttft_ms", "35"), ("keep_alive_ms", "10")]);
    assert_eq!(kinds(&s)[..5], [(0, Role), (10, KeepAlive), (20, KeepAlive), (30, KeepAlive), (35, Answer)]);
}

#[test]
fn the_question_limits_the_output() {
    let limited = |max, pairs: &[(&str, &str)]| schedule(pairs, &Ask { max_tokens: Some(max), ..Ask::streaming() });
    let s = limited(4, &[("preset", "fast")]);
    assert_eq!(s.expected, Expected { first_output_us: Some(20_000), last_output_us: Some(35_000), tokens: 4 });
    assert!(text(&s).contains(r#""finish_reason":"length""#));
    let inside = limited(10, &[("preset", "reasoning")]);
    assert!(kinds(&inside).iter().all(|(_, kind)| *kind != Answer));
    assert_eq!(inside.expected.last_output_us, Some(380_000));
}

#[test]
fn a_whole_answer_comes_at_the_time_of_the_last_token() {
    let s = schedule(&[("preset", "worked-example")], &Ask::whole());
    assert_eq!((s.head_at_us, kinds(&s)), (Some(1_400_000), vec![(1400, Whole)]));
    assert_eq!(s.expected, Expected { first_output_us: None, last_output_us: Some(1_400_000), tokens: 20 });
    let body = json(&s);
    assert_eq!(body["usage"]["completion_tokens"], 20);
    assert_eq!(body["server_timing"][0]["dur"], 720);
    assert!(body["choices"][0]["message"]["content"].as_str().expect("text").starts_with("Over the café"));
    let measured = Measured { accept_us: 100, queue_us: 0, total_us: 1_400_900 };
    assert_eq!(s.server_timing(measured).as_deref(), Some("total;dur=1400.900, queue;dur=0.000"));
}

#[test]
fn faults_after_half_of_the_output() {
    let fault = |name| stream(&[("preset", "fast"), ("fault", name)]);
    let truncate = fault("truncate");
    assert_eq!(kinds(&truncate).last(), Some(&(40, Answer)));
    assert_eq!((truncate.ending.clone(), truncate.expected.tokens), (Ending::Clean, 5));
    assert_eq!(fault("reset").ending, Ending::Reset(45_000));
    assert_eq!(fault("stall").ending, Ending::Open);
    let error = fault("error-inside");
    assert_eq!(kinds(&error).last(), Some(&(45, Error)));
    assert!(text(&error).contains(r#"data: {"error":{"message":"The model failed"#));
    assert!(!text(&error).contains("[DONE]"));
}

#[test]
fn a_stream_that_never_ends_goes_on_where_the_planned_output_stops() {
    let s = stream(&[("preset", "fast"), ("fault", "never-ends")]);
    let Ending::Endless(endless) = &s.ending else { panic!("{:?}", s.ending) };
    assert_eq!((endless.piece(0).at_us, endless.piece(1000).at_us), (70_000, 5_070_000));
    assert!(String::from_utf8(endless.piece(0).bytes).expect("UTF-8").contains(r#""content":" That""#));
    assert_eq!(s.expected.last_output_us, None);
    let whole = Schedule::parse(&[("fault", "never-ends")], &Ask::whole());
    assert_eq!(whole, Err(ScheduleError::NeverEndsWhole));
}

#[test]
fn faults_instead_of_the_answer() {
    let fault = |name| stream(&[("preset", "fast"), ("fault", name)]);
    let limited = fault("status-429");
    assert_eq!((limited.status, limited.retry_after_s), (429, Some(7)));
    assert!(json(&limited)["error"]["message"].as_str().expect("text").contains("Too many requests"));
    assert_eq!(fault("hang").head_at_us, None);
    let page = fault("html");
    assert_eq!((page.status, page.content_type), (200, "text/html; charset=utf-8"));
    let whole = fault("json");
    assert_eq!((whole.content_type, whole.head_at_us), ("application/json", Some(65_000)));
    assert_eq!(json(&whole)["object"], "chat.completion");
}

#[test]
fn faults_of_a_whole_answer() {
    let fault = |name| schedule(&[("preset", "fast"), ("fault", name)], &Ask::whole());
    assert!(serde_json::from_slice::<Value>(&body(&fault("truncate"))).is_err());
    assert_eq!(fault("reset").ending, Ending::Reset(70_000));
    assert_eq!(fault("stall").ending, Ending::Open);
    assert!(json(&fault("error-inside"))["error"].is_object());
}

#[test]
fn line_ends_and_byte_order_mark() {
    let s = stream(&[("preset", "fast"), ("crlf", "1"), ("bom", "1")]);
    let text = text(&s);
    assert!(text.starts_with("\u{feff}data: "));
    assert!(text.ends_with("data: [DONE]\r\n\r\n"));
    assert!(!text.replace("\r\n", "").contains('\n'));
}

#[test]
fn a_burst_comes_at_the_time_of_the_last_token() {
    let s = stream(&[("preset", "fast"), ("burst", "1")]);
    assert!(s.pieces.iter().all(|p| p.at_us == 65_000));
    assert_eq!(s.expected.first_output_us, Some(65_000));
}

#[test]
fn cuts_keep_the_bytes_and_stand_a_millisecond_apart() {
    let whole = stream(&[("preset", "fast")]);
    let cut = stream(&[("preset", "fast"), ("split", "7")]);
    assert_eq!(body(&whole), body(&cut));
    assert!(cut.pieces.iter().all(|p| p.bytes.len() <= 7));
    assert!(cut.pieces.windows(2).all(|w| w[1].at_us >= w[0].at_us + 1_000));
    // An event is complete with its last cut only.
    let first_answer = cut.pieces.iter().find(|p| p.kind == Answer).expect("an answer");
    assert!(first_answer.bytes.ends_with(b"\n\n"));
    assert_eq!(cut.expected.first_output_us, Some(first_answer.at_us));
    assert_eq!(cut.expected.tokens, 10);
}

#[test]
fn pieces_are_in_order_of_time() {
    for preset in crate::Preset::ALL {
        let s = stream(&[("preset", preset.name()), ("keep_alive_ms", "50"), ("split", "40")]);
        assert!(s.pieces.windows(2).all(|w| w[0].at_us <= w[1].at_us), "{preset:?}");
    }
}

#[test]
fn a_wait_for_a_slot_moves_everything_and_is_the_queue() {
    let pairs =
        [("preset", "fast"), ("queue_ms", "30"), ("spans", "queue,prefill,time_to_first_token,total"), ("timings", "llamacpp")];
    let plan = Plan::parse(&pairs).expect("a plan");
    let service = Service { begins_us: 1_234_567, frozen: None };
    let [at_once, late] =
        [Service::default(), service].map(|s| plan.schedule_served(&Ask::streaming(), s).expect("a schedule"));
    assert_eq!(late.queue_us, 1_264_567);
    assert_eq!(late.head_at_us, Some(1_264_567));
    let moved: Vec<u64> = at_once.pieces.iter().map(|p| p.at_us + 1_234_567).collect();
    assert_eq!(late.pieces.iter().map(|p| p.at_us).collect::<Vec<_>>(), moved);
    assert_eq!(late.expected.last_output_us, at_once.expected.last_output_us.map(|us| us + 1_234_567));
    let text = text(&late);
    for span in [
        r#""name":"queue","dur":1264.567"#,
        r#""name":"prefill","dur":20,"#,
        r#""name":"time_to_first_token","dur":1284.567"#,
        r#""name":"total","dur":1329.567"#,
        r#""prompt_ms":20,"#,
        r#""predicted_ms":45}"#,
    ] {
        assert!(text.contains(span), "{span} in {text}");
    }
    let whole = plan.schedule_served(&Ask::whole(), service).expect("a schedule");
    assert_eq!(whole.pieces[0].at_us, 1_329_567);
    let failed = Plan::parse(&[("fault", "status-503")]).expect("a plan").schedule_served(&Ask::whole(), service);
    assert_eq!(failed.expect("a schedule").head_at_us, Some(1_234_567));
}

#[test]
fn a_standstill_moves_what_is_left() {
    let pairs = [("preset", "fast"), ("spans", "prefill,decode"), ("keep_alive_ms", "10")];
    let plan = Plan::parse(&pairs).expect("a plan");
    // Between the third token at 30 ms and the fourth.
    let frozen = Some(crate::Window { from_us: 31_000, to_us: 2_031_000 });
    let s = plan.schedule_served(&Ask::streaming(), Service { begins_us: 0, frozen }).expect("a schedule");
    let tokens: Vec<u64> = s.pieces.iter().filter(|p| p.kind == Answer).map(|p| p.at_us).collect();
    assert_eq!(tokens[..4], [20_000, 25_000, 30_000, 2_035_000]);
    assert_eq!((tokens[9], s.expected.last_output_us), (2_065_000, Some(2_065_000)));
    assert_eq!(s.pieces.last().map(|p| p.at_us), Some(2_065_000));
    let text = text(&s);
    assert!(text.contains(r#""name":"prefill","dur":20,"#) && text.contains(r#""name":"decode","dur":2045,"#), "{text}");
    let endless = Plan::parse(&[("preset", "fast"), ("fault", "never-ends")]).expect("a plan");
    let endless = endless.schedule_served(&Ask::streaming(), Service { begins_us: 0, frozen }).expect("a schedule");
    let Ending::Endless(more) = endless.ending else { panic!("{:?}", endless.ending) };
    assert_eq!(more.piece(0).at_us, 2_070_000);
}
