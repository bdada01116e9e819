//! The ground truth: written down under an id, in order, true, and not to be had over HTTP.

mod common;

use common::{ask, host, open, send, start};
use firstlight_engine::Kind;
use firstlight_server::Truth;

fn check_order(truth: &Truth) {
    let mut times = vec![truth.received_us, truth.headers_us.expect("headers")];
    times.extend(truth.pieces.iter().map(|p| p.at_us));
    times.extend(truth.closed_us);
    assert!(times.windows(2).all(|w| w[0] <= w[1]), "{truth:?}");
}

#[tokio::test]
async fn what_was_written_and_when() {
    let server = start().await;
    let before = server.clock().now_us();
    let reply = ask(&host(&server.origin()), "preset=fast&rid=a1", true).await;
    let truth = server.truth("a1").expect("written down");
    check_order(&truth);
    assert!(truth.received_us >= before && truth.closed_us.expect("closed") <= server.clock().now_us());
    assert_eq!(truth.pieces.len(), 14);
    assert_eq!(truth.pieces.iter().map(|p| p.bytes).sum::<usize>(), reply.body.len());
    let kinds: Vec<Kind> = truth.pieces.iter().map(|p| p.kind).collect();
    assert_eq!((kinds[0], kinds[1], kinds[13]), (Kind::Role, Kind::Answer, Kind::Done));
    // Never before its time, and each token in a write of its own.
    let tokens: Vec<u64> =
        truth.pieces.iter().filter(|p| p.kind == Kind::Answer).map(|p| p.at_us - truth.received_us).collect();
    for (n, at_us) in tokens.iter().enumerate() {
        let due_us = 20_000 + 5_000 * n as u64;
        assert!((due_us..due_us + 500_000).contains(at_us), "token {n} at {at_us} µs");
    }
    let headers_us = truth.headers_us.expect("headers") - truth.received_us;
    assert!(headers_us < 15_000, "headers leave before the first token is due: {headers_us} µs");
}

#[tokio::test]
async fn a_whole_answer_is_one_piece() {
    let server = start().await;
    ask(&host(&server.origin()), "preset=fast&rid=b", false).await;
    let truth = server.truth("b").expect("written down");
    check_order(&truth);
    assert_eq!(truth.pieces.len(), 1);
    let (piece, closed) = (truth.pieces[0], truth.closed_us.expect("closed"));
    assert_eq!((piece.kind, piece.at_us), (Kind::Whole, closed));
    assert!(piece.at_us - truth.received_us >= 65_000);
}

#[tokio::test]
async fn requests_of_one_id_stand_in_order_and_others_are_not_written_down() {
    let server = start().await;
    let host = host(&server.origin());
    for query in ["preset=fast&rid=c", "preset=fast", "preset=fast&rid=c&tokens=1"] {
        ask(&host, query, true).await;
    }
    let truths = server.truths("c");
    assert_eq!(truths.iter().map(|t| t.pieces.len()).collect::<Vec<_>>(), [14, 5]);
    assert_eq!(server.truth("c").as_ref(), truths.last());
    assert_eq!(server.truth("d"), None);
}

#[tokio::test]
async fn a_client_that_goes_away_closes_the_record() {
    let server = start().await;
    let (socket, _) = open(
        &host(&server.origin()),
        "POST",
        "/v1/chat/completions?fault=never-ends&rid=e&ttft_ms=1",
        &[],
        r#"{"stream":true}"#,
    )
    .await;
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert_eq!(server.truth("e").expect("written down").closed_us, None);
    drop(socket);
    for _ in 0..100 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        if server.truth("e").expect("written down").closed_us.is_some() {
            return;
        }
    }
    panic!("still open");
}

#[tokio::test]
async fn the_clock_is_that_of_the_truth_and_the_truth_is_not_on_the_network() {
    let server = start().await;
    let host = host(&server.origin());
    let before = server.clock().now_us();
    let reply = send(&host, "GET", "/api/clock", &[], "").await;
    let us = reply.json()["us"].as_u64().expect("a time");
    assert!((before..=server.clock().now_us()).contains(&us));
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    for path in ["/api/truth", "/api/truth/a1", "/truth"] {
        assert_eq!(send(&host, "GET", path, &[], "").await.status, 404);
    }
}
