//! Which headers let a page of another origin read a reply, and how a preflight is answered.

mod common;

use std::time::Instant;

use common::{Reply, ask, host, send, start};

const PREFLIGHT: [(&str, &str); 3] = [
    ("Origin", "http://example.com"),
    ("Access-Control-Request-Method", "POST"),
    ("Access-Control-Request-Headers", "authorization,content-type,x-own"),
];

async fn preflight(host: &str, query: &str) -> Reply {
    send(host, "OPTIONS", &format!("/v1/chat/completions?{query}"), &PREFLIGHT, "").await
}

#[tokio::test]
async fn each_header_can_be_left_out_alone() {
    let server = start().await;
    let names = ["access-control-allow-origin", "access-control-expose-headers", "timing-allow-origin"];
    let cases = [
        ("preset=fast", [Some("*"), Some("Server-Timing, Retry-After"), Some("*")]),
        ("preset=fast&cors=off", [None, Some("Server-Timing, Retry-After"), Some("*")]),
        ("preset=fast&expose=off", [Some("*"), None, Some("*")]),
        ("preset=fast&tao=off", [Some("*"), Some("Server-Timing, Retry-After"), None]),
        ("preset=fast&fault=status-500&tao=off&expose=off", [Some("*"), None, None]),
    ];
    for host in [host(&server.origin()), host(&server.second_origin())] {
        for (query, want) in cases {
            for stream in [true, false] {
                let reply = ask(&host, query, stream).await;
                assert_eq!(names.map(|name| reply.header(name)), want, "{query}");
            }
        }
    }
}

#[tokio::test]
async fn a_preflight_is_allowed_with_the_headers_that_it_asks_for() {
    let server = start().await;
    let reply = preflight(&host(&server.second_origin()), "preset=fast").await;
    assert_eq!(reply.status, 204);
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    assert_eq!(reply.header("access-control-allow-headers"), Some("authorization,content-type,x-own"));
    assert_eq!(reply.header("access-control-allow-methods"), Some("POST"));
    assert_eq!(reply.header("access-control-max-age"), Some("600"));
}

#[tokio::test]
async fn a_preflight_can_be_rejected_or_late() {
    let server = start().await;
    let host = host(&server.second_origin());
    let rejected = preflight(&host, "preflight=reject").await;
    assert_eq!(rejected.status, 403);
    assert!(rejected.headers.iter().all(|(name, _)| !name.to_ascii_lowercase().starts_with("access-control")));
    let no_cors = preflight(&host, "cors=off").await;
    assert!(no_cors.headers.iter().all(|(name, _)| !name.to_ascii_lowercase().starts_with("access-control")));
    let before = Instant::now();
    assert_eq!(preflight(&host, "preflight_ms=80").await.status, 204);
    assert!(before.elapsed().as_millis() >= 80);
}
