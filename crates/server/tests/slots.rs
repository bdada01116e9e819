//! A limit on what is served at once: never passed, first in first out, told truthfully; and a server that stands still once.

mod common;

use std::time::Duration;

use common::{Reply, ask, host, open, start};
use firstlight_core::server_report::spans_from_header;
use firstlight_engine::{Freeze, Kind, Window};
use firstlight_server::{Running, Truth};

/// A busy machine may be late by so much, in µs.
const LATE: u64 = 500_000;

/// Waits until the truth of an id is as wanted.
async fn wait_for(server: &Running, rid: &str, wanted: impl Fn(&Truth) -> bool) -> Truth {
    for _ in 0..1_000 {
        if let Some(truth) = server.truth(rid).filter(&wanted) {
            return truth;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never as wanted: {:?}", server.truth(rid));
}

/// Sends so many requests, each when the one before has its place, and waits for all.
async fn one_after_another(server: &Running, count: usize, query: &str, stream: bool) -> Vec<(Truth, Reply)> {
    let mut replies = Vec::new();
    for n in 0..count {
        let (host, query) = (host(&server.origin()), format!("{query}&rid={n}"));
        replies.push(tokio::spawn(async move { ask(&host, &query, stream).await }));
        wait_for(server, &n.to_string(), |truth| truth.queued_us.is_some()).await;
    }
    let mut all = Vec::new();
    for (n, reply) in replies.into_iter().enumerate() {
        let reply = reply.await.expect("a reply");
        all.push((wait_for(server, &n.to_string(), |truth| truth.closed_us.is_some()).await, reply));
    }
    all
}

fn served(truth: &Truth) -> u64 {
    truth.served_us.expect("served")
}

fn closed(truth: &Truth) -> u64 {
    truth.closed_us.expect("closed")
}

fn first_answer(truth: &Truth) -> u64 {
    truth.pieces.iter().find(|piece| piece.kind == Kind::Answer).expect("an answer").at_us
}

/// A span of the header, in µs.
fn in_header(reply: &Reply, name: &str) -> u64 {
    let header = reply.header("server-timing").expect("Server-Timing");
    let spans = spans_from_header(header, false);
    let span = spans.iter().find(|span| span.name == name).expect(name);
    (span.value.as_ms() * 1000.0).round() as u64
}

fn check_queue(all: &[Truth], slots: usize) {
    for (n, truth) in all.iter().enumerate() {
        let at_once = all.iter().filter(|other| (served(other)..closed(other)).contains(&served(truth))).count();
        assert!(at_once <= slots, "{at_once} at once when request {n} was served: {all:#?}");
        // When a slot was free for it: so many before it had to be over.
        let mut ends: Vec<u64> = all[..n].iter().map(closed).collect();
        ends.sort_unstable();
        let free = (n + 1).checked_sub(slots + 1).map_or(0, |last| ends[last]).max(truth.queued_us.expect("queued"));
        assert!((free..free + LATE).contains(&served(truth)), "request {n}: free at {free}, served at {}", served(truth));
    }
    assert!(all.windows(2).all(|two| two[0].queued_us < two[1].queued_us && served(&two[0]) <= served(&two[1])), "{all:#?}");
}

#[tokio::test]
async fn never_more_than_the_slots_first_in_first_out_and_the_wait_is_told() {
    let server = start().await;
    let query = "preset=fast&ttft_ms=150&gap_ms=10&tokens=6&slots=2&spans=queue,time_to_first_token&timings=llamacpp";
    let all = one_after_another(&server, 7, query, true).await;
    let truths: Vec<Truth> = all.iter().map(|(truth, _)| truth.clone()).collect();
    check_queue(&truths, 2);
    for (n, (truth, reply)) in all.iter().enumerate() {
        let (received, queued) = (truth.received_us, truth.queued_us.expect("queued"));
        assert_eq!(in_header(reply, "queue"), served(truth) - queued, "request {n}");
        assert!(in_header(reply, "accept") == queued - received, "request {n}");
        // A request that never waited is counted from its receipt, as without a limit.
        let begins = if served(truth) == queued { received } else { served(truth) };
        let late = first_answer(truth).checked_sub(begins + 150_000).expect("never early");
        assert!(late < LATE, "request {n}: {late} µs late");
        let text = reply.text();
        let closing: &str = text.lines().rfind(|line| line.contains("server_timing")).expect("a report");
        let closing: serde_json::Value = serde_json::from_str(closing.trim_start_matches("data: ")).expect("JSON");
        let named = |n: usize| (closing["server_timing"][n]["dur"].as_f64().expect("a time") * 1000.0).round() as u64;
        assert_eq!((named(0), named(1)), (begins - received, begins - received + 150_000), "request {n}");
        assert_eq!(closing["timings"]["prompt_ms"], 150, "llama.cpp leaves the queue out");
    }
    assert_eq!(in_header(&all[0].1, "queue"), 0);
    assert!(in_header(&all[6].1, "queue") >= 150_000, "{truths:#?}");
}

#[tokio::test]
async fn whole_answers_and_errors_wait_too() {
    let server = start().await;
    let all = one_after_another(&server, 3, "preset=fast&ttft_ms=100&slots=1", false).await;
    check_queue(&all.iter().map(|(truth, _)| truth.clone()).collect::<Vec<_>>(), 1);
    for (truth, reply) in &all {
        assert!(reply.ended_well && in_header(reply, "total") >= in_header(reply, "queue") + 100_000);
        assert_eq!(in_header(reply, "queue"), served(truth) - truth.queued_us.expect("queued"));
    }
    let server = start().await;
    let all = one_after_another(&server, 3, "fault=status-503&queue_ms=100&slots=1", true).await;
    check_queue(&all.iter().map(|(truth, _)| truth.clone()).collect::<Vec<_>>(), 1);
    assert!(all.iter().all(|(_, reply)| reply.status == 503));
}

#[tokio::test]
async fn who_goes_away_gives_up_the_place_in_the_line_or_the_slot() {
    let server = start().await;
    let host = host(&server.origin());
    let sent = async |rid: &str, fault: &str| {
        let path = format!("/v1/chat/completions?preset=fast&slots=1&rid={rid}{fault}");
        let (socket, _) = open(&host, "POST", &path, &[], r#"{"stream":true}"#).await;
        wait_for(&server, rid, |truth| truth.queued_us.is_some()).await;
        socket
    };
    for endless in ["&fault=never-ends", "&fault=hang", "&fault=stall"] {
        let rid = |name: &str| format!("{name}{}", &endless[7..]);
        let holds = sent(&rid("a"), endless).await;
        let tired = sent(&rid("b"), "").await;
        let patient = sent(&rid("c"), "").await;
        drop(tired);
        let gone = wait_for(&server, &rid("b"), |truth| truth.closed_us.is_some()).await;
        assert_eq!((gone.served_us, gone.headers_us), (None, None));
        assert_eq!(server.truth(&rid("c")).expect("written down").served_us, None, "the slot is taken");
        drop(holds);
        let answered = wait_for(&server, &rid("c"), |truth| truth.closed_us.is_some()).await;
        assert!(served(&answered) >= closed(&server.truth(&rid("a")).expect("written down")));
        assert_eq!(answered.pieces.len(), 14);
        drop(patient);
    }
}

#[tokio::test]
async fn other_pools_are_not_in_the_way() {
    let server = start().await;
    let host = host(&server.origin());
    let path = "/v1/chat/completions?slots=1&pool=a&fault=hang&rid=held";
    let _held = open(&host, "POST", path, &[], r#"{"stream":true}"#).await;
    wait_for(&server, "held", |truth| truth.served_us.is_some()).await;
    for query in ["preset=fast&slots=1&pool=b", "preset=fast&slots=1", "preset=fast&slots=2&pool=a", "preset=fast"] {
        assert!(ask(&host, query, true).await.ended_well, "{query}");
    }
    let refused = ask(&host, "preset=fast&pool=a", true).await;
    assert!(refused.status == 400 && refused.text().contains("add slots or freeze_ms"), "{}", refused.text());
}

#[tokio::test]
async fn a_bad_question_takes_no_slot_and_stopping_ends_the_line() {
    let server = start().await;
    let host = host(&server.origin());
    assert_eq!(ask(&host, "slots=1&fault=never-ends&rid=x", false).await.status, 400);
    assert_eq!(server.truth("x").expect("written down").queued_us, None);
    let query = "preset=fast&slots=1&fault=hang";
    let both = ["y", "z"].map(|rid| {
        let (host, query) = (host.clone(), format!("{query}&rid={rid}"));
        tokio::spawn(async move { ask(&host, &query, true).await.status })
    });
    for rid in ["y", "z"] {
        wait_for(&server, rid, |truth| truth.queued_us.is_some()).await;
    }
    server.stop().await;
    for status in both {
        assert_eq!(status.await.expect("a reply"), 503);
    }
}

#[tokio::test]
async fn a_standstill_delays_all_that_is_in_flight_once() {
    let server = start().await;
    let query = "preset=fast&ttft_ms=20&gap_ms=20&tokens=30&freeze_at_ms=300&freeze_ms=2000";
    let early = one_after_another(&server, 2, query, true);
    let inside = async {
        let first = wait_for(&server, "0", |_| true).await;
        let window = Freeze { at_ms: 300, ms: 2_000 }.window(first.received_us);
        while server.clock().now_us() < window.from_us + 100_000 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let reply = ask(&host(&server.origin()), &format!("{query}&rid=inside"), true).await;
        (window, reply)
    };
    let (early, (window, reply)) = tokio::join!(early, inside);
    for (truth, reply) in &early {
        assert!(reply.ended_well && truth.served_us == truth.queued_us);
        let tokens: Vec<u64> = truth.pieces.iter().filter(|p| p.kind == Kind::Answer).map(|p| p.at_us).collect();
        for (n, at_us) in tokens.iter().enumerate() {
            let due_us = window.comes(truth.received_us + 20_000 + 20_000 * n as u64);
            assert!((due_us..due_us + LATE).contains(at_us), "token {n} due at {due_us}, written at {at_us}");
        }
        let Window { from_us, to_us } = window;
        let before = tokens.iter().filter(|at| **at < from_us).count();
        assert!(before > 0, "nothing was in flight: {truth:#?}");
        assert!(truth.pieces.iter().all(|p| !(from_us + LATE..to_us).contains(&p.at_us)), "{truth:#?}");
    }
    let inside = server.truth("inside").expect("written down");
    assert!((window.from_us..window.to_us).contains(&inside.received_us), "{inside:?}");
    assert!((window.to_us..window.to_us + LATE).contains(&served(&inside)), "{inside:?}");
    assert_eq!(in_header(&reply, "queue"), served(&inside) - inside.queued_us.expect("queued"));
    assert!(first_answer(&inside) >= served(&inside) + 20_000);
    // Once.
    let later = one_after_another(&server, 1, query, true).await;
    let later = &later[0].0;
    assert_eq!(later.served_us, later.queued_us);
    let last = later.pieces.last().expect("pieces").at_us - later.received_us;
    assert!(last < 600_000 + LATE, "{last}");
}
