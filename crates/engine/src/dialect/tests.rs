//! The bytes of each dialect: their order, their numbers, their ends.

use serde_json::{Value, json};

use crate::piece::{Ending, Kind};
use crate::{Ask, Schedule};

const STREAMS: [&str; 6] = ["openai", "responses", "anthropic", "ollama", "gemini", "text"];

fn stream(format: &str, more: &[(&str, &str)]) -> Schedule {
    let pairs: Vec<(&str, &str)> = [("preset", "fast"), ("format", format)].into_iter().chain(more.iter().copied()).collect();
    Schedule::parse(&pairs, &Ask { model: Some("m".into()), prompt_tokens: 3, ..Ask::streaming() }).expect("a schedule")
}

fn text(schedule: &Schedule) -> String {
    String::from_utf8(schedule.pieces.iter().flat_map(|p| p.bytes.clone()).collect()).expect("UTF-8")
}

/// Names and data of server-sent events, or lines.
fn events(schedule: &Schedule) -> Vec<(String, Value)> {
    let text = text(schedule).replace("\r\n", "\n");
    let parts: Vec<&str> = match schedule.format.is_events() {
        true => text.split_terminator("\n\n").collect(),
        false => text.lines().collect(),
    };
    let read = |part: &str| {
        let (name, data) = match part.strip_prefix("event: ").and_then(|rest| rest.split_once('\n')) {
            Some((name, data)) => (name, data),
            None => ("", part),
        };
        let data = data.strip_prefix("data: ").unwrap_or(data);
        (name.to_owned(), serde_json::from_str(data).unwrap_or(Value::Null))
    };
    parts.into_iter().map(read).collect()
}

fn names(schedule: &Schedule) -> Vec<String> {
    let mut names: Vec<String> = events(schedule).into_iter().map(|(name, _)| name).collect();
    names.dedup();
    names
}

const EVERYTHING: [(&str, &str); 5] =
    [("reasoning_tokens", "2"), ("ttft_ms", "50"), ("tokens", "2"), ("tool_calls", "1"), ("usage", "1")];

#[test]
fn responses_number_their_events_and_end_what_they_begin() {
    let s = stream("responses", &EVERYTHING);
    let events = events(&s);
    for (n, (name, data)) in events.iter().enumerate() {
        assert_eq!((data["type"].as_str(), data["sequence_number"].as_u64()), (Some(name.as_str()), Some(n as u64)));
    }
    let want = [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.reasoning_summary_part.added",
        "response.reasoning_summary_text.delta",
        "response.reasoning_summary_text.done",
        "response.reasoning_summary_part.done",
        "response.output_item.done",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.output_item.added",
        "response.function_call_arguments.delta",
        "response.function_call_arguments.done",
        "response.output_item.done",
        "response.completed",
    ];
    assert_eq!(names(&s), want);
    let response = &events.last().expect("an end").1["response"];
    let kinds: Vec<&str> = response["output"].as_array().expect("items").iter().filter_map(|i| i["type"].as_str()).collect();
    assert_eq!(kinds, ["reasoning", "message", "function_call"]);
    assert_eq!(response["usage"]["output_tokens"], 8);
    assert_eq!(response["usage"]["output_tokens_details"]["reasoning_tokens"], 2);
    let places: Vec<u64> = events.iter().filter_map(|(_, data)| data["output_index"].as_u64()).collect();
    assert!(places.is_sorted() && places.last() == Some(&2), "{places:?}");
}

#[test]
fn anthropic_counts_input_first_and_output_last() {
    let s = stream("anthropic", &EVERYTHING);
    let want = [
        "message_start",
        "content_block_start",
        "ping",
        "content_block_delta",
        "content_block_stop",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ];
    assert_eq!(names(&s), want);
    let events = events(&s);
    assert_eq!(events[0].1["message"]["usage"]["input_tokens"], 3);
    let delta = &events[events.len() - 2].1;
    assert_eq!((&delta["delta"]["stop_reason"], &delta["usage"]["output_tokens"]), (&json!("tool_use"), &json!(8)));
    let begun: Vec<&Value> = events.iter().filter(|(name, _)| name == "content_block_start").map(|(_, data)| data).collect();
    assert_eq!(begun.iter().map(|data| data["index"].as_u64()).collect::<Vec<_>>(), [Some(0), Some(1), Some(2)]);
    let alive = stream("anthropic", &[("keep_alive_ms", "10"), ("ttft_ms", "25")]);
    assert_eq!(alive.pieces.iter().filter(|piece| piece.kind == Kind::KeepAlive).count(), 2);
    assert!(text(&alive).contains("event: ping\ndata: {\"type\":\"ping\"}\n\n"));
}

#[test]
fn ollama_tells_nanoseconds_in_its_last_line() {
    let s = stream("ollama", &[("queue_ms", "100"), ("tool_calls", "1")]);
    assert_eq!(s.content_type, "application/x-ndjson");
    let lines = events(&s);
    assert!(lines[..lines.len() - 1].iter().all(|(_, line)| line["done"] == false));
    let last = &lines.last().expect("an end").1;
    // Ten tokens from 120 ms on, then four of a call, 5 ms apart.
    let want = json!({
        "model": "m", "created_at": "1970-01-01T00:00:00Z", "message": {"role": "assistant", "content": ""}, "done": true,
        "done_reason": "stop", "total_duration": 185_000_000, "load_duration": 100_000_000, "prompt_eval_count": 3,
        "prompt_eval_duration": 20_000_000, "eval_count": 14, "eval_duration": 65_000_000,
    });
    assert_eq!(last, &want);
    assert_eq!(lines[10].1["message"]["tool_calls"][0]["function"]["arguments"], json!({"topic": "the sky", "call": 1}));
}

#[test]
fn gemini_counts_as_it_goes_and_ends_with_a_reason() {
    let s = stream("gemini", &EVERYTHING);
    assert!(!text(&s).replace("\r\n", "").contains('\n'), "its lines end in CR LF");
    let events = events(&s);
    let seen: Vec<[u64; 2]> = events
        .iter()
        .map(|(_, data)| {
            ["thoughtsTokenCount", "candidatesTokenCount"].map(|name| data["usageMetadata"][name].as_u64().unwrap_or(0))
        })
        .collect();
    assert_eq!(seen, [[1, 0], [2, 0], [2, 1], [2, 2], [2, 6], [2, 6]]);
    let reasons: Vec<&str> = events.iter().filter_map(|(_, data)| data["candidates"][0]["finishReason"].as_str()).collect();
    assert_eq!(reasons, ["STOP"]);
    assert_eq!(events[4].1["candidates"][0]["content"]["parts"][0]["functionCall"]["name"], "look_up");
}

#[test]
fn what_is_said_is_the_same_in_every_chat() {
    let said = stream("openai", &EVERYTHING).said;
    assert_eq!((said.answer.as_str(), said.reasoning.as_str()), ("Over the", "The question"));
    assert_eq!((said.tool.as_str(), said.calls), (r#"look_up{"topic":"the sky","call":1}"#, 1));
    for format in STREAMS.into_iter().filter(|format| *format != "text") {
        assert_eq!(stream(format, &EVERYTHING).said, said, "{format}");
        let pairs: Vec<(&str, &str)> = [("preset", "fast"), ("format", format)].into_iter().chain(EVERYTHING).collect();
        assert_eq!(Schedule::parse(&pairs, &Ask::whole()).expect("a schedule").said, said, "{format} in one");
    }
    let text = stream("text", &EVERYTHING).said;
    assert_eq!((text.answer.as_str(), text.reasoning.as_str(), text.tool.as_str()), ("Over the", "", ""));
}

#[test]
fn each_leaves_out_its_own_end() {
    for (format, end) in [
        ("openai", "[DONE]"),
        ("responses", "response.completed"),
        ("anthropic", "message_stop"),
        ("ollama", "\"done\":true"),
        ("gemini", "finishReason"),
    ] {
        assert!(text(&stream(format, &[])).contains(end), "{format}");
        for left in [("fault", "missing-terminator"), ("done", "0")] {
            let s = stream(format, &[left]);
            assert!(!text(&s).contains(end), "{format}");
            assert_eq!((s.expected.tokens, s.ending), (10, Ending::Clean), "{format}");
        }
    }
}

#[test]
fn a_limit_is_told_in_the_dialects_own_word() {
    for (format, word) in [
        ("openai", "\"finish_reason\":\"length\""),
        ("responses", "\"incomplete_details\":{\"reason\":\"max_output_tokens\"}"),
        ("anthropic", "\"stop_reason\":\"max_tokens\""),
        ("ollama", "\"done_reason\":\"length\""),
        ("gemini", "\"finishReason\":\"MAX_TOKENS\""),
    ] {
        for stream in [true, false] {
            let ask = Ask { stream, max_tokens: Some(11), ..Ask::streaming() };
            let pairs = [("preset", "fast"), ("format", format), ("tool_calls", "1")];
            let s = Schedule::parse(&pairs, &ask).expect("a schedule");
            assert!(text(&s).contains(word), "{format}: {}", text(&s));
            assert_eq!((s.expected.tokens, s.said.calls), (10, 0), "no call is cut: {format}");
        }
    }
}

#[test]
fn endless_pieces_go_on_where_the_plan_stops() {
    for format in STREAMS {
        for tokens in ["0", "3"] {
            let s = stream(format, &[("fault", "never-ends"), ("tokens", tokens)]);
            let Ending::Endless(endless) = &s.ending else { panic!("{:?}", s.ending) };
            let all = |count: u64| (0..count).flat_map(|n| endless.piece(n).bytes).collect::<Vec<u8>>();
            let text = String::from_utf8([text(&s).into_bytes(), all(4)].concat()).expect("UTF-8");
            if format == "responses" {
                let numbers = text.lines().filter_map(|line| line.strip_prefix("data: "));
                let numbers =
                    numbers.map(|data| serde_json::from_str::<Value>(data).expect("JSON")["sequence_number"].as_u64());
                assert!(numbers.enumerate().all(|(n, number)| number == Some(n as u64)), "{text}");
            }
            let begins = |word: &str| text.matches(word).count();
            assert!(begins("message_start\n") <= 1 && begins("content_block_start\n") <= 1, "{text}");
        }
    }
}

#[test]
fn a_lie_is_longer_than_any_wait() {
    let s = stream("ollama", &[("fault", "lying-server-timing")]);
    assert!(events(&s).last().expect("an end").1["total_duration"].as_u64() > Some(60_000_000_000));
    let measured = crate::Measured { accept_us: 0, queue_us: 0, total_us: 5 };
    assert_eq!(s.server_timing(measured).as_deref(), Some("total;dur=60000.050, queue;dur=60000.000"));
}

#[test]
fn a_batch_of_embeddings_has_a_result_for_each_and_takes_longer() {
    let ask = Ask { items: 3, prompt_tokens: 12, ..Ask::whole() };
    let s = Schedule::parse(&[("preset", "fast"), ("format", "embeddings")], &ask).expect("a schedule");
    let body: Value = serde_json::from_str(&text(&s)).expect("JSON");
    assert_eq!((body["data"].as_array().map(Vec::len), s.said.items), (Some(3), 3));
    assert_eq!(body["usage"], json!({"prompt_tokens": 12, "total_tokens": 12}));
    assert_ne!(body["data"][0]["embedding"], body["data"][1]["embedding"]);
    assert_eq!(s.pieces[0].at_us, 30_000, "20 ms, and 5 for each further one");
}

#[test]
fn the_same_question_gives_the_same_bytes() {
    for format in STREAMS {
        assert_eq!(stream(format, &EVERYTHING), stream(format, &EVERYTHING), "{format}");
    }
}
