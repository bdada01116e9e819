//! The built-in endpoint over real sockets: bodies, order, bounds of time, faults.

mod common;

use common::{ask, host, open, send, start};
use tokio::io::AsyncReadExt as _;

#[tokio::test]
async fn the_worked_example() {
    let server = start().await;
    let reply = ask(&host(&server.origin()), "preset=worked-example", true).await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), Some("text/event-stream; charset=utf-8"));
    assert_eq!(reply.header("cache-control"), Some("no-store, no-transform"));
    assert!(reply.ended_well);
    let text = reply.text();
    let events: Vec<&str> = text.split_terminator("\n\n").collect();
    assert_eq!(events.len(), 24, "role, 20 tokens, finish, closing, [DONE]: {text}");
    assert!(events[0].contains(r#""role":"assistant""#));
    assert!(events[21].contains(r#""finish_reason":"stop""#));
    assert!(events[22].contains(r#""server_timing":[{"name":"model_container","dur":720,"desc":"model container"}]"#));
    assert!(events[22].contains(r#""prompt_tokens":2,"completion_tokens":20"#));
    assert_eq!(events[23], "data: [DONE]");
    // Never early; late only by what a busy machine adds.
    let last = reply.reads.last().expect("reads").0;
    assert!(reply.headers_ms < 300.0, "headers leave at once, not with the first token: {} ms", reply.headers_ms);
    assert!((1400.0..2400.0).contains(&last), "last token at {last} ms");
    let before_the_first = reply.reads.iter().filter(|(at, _)| *at < 450.0).count();
    assert!(before_the_first <= 2, "head and role chunk only: {:?}", reply.reads);
    assert!(reply.reads.len() >= 15, "tokens come one by one: {:?}", reply.reads);
}

#[tokio::test]
async fn a_whole_answer_comes_in_one_with_a_truthful_total() {
    let server = start().await;
    let reply = ask(&host(&server.second_origin()), "preset=fast&queue_ms=30", false).await;
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert!(reply.ended_well && reply.header("content-length").is_some());
    assert_eq!(reply.json()["usage"]["completion_tokens"], 10);
    let timing = reply.header("server-timing").expect("Server-Timing");
    let spans = firstlight_core::server_report::spans_from_header(timing, false);
    let named = |name: &str| spans.iter().find(|s| s.name == name).map(|s| s.value.as_ms()).expect(name);
    assert!((95.0..600.0).contains(&named("total")), "{timing}");
    assert!((29.0..300.0).contains(&named("queue")), "{timing}");
    assert!(named("total") <= reply.headers_ms, "the server can't have taken longer than the client saw");
}

#[tokio::test]
async fn the_header_of_a_stream_speaks_of_the_time_to_the_headers() {
    let server = start().await;
    let host = host(&server.origin());
    let reply = ask(&host, "preset=fast&queue_ms=40", true).await;
    let timing = reply.header("server-timing").expect("Server-Timing");
    assert!(timing.starts_with("queue;dur=") && timing.contains(", accept;dur="), "{timing}");
    let verbatim = ask(&host, "preset=fast&server_timing=db%3Bdur%3D5", true).await;
    assert_eq!(verbatim.header("server-timing"), Some("db;dur=5"));
    assert_eq!(ask(&host, "preset=fast&server_timing=", true).await.header("server-timing"), None);
}

#[tokio::test]
async fn other_formats() {
    let server = start().await;
    let host = host(&server.origin());
    let text = ask(&host, "preset=text&ttft_ms=10&gap_ms=1", true).await;
    assert_eq!(text.header("content-type"), Some("text/plain; charset=utf-8"));
    assert!(text.text().starts_with("Over the café, air scatters") && text.text().contains("하늘"));
    let prediction = ask(&host, "preset=prediction", true).await;
    assert_eq!(prediction.json()["object"], "prediction");
    assert!(prediction.headers_ms >= 80.0);
    let page = ask(&host, "preset=fast&fault=html", true).await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let whole = ask(&host, "preset=fast&fault=json", true).await;
    assert_eq!(whole.json()["object"], "chat.completion");
    let cut = ask(&host, "preset=fast&split=100&crlf=1&bom=1", true).await;
    assert!(cut.text().starts_with("\u{feff}data: ") && cut.text().ends_with("[DONE]\r\n\r\n"));
}

#[tokio::test]
async fn truncated_ends_cleanly_and_reset_does_not() {
    let server = start().await;
    let host = host(&server.origin());
    let truncated = ask(&host, "preset=fast&fault=truncate", true).await;
    assert!(truncated.ended_well && !truncated.text().contains("[DONE]"));
    assert_eq!(truncated.text().matches("\"content\":\" ").count(), 4, "half of ten tokens, the first without a space");
    for stream in [true, false] {
        let reset = ask(&host, "preset=fast&fault=reset", stream).await;
        assert!(!reset.ended_well, "no final chunk: {}", reset.text());
        assert!(!reset.body.is_empty(), "what was sent before the cut arrives");
    }
}

#[tokio::test]
async fn errors_with_a_status_and_inside() {
    let server = start().await;
    let host = host(&server.origin());
    let limited = ask(&host, "preset=fast&fault=status-429", true).await;
    assert_eq!((limited.status, limited.header("retry-after")), (429, Some("7")));
    assert!(limited.header("access-control-expose-headers").expect("exposed").contains("Retry-After"));
    assert!(limited.json()["error"]["message"].is_string());
    for status in [401, 404, 500, 503] {
        assert_eq!(ask(&host, &format!("fault=status-{status}"), true).await.status, status);
    }
    let inside = ask(&host, "preset=fast&fault=error-inside", true).await;
    assert!(inside.ended_well && inside.status == 200);
    assert!(inside.text().contains(r#"data: {"error":{"message""#) && !inside.text().contains("[DONE]"));
}

#[tokio::test]
async fn what_does_not_end_ends_with_the_client_or_the_server() {
    let server = start().await;
    let host = host(&server.origin());
    let read_all = |fault: &str| {
        let (host, path) = (host.clone(), format!("/v1/chat/completions?preset=fast&rid={fault}&fault={fault}"));
        async move {
            let (mut socket, _) = open(&host, "POST", &path, &[], r#"{"stream":true}"#).await;
            let mut bytes = Vec::new();
            let ended = socket.read_to_end(&mut bytes).await;
            (String::from_utf8_lossy(&bytes).into_owned(), ended.is_ok())
        }
    };
    let stop = async {
        tokio::time::sleep(std::time::Duration::from_millis(400)).await;
        let endless = server.truth("never-ends").expect("written down");
        assert!(endless.pieces.len() > 20 && endless.closed_us.is_none());
        server.stop().await;
    };
    let (stalled, endless, hung, ()) = tokio::join!(read_all("stall"), read_all("never-ends"), read_all("hang"), stop);
    assert_eq!(stalled.0.matches("\"content\":\" ").count(), 4);
    assert!(endless.0.matches("\"content\":\" ").count() > 20);
    assert!(hung.0.is_empty() || hung.0.starts_with("HTTP/1.1 503"), "{}", hung.0);
}

#[tokio::test]
async fn bad_requests_say_what_to_do() {
    let server = start().await;
    let host = host(&server.origin());
    let path = "/v1/chat/completions";
    let message = |reply: &common::Reply| reply.json()["error"]["message"].as_str().expect("a message").to_owned();
    let bad_json = send(&host, "POST", path, &[], "{\"stream\":").await;
    assert_eq!(bad_json.status, 400);
    assert!(message(&bad_json).contains("not JSON"), "{}", message(&bad_json));
    assert_eq!(bad_json.header("access-control-allow-origin"), Some("*"), "a page of another origin can read why");
    let unknown = ask(&host, "ttft=5", true).await;
    assert_eq!(unknown.status, 400);
    assert!(message(&unknown).contains("ttft_ms") && message(&unknown).contains("preflight_ms"), "{}", message(&unknown));
    let endless = ask(&host, "fault=never-ends", false).await;
    assert_eq!(endless.status, 400);
    let get = send(&host, "GET", path, &[], "").await;
    assert_eq!((get.status, get.header("allow")), (405, Some("POST, OPTIONS")));
}

#[tokio::test]
async fn the_question_is_repeated_and_limits() {
    let server = start().await;
    let body = r#"{"model":"m-7","max_tokens":3,"messages":[]}"#;
    let reply = send(&host(&server.origin()), "POST", "/v1/chat/completions?preset=fast", &[], body).await;
    assert_eq!(reply.json()["model"], "m-7");
    assert_eq!(reply.json()["choices"][0]["finish_reason"], "length");
    assert_eq!(reply.json()["choices"][0]["message"]["content"], "Over the café,");
}
