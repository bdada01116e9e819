//! A modelled server over real HTTP: its times are those of a run in virtual time over the same arrivals, and what it reports of
//! itself is true.

mod common;

use std::time::Duration;

use common::{Reply, ask, host, open, send, start};
use firstlight_core::scrape::{Quantity, Reading};
use firstlight_core::server_report::spans_from_header;
use firstlight_engine::model::{Asked, Course, Parameters, RequestId, simulate};
use firstlight_engine::{Ask, Kind, Plan};
use firstlight_server::endpoint::Wanted;
use firstlight_server::{Options, Running, Server, Truth};

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

async fn closed(server: &Running, rid: &str) -> Truth {
    wait_for(server, rid, |truth| truth.closed_us.is_some()).await
}

fn plan(query: &str) -> Plan {
    Wanted::parse(query).expect("a query").plan
}

fn parameters(query: &str) -> Parameters {
    plan(query).modelled().expect("a modelled server").parameters.clone()
}

/// What the endpoint's test question, two words long, asks of the server.
fn asked(query: &str) -> Asked {
    let plan = plan(query);
    let ask = Ask { prompt_tokens: 2, ..Ask::streaming() };
    plan.asked(plan.modelled().expect("a modelled server"), &ask)
}

fn course(truth: &Truth) -> Course {
    let mut course = Course::arrived(truth.queued_us.expect("arrived"));
    truth.modelled.iter().for_each(|emission| course.note(*emission));
    course
}

/// So many requests at once, each with its own number of tokens.
async fn crowd(server: &Running, count: usize, query: &str) -> Vec<(String, Truth, Reply)> {
    let sent: Vec<_> = (0..count)
        .map(|n| {
            let query = format!("{query}&tokens={}&input_tokens={}", 3 + 5 * n % 17, 10 + 37 * n % 90);
            let (host, own) = (host(&server.origin()), format!("{query}&rid={n}"));
            (query, tokio::spawn(async move { ask(&host, &own, n % 3 != 0).await }))
        })
        .collect();
    let mut all = Vec::new();
    for (n, (query, reply)) in sent.into_iter().enumerate() {
        let reply = reply.await.expect("a reply");
        all.push((query, closed(server, &n.to_string()).await, reply));
    }
    all
}

#[tokio::test]
async fn real_time_has_the_times_of_virtual_time() {
    let server = start().await;
    let query = "engine=interactive-small&pool=a&max_batch=3&token_budget=40&speculative=2&seed=5&replicas=2&speeds=1,0.6\
                 &router=least-loaded&prefix_cache=50&holdback_tokens=4&holdback_ms=5&step_time=exponential";
    let mut all = crowd(&server, 20, query).await;
    all.sort_by_key(|(_, truth, _)| truth.modelled.first().map(|emission| emission.request));
    let arrived = |truth: &Truth| truth.queued_us.expect("arrived");
    assert!(all.windows(2).all(|two| arrived(&two[0].1) <= arrived(&two[1].1)), "numbers are in order of arrival");
    let arrivals: Vec<(u64, Asked)> = all.iter().map(|(query, truth, _)| (arrived(truth), asked(query))).collect();
    let expected = simulate(&parameters(query), arrivals);
    for (n, ((query, truth, reply), expected)) in all.iter().zip(&expected).enumerate() {
        assert!(truth.modelled.iter().all(|emission| emission.request == RequestId(n as u64)), "{truth:?}");
        assert_eq!(&course(truth), expected, "request {n}");
        assert_eq!(truth.served_us, expected.queue_end_us);
        assert!(reply.ended_well && reply.status == 200);
        // Nothing is written before its time, and what is written is all that was asked for.
        let pieces: Vec<u64> = truth.pieces.iter().filter(|piece| piece.kind == Kind::Answer).map(|p| p.at_us).collect();
        if !pieces.is_empty() {
            assert_eq!(pieces.len(), expected.tokens.len(), "a step is a piece");
            assert!(pieces.iter().zip(&expected.tokens).all(|(written, (due, _))| written >= due), "{truth:?}");
        }
        assert!(truth.closed_us >= expected.end_us);
        let tokens: u32 = expected.tokens.iter().map(|(_, tokens)| tokens).sum();
        assert_eq!(tokens, asked(query).output_tokens);
    }
    assert!(expected.iter().any(|course| course.waited_us() > Some(10_000)), "somebody waited: {expected:?}");
    assert!(expected.iter().any(|course| course.cached_tokens > 0));
}

fn in_header(reply: &Reply, name: &str) -> u64 {
    let header = reply.header("server-timing").expect("Server-Timing");
    let spans = spans_from_header(header, false);
    let span = spans.iter().find(|span| span.name == name).expect(name);
    (span.value.as_ms() * 1000.0).round() as u64
}

#[tokio::test]
async fn what_it_says_of_itself_is_true() {
    let server = start().await;
    let query = "engine=interactive-small&max_batch=1&prefix_cache=50&spans=queue,prefill,time_to_first_token,decode,total\
                 &holdback_tokens=3&input_tokens=100&tokens=9&preset=reasoning&reasoning_tokens=4&aligned=1";
    let streamed = {
        let (host, first) = (host(&server.origin()), format!("{query}&rid=first"));
        let first = tokio::spawn(async move { ask(&host, &first, true).await });
        wait_for(&server, "first", |truth| truth.served_us.is_some()).await;
        first
    };
    let host = host(&server.origin());
    let whole = ask(&host, &format!("{query}&rid=second"), false).await;
    let streamed = streamed.await.expect("a reply");
    for (rid, reply, cached) in [("first", &streamed, 0), ("second", &whole, 50)] {
        let truth = closed(&server, rid).await;
        let course = course(&truth);
        let since = |us: Option<u64>| us.expect("known") - truth.received_us;
        let body = match rid {
            "second" => reply.json(),
            _ => {
                let text = reply.text();
                let line = text.lines().rfind(|line| line.contains("server_timing")).expect("a report");
                serde_json::from_str(line.trim_start_matches("data: ")).expect("JSON")
            }
        };
        let told: Vec<u64> =
            (0..5).map(|n| (body["server_timing"][n]["dur"].as_f64().expect("a time") * 1000.0).round() as u64).collect();
        let (queue, prefilled, end) = (since(course.queue_end_us), since(course.prefill_end_us), since(course.end_us));
        let first = since(course.tokens.first().map(|(at, _)| *at));
        assert_eq!(told, [queue, prefilled - queue, first, end - first, end], "{rid}");
        assert!(first > prefilled + 10_000, "held back");
        assert_eq!(in_header(reply, "queue"), since(course.queue_end_us) - since(truth.queued_us), "{rid}");
        let usage = &body["usage"];
        assert_eq!((usage["prompt_tokens"].as_u64(), usage["completion_tokens"].as_u64()), (Some(100), Some(13)), "{rid}");
        assert_eq!(usage["prompt_tokens_details"]["cached_tokens"], cached, "{rid}");
        let header = reply.header("server-timing").expect("Server-Timing");
        let stage = |name: &str| -> u64 {
            let entry = format!("firstlight-{name};desc=\"");
            let after = header.split(&entry).nth(1).expect(name);
            after.split('"').next().and_then(|us| us.parse().ok()).expect("a time")
        };
        assert_eq!(Some(stage("queued")), truth.queued_us, "{rid}");
        assert_eq!(Some(stage("preprocessed")), truth.queued_us.map(|us| us + 1_000), "{rid}");
        assert_eq!(Some(stage("started")), course.queue_end_us, "{rid}");
    }
    let kinds: Vec<Kind> = closed(&server, "first").await.pieces.iter().map(|piece| piece.kind).collect();
    assert_eq!(kinds[..6], [Kind::Role, Kind::Reasoning, Kind::Reasoning, Kind::Reasoning, Kind::Reasoning, Kind::Answer]);
    assert_eq!(kinds[kinds.len() - 4..], [Kind::Finish, Kind::Closing, Kind::Closing, Kind::Done]);
    assert_eq!(kinds.len(), 1 + 4 + 9 + 4);
}

#[tokio::test]
async fn the_same_bytes_as_without_a_model_but_for_what_it_reports() {
    let server = start().await;
    let host = host(&server.origin());
    for query in [
        "tokens=7&usage=0",
        "tokens=7&usage=0&split=40&crlf=1&bom=1",
        "tokens=0&usage=0",
        "tokens=7&usage=0&format=anthropic&reasoning_tokens=2&tool_calls=2",
        "tokens=7&usage=0&format=gemini&reasoning_tokens=2&tool_calls=2",
        "tokens=7&format=text",
        "preset=prediction",
    ] {
        for stream in [true, false] {
            let plain = ask(&host, &format!("{query}&ttft_ms=9&gap_ms=1"), stream).await;
            let modelled = ask(&host, &format!("{query}&engine=interactive-small"), stream).await;
            let without_time = |reply: &Reply| {
                let text = reply.text();
                text.split("\"created\":")
                    .map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned())
                    .collect::<Vec<_>>()
            };
            assert_eq!(without_time(&plain), without_time(&modelled), "{query}");
            assert!(modelled.ended_well);
        }
    }
}

#[tokio::test]
async fn faults_and_comments_keep_their_meaning() {
    let server = start().await;
    let host = host(&server.origin());
    let of = |fault: &str| format!("engine=interactive-small&tokens=8&fault={fault}&rid={fault}");
    let answers = |truth: &Truth| truth.pieces.iter().filter(|piece| piece.kind == Kind::Answer).count();
    for (fault, well) in [("truncate", true), ("error-inside", true), ("reset", false)] {
        assert_eq!(ask(&host, &of(fault), true).await.ended_well, well, "{fault}");
        assert_eq!(answers(&closed(&server, fault).await), 4, "{fault}");
    }
    assert_eq!(ask(&host, &of("status-503"), true).await.status, 503);
    assert!(closed(&server, "status-503").await.modelled.is_empty(), "it never came to the model");
    assert_eq!(ask(&host, &of("never-ends"), false).await.status, 400);
    let (socket, _) =
        open(&host, "POST", &format!("/v1/chat/completions?{}", of("never-ends")), &[], r#"{"stream":true}"#).await;
    wait_for(&server, "never-ends", |truth| answers(truth) > 12).await;
    drop(socket);
    closed(&server, "never-ends").await;
    // Nothing of its own comes before what never ends.
    let none = "/v1/chat/completions?engine=interactive-small&tokens=0&fault=never-ends&rid=from-nothing";
    let (socket, _) = open(&host, "POST", none, &[], r#"{"stream":true}"#).await;
    wait_for(&server, "from-nothing", |truth| answers(truth) > 4).await;
    drop(socket);
    closed(&server, "from-nothing").await;
    // One step of 100 ms until the first token.
    let quiet = "engine=interactive-small&step_us=100000&keep_alive_ms=20&tokens=2&rid=quiet";
    let reply = ask(&host, quiet, true).await;
    let truth = closed(&server, "quiet").await;
    let first = truth.pieces.iter().position(|piece| piece.kind == Kind::Answer).expect("an answer");
    let comments = truth.pieces[..first].iter().filter(|piece| piece.kind == Kind::KeepAlive).count();
    assert!((1..=5).contains(&comments), "{truth:?}");
    assert_eq!(reply.text().matches(": keep-alive\n\n").count(), comments);
    assert!(truth.pieces[first..].iter().all(|piece| piece.kind != Kind::KeepAlive));
}

#[tokio::test]
async fn a_full_queue_refuses_and_who_goes_away_makes_room() {
    let server = start().await;
    let host = host(&server.origin());
    let query = "engine=overloaded&pool=full&max_batch=1&queue_limit=1&step_us=50000&tokens=400";
    let sent = async |rid: &str| {
        let path = format!("/v1/chat/completions?{query}&rid={rid}");
        let (socket, _) = open(&host, "POST", &path, &[], r#"{"stream":true}"#).await;
        wait_for(&server, rid, |truth| truth.queued_us.is_some()).await;
        socket
    };
    let (served, waits) = (sent("served").await, sent("waits").await);
    wait_for(&server, "served", |truth| truth.served_us.is_some()).await;
    let reading = Reading::of(&send(&host, "GET", "/metrics", &[], "").await.text());
    assert_eq!([Quantity::Running, Quantity::Waiting].map(|q| reading.value(q)), [Some(1.0), Some(1.0)]);
    assert!(reading.value(Quantity::CacheUse).expect("a number") >= 400.0 / 200_000.0);
    let refused = ask(&host, query, true).await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("1")));
    assert!(refused.text().contains("the queue is full: 2 requests"), "{}", refused.text());
    // The way back is as long for a refusal.
    assert_eq!(ask(&host, &format!("{query}&return_ms=40&rid=refused"), true).await.status, 429);
    let truth = closed(&server, "refused").await;
    assert!(truth.headers_us.expect("answered") >= truth.received_us + 40_000, "{truth:?}");
    let long = ask(&host, "engine=overloaded&cache_tokens=10&tokens=10", true).await;
    assert!(long.status == 400 && long.text().contains("12 tokens of cache"), "{}", long.text());
    drop(waits);
    let gone = closed(&server, "waits").await;
    assert_eq!((gone.served_us, gone.headers_us), (None, None));
    let next = sent("next").await;
    drop(served);
    closed(&server, "served").await;
    let turn = wait_for(&server, "next", |truth| truth.served_us.is_some()).await;
    let last = server.truth("served").and_then(|truth| truth.modelled.last().map(|emission| emission.at_us));
    assert!(turn.served_us > last, "not before the step of the one that went: {turn:?}");
    drop(next);
    closed(&server, "next").await;
}

#[tokio::test]
async fn an_endpoint_alone_is_the_server_it_was_started_as() {
    let defaults = "engine=cold&start_ms=30&load_ms=20&tokens=3".to_owned();
    let server = Server::start(Options { defaults, ..Options::default() }).await.expect("a server");
    let host = host(&server.origin());
    ask(&host, "rid=a", true).await;
    ask(&host, "rid=b&tokens=5", true).await;
    let (first, second) = (course(&closed(&server, "a").await), course(&closed(&server, "b").await));
    assert_eq!(first.waited_us(), Some(50_000), "it was cold");
    assert_eq!(second.waited_us(), Some(1_000), "it was warm, and preprocesses");
    assert_eq!((first.tokens.len(), second.tokens.len()), (3, 5));
    server.stop().await;
}
