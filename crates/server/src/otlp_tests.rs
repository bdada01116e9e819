//! A collector that refuses, answers late, takes a part, or takes all.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::Uri as Path;
use axum::response::{IntoResponse, Response as Reply};
use tokio::net::TcpListener;

use super::*;

const QUICK: Patience = Patience {
    attempts: 3,
    first: Duration::from_millis(1),
    longest: Duration::from_millis(20),
    limit: Duration::from_secs(20),
};

/// An answer: its status, its `Retry-After` or nothing, its body.
type Scripted = (u16, &'static str, &'static str);

/// What was asked: path, headers, body.
type Asked = (String, HeaderMap, String);

#[derive(Clone, Default)]
struct Fake {
    /// Statuses and bodies of the next answers; then 200 and nothing.
    answers: Arc<Mutex<Vec<Scripted>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

async fn answer(State(fake): State<Fake>, path: Path, headers: HeaderMap, body: String) -> Reply {
    fake.asked.lock().expect("sound").push((path.path().to_owned(), headers, body));
    let mut answers = fake.answers.lock().expect("sound");
    let (status, retry_after, body) = if answers.is_empty() { (200, "", "{}") } else { answers.remove(0) };
    let status = StatusCode::from_u16(status).expect("a status");
    match retry_after {
        "" => (status, body).into_response(),
        seconds => (status, [(RETRY_AFTER, seconds)], body).into_response(),
    }
}

/// A collector that gives these answers first, and what it was asked.
async fn collector(answers: &[Scripted], headers: Option<&str>) -> (Collector, Fake) {
    let fake = Fake { answers: Arc::new(Mutex::new(answers.to_vec())), ..Fake::default() };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let app = Router::new().fallback(answer).with_state(fake.clone());
    tokio::spawn(async move { axum::serve(listener, app).await });
    (Collector::new(&base, headers, QUICK).expect("a collector"), fake)
}

async fn post(answers: &[Scripted]) -> (Result<Sent, SendError>, usize) {
    let (collector, fake) = collector(answers, None).await;
    let mut sent = Sent::default();
    let result = collector.post(Signal::Traces, "{}".to_owned(), &mut sent).await;
    let asked = fake.asked.lock().expect("sound").len();
    (result.map(|()| sent), asked)
}

#[tokio::test]
async fn documents_go_to_their_paths_with_the_headers_of_the_environment() {
    let (collector, fake) = collector(&[], Some("x-api-key=sk-1, Authorization=Basic%20dXNlcg==")).await;
    let mut sent = Sent::default();
    for signal in [Signal::Metrics, Signal::Traces] {
        collector.post(signal, format!("{{\"of\": \"{signal}\"}}"), &mut sent).await.expect("taken");
    }
    assert_eq!(sent, Sent { documents: 2, ..Sent::default() });
    let asked = fake.asked.lock().expect("sound");
    let paths: Vec<(&str, &str)> = asked.iter().map(|(path, _, body)| (path.as_str(), body.as_str())).collect();
    assert_eq!(paths, [("/v1/metrics", "{\"of\": \"metrics\"}"), ("/v1/traces", "{\"of\": \"traces\"}")]);
    for (_, headers, _) in asked.iter() {
        assert_eq!(headers[CONTENT_TYPE], "application/json");
        assert_eq!(
            (&headers["x-api-key"], &headers["authorization"]),
            (&"sk-1".parse().expect("v"), &"Basic dXNlcg==".parse().expect("v"))
        );
    }
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_what_may_not_is_not() {
    let (sent, asked) = post(&[(503, "", ""), (429, "0", "")]).await;
    assert_eq!((sent.expect("taken in the end").again, asked), (2, 3));
    // A pause that the collector asks for is bounded too: this test would run into its limit otherwise.
    assert!(post(&[(503, "3600", "")]).await.0.is_ok());
    let (refused, asked) = post(&[(400, "", "{\"message\": \"bad\\n data\"}")]).await;
    assert_eq!(asked, 1, "a document that is wrong stays wrong");
    assert!(refused.expect_err("refused").to_string().ends_with("HTTP 400 Bad Request: bad data (attempt 1)"));
    let (refused, asked) = post(&[(503, "", ""), (502, "", ""), (504, "", "gone")]).await;
    assert_eq!(asked, 3, "not for ever");
    assert!(refused.expect_err("refused").to_string().contains("HTTP 504 Gateway Timeout: gone (attempt 3)"));
    let (refused, _) = post(&[(302, "", "")]).await;
    assert!(matches!(refused, Err(SendError::Refused { status: StatusCode::FOUND, .. })), "nobody named where it would go");
}

#[tokio::test]
async fn what_is_taken_in_part_is_said() {
    let (partly, asked) =
        post(&[(200, "", "{\"partialSuccess\": {\"rejectedSpans\": \"3\", \"errorMessage\": \"too old\"}}")]).await;
    assert_eq!(asked, 1);
    assert!(partly.expect_err("not all").to_string().ends_with("took the traces without 3 of their parts: too old"));
    let warned = post(&[(200, "", "{\"partialSuccess\": {\"errorMessage\": \"use gRPC\"}}")]).await.0.expect("taken");
    assert_eq!(warned.warnings, ["use gRPC"]);
    assert!(post(&[(200, "", "not JSON")]).await.0.is_ok(), "a status says enough");
}

#[tokio::test]
async fn nobody_there_is_said_after_the_last_attempt() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let collector = Collector::new(&base, None, QUICK).expect("a collector");
    let error = collector.post(Signal::Metrics, String::new(), &mut Sent::default()).await.expect_err("nobody");
    assert!(error.to_string().contains("in 3 attempts: the connection was refused"), "{error}");
}

#[test]
fn addresses_and_headers_that_are_none_are_told_without_their_secrets() {
    let wrong = |url: &str, headers: &str| match Collector::new(url, Some(headers), QUICK) {
        Ok(_) => panic!("{url} {headers} taken"),
        Err(error) => error.to_string(),
    };
    for url in ["", "127.0.0.1:4318", "ftp://a", "http://a/v1/traces", "http://a:4318?token=sk-1"] {
        let error = wrong(url, "");
        assert!(error.contains("http://127.0.0.1:4318") && !error.contains("sk-1"), "{error}");
    }
    assert!(wrong("https://user:sk-1@a", "").contains(HEADERS_ENV));
    for headers in ["x-key", "x key=sk-1", "x-key=sk-1%", "x-key=sk-1%0a"] {
        let error = wrong("http://a", headers);
        assert!(error.contains("name=value") && !error.contains("sk-1"), "{error}");
    }
    assert!(Collector::new("https://otel.example.com/base/", Some(""), QUICK).is_ok());
}
