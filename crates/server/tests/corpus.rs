//! Recorded replies of real servers (`tests/corpus`), each with the record that is expected of it.

use std::path::{Path, PathBuf};
use std::process::Command;

use firstlight_core::decode::Choice;
use firstlight_core::mark::Mark;
use firstlight_server::recorded::{Replayed, Timing, replay};
use serde_json::Value;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus")
}

/// The recordings, by name.
fn recordings() -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = std::fs::read_dir(corpus())
        .expect("the corpus")
        .filter_map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_name()?.to_str()?.strip_suffix(".raw")?.to_owned();
            Some((name, std::fs::read(&path).expect("a recording")))
        })
        .collect();
    all.sort();
    assert!(all.len() >= 25, "{} recordings", all.len());
    all
}

fn timing(name: &str) -> (String, Timing) {
    let text = std::fs::read_to_string(corpus().join(format!("{name}.timing.json"))).expect("read times");
    let timing = Timing::parse(&text).expect("read times");
    (text, timing)
}

/// What the command prints is what was checked in.
#[test]
fn every_recording_decodes_to_its_record() {
    for (name, _) in recordings() {
        let file = corpus().join(format!("{name}.raw"));
        let output = Command::new(env!("CARGO_BIN_EXE_firstlight")).arg("decode").arg(&file).output().expect("the command");
        let printed: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|e| panic!("{name}: {e}: {}", String::from_utf8_lossy(&output.stderr)));
        let code = i32::from(printed["outcome"] != "complete");
        assert_eq!(output.status.code(), Some(code), "{name}");
        let path = corpus().join(format!("{name}.expected.json"));
        if std::env::var_os("UPDATE_CORPUS").is_some() {
            std::fs::write(&path, &output.stdout).expect("a record");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let expected: Value = serde_json::from_str(&expected).expect("a record");
        assert_eq!(printed, expected, "{name}");
    }
}

/// Read times under which every read is one byte, and its time is the byte's place in ms.
fn byte_by_byte(length: usize, request: &Value) -> Timing {
    let reads: Vec<Value> = (0..length).map(|at| serde_json::json!({"ms": at, "off": at, "len": 1})).collect();
    let text = serde_json::json!({"request": request, "reads": reads, "end_ms": length}).to_string();
    Timing::parse(&text).expect("read times")
}

fn facts(r: &Replayed) -> impl PartialEq + std::fmt::Debug + use<> {
    let t = &r.trace;
    (
        (r.answer.clone(), r.reasoning.clone(), r.tool.clone()),
        // Plain text is not framed: every read is its own event.
        (t.dialect.is_none_or(|(code, _)| code != "plain_text")).then_some(r.events),
        (t.usage, t.spans.clone(), t.outcome.clone(), t.diagnostics.clone(), t.dialect, t.shape, t.amounts),
    )
}

/// Any split gives the same facts, and every mark falls on the read that completed its event: the one that holds the byte
/// at which the event is complete when bytes come one by one.
#[test]
fn marks_fall_on_the_read_that_completed_the_event() {
    for (name, bytes) in recordings() {
        let (text, timing) = timing(&name);
        let file: Value = serde_json::from_str(&text).expect("read times");
        let real = replay(&bytes, Some(&timing), &Choice::default(), None).expect("a record");
        let singles = replay(&bytes, Some(&byte_by_byte(bytes.len(), &file["request"])), &Choice::default(), None);
        let singles = singles.expect("a record");
        assert_eq!(facts(&real), facts(&singles), "{name}");
        for mark in [
            Mark::HeadersSeen,
            Mark::FirstRead,
            Mark::FirstEvent,
            Mark::FirstOutput,
            Mark::FirstReasoning,
            Mark::FirstAnswer,
            Mark::FirstUseful,
            Mark::LastAnswer,
            Mark::LastOutput,
            Mark::Terminal,
        ] {
            let (Ok(at), Ok(byte)) = (real.trace.marks.get(mark), singles.trace.marks.get(mark)) else {
                assert_eq!(real.trace.marks.get(mark).is_ok(), singles.trace.marks.get(mark).is_ok(), "{name} {mark:?}");
                continue;
            };
            let byte = (byte.0 / 1000) as u64;
            // The end of what is not streamed is the end of the body, which no read completes.
            let Some(read) = file["reads"].as_array().expect("reads").iter().find(|r| {
                let off = r["off"].as_u64().expect("off");
                (off..off + r["len"].as_u64().expect("len")).contains(&byte)
            }) else {
                continue;
            };
            assert_eq!(at.as_ms(), read["ms"].as_f64().expect("ms"), "{name} {mark:?} at byte {byte}");
        }
    }
}

#[test]
fn what_can_not_be_read_is_said() {
    let check = |args: &[&str], says: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_firstlight")).arg("decode").args(args).output().expect("the command");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(says), "{error}");
        assert!(output.stdout.is_empty());
    };
    let dir = tempfile::tempdir().expect("a directory");
    let file = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        path.to_str().expect("a path").to_owned()
    };
    check(&["/nowhere/x.raw"], "/nowhere/x.raw");
    check(&[&file("a.raw", b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n")], "no empty line");
    check(&[&file("b.raw", b"HTTP/1.1 two hundred\r\n\r\n")], "not HTTP/1.1");
    check(&[&file("c.raw", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")], "chunked body is damaged");
    check(&[&file("e.raw", b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b")], "compressed (gzip)");
    let good = file("d.raw", b"hello");
    check(&[&good, "--format", "klingon"], "klingon");
    check(&[&good, "--text", "a/b"], "JSON pointer");
    check(&[&good, "--span", "nonsense"], "span line 1");
    check(&[&good, "--timing", &file("t.json", b"{")], "read times");
    check(&[&good, "--timing", &file("u.json", b"{\"reads\":[{\"ms\":1,\"off\":0,\"len\":3}]}")], "end at byte 3");
}

#[test]
fn bare_bodies_and_trailers_are_read_too() {
    let check = |bytes: &[u8]| replay(bytes, None, &Choice::default(), None).expect("a record");
    let sse = check(b"data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
    assert_eq!((sse.answer.as_str(), sse.trace.dialect), ("Hi", Some(("openai_chat", "event"))));
    let lines =
        check(b"{\"model\":\"m\",\"response\":\"Hi\",\"done\":false}\n{\"model\":\"m\",\"response\":\"\",\"done\":true}\n");
    assert_eq!((lines.answer.as_str(), lines.trace.dialect), ("Hi", Some(("ollama", "event"))));
    let body = check(b"{\"choices\":[{\"message\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}");
    assert_eq!((body.answer.as_str(), body.trace.dialect), ("Hi", Some(("openai_chat", "event"))));
    let trailer = check(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nServer-Timing: open;dur=3\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nHi\r\n0\r\nServer-Timing: total;dur=9.5, open;dur=3\r\n\r\n",
    );
    let spans: Vec<_> = trailer.trace.spans.iter().map(|s| (s.name.as_str(), s.source.code(), s.boundary.code())).collect();
    assert_eq!(
        spans,
        [("open", "server_timing_header", "to_headers"), ("total", "trailer", "total"), ("open", "trailer", "component")]
    );
}
