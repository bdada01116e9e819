//! The servers of `docs/snippets`, really run: what they send is aligned time stamps (`docs/aligned.md`), as core reads them.

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use firstlight_core::Micros;
use firstlight_core::align::{Alignment, Offset, Probe, Probes, answer};
use firstlight_core::decode::{Choice, Rule};
use firstlight_core::gap::{PartKind, Wait, split_aligned};
use firstlight_core::mark::Absence;
use firstlight_core::outcome::Outcome;
use firstlight_core::record::Recorder;
use firstlight_core::server_report::Stage;
use firstlight_core::trace::{Mode, Planned, ResponseFacts, Trace};
use firstlight_e2e::guard::Guarded;
use firstlight_e2e::places;

const START: Duration = Duration::from_secs(60);

/// The machine's monotonic clock: Python's and Node's own, so that the truth of their offset is zero.
fn now() -> Micros {
    let at = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    Micros(at.tv_sec * 1_000_000 + at.tv_nsec / 1_000)
}

/// One exchange of HTTP/1.0, whose body has no framing: head, and each read of the body with its stamp.
fn exchange(authority: &str, request: &str) -> (Micros, String, Vec<(Micros, Vec<u8>)>) {
    let mut socket = TcpStream::connect(authority).expect("a connection");
    socket.set_nodelay(true).expect("no delay");
    socket.set_read_timeout(Some(Duration::from_secs(30))).expect("a limit");
    let sent = now();
    socket.write_all(request.as_bytes()).expect("sent");
    let (mut head, mut reads) = (Vec::new(), Vec::new());
    let mut buffer = [0; 16_384];
    let mut in_body = false;
    loop {
        let read = socket.read(&mut buffer).expect("a read");
        let at = now();
        if read == 0 {
            return (sent, String::from_utf8(head).expect("a head"), reads);
        }
        let bytes = &buffer[..read];
        if in_body {
            reads.push((at, bytes.to_vec()));
            continue;
        }
        head.extend_from_slice(bytes);
        if let Some(end) = head.windows(4).position(|w| w == b"\r\n\r\n") {
            let body = head.split_off(end + 4);
            in_body = true;
            if !body.is_empty() {
                reads.push((at, body));
            }
        }
    }
}

fn probe(authority: &str) -> Probe {
    let (sent, head, reads) =
        exchange(authority, &format!("GET /clock HTTP/1.0\r\nHost: {authority}\r\nOrigin: http://page.test\r\n\r\n"));
    let head = head.to_ascii_lowercase();
    for header in ["access-control-allow-origin: *", "timing-allow-origin: *", "cache-control: no-store"] {
        assert!(head.contains(header), "{header} is missing: {head}");
    }
    let body: Vec<u8> = reads.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
    let received = reads.last().expect("a body").0;
    answer(&String::from_utf8_lossy(&body)).expect("the time").between(sent, received)
}

fn ask(authority: &str, stream: bool) -> Trace {
    let body = format!(r#"{{"stream":{stream},"messages":[{{"role":"user","content":"Hi"}}]}}"#);
    let length = body.len();
    let request = format!(
        "POST /v1/chat/completions HTTP/1.0\r\nHost: {authority}\r\nOrigin: http://page.test\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    let (sent, head, reads) = exchange(authority, &request);
    let mode = if stream { Mode::Streaming } else { Mode::NonStreaming };
    let mut recorder = Recorder::new(Planned::measured(0, mode), Rule::Word, Choice::default(), sent);
    recorder.sent(sent);
    let header = |name: &str| head.lines().find_map(|l| Some(l.to_ascii_lowercase().strip_prefix(name)?.trim().to_owned()));
    let facts = ResponseFacts {
        status: head.split(' ').nth(1).and_then(|s| s.parse().ok()).expect("a status"),
        content_type: header("content-type:"),
        server_timing: header("server-timing:"),
        ..ResponseFacts::default()
    };
    assert!(head.to_ascii_lowercase().contains("access-control-allow-origin: *"), "{head}");
    let (first, last) = (reads.first().expect("a body").0, reads.last().expect("a body").0);
    recorder.headers(first, facts, Vec::new());
    reads.iter().for_each(|(at, bytes)| drop(recorder.read(*at, bytes)));
    recorder.body_end(last);
    recorder.network(Err(Absence::NoResourceTiming), Vec::new());
    recorder.finish()
}

/// Asks a server for its time and for answers, and gives its offset.
fn check(authority: &str, early: &[Stage]) -> Offset {
    let probes = || (0..20).map(|_| probe(authority)).collect::<Vec<_>>();
    let before = probes();
    let traces = [true, false].map(|stream| ask(authority, stream));
    let alignment = Alignment::from_probes(&Probes { before, after: probes() }, Micros(1));
    for (trace, wait) in traces.iter().zip([Wait::FirstAnswer, Wait::LastOutput]) {
        assert_eq!((&trace.outcome, trace.diagnostics.as_slice()), (&Outcome::Complete, &[][..]), "{trace:?}");
        let stages = trace.stages.as_ref().expect("stages");
        assert!(stages.are_in_order(), "{stages:?}");
        let stamped: Vec<Stage> = stages.stamped().map(|(stage, _)| stage).collect();
        assert!(early.iter().chain([&Stage::Received, &Stage::LastToken]).all(|stage| stamped.contains(stage)), "{stamped:?}");
        let split = split_aligned(trace, wait, Micros(2), &alignment).expect("it fits into the wait");
        assert_eq!(split.parts.iter().map(|p| p.value).sum::<Micros>(), split.total);
        let has = |wanted: fn(&PartKind) -> bool| split.parts.iter().any(|p| wanted(&p.kind) && p.bound.is_some());
        assert!(has(|kind| matches!(kind, PartKind::Outbound { .. })) && has(|kind| *kind == PartKind::Return), "{split:?}");
        assert!(!split.parts.iter().any(|p| p.kind == PartKind::Unattributed), "{split:?}");
    }
    // Five pieces with pauses between: the first came before the last was made.
    let (streamed, whole) = (traces[0].stages.as_ref().expect("stages"), traces[1].stages.as_ref().expect("stages"));
    assert!(streamed.get(Stage::FirstToken) < streamed.get(Stage::LastToken));
    assert_eq!(streamed.clock, whole.clock);
    alignment.offset(streamed).expect("aligned")
}

fn started(program: &Path, args: &[OsString]) -> (Guarded, String) {
    let process = Guarded::start(program, args, &[]).expect("started");
    let authority =
        process.wait_for(START, |line| Some(line.split_once("http://127.0.0.1:")?.1.split_whitespace().next()?.to_owned()));
    let port = authority.expect("it listens");
    (process, format!("127.0.0.1:{port}"))
}

fn snippet(path: &str) -> std::path::PathBuf {
    places::root().join("docs/snippets").join(path)
}

fn is_zero(offset: Offset) {
    assert!(offset.offset.0.abs() <= offset.error.0 + 1, "both clocks are the machine's own: {offset:?}");
}

#[test]
fn fastapi() {
    let python = places::tools().join("fastapi/bin/python");
    assert!(python.is_file(), "{} is missing: run `cargo xtask setup --browsers`", python.display());
    let (_process, authority) = started(&python, &["-B".into(), snippet("fastapi/serve.py").into(), "0".into()]);
    is_zero(check(&authority, &[Stage::Queued, Stage::Started]));
}

#[test]
fn express() {
    let modules = places::tools().join("npm/snippet-express/node_modules");
    assert!(modules.is_dir(), "{} is missing: run `cargo xtask setup --browsers`", modules.display());
    // Node looks for packages beside the script.
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("serve.mjs");
    std::fs::copy(snippet("express/serve.mjs"), &script).expect("copied");
    std::os::unix::fs::symlink(modules, folder.path().join("node_modules")).expect("linked");
    let node = places::program("node", "Node.js").expect("node");
    let (_process, authority) = started(&node, &[script.into(), "0".into()]);
    is_zero(check(&authority, &[Stage::Started]));
}

#[test]
fn axum() {
    let before = now();
    let (_process, authority) = started(Path::new(env!("CARGO_BIN_EXE_snippet-axum")), &["0".into()]);
    let listening = now();
    // Its clock began when it started.
    let Offset { offset, error } = check(&authority, &[Stage::Started]);
    assert!(before <= offset + error && offset - error <= listening, "{offset:?} ± {error:?}, {before:?} to {listening:?}");
}
