//! The built-in endpoint's own metrics: read with our own reader, they agree with what was served.

mod common;

use std::time::Duration;

use common::{ask, host, open, send, start};
use firstlight_core::scrape::{Quantity, Reading, Speaker};

async fn read(host: &str) -> Reading {
    let reply = send(host, "GET", "/metrics", &[], "").await;
    assert_eq!(reply.status, 200);
    let reading = Reading::of(&reply.text());
    assert_eq!((reading.not_understood, reading.unusable.len()), (0, 0), "{}", reply.text());
    reading
}

fn numbers(reading: &Reading) -> [Option<f64>; 4] {
    [Quantity::Running, Quantity::Waiting, Quantity::InputTokens, Quantity::OutputTokens].map(|q| reading.value(q))
}

fn counts(reading: &Reading) -> [u64; 2] {
    [Quantity::FirstToken, Quantity::EndToEnd].map(|q| reading.histogram(q).expect("a histogram").count())
}

/// Reads until so many run and wait: what is written and dropped is told a moment later.
async fn until(host: &str, running: f64, waiting: f64) -> Reading {
    for _ in 0..1_000 {
        let reading = read(host).await;
        if numbers(&reading)[..2] == [Some(running), Some(waiting)] {
            return reading;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never {running} and {waiting}: {:?}", read(host).await);
}

#[tokio::test]
async fn any_page_may_read_it_on_both_origins_unless_told_not_to() {
    let server = start().await;
    for host in [host(&server.origin()), host(&server.second_origin())] {
        let reply = send(&host, "GET", "/metrics", &[], "").await;
        assert_eq!(reply.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        let reading = read(&host).await;
        assert_eq!((numbers(&reading), counts(&reading)), ([Some(0.0); 4], [0, 0]));
        assert_eq!(reading.speakers, [Speaker::Vllm]);
        let closed = send(&host, "GET", "/metrics?cors=off", &[], "").await;
        assert_eq!((closed.status, closed.header("access-control-allow-origin")), (200, None));
    }
}

#[tokio::test]
async fn tokens_and_times_are_those_of_what_was_served() {
    let server = start().await;
    let host = host(&server.origin());
    let query = "preset=fast&ttft_ms=150&gap_ms=1&tokens=7&tokens_per_chunk=2";
    let mut tokens = 0;
    for _ in 0..3 {
        assert!(ask(&host, query, true).await.ended_well);
        let whole = ask(&host, query, false).await.json();
        tokens += 2 * whole["usage"]["completion_tokens"].as_u64().expect("a number");
    }
    let reading = until(&host, 0.0, 0.0).await;
    assert_eq!(tokens, 42);
    // “Hi there” is two.
    assert_eq!(numbers(&reading)[2..], [Some(12.0), Some(42.0)]);
    assert_eq!(counts(&reading), [3, 6], "a whole answer has no first token");
    for quantity in [Quantity::FirstToken, Quantity::EndToEnd] {
        let buckets = reading.histogram(quantity).expect("a histogram");
        let at = buckets.edges.iter().position(|edge| *edge == 0.1).expect("an edge");
        assert_eq!(buckets.cumulative[at], 0, "never earlier than planned: {buckets:?}");
    }
}

#[tokio::test]
async fn running_and_waiting_are_those_of_the_slots() {
    let server = start().await;
    let host = host(&server.origin());
    let path = "/v1/chat/completions?preset=fast&slots=2&fault=hang";
    let mut held = Vec::new();
    for n in 1..=5 {
        held.push(open(&host, "POST", path, &[], r#"{"stream":true}"#).await);
        let running = f64::from(n).min(2.0);
        until(&host, running, f64::from(n) - running).await;
    }
    // Who waits gives up: nobody moves up. Who is served gives up: the next one does.
    drop(held.pop());
    until(&host, 2.0, 2.0).await;
    drop(held.remove(0));
    until(&host, 2.0, 1.0).await;
    drop(held);
    let reading = until(&host, 0.0, 0.0).await;
    assert_eq!((counts(&reading), numbers(&reading)[3]), ([0, 0], Some(0.0)));
}

#[tokio::test]
async fn never_more_run_than_there_are_slots() {
    let server = start().await;
    let host = host(&server.origin());
    let asked: Vec<_> = (0..12)
        .map(|n| {
            let (host, stream) = (host.clone(), n % 2 == 0);
            tokio::spawn(async move { ask(&host, "preset=fast&ttft_ms=20&slots=2", stream).await.ended_well })
        })
        .collect();
    let mut most = 0.0;
    while asked.iter().any(|asked| !asked.is_finished()) {
        let running = read(&host).await.value(Quantity::Running).expect("a number");
        assert!(running <= 2.0, "{running} run");
        most = f64::max(most, running);
    }
    for asked in asked {
        assert!(asked.await.expect("a reply"));
    }
    assert!(most > 0.0);
    assert_eq!(counts(&until(&host, 0.0, 0.0).await), [6, 12]);
}

#[tokio::test]
async fn what_fails_is_in_no_latency() {
    let server = start().await;
    let host = host(&server.origin());
    assert_eq!(ask(&host, "preset=fast&fault=status-503", true).await.status, 503);
    assert_eq!(ask(&host, "tokens=x", true).await.status, 400);
    assert!(!ask(&host, "preset=fast&fault=reset", true).await.ended_well);
    let reading = until(&host, 0.0, 0.0).await;
    assert_eq!(counts(&reading)[1], 0);
}
