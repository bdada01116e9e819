//! `firstlight collect` over real sockets: what is taken, what is refused, and what a collector that is down does to pages.

mod common;

use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Response, header};
use axum::routing::any;
use common::{Reply, open, send};
use firstlight_core::config::RunConfig;
use firstlight_core::report::{FORMAT, VERSION};
use firstlight_server::{Collect, CollectOptions, Origins};
use serde_json::{Value, json};

const PAGE: &str = "https://shop.example";

/// Path, key and body of what came.
type Got = (String, Option<String>, Value);

/// A collector that keeps what it gets and answers as it is told.
#[derive(Clone, Default)]
struct Stub {
    got: Arc<Mutex<Vec<Got>>>,
    status: Arc<AtomicU16>,
    /// The next requests are held for so long before they are answered.
    slow_ms: Arc<AtomicU16>,
}

impl Stub {
    async fn start() -> (Stub, String) {
        let stub = Stub::default();
        stub.answer(200);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let routes = Router::new().fallback(any(Stub::take)).with_state(stub.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        (stub, format!("http://{address}"))
    }

    async fn take(State(stub): State<Stub>, request: Request) -> Response<Body> {
        let path = request.uri().path().to_owned();
        let key = request.headers().get("api-key").map(|key| key.to_str().expect("text").to_owned());
        assert_eq!(request.headers()[header::CONTENT_TYPE], "application/json");
        let body = to_bytes(request.into_body(), usize::MAX).await.expect("a body");
        let slow = stub.slow_ms.load(Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(slow.into())).await;
        let status = stub.status.load(Ordering::Relaxed);
        let mut response = Response::new(Body::from("{}"));
        *response.status_mut() = status.try_into().expect("a status");
        if status == 429 {
            response.headers_mut().insert(header::RETRY_AFTER, "7".parse().expect("a value"));
        }
        if status == 200 {
            stub.got.lock().expect("kept").push((path, key, serde_json::from_slice(&body).expect("JSON")));
        }
        response
    }

    fn answer(&self, status: u16) {
        self.status.store(status, Ordering::Relaxed);
    }

    fn got(&self) -> Vec<Got> {
        std::mem::take(&mut self.got.lock().expect("kept"))
    }
}

fn options(otlp: &str) -> CollectOptions {
    CollectOptions::to(otlp, Origins::parse(&[PAGE.to_owned()]).expect("an origin"))
}

async fn start(options: CollectOptions) -> (Collect, String) {
    let collect = Collect::start(options).await.expect("it starts");
    let host = collect.address().to_string();
    (collect, host)
}

/// As a page sends it: text, so that no preflight is needed.
async fn post(host: &str, body: &str) -> Reply {
    send(host, "POST", "/collect", &[("Origin", PAGE), ("Content-Type", "text/plain;charset=UTF-8")], body).await
}

fn report(id: &str) -> Value {
    let absent = |why: &str| json!({"absent": why});
    json!({
        "version": 1, "id": id, "kind": "fetch", "url": "https://api.example/v1/chat",
        "clock": {"unit": "ms", "source": "performance.now()", "timeOrigin": 1_790_000_000_000.0, "isolated": true},
        "status": 200, "contentType": "text/event-stream", "protocol": "h2", "redirected": false,
        "outcome": {"code": "complete", "error": absent("none")},
        "marks": {
            "sent": 100, "requestStart": absent("no_timing_allow_origin"), "firstByte": absent("no_timing_allow_origin"),
            "headersSeen": 350, "firstRead": 360.5, "lastRead": 900, "bodyEnd": 901, "stoppedAt": absent("complete"),
        },
        "firstVisible": absent("no_element"),
        "bytes": 900, "reads": [[360.5, 400, 260.5], [900, 500, 539.5]], "readsLeftOut": 0,
        "stalls": {"thresholdMs": 1000, "count": 0, "longest": 539.5, "list": []},
        "flags": {"hiddenDuring": false, "frozenDuring": false, "mainThreadBlocked": 0, "blockedBy": "long_tasks"},
        "server": {"serverTiming": "x;desc=\"SECRET\"", "entries": absent("no_server_report"), "headers": {"x-a": "SECRET"}},
        "counts": absent("not_decoded"), "text": "SECRET",
    })
}

fn delivery(reports: &[Value]) -> String {
    json!({"firstlight": 1, "dropped": 0, "reports": reports}).to_string()
}

async fn counter(host: &str, line: &str) -> bool {
    let text = send(host, "GET", "/metrics", &[], "").await.text();
    text.lines().any(|l| l == line)
}

#[tokio::test]
async fn a_delivery_is_passed_on_before_it_is_answered_and_holds_no_text() {
    let (stub, otlp) = Stub::start().await;
    let otlp_headers = vec![("api-key".to_owned(), "sk-collector".to_owned())];
    let (collect, host) = start(CollectOptions { otlp_headers, service: "shop".into(), ..options(&otlp) }).await;
    let reply = post(&host, &delivery(&[report("a-1"), report("a-2")])).await;
    assert_eq!((reply.status, reply.json()["accepted"].as_u64()), (200, Some(2)), "{}", reply.text());
    assert_eq!(reply.header("access-control-allow-origin"), Some(PAGE));
    assert_eq!(reply.header("vary"), Some("Origin"));
    let got = stub.got();
    let paths: Vec<&str> = got.iter().map(|(path, ..)| path.as_str()).collect();
    assert_eq!(paths, ["/v1/traces", "/v1/metrics"], "spans first: only they can come twice without harm");
    assert!(got.iter().all(|(_, key, _)| key.as_deref() == Some("sk-collector")));
    assert!(!format!("{got:?}").contains("SECRET"), "{got:?}");
    let spans = &got[0].2["resourceSpans"][0]["scopeSpans"][0]["spans"];
    assert_eq!(spans.as_array().map(Vec::len), Some(2));
    let resource = got[0].2["resourceSpans"][0]["resource"].to_string();
    assert!(resource.contains("\"shop\"") && resource.contains(PAGE), "{resource}");
    assert!(counter(&host, "firstlight_collect_reports_total{result=\"accepted\"} 2").await);
    collect.stop().await;
}

#[tokio::test]
async fn only_pages_of_the_listed_origins_may_send() {
    let (stub, otlp) = Stub::start().await;
    let (collect, host) = start(options(&otlp)).await;
    let body = delivery(&[report("b")]);
    for headers in [&[("Origin", "https://evil.example")][..], &[("Origin", "null")], &[]] {
        let reply = send(&host, "POST", "/collect", headers, &body).await;
        assert_eq!((reply.status, reply.header("access-control-allow-origin")), (403, None), "{headers:?}");
    }
    // A preflight, for those who call it application/json.
    let asked =
        [("Origin", PAGE), ("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", "content-type")];
    let reply = send(&host, "OPTIONS", "/collect", &asked, "").await;
    assert_eq!((reply.status, reply.header("access-control-allow-headers")), (204, Some("content-type")));
    let reply = send(&host, "POST", "/collect", &[("Origin", PAGE), ("Content-Type", "application/json")], &body).await;
    assert_eq!(reply.status, 200);
    assert_eq!(stub.got().len(), 2);
    assert!(counter(&host, "firstlight_collect_deliveries_total{answer=\"origin\"} 3").await);
    collect.stop().await;
}

#[tokio::test]
async fn what_is_no_delivery_is_refused_with_a_reason() {
    let (stub, otlp) = Stub::start().await;
    let (collect, host) = start(CollectOptions { max_body: 20_000, max_batch: 2, ..options(&otlp) }).await;
    let bad = |path: &str, value: Value| {
        let mut report = report("c");
        report[path] = value;
        report
    };
    for (body, status, said) in [
        ("{".to_owned(), 400, "not JSON"),
        ("{}".to_owned(), 400, "firstlight/deliver"),
        (r#"{"firstlight":9,"reports":[]}"#.to_owned(), 400, "newer collector"),
        (delivery(&[report("1"), report("2"), report("3")]), 413, "at most 2"),
        (delivery(&[bad("status", json!("SECRET words"))]), 400, "status is not a whole number"),
        (format!("{:20001}", "{}"), 413, "larger than 20000 bytes"),
    ] {
        let reply = post(&host, &body).await;
        assert_eq!(reply.status, status, "{}", reply.text());
        assert!(reply.text().contains(said) && !reply.text().contains("SECRET"), "“{said}” is not in {}", reply.text());
        assert_eq!(reply.header("access-control-allow-origin"), Some(PAGE), "the page may read why");
    }
    let origin = ("Origin", PAGE);
    for (method, headers, status) in [
        ("GET", &[origin][..], 405),
        ("POST", &[origin, ("Content-Type", "application/x-www-form-urlencoded")], 415),
        ("POST", &[origin, ("Content-Type", "text/plain"), ("Content-Encoding", "gzip")], 415),
    ] {
        assert_eq!(send(&host, method, "/collect", headers, "{}").await.status, status);
    }
    assert_eq!(stub.got(), [], "nothing of it was passed on");
    // One bad report does not take the good one along.
    let reply = post(&host, &delivery(&[bad("bytes", json!(-1)), report("d")])).await;
    assert_eq!((reply.status, reply.json()["accepted"].as_u64()), (200, Some(1)));
    assert_eq!(reply.json()["why"][0], json!({"at": 0, "why": "bytes is not a whole number, or {absent}"}));
    assert!(counter(&host, "firstlight_collect_reports_total{result=\"wrong_field\"} 2").await);
    assert_eq!(send(&host, "GET", "/", &[], "").await.status, 404);
    collect.stop().await;
}

#[tokio::test]
async fn a_run_file_is_passed_on_without_what_was_asked() {
    let (stub, otlp) = Stub::start().await;
    let (collect, host) = start(options(&otlp)).await;
    let config = RunConfig { prompt: "SECRET".to_owned(), ..RunConfig::of("https://api.example/v1?key=SECRET") };
    let file = json!({
        "format": FORMAT, "version": VERSION, "firstlight": "0", "created": "2026-01-02T03:04:05.678Z", "config": config,
        "environment": {
            "user_agent": "Mozilla/5.0 Gecko/20100101 Firefox/153.0", "page": "", "isolated": true, "viewport": [1, 1],
            "pixel_ratio_milli": 1000, "frame_interval_us": null, "processors": null, "language": "en", "native_fetch": true,
        },
        "clock": {"step_us": 5}, "stopped": false, "requests": [],
    });
    let reply = post(&host, &file.to_string()).await;
    assert_eq!((reply.status, reply.json()), (200, json!({"accepted": 1, "requests": 0})), "{}", reply.text());
    let got = format!("{:?}", stub.got());
    assert!(got.contains("Firefox/153.0") && !got.contains("SECRET"), "{got}");
    let reply = post(&host, &file.to_string().replace("\"clock\"", "\"clocks\"")).await;
    assert_eq!(reply.status, 400, "{}", reply.text());
    assert!(reply.text().contains("clock") && stub.got().is_empty(), "{}", reply.text());
    assert!(counter(&host, "firstlight_collect_runs_total{result=\"accepted\"} 1").await);
    collect.stop().await;
}

#[tokio::test]
async fn a_collector_that_is_down_sends_pages_away_until_it_is_back() {
    let (stub, otlp) = Stub::start().await;
    let (collect, host) = start(options(&otlp)).await;
    let body = delivery(&[report("e")]);
    stub.answer(503);
    let reply = post(&host, &body).await;
    assert_eq!((reply.status, reply.header("retry-after")), (503, Some("1")), "{}", reply.text());
    assert_eq!(reply.header("access-control-expose-headers"), Some("Retry-After"));
    // Within the pause nothing is tried: the collector, which is well again, hears nothing.
    stub.answer(200);
    let beacon = [("Origin", PAGE), ("Content-Type", "text/plain"), ("Sec-Fetch-Mode", "no-cors")];
    assert_eq!(send(&host, "POST", "/collect", &beacon, &body).await.status, 503);
    assert_eq!(stub.got(), []);
    assert!(counter(&host, "firstlight_collect_beacons_lost_total 1").await);
    // The page's queue kept it, and comes back.
    let end = tokio::time::Instant::now() + Duration::from_secs(10);
    while post(&host, &body).await.status != 200 {
        assert!(tokio::time::Instant::now() < end, "the pause ends");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(stub.got().len(), 2);
    // The collector's own words on when to come back are passed on.
    stub.answer(429);
    assert_eq!(post(&host, &body).await.header("retry-after"), Some("7"));
    collect.stop().await;
}

#[tokio::test]
async fn a_collector_that_refuses_for_good_is_no_reason_to_send_again() {
    let (stub, otlp) = Stub::start().await;
    let (collect, host) = start(options(&otlp)).await;
    stub.answer(400);
    let reply = post(&host, &delivery(&[report("f")])).await;
    assert_eq!((reply.status, reply.header("retry-after")), (422, None), "{}", reply.text());
    stub.answer(200);
    assert_eq!(post(&host, &delivery(&[report("g")])).await.status, 200, "and no pause follows");
    // Nobody there at all.
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr().expect("an address");
    let (nowhere, host) = start(options(&format!("http://{free}"))).await;
    assert_eq!(post(&host, &delivery(&[report("h")])).await.status, 503);
    nowhere.stop().await;
    collect.stop().await;
}

#[tokio::test]
async fn memory_is_bounded_while_the_collector_is_slow() {
    let (stub, otlp) = Stub::start().await;
    stub.slow_ms.store(800, Ordering::Relaxed);
    let body = delivery(&[report("i")]);
    let (collect, host) = start(CollectOptions { max_under_way: body.len() + 10, ..options(&otlp) }).await;
    let headers = [("Origin", PAGE), ("Content-Type", "text/plain")];
    let (mut first, _) = open(&host, "POST", "/collect", &headers, &body).await;
    // The first holds all the room: until it is answered there is none, and nobody is made to wait.
    let end = tokio::time::Instant::now() + Duration::from_secs(10);
    while !counter(&host, &format!("firstlight_collect_bytes_under_way {}", body.len())).await {
        assert!(tokio::time::Instant::now() < end, "the first is under way");
    }
    let reply = post(&host, &body).await;
    assert_eq!((reply.status, reply.header("retry-after")), (503, Some("1")), "{}", reply.text());
    assert!(reply.text().contains("under way"), "{}", reply.text());
    let mut answer = Vec::new();
    while !common::complete(&answer) {
        assert!(tokio::io::AsyncReadExt::read_buf(&mut first, &mut answer).await.expect("read") > 0);
    }
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    assert!(counter(&host, "firstlight_collect_bytes_under_way 0").await);
    collect.stop().await;
}

#[tokio::test]
async fn more_than_the_rate_is_told_to_come_back() {
    let (_stub, otlp) = Stub::start().await;
    let (collect, host) = start(CollectOptions { rate: 1, ..options(&otlp) }).await;
    let body = delivery(&[report("j")]);
    let mut answers = Vec::new();
    for _ in 0..3 {
        answers.push(post(&host, &body).await);
    }
    let refused = answers.iter().find(|reply| reply.status == 429).expect("three at once are more than one a second");
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(answers[0].status, 200);
    collect.stop().await;
}
