//! Aligned time stamps of the built-in endpoint: its clock is asked, its stages are read, and the parts are held against what
//! the server's ledger says, on one machine whose two clocks are known to each other.

mod common;

use std::time::Instant;

use common::{ask, complete, dechunk, head_end, host, open, send, start};
use firstlight_core::Micros;
use firstlight_core::align::{Alignment, Probe, Probes, answer};
use firstlight_core::decode::{Choice, Rule};
use firstlight_core::gap::{PartKind, Wait, split_aligned};
use firstlight_core::mark::{Absence, Mark};
use firstlight_core::record::Recorder;
use firstlight_core::server_report::Stage;
use firstlight_core::trace::{Mode, Planned, ResponseFacts, Trace};
use firstlight_server::Running;
use tokio::io::AsyncReadExt as _;

/// The page's stand-in: a clock of its own and a reader that stamps each read.
#[derive(Clone)]
struct Page {
    began: Instant,
    host: String,
}

impl Page {
    fn of(server: &Running) -> Page {
        Page { began: Instant::now(), host: host(&server.second_origin()) }
    }

    fn stamp(&self, at: Instant) -> Micros {
        Micros(at.duration_since(self.began).as_micros() as i64)
    }

    async fn probe(&self, query: &str) -> Probe {
        let (mut socket, sent) = open(&self.host, "GET", &format!("/clock{query}"), &[], "").await;
        let mut bytes = vec![0; 1 << 14];
        let mut filled = 0;
        while !complete(&bytes[..filled]) {
            filled += socket.read(&mut bytes[filled..]).await.expect("a reply");
        }
        let received = Instant::now();
        let body = head_end(&bytes[..filled]).expect("a head");
        let body = String::from_utf8_lossy(&bytes[body..filled]).into_owned();
        answer(&body).unwrap_or_else(|| panic!("no clock: {body}")).between(self.stamp(sent), self.stamp(received))
    }

    async fn probes(&self, query: &str) -> Vec<Probe> {
        let mut probes = Vec::new();
        for _ in 0..10 {
            probes.push(self.probe(query).await);
        }
        probes
    }

    /// A request, read as a browser's page reads: each read with its own stamp.
    async fn ask(&self, query: &str, stream: bool) -> Trace {
        let mode = if stream { Mode::Streaming } else { Mode::NonStreaming };
        let now = || self.stamp(Instant::now());
        let mut recorder = Recorder::new(Planned::measured(0, mode), Rule::Word, Choice::default(), now());
        let body = format!(r#"{{"stream":{stream},"messages":[{{"role":"user","content":"Hi"}}]}}"#);
        let path = format!("/v1/chat/completions?{query}");
        let (mut socket, sent) = open(&self.host, "POST", &path, &[], &body).await;
        recorder.sent(self.stamp(sent));
        let (mut bytes, mut given, mut head) = (Vec::new(), 0, None);
        let mut buffer = vec![0; 1 << 16];
        loop {
            let read = socket.read(&mut buffer).await.expect("a read");
            let at = now();
            bytes.extend_from_slice(&buffer[..read]);
            let Some(start) = head_end(&bytes) else { continue };
            if head.is_none() {
                let text = String::from_utf8_lossy(&bytes[..start]).into_owned();
                let header = |name: &str| {
                    text.lines()
                        .find_map(|l| l.to_ascii_lowercase().starts_with(name).then(|| l[name.len()..].trim().to_owned()))
                };
                let facts = ResponseFacts {
                    status: text.split(' ').nth(1).and_then(|s| s.parse().ok()).expect("a status"),
                    content_type: header("content-type:"),
                    server_timing: header("server-timing:"),
                    ..ResponseFacts::default()
                };
                recorder.headers(at, facts, Vec::new());
                head = Some(text.to_ascii_lowercase().contains("transfer-encoding: chunked"));
            }
            let body = if head == Some(true) { dechunk(&bytes[start..]).0 } else { bytes[start..].to_vec() };
            if body.len() > given {
                recorder.read(at, &body[given..]);
                given = body.len();
            }
            if complete(&bytes) || read == 0 {
                recorder.body_end(at);
                recorder.network(Err(Absence::NoResourceTiming), Vec::new());
                return recorder.finish();
            }
        }
    }
}

/// What is added to the server's times to get the page's, to a microsecond or two: both clocks stand still on one machine.
fn truth(server: &Running, page: &Page) -> i64 {
    let pinned = (0..200).map(|_| {
        let before = page.stamp(Instant::now()).0;
        let at = server.clock().now_us() as i64;
        let after = page.stamp(Instant::now()).0;
        (after - before, (before + after) / 2 - at)
    });
    pinned.min().expect("some").1
}

/// The two microseconds to which the truth itself is known, and the rounding of the clocks.
const KNOWN_TO: i64 = 3;

const WAYS: &str = "preset=fast&aligned=1&outbound_ms=30&return_ms=12&skew_ms=-86400000";
const PROBE: &str = "?skew_ms=-86400000";
const SKEW: i64 = -86_400_000_000;

#[tokio::test(flavor = "multi_thread")]
async fn each_part_lies_within_its_bound() {
    let server = start().await;
    let page = Page::of(&server);
    let before = page.probes(PROBE).await;
    let mut traces = Vec::new();
    for batch in 0..25 {
        let mut users = tokio::task::JoinSet::new();
        for n in 0..20 {
            let (page, id) = (page.clone(), format!("r{batch}-{n}"));
            users.spawn(async move { (id.clone(), page.ask(&format!("{WAYS}&rid={id}"), true).await) });
        }
        traces.extend(users.join_all().await);
    }
    let probes = Probes { before, after: page.probes(PROBE).await };
    let alignment = Alignment::from_probes(&probes, Micros(1));
    let known = truth(&server, &page);
    let [(clock, Ok(offset))] = alignment.clocks() else { panic!("one clock: {:?}", alignment.clocks()) };
    assert!(clock.ends_with("-86400000ms"), "{clock}");
    assert!((offset.offset.0 - (known - SKEW)).abs() <= offset.error.0 + KNOWN_TO, "{offset:?}, in truth {}", known - SKEW);
    let (mut within, mut checked) = (0, 0);
    for (id, trace) in &traces {
        let truth = server.truth(id).expect("written down");
        let sent = trace.marks.get(Mark::Sent).expect("sent");
        for wait in [Wait::FirstAnswer, Wait::LastOutput] {
            let split = split_aligned(trace, wait, Micros(2), &alignment).expect("consistent");
            assert_eq!(split.parts.iter().map(|p| p.value).sum::<Micros>(), split.total);
            let part = |wanted: fn(&PartKind) -> bool| split.parts.iter().find(|p| wanted(&p.kind)).expect("a part");
            let out = part(|kind| matches!(kind, PartKind::Outbound { .. }));
            let back = part(|kind| *kind == PartKind::Return);
            assert_eq!(out.bound, back.bound);
            let bound = out.bound.expect("a bound").0;
            let written = truth.pieces.iter().filter(|p| p.kind.is_output()).map(|p| p.at_us as i64);
            let written = if wait == Wait::LastOutput { written.max() } else { written.min() }.expect("output");
            let true_out = truth.received_us as i64 + known - sent.0;
            // It was stamped 12 ms before it was handed to the connection, which is no later than the write.
            let least_back = (sent + split.total).0 - (written + known) + 12_000;
            assert!(true_out >= 30_000 - KNOWN_TO && out.value.0 >= 30_000 - bound - KNOWN_TO, "{split:?}");
            assert!(back.value.0 >= least_back - bound - KNOWN_TO && back.value.0 >= 12_000 - bound - KNOWN_TO, "{split:?}");
            checked += 1;
            within += usize::from((out.value.0 - true_out).abs() <= bound + KNOWN_TO);
        }
    }
    assert_eq!((within, checked), (1_000, 1_000));
}

#[tokio::test]
async fn a_way_that_only_probes_take_is_inside_the_error() {
    let server = start().await;
    let page = Page::of(&server);
    for (query, least_error) in
        [("?outbound_ms=40", 20_000), ("?return_ms=40", 20_000), ("?outbound_ms=10&return_ms=10", 10_000)]
    {
        let probes = Probes { before: vec![page.probe(query).await], after: vec![page.probe(query).await] };
        let alignment = Alignment::from_probes(&probes, Micros(1));
        let known = truth(&server, &page);
        let [(_, Ok(offset))] = alignment.clocks() else { panic!("one clock: {:?}", alignment.clocks()) };
        assert!((offset.offset.0 - known).abs() <= offset.error.0 + KNOWN_TO, "{query}: {offset:?}, in truth {known}");
        assert!(offset.error.0 >= least_error, "{query}: {offset:?}");
    }
}

#[tokio::test]
async fn stages_come_in_the_header_and_at_the_end() {
    let server = start().await;
    let page = Page::of(&server);
    let clock = page.probe("").await.clock;
    let stamped = |trace: &Trace| {
        let stages = trace.stages.as_ref().expect("stages");
        assert_eq!(stages.clock, clock);
        assert!(stages.are_in_order(), "{stages:?}");
        stages.stamped().map(|(stage, _)| stage).collect::<Vec<_>>()
    };
    let early = [Stage::Received, Stage::Queued, Stage::Started];
    let streamed = page.ask("preset=fast&aligned=1&queue_ms=5", true).await;
    assert_eq!(stamped(&streamed), [&early[..], &[Stage::FirstToken, Stage::LastToken]].concat());
    assert!(streamed.diagnostics.is_empty(), "{:?}", streamed.diagnostics);
    let reasoned = page.ask("preset=reasoning&reasoning_at_ms=1&ttft_ms=40&reasoning_tokens=2&gap_ms=1&aligned=1", true).await;
    assert_eq!(stamped(&reasoned), [&early[..], &[Stage::FirstToken, Stage::FirstAnswer, Stage::LastToken]].concat());
    // Cut into pieces, with another end of lines, without the end marker.
    for query in ["preset=fast&aligned=1&split=7", "preset=fast&aligned=1&crlf=1&bom=1", "preset=fast&aligned=1&done=0"] {
        assert_eq!(stamped(&page.ask(query, true).await).len(), 5, "{query}");
    }
    for query in ["preset=fast&aligned=1", "preset=prediction&aligned=1", "preset=fast&aligned=1&split=50"] {
        assert_eq!(stamped(&page.ask(query, false).await), [&early[..], &[Stage::LastToken]].concat(), "{query}");
    }
    // Plain text has no place for them but its header.
    assert_eq!(stamped(&page.ask("preset=text&ttft_ms=5&gap_ms=1&tokens=4&aligned=1", true).await), early);
    // A stream that breaks off reports nothing at its end.
    assert_eq!(stamped(&page.ask("preset=fast&aligned=1&fault=truncate", true).await), early);
    assert_eq!(page.ask("preset=fast", true).await.stages, None);
    let silent = ask(&page.host, "preset=fast", true).await;
    assert!(!silent.text().contains("firstlight") && !silent.header("server-timing").expect("a header").contains("firstlight"));
}

#[tokio::test]
async fn every_page_may_ask_for_the_time() {
    let server = start().await;
    for origin in [server.origin(), server.second_origin()] {
        let reply = send(&host(&origin), "GET", "/clock", &[("Origin", "http://elsewhere.test")], "").await;
        assert_eq!((reply.status, reply.header("access-control-allow-origin")), (200, Some("*")));
        assert_eq!((reply.header("timing-allow-origin"), reply.header("cache-control")), (Some("*"), Some("no-store")));
    }
    let host = host(&server.origin());
    let refused = |query: &'static str| {
        let host = host.clone();
        async move { send(&host, "GET", &format!("/clock?{query}"), &[], "").await }
    };
    assert!(refused("skew_ms=x").await.text().contains("skew_ms must be a whole number"));
    assert!(refused("skew=1").await.text().contains("known are: outbound_ms, return_ms, skew_ms"));
    let other = start().await;
    let clock = |reply: common::Reply| reply.json()["clock"].as_str().expect("an id").to_owned();
    let (here, there) = (refused("").await, send(&common::host(&other.origin()), "GET", "/clock", &[], "").await);
    assert_ne!(clock(here), clock(there), "two servers of one process have two clocks");
}
