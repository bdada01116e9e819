//! Every format of the built-in endpoint with every fault, decoded by the page's own decoder: the texts, counts and times are
//! the engine's truth, and each fault has its outcome.

mod common;
#[path = "common/named.rs"]
mod named;

use std::io::Read as _;

use common::{host, send, start};
use firstlight_core::Micros;
use firstlight_core::decode::{Channel, Choice, Decoder, Event, Head, Rule};
use firstlight_core::mark::Mark;
use firstlight_core::outcome::{Outcome, Stop};
use firstlight_core::record::Recorder;
use firstlight_core::trace::{Mode, Planned, ResponseFacts, Shape, Trace, Usage};
use firstlight_engine::{Ask, Ending, Fault, Format, Measured, Piece, Schedule};
use named::{CHANGES, ENDLESS, STREAMED, WHOLE};

/// Two tokens of reasoning, six of the answer; and a call, where there is a channel for it.
const BASE: &str = "preset=fast&reasoning_tokens=2&ttft_ms=50&tokens=6";

fn schedule(query: &str, stream: bool) -> Schedule {
    let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let ask = Ask { stream, prompt_tokens: 3, items: 2, model: Some("m".into()), ..Ask::streaming() };
    Schedule::parse(&pairs, &ask).unwrap_or_else(|e| panic!("{query}: {e}"))
}

/// What a page would note of it, were the schedule kept to the µs.
struct Seen {
    trace: Trace,
    answer: String,
    reasoning: String,
    tool: String,
}

/// The pieces of a schedule, and some that follow for ever.
fn pieces(schedule: &Schedule) -> Vec<Piece> {
    let more = match &schedule.ending {
        Ending::Endless(endless) => (0..20).map(|n| endless.piece(n)).collect(),
        _ => Vec::new(),
    };
    schedule.pieces.iter().cloned().chain(more).collect()
}

fn see(schedule: &Schedule) -> Seen {
    let pieces = pieces(schedule);
    let mode = if schedule.streamed { Mode::Streaming } else { Mode::NonStreaming };
    observe(schedule, &pieces, mode)
}

fn observe(schedule: &Schedule, pieces: &[Piece], mode: Mode) -> Seen {
    let at = |us: u64| Micros(i64::try_from(us).expect("a time"));
    let measured = Measured { accept_us: 0, queue_us: 0, total_us: schedule.head_at_us.unwrap_or(0) };
    let server_timing = schedule.server_timing(measured);
    let headers = vec![("content-type".to_owned(), schedule.content_type.to_owned())];
    let facts = ResponseFacts {
        status: schedule.status,
        content_type: Some(schedule.content_type.to_owned()),
        server_timing,
        ..ResponseFacts::default()
    };
    let mut recorder = Recorder::new(Planned::measured(0, mode), Rule::Word, Choice::default(), Micros::ZERO);
    let mut decoder = Decoder::new(&Choice::default(), &Head { content_type: Some(schedule.content_type), headers: &headers });
    let mut texts = [String::new(), String::new(), String::new()];
    let mut note = |events: Vec<Event>| {
        for event in events {
            if let Event::Output { channel, text, .. } = event {
                let at = [Channel::Answer, Channel::Reasoning, Channel::Tool].iter().position(|c| *c == channel);
                texts[at.expect("a channel")].push_str(&text);
            }
        }
    };
    recorder.sent(Micros::ZERO);
    let mut last = 0;
    if let Some(head_at_us) = schedule.head_at_us {
        recorder.headers(at(head_at_us), facts, headers.clone());
        for piece in pieces {
            last = piece.at_us;
            recorder.read(at(last), &piece.bytes);
            if schedule.status == 200 {
                note(decoder.push(&piece.bytes).events);
            }
        }
    }
    if schedule.status == 200 && schedule.ending == Ending::Clean {
        note(decoder.end().events);
    }
    match &schedule.ending {
        _ if schedule.head_at_us.is_none() => recorder.stopped(at(10_000_000), Stop::TimedOut, ""),
        Ending::Clean => {
            recorder.body_end(at(last));
        }
        Ending::Reset(us) => recorder.stopped(at(*us), Stop::Failed, "cut"),
        Ending::Open | Ending::Endless(_) => recorder.stopped(at(10_000_000), Stop::TimedOut, ""),
    }
    let [answer, reasoning, tool] = texts;
    Seen { trace: recorder.finish(), answer, reasoning, tool }
}

/// What each dialect has words for.
fn usage(format: &str, reasoning: u64, output: u64) -> Option<Usage> {
    let usage = |reasoning: Option<u64>, cached| Usage { input: Some(3), output: Some(output), reasoning, cached };
    match format {
        "openai" => Some(usage(Some(reasoning), None)),
        "responses" => Some(usage(Some(reasoning), Some(0))),
        "anthropic" => Some(usage(None, Some(0))),
        "ollama" => Some(usage(None, None)),
        "gemini" => Some(usage((reasoning > 0).then_some(reasoning), None)),
        _ => None,
    }
}

const CODES: [(&str, &str); 6] = [
    ("openai", "openai_chat"),
    ("responses", "openai_responses"),
    ("anthropic", "anthropic_messages"),
    ("ollama", "ollama"),
    ("gemini", "gemini"),
    ("text", "plain_text"),
];

fn code(format: &str) -> &'static str {
    CODES.iter().find(|(name, _)| *name == format).expect("a format").1
}

#[test]
fn every_stream_is_read_as_it_was_meant() {
    for format in STREAMED {
        for change in CHANGES.iter().chain(&ENDLESS) {
            let query = format!("{BASE}&format={format}&{change}");
            let schedule = schedule(&query, true);
            let pieces = pieces(&schedule);
            let seen = observe(&schedule, &pieces, Mode::Streaming);
            let trace = &seen.trace;
            assert_eq!(trace.outcome, named::streamed(format, change), "{query}: {trace:?}");
            if !matches!(trace.outcome, Outcome::HttpError { .. }) && *change != "fault=html" && *change != "fault=hang" {
                texts_are_true(&schedule, &seen, &query);
            }
            if trace.outcome == Outcome::Complete && *change != "fault=missing-terminator" && schedule.format != Format::Text {
                let calls = schedule.said.calls * 4;
                assert_eq!(trace.usage, usage(format, 2, 8 + calls), "{query}");
                assert_eq!(trace.dialect.map(|(code, _)| code), Some(code(format)), "{query}");
                assert!(trace.diagnostics.is_empty(), "{query}: {:?}", trace.diagnostics);
            }
            if trace.outcome == Outcome::Complete {
                // A line end behind a whole value, or the LF of the last CR LF, adds nothing: where bytes come alone, an event
                // can be read a byte or two before its last.
                let alone = if ["fault=trickle", "split=1"].contains(change) { 4_000 } else { 0 };
                let is_when = |mark, expected: Option<u64>| {
                    let at = trace.marks.get(mark).expect("a mark").0 as u64;
                    let expected = expected.expect("output");
                    assert!(
                        (expected.saturating_sub(alone)..=expected).contains(&at),
                        "{query}: {} at {at}, {expected}",
                        mark.code()
                    );
                };
                is_when(Mark::FirstOutput, schedule.expected.first_output_us);
                is_when(Mark::LastOutput, schedule.expected.last_output_us);
            }
        }
    }
}

/// What was decoded is what was said, and of what never ends its beginning.
fn texts_are_true(schedule: &Schedule, seen: &Seen, query: &str) {
    let said = &schedule.said;
    if matches!(schedule.ending, Ending::Endless(_)) {
        assert!(seen.answer.starts_with(&said.answer) && seen.answer.len() > said.answer.len(), "{query}: {}", seen.answer);
        return;
    }
    // Text in JSON is an endpoint's own result: it is shown as it is.
    let answer = match query {
        query if query.contains("format=text") && query.contains("fault=json") => format!("{{\"text\":\"{}\"}}", said.answer),
        // Nothing of a text is taken away, not even its mark.
        query if query.contains("format=text") && query.contains("bom=1") => format!("\u{feff}{}", said.answer),
        _ => said.answer.clone(),
    };
    assert_eq!(seen.answer, answer, "{query}");
    assert_eq!((&seen.reasoning, &seen.tool), (&said.reasoning, &said.tool), "{query}");
}

#[test]
fn every_answer_in_one_is_read_as_it_was_meant() {
    for format in WHOLE {
        for change in CHANGES.iter().chain(&ENDLESS).filter(|change| **change != "fault=never-ends") {
            let query = format!("{BASE}&format={format}&{change}");
            let schedule = schedule(&query, false);
            let seen = observe(&schedule, &schedule.pieces, Mode::NonStreaming);
            let trace = &seen.trace;
            assert_eq!(trace.outcome, named::whole(format, change), "{query}: {trace:?}");
            if trace.outcome != Outcome::Complete {
                continue;
            }
            if ["prediction", "embeddings"].contains(&format) {
                assert_eq!(trace.shape, Some(Shape::Prediction), "{query}");
                assert_eq!(trace.items, (format == "embeddings").then_some(2), "{query}");
                continue;
            }
            if *change != "fault=truncate" {
                texts_are_true(&schedule, &seen, &query);
            }
            if format != "text" {
                assert_eq!(trace.usage, usage(format, 2, 8 + schedule.said.calls * 4), "{query}");
                assert_eq!(trace.dialect.map(|(code, _)| code), Some(code(format)), "{query}");
            }
        }
    }
}

#[test]
fn every_fault_is_in_the_table() {
    for (name, _) in Fault::ALL {
        let change = format!("fault={name}");
        assert!(CHANGES.iter().chain(&ENDLESS).any(|known| *known == change), "{name}");
    }
    for (name, _) in Format::ALL {
        assert!(WHOLE.contains(&name) || name == "html", "{name}");
    }
}

#[test]
fn any_split_says_the_same() {
    for format in STREAMED {
        let whole = see(&schedule(&format!("{BASE}&format={format}&tool_calls=1"), true));
        for size in [1, 2, 3, 7, 64] {
            let cut = see(&schedule(&format!("{BASE}&format={format}&tool_calls=1&split={size}"), true));
            assert_eq!((&cut.answer, &cut.reasoning, &cut.tool), (&whole.answer, &whole.reasoning, &whole.tool));
            assert_eq!((cut.trace.usage, cut.trace.spans.len()), (whole.trace.usage, whole.trace.spans.len()), "{format}");
        }
    }
}

#[test]
fn a_call_instead_of_an_answer() {
    for format in STREAMED.into_iter().filter(|format| *format != "text") {
        for stream in [true, false] {
            let schedule = schedule(&format!("preset=fast&format={format}&tokens=0&tool_calls=1"), stream);
            let seen = see(&schedule);
            assert_eq!((seen.answer.as_str(), &seen.tool), ("", &schedule.said.tool), "{format}");
            assert!(seen.tool.starts_with("look_up{"), "{format}");
            assert_eq!(seen.trace.usage, usage(format, 0, 4), "{format}");
            // Nobody sees an answer in it.
            assert_eq!(seen.trace.outcome, Outcome::NoAnswer, "{format}");
        }
    }
}

#[test]
fn what_a_server_reports_is_found_in_each_dialects_own_place() {
    let spans = |format: &str, more: &str| {
        let seen = see(&schedule(&format!("preset=fast&queue_ms=30&format={format}&{more}"), true));
        let in_body = |code: &str| matches!(code, "body_field" | "usage_event");
        let spans = seen.trace.spans.iter().filter(|span| in_body(span.source.code()));
        spans.map(|span| (span.name.clone(), span.value.0)).collect::<Vec<_>>()
    };
    let named = |pairs: &[(&str, i64)]| pairs.iter().map(|(name, us)| ((*name).to_owned(), *us)).collect::<Vec<_>>();
    for format in ["openai", "responses", "anthropic"] {
        assert_eq!(spans(format, "spans=queue,total"), named(&[("queue", 30_000), ("total", 95_000)]), "{format}");
        let llama = named(&[("timings.prompt_ms", 20_000), ("timings.predicted_ms", 45_000)]);
        assert_eq!(spans(format, "timings=llamacpp"), llama, "{format}");
    }
    let ollama =
        [("load_duration", 30_000), ("prompt_eval_duration", 20_000), ("eval_duration", 45_000), ("total_duration", 95_000)];
    assert_eq!(spans("ollama", ""), named(&ollama));
}

#[test]
fn a_lie_is_longer_than_the_wait() {
    for format in STREAMED {
        let seen = see(&schedule(&format!("{BASE}&format={format}&fault=lying-server-timing"), true));
        let elapsed = seen.trace.elapsed().expect("sent");
        assert!(seen.trace.spans.iter().any(|span| span.value > elapsed), "{format}: {:?}", seen.trace.spans);
    }
}

#[tokio::test]
async fn clients_of_each_provider_find_their_paths() {
    let server = start().await;
    let host = host(&server.origin());
    let post = |path: &'static str, body: &'static str| {
        let host = host.clone();
        async move { send(&host, "POST", path, &[("Content-Type", "application/json")], body).await }
    };
    let responses = post("/v1/responses?preset=fast", r#"{"model":"m","input":"Hi there","stream":true}"#).await;
    assert!(responses.text().starts_with("event: response.created\n"), "{}", responses.text());
    assert!(responses.text().contains(r#""input_tokens":2"#));
    let messages = post("/v1/messages?preset=fast&beta=true", r#"{"max_tokens":3,"messages":[],"stream":true}"#).await;
    assert!(messages.text().contains(r#""stop_reason":"max_tokens""#), "{}", messages.text());
    let chat = post("/api/chat?preset=fast", r#"{"model":"m","messages":[]}"#).await;
    assert_eq!(chat.header("content-type"), Some("application/x-ndjson"));
    assert_eq!(chat.text().lines().count(), 11, "Ollama streams unless told otherwise: {}", chat.text());
    let whole = post("/api/chat?preset=fast", r#"{"messages":[],"stream":false}"#).await;
    assert_eq!(whole.json()["done"], true);
    let gemini = post("/v1beta/models/g-1:streamGenerateContent?alt=sse&key=k&preset=fast", r#"{"contents":[]}"#).await;
    assert!(gemini.text().starts_with("data: {\"candidates\""), "{}", gemini.text());
    assert!(gemini.text().contains(r#""modelVersion":"g-1""#));
    let gemini = post("/v1beta/models/g-1:generateContent?preset=fast", r#"{"contents":[]}"#).await;
    assert_eq!(gemini.json()["candidates"][0]["finishReason"], "STOP");
    assert_eq!(post("/v1beta/models/g-1:embedContent", "{}").await.status, 404);
    let embeddings = post("/v1/embeddings?preset=fast", r#"{"model":"e","input":["a b","c"]}"#).await;
    assert_eq!(embeddings.json()["data"].as_array().map(Vec::len), Some(2));
    assert_eq!(embeddings.json()["usage"]["prompt_tokens"], 3);
    // The parameter counts more than the path.
    let text = post("/v1/messages?preset=fast&format=text", r#"{"stream":true}"#).await;
    assert!(text.text().starts_with("Over the café"), "{}", text.text());
    // An error speaks as its API does.
    let failed = post("/v1/messages?fault=status-529", r#"{"stream":true}"#).await;
    assert_eq!((failed.status, &failed.json()["error"]["type"]), (529, &serde_json::json!("overloaded_error")));
}

#[tokio::test]
async fn compressed_replies_are_whole_and_come_at_once_if_nothing_is_flushed() {
    let server = start().await;
    let host = host(&server.origin());
    for stream in [true, false] {
        let body = format!(r#"{{"stream":{stream}}}"#);
        let ask = |fault: &str| {
            let (host, body, path) =
                (host.clone(), body.clone(), format!("/v1/messages?preset=fast&rid={fault}{stream}&fault={fault}"));
            async move { send(&host, "POST", &path, &[], &body).await }
        };
        let plain = send(&host, "POST", "/v1/messages?preset=fast", &[], &body).await.text();
        for fault in ["gzip", "gzip-no-flush"] {
            let reply = ask(fault).await;
            assert_eq!((reply.header("content-encoding"), reply.ended_well), (Some("gzip"), true), "{fault}");
            assert!(reply.header("access-control-expose-headers").expect("exposed").contains("Content-Encoding"));
            let mut text = String::new();
            flate2::read::GzDecoder::new(&reply.body[..]).read_to_string(&mut text).expect("gzip");
            assert_eq!(text, plain, "{fault}");
            // All pieces are in the record, held ones with the write of the end.
            let truth = server.truth(&format!("{fault}{stream}")).expect("written down");
            let written: Vec<u64> = truth.pieces.iter().map(|piece| piece.at_us).collect();
            assert_eq!(truth.pieces.iter().map(|piece| piece.bytes).sum::<usize>(), plain.len(), "{fault}");
            if fault == "gzip-no-flush" {
                assert!(written.iter().all(|at| *at >= truth.received_us + 65_000), "{written:?}");
            }
        }
    }
}
