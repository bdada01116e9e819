//! `merge`, `compare` and `report` as a build server calls them: what is written, and which exit status it gets.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};

use firstlight_core::Micros;
use firstlight_core::config::RunConfig;
use firstlight_core::mark::{Absence, Mark, Marks};
use firstlight_core::outcome::Outcome;
use firstlight_core::report::{Clock, Environment, Run};
use firstlight_core::server_report::Access;
use firstlight_core::trace::{Amounts, Flags, Mode, Planned, Shape, Trace};

/// An answer whose first words came after so many ms, and whose end as many later.
fn trace(id: u32, first: i64) -> Trace {
    let sent = 1000 * i64::from(id);
    let mut marks = Marks::default();
    for (mark, ms) in [(Mark::Sent, 0), (Mark::FirstAnswer, first), (Mark::LastOutput, 2 * first), (Mark::BodyEnd, 2 * first)] {
        marks.set(mark, Micros::ms(sent + ms));
    }
    Trace {
        planned: Planned::measured(id, Mode::Streaming),
        marks,
        first_visible: Err(Absence::EngineLacks),
        complete_visible: Err(Absence::EngineLacks),
        reads: Vec::new(),
        response: None,
        shape: Some(Shape::Stream),
        dialect: None,
        network: Err(Absence::NoResourceTiming),
        spans: Vec::new(),
        stages: None,
        server_timing_access: Access::NotSent,
        usage: None,
        items: None,
        amounts: Amounts::default(),
        outcome: Outcome::Complete,
        last_known: Micros::ms(sent + 2 * first),
        flags: Flags::default(),
        diagnostics: Vec::new(),
        check: None,
    }
}

/// A hundred answers after `from`, `from + 1`, … ms, begun at a second of its own.
fn run(second: u32, from: i64) -> Run {
    let config = RunConfig { requests: 100, ..RunConfig::of("http://127.0.0.1:1/") };
    Run {
        workload: None,
        config,
        environment: Environment { user_agent: "Gecko/20100101 Firefox/153.0".into(), ..Environment::default() },
        clock: Clock { step_us: 5, joint_us: None, lag: None },
        created: format!("2026-01-02T03:04:{second:02}.000Z"),
        stopped: false,
        stopped_by: None,
        page_ended: false,
        probes: firstlight_core::align::Probes::default(),
        parts: Vec::new(),
        traces: (0..100).map(|id| trace(id, from + i64::from(id))).collect(),
        scraped: None,
    }
}

/// A folder with run files.
struct Folder(tempfile::TempDir);

impl Folder {
    fn with(runs: &[(&str, Run)]) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        for (name, run) in runs {
            std::fs::write(folder.path(name), run.to_json()).expect("written");
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Exit status, standard output, standard error.
    fn call(&self, args: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_firstlight"));
        let output = command.args(args).current_dir(self.0.path()).output().expect("started");
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().expect("an exit status"), text(&output.stdout), text(&output.stderr))
    }

    fn status(&self, args: &[&str]) -> i32 {
        self.call(args).0
    }
}

#[test]
fn runs_of_one_set_up_are_merged_and_others_are_not() {
    let mut other = run(3, 100);
    other.config.prompt = "Something else".into();
    let folder = Folder::with(&[("a.json", run(1, 100)), ("b.json", run(2, 500)), ("other.json", other)]);
    let (status, said, _) = folder.call(&["merge", "a.json", "b.json", "-o", "both.json"]);
    assert_eq!(
        (status, said.contains("2 runs merged: 200 requests") && said.contains("b.json: 2026-01-02")),
        (0, true),
        "{said}"
    );
    let merged = Run::from_json(&folder.read("both.json")).expect("a run");
    assert_eq!((merged.traces.len(), merged.parts.len(), merged.parts[1].label.as_str()), (200, 2, "b.json"));
    let (status, _, said) = folder.call(&["merge", "a.json", "other.json", "-o", "c.json"]);
    assert_eq!((status, folder.path("c.json").exists()), (1, false));
    assert!(
        said.contains("other.json against a.json") && said.contains("Something else") && said.contains("--force"),
        "{said}"
    );
    assert_eq!(folder.status(&["merge", "a.json", "other.json", "--force", "-o", "c.json"]), 0);
    let (status, _, said) = folder.call(&["merge", "both.json", "a.json", "-o", "d.json"]);
    assert_eq!((status, said.contains("twice")), (2, true), "{said}");
    assert_eq!(folder.status(&["merge", "a.json", "missing.json", "-o", "d.json"]), 2);
    assert_eq!(folder.status(&["merge", "a.json", "-o", "d.json"]), 2, "one file is nothing to merge");
    assert_eq!(folder.status(&["merge", "a.json", "b.json", "-o", "no/such/folder.json"]), 3);
}

#[test]
fn the_exit_status_of_a_comparison_is_the_answer() {
    let folder = Folder::with(&[("base.json", run(1, 1000)), ("same.json", run(2, 1000)), ("slow.json", run(3, 1500))]);
    let compare = |new: &str, limit: &str| folder.status(&["compare", "base.json", new, "--fail-if", limit]);
    assert_eq!(folder.status(&["compare", "base.json", "slow.json"]), 0, "without limits there is nothing to fail");
    assert_eq!(compare("same.json", "p50(first_answer) +10%"), 0);
    assert_eq!(compare("slow.json", "p50(first_answer) +10%"), 1);
    assert_eq!(compare("slow.json", "p50(first_answer) +48%"), 4, "48 % lies inside the interval");
    assert_eq!(compare("slow.json", "p99(first_answer) +1%"), 4, "too few for p99");
    assert_eq!(compare("slow.json", "p50(first_visible) +1%"), 4, "never seen");
    assert_eq!(compare("slow.json", "p50(first_answer)"), 2);
    assert_eq!(compare("missing.json", "p50(first_answer) +1%"), 2);
    let fail = ["--fail-if", "p99(first_answer) +1%", "--fail-if", "p50(first_answer) +10%"];
    let call = |more: &[&str]| folder.call(&[&["compare", "base.json", "slow.json"], &fail[..], more].concat());
    let (status, text, _) = call(&[]);
    assert_eq!(status, 1, "one that is broken goes before one that is open");
    assert!(
        text.contains("does not hold: p50(first_answer) +10% (") && text.contains("can’t tell: p99(first_answer) +1%"),
        "{text}"
    );
    let (_, json, _) = call(&["--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((json["said"].as_str(), json["limits"][0]["said"].as_str()), (Some("failed"), Some("unknown")));
    let (status, nothing, _) = call(&["--format", "junit", "--output", "x.xml"]);
    let xml = folder.read("x.xml");
    assert_eq!((status, nothing.as_str(), xml.contains("tests=\"2\" failures=\"1\" errors=\"1\"")), (1, "", true), "{xml}");
    assert!(call(&["--format", "markdown", "--lang", "ko"]).1.starts_with("## "));
    assert_eq!(folder.status(&["compare", "base.json", "slow.json", "--format", "junit"]), 2, "no limit, no case");
    assert_eq!(call(&["--output", "no/such/folder.xml"]).0, 3);
}

#[test]
fn a_saved_run_is_judged_by_limits_and_written_as_junit() {
    let mut failed = run(2, 100);
    failed.traces[0].outcome = Outcome::NetworkError;
    let folder = Folder::with(&[("run.json", run(1, 100)), ("failed.json", failed)]);
    let judge = |file: &str, limits: &[&str]| {
        let limits = limits.iter().flat_map(|limit| ["--slo", limit]);
        folder.call(&["report", file].into_iter().chain(limits).chain(["--junit", "x.xml"]).collect::<Vec<_>>())
    };
    let (status, out, said) = judge("run.json", &["p95(first_answer)<300ms"]);
    assert_eq!((status, out.as_str()), (0, ""), "{said}");
    assert!(said.contains("holds: p95(first_answer)<300ms (measured 194 ms") && said.contains("n = 100"), "{said}");
    let xml = folder.read("x.xml");
    assert!(xml.contains("tests=\"2\" failures=\"0\" errors=\"0\"") && xml.contains("Firefox 153.0"), "{xml}");
    assert_eq!(judge("run.json", &["p95(first_answer)<150ms"]).0, 1);
    assert_eq!(judge("run.json", &["p95(first_answer)<195ms"]).0, 4);
    assert!(folder.read("x.xml").contains("type=\"not_enough_data\""));
    assert_eq!(judge("failed.json", &["p95(first_answer)<300ms"]).0, 1, "a request failed, and no limit allows it");
    assert_eq!(judge("failed.json", &["p95(first_answer)<300ms", "error_rate<10%"]).0, 0);
    let (status, _, said) = judge("run.json", &["first_answer<1s"]);
    assert_eq!((status, said.contains("p95(first_answer)")), (2, true), "{said}");
    assert_eq!(folder.status(&["report", "run.json"]), 2, "nothing was asked for");
}

/// A collector that answers everything in one way, and says what it was sent.
fn collector(status: &'static str) -> (String, Receiver<(String, String)>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let (sent, heard) = channel();
    std::thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            let mut reader = BufReader::new(&socket);
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).is_ok_and(|n| n > 0) {}
            let length = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
            let mut body = vec![0; length.unwrap_or(0)];
            reader.read_exact(&mut body).expect("a body");
            let reply = format!("HTTP/1.1 {status}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}");
            (&socket).write_all(reply.as_bytes()).expect("written");
            if sent.send((head, String::from_utf8(body).expect("text"))).is_err() {
                return;
            }
        }
    });
    (base, heard)
}

#[test]
fn a_saved_run_is_sent_as_the_documents_that_are_written() {
    let folder = Folder::with(&[("run.json", run(1, 100))]);
    let (base, heard) = collector("200 OK");
    let mut command = Command::new(env!("CARGO_BIN_EXE_firstlight"));
    command.args(["report", "run.json", "--otlp", &base]).current_dir(folder.0.path());
    let output = command.env("OTEL_EXPORTER_OTLP_HEADERS", "x-api-key=sk-secret").output().expect("started");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("2 documents") && !said.contains("sk-secret"), "{said}");
    let sent: Vec<(String, String)> = heard.try_iter().collect();
    assert!(sent.iter().all(|(head, _)| head.to_ascii_lowercase().contains("x-api-key: sk-secret")));
    for (at, path, format) in [(0, "/v1/metrics", "otlp-metrics"), (1, "/v1/traces", "otlp-traces")] {
        assert!(sent[at].0.starts_with(&format!("POST {path} HTTP/1.1\r\n")), "{}", sent[at].0);
        assert_eq!(sent[at].1, folder.call(&["report", "run.json", "--format", format]).1, "the same bytes");
    }
    let (refusing, _heard) = collector("400 Bad Request");
    let (status, _, said) = folder.call(&["report", "run.json", "--otlp", &refusing]);
    assert_eq!((status, said.contains("the run was not sent") && said.contains("HTTP 400")), (3, true), "{said}");
    let (status, _, said) = folder.call(&["report", "run.json", "--otlp", "nonsense"]);
    assert_eq!((status, said.contains("--otlp: ") && said.contains("http://127.0.0.1:4318")), (2, true), "{said}");
}
