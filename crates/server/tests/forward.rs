//! The forwarder: what an upstream gets, what the page gets back, and what the spans tell.

mod common;

use std::time::{Duration, Instant};

use common::upstream::{Upstream, chunk, forwarding};
use common::{Reply, host, send};
use firstlight_core::server_report::spans_from_header;
use firstlight_server::Running;

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/// A request of the page itself.
async fn ask(server: &Running, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
    let origin = server.origin();
    let headers: Vec<_> = [("Origin", origin.as_str())].iter().chain(headers).copied().collect();
    send(&host(&server.second_origin()), method, path, &headers, body).await
}

#[tokio::test]
async fn the_upstream_gets_the_request_and_nothing_of_the_page() {
    let upstream = Upstream::start().await;
    let server = upstream.behind("/base/").await;
    let headers = [
        ("Authorization", "Bearer sk-1"),
        ("x-api-key", "sk-2"),
        ("Content-Type", "application/json"),
        ("Accept-Encoding", "gzip, br, zstd"),
        ("User-Agent", "Browser/1"),
        ("Referer", "http://127.0.0.1/"),
        ("Cookie", "a=b"),
        ("Accept-Language", "ko"),
        ("Sec-Fetch-Site", "same-site"),
        ("Connection", "keep-alive, X-Hop"),
        ("X-Hop", "1"),
    ];
    let asking = ask(&server, "POST", "/forward/up/v1/chat%20x?a=b%2F..&c", &headers, r#"{"p":"q"}"#);
    let serving = async {
        let mut asked = upstream.asked().await;
        assert_eq!(asked.body_until("}").await, r#"{"p":"q"}"#);
        asked.write(OK).await;
        asked
    };
    let (reply, asked) = tokio::join!(asking, serving);
    assert_eq!((reply.status, reply.text().as_str()), (200, "ok"));
    assert_eq!(asked.line, "POST /base/v1/chat%20x?a=b%2F..&c HTTP/1.1");
    let mut got: Vec<_> = asked.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    got.sort_unstable();
    let at = upstream.host();
    let want = [
        ("accept-encoding", "gzip, br, zstd"),
        ("authorization", "Bearer sk-1"),
        ("content-length", "9"),
        ("content-type", "application/json"),
        ("host", at.as_str()),
        ("user-agent", "Browser/1"),
        ("x-api-key", "sk-2"),
    ];
    assert_eq!(got, want);
}

#[tokio::test]
async fn the_page_can_read_every_header_on_both_origins() {
    let upstream = Upstream::start().await;
    let server = upstream.behind("").await;
    let answer = "HTTP/1.1 201 Created\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\
        openai-processing-ms: 12\r\nServer-Timing: db;dur=5\r\nServer-Timing: cache;dur=1\r\nSet-Cookie: a=b\r\n\
        Access-Control-Allow-Origin: https://other.example\r\nTiming-Allow-Origin: https://other.example\r\n\
        Connection: X-Hop, close\r\nX-Hop: 1\r\nTransfer-Encoding: chunked\r\n\r\n";
    // Not gzip at all: nothing may try to unpack it.
    let answer = format!("{answer}{}0\r\n\r\n", chunk("\x1fpacked"));
    for at in [host(&server.origin()), host(&server.second_origin())] {
        let origin = server.origin();
        let headers = [("Origin", origin.as_str())];
        let asking = send(&at, "GET", "/forward/up", &headers, "");
        let (reply, asked) = tokio::join!(asking, upstream.answer(&answer));
        assert_eq!(asked.line, "GET / HTTP/1.1");
        assert_eq!((reply.status, reply.text().as_str(), reply.ended_well), (201, "\x1fpacked", true));
        assert_eq!(reply.header("content-encoding"), Some("gzip"));
        assert_eq!(reply.all("access-control-allow-origin"), ["*"]);
        assert_eq!(reply.all("timing-allow-origin"), ["*"]);
        assert_eq!(reply.header("cross-origin-resource-policy"), Some("cross-origin"));
        for dropped in ["set-cookie", "x-hop"] {
            assert_eq!(reply.header(dropped), None, "{dropped}");
        }
        let exposed: Vec<&str> = reply.header("access-control-expose-headers").expect("exposed").split(", ").collect();
        for name in ["content-type", "content-encoding", "openai-processing-ms", "server-timing"] {
            assert!(exposed.contains(&name), "{name} in {exposed:?}");
        }
        let timing = reply.all("server-timing");
        assert_eq!(timing[..2], ["db;dur=5", "cache;dur=1"]);
        assert!(timing.len() == 3 && timing[2].starts_with("forward;dur="), "{timing:?}");
    }
}

#[tokio::test]
async fn statuses_and_lengths_pass() {
    let upstream = Upstream::start().await;
    let server = upstream.behind("").await;
    let limited = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Length: 3\r\nConnection: close\r\n\r\nno!";
    let (reply, _) = tokio::join!(ask(&server, "POST", "/forward/up/v1", &[], "{}"), upstream.answer(limited));
    assert_eq!((reply.status, reply.header("retry-after"), reply.header("content-length")), (429, Some("7"), Some("3")));
    assert!(reply.header("access-control-expose-headers").expect("exposed").contains("retry-after"));
    assert!(reply.ended_well && reply.text() == "no!");
    let empty = "HTTP/1.1 204 No Content\r\n\r\n";
    let (reply, _) = tokio::join!(ask(&server, "DELETE", "/forward/up/v1", &[], ""), upstream.answer(empty));
    assert_eq!((reply.status, reply.body.len()), (204, 0));
}

#[tokio::test]
async fn the_spans_are_within_what_both_ends_saw() {
    let upstream = Upstream::start().await;
    let server = upstream.behind("").await;
    let before = Instant::now();
    let serving = async {
        let mut asked = upstream.asked().await;
        asked.body_until("{}").await;
        // The upstream's thinking.
        tokio::time::sleep(Duration::from_millis(30)).await;
        let answered = Instant::now();
        asked.write(OK).await;
        (answered - asked.at, asked)
    };
    let (reply, (thought, asked)) = tokio::join!(ask(&server, "POST", "/forward/up/v1", &[], "{}"), serving);
    let whole_ms = before.elapsed().as_secs_f64() * 1000.0;
    let thought_ms = thought.as_secs_f64() * 1000.0;
    let spans = spans_from_header(reply.header("server-timing").expect("spans"), false);
    let named = |name: &str| spans.iter().find(|s| s.name == name).map(|s| s.value.as_ms()).expect(name);
    let (forward, connect, waited) = (named("forward"), named("connect"), named("upstream"));
    // Three roundings to a µs.
    assert!(waited >= thought_ms - 0.002, "{waited} {thought_ms}");
    assert!(forward + connect + waited <= whole_ms + 0.003, "{forward} {connect} {waited} {whole_ms}");
    assert!(spans.iter().all(|s| s.description.as_ref().is_some_and(|d| d.starts_with("firstlight forwarder: "))));

    let second = async {
        let mut asked = asked.again().await;
        asked.write(OK).await;
        asked.line
    };
    let (reply, line) = tokio::join!(ask(&server, "POST", "/forward/up/second", &[], "{}"), second);
    assert_eq!((reply.status, line.as_str()), (200, "POST /second HTTP/1.1"), "connections are used again, as browsers do");
}

#[tokio::test]
async fn a_preflight_is_answered_here() {
    let upstream = Upstream::start().await;
    let server = upstream.behind("").await;
    let asked = [("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", "authorization,x-api-key")];
    let reply = ask(&server, "OPTIONS", "/forward/up/v1", &asked, "").await;
    assert_eq!(reply.status, 204);
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    assert_eq!(reply.header("access-control-allow-headers"), Some("authorization,x-api-key"));
    assert!(reply.header("access-control-allow-methods").expect("methods").contains("POST"));
    assert_eq!(reply.header("access-control-max-age"), Some("600"));
    // The first that the upstream hears of is what comes afterwards.
    let (_, asked) = tokio::join!(ask(&server, "POST", "/forward/up/v2", &[], ""), upstream.answer(OK));
    assert_eq!(asked.line, "POST /v2 HTTP/1.1");
}

#[tokio::test]
async fn the_page_is_told_the_names() {
    let server = forwarding(&["b=https://b.example", "a=http://a.example"]).await;
    for origin in [server.origin(), server.second_origin()] {
        let info = send(&host(&origin), "GET", "/api/info", &[], "").await.json();
        assert_eq!(info["forwards"], serde_json::json!(["b", "a"]));
    }
    let none = common::start().await;
    assert_eq!(send(&host(&none.origin()), "GET", "/api/info", &[], "").await.json()["forwards"], serde_json::json!([]));
}
