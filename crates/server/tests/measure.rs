//! `firstlight measure` with real browsers: the job reaches the page, its report reaches the run file, nothing is left behind.
//!
//! The page is a small stand-in that sends one request and reports a prepared run; the real one has its own tests.

use std::path::Path;
use std::process::{Command, Output};

use firstlight_core::Micros;
use firstlight_core::config::{RunConfig, TargetKind};
use firstlight_core::mark::{Absence, Mark, Marks};
use firstlight_core::outcome::Outcome;
use firstlight_core::report::{Clock, Environment, Run};
use firstlight_core::server_report::Access;
use firstlight_core::trace::{Amounts, Flags, Mode, Planned, Shape, Trace};

const PAGE: &str = r#"<!doctype html><title>t</title><script type="module" src="page.js"></script>"#;
const SCRIPT: &str = r#"
const path = `/api/auto/${new URLSearchParams(location.search).get("auto")}`;
const job = await (await fetch(path)).json();
const report = await (await fetch("report.json")).json();
if (report.run) {
  const body = JSON.stringify({ stream: true });
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${job.secrets.api_key}` };
  const reply = await fetch(job.config.url, { method: "POST", headers, body });
  const text = await reply.text();
  report.run.config = job.config;
  report.run.environment.user_agent = navigator.userAgent;
  report.run.environment.language = `${text.length} ${reply.headers.get("Server-Timing") !== null} ${location.search.slice(-8)}`;
  report.run.environment.viewport = [innerWidth, innerHeight];
  report.run.environment.isolated = crossOriginIsolated;
}
await fetch(path, { method: "POST", body: JSON.stringify(report) });
"#;

fn trace(id: u32, outcome: Outcome) -> Trace {
    let mut marks = Marks::default();
    for (mark, ms) in [(Mark::Sent, 0), (Mark::FirstOutput, 450), (Mark::FirstAnswer, 450), (Mark::LastOutput, 1400)] {
        marks.set(mark, Micros::ms(ms));
    }
    Trace {
        planned: Planned::measured(id, Mode::Streaming),
        marks,
        first_visible: Err(Absence::NotInPaintedSubset),
        complete_visible: Err(Absence::NotInPaintedSubset),
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
        outcome,
        last_known: Micros::ms(1500),
        flags: Flags::default(),
        diagnostics: Vec::new(),
        check: None,
    }
}

fn report(outcomes: &[Outcome]) -> String {
    let config = RunConfig { timeout_ms: 1000, ..RunConfig::of("http://127.0.0.1:1/") };
    let run = Run {
        config,
        environment: Environment::default(),
        clock: Clock { step_us: 5, joint_us: None, lag: None },
        created: "2026-01-02T03:04:05.678Z".into(),
        stopped: false,
        stopped_by: None,
        page_ended: false,
        workload: None,
        probes: firstlight_core::align::Probes::default(),
        traces: outcomes.iter().zip(0..).map(|(outcome, id)| trace(id, outcome.clone())).collect(),
        parts: Vec::new(),
        scraped: None,
    };
    serde_json::json!({"run": run.to_file()}).to_string()
}

/// A directory with a stand-in for the page, and one for everything temporary.
struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new(report: &str) -> Place {
        let dir = tempfile::tempdir().expect("a directory");
        for name in ["dist", "tmp", "work"] {
            std::fs::create_dir(dir.path().join(name)).expect("a directory");
        }
        for (name, text) in [("index.html", PAGE), ("page.js", SCRIPT), ("report.json", report)] {
            std::fs::write(dir.path().join("dist").join(name), text).expect("written");
        }
        Place { dir }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.dir.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_firstlight"));
        command.arg("measure").arg("--dist").arg(self.path("dist")).args(args);
        command.env("TMPDIR", self.path("tmp")).current_dir(self.path("work"));
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("started")
    }

    /// No profile and no process of the browser is left.
    fn check_clean(&self) {
        let tmp = self.path("tmp");
        let left: Vec<_> = std::fs::read_dir(&tmp).expect("a directory").flatten().map(|e| e.path()).collect();
        assert!(left.is_empty(), "{left:?}");
        assert_eq!(processes_naming(&tmp), Vec::<String>::new());
    }
}

fn processes_naming(path: &Path) -> Vec<String> {
    let path = path.to_string_lossy();
    let processes = std::fs::read_dir("/proc").expect("/proc").flatten();
    let lines = processes.filter_map(|p| std::fs::read(p.path().join("cmdline")).ok());
    lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " ")).filter(|line| line.contains(&*path)).collect()
}

fn texts(output: &Output) -> (String, String) {
    (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn saved(path: &Path) -> Run {
    Run::from_json(&std::fs::read_to_string(path).expect("a run file")).expect("a run")
}

/// From the command line through a browser to the run file.
fn check(browser: &str, agent: &str) {
    let place = Place::new(&report(&[Outcome::Complete, Outcome::Complete]));
    let args = ["--browser", browser, "--target", "builtin:fast", "--requests", "2", "--seed", "9", "--out", "run.json"];
    let output = place.run(&args);
    let (stdout, stderr) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "is {browser} installed? cargo xtask setup --browsers\n{stdout}\n{stderr}");
    let run = saved(&place.path("work").join("run.json"));
    assert!(run.environment.user_agent.contains(agent), "{:?}", run.environment);
    assert!(run.environment.isolated, "the page is cross-origin isolated");
    assert_eq!(run.environment.viewport.0, 1280, "{:?}", run.environment);
    assert!(run.environment.viewport.1 > 650, "{:?}", run.environment);
    assert_eq!((run.config.requests, run.config.seed), (2, 9));
    assert_eq!(run.config.target, TargetKind::BuiltIn("fast".into()));
    // The endpoint answered the page, and the page could read the header.
    assert!(run.environment.language.ends_with(" true &lang=en"), "{}", run.environment.language);
    assert!(stdout.contains("450") && stdout.contains("1,400") && stdout.contains("run.json"), "{stdout}");
    place.check_clean();
}

#[test]
fn chromium_measures() {
    check("chromium", "Chrome/");
}

#[test]
fn firefox_measures() {
    check("firefox", "Firefox/");
}

/// An endpoint that refuses browsers: it knows neither CORS nor preflights. It gives the head of each request.
fn refuses_browsers() -> (String, std::sync::mpsc::Receiver<String>) {
    use std::io::{BufRead as _, BufReader, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let (heads, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            let mut reader = BufReader::new(&socket);
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).is_ok_and(|n| n > 0) {}
            let reply = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\nanswers";
            (&socket).write_all(reply.as_bytes()).expect("written");
            if heads.send(head).is_err() {
                return;
            }
        }
    });
    (address, heard)
}

#[test]
fn an_endpoint_that_refuses_browsers_is_measured_through_the_forwarder() {
    for (browser, origin) in [("chromium", "--cross-origin"), ("firefox", "--cross-origin"), ("chromium", "--lang=en")] {
        let (address, heard) = refuses_browsers();
        let place = Place::new(&report(&[Outcome::Complete]));
        let up = format!("up=http://{address}/base");
        let args =
            ["--forward", &up, "--target", "forward:up/v1?key=secret-query", "--api-key-env", "MY_KEY", "--out", "run.json"];
        let output =
            place.command(&args).args(["--browser", browser, origin]).env("MY_KEY", "sk-secret").output().expect("started");
        let (stdout, stderr) = texts(&output);
        assert_eq!(output.status.code(), Some(0), "{stdout}\n{stderr}");
        let heads: Vec<String> = heard.try_iter().collect();
        assert_eq!(heads.len(), 1, "the request alone, without its preflight: {heads:?}");
        let head = heads[0].to_ascii_lowercase();
        assert!(head.starts_with("post /base/v1?key=secret-query http/1.1\r\n"), "{head}");
        assert!(head.contains("authorization: bearer sk-secret\r\n") && head.contains("accept-encoding: "), "{head}");
        for dropped in ["origin:", "referer:", "cookie:", "sec-", "accept-language:"] {
            assert!(!head.contains(&format!("\n{dropped}")), "{dropped} in {head}");
        }
        // The whole answer came, and the page could read the spans.
        let run = saved(&place.path("work").join("run.json"));
        assert!(run.environment.language.starts_with("7 true "), "{}", run.environment.language);
        assert!(!stdout.contains("secret") && !stderr.contains("secret"), "{stdout}\n{stderr}");
        place.check_clean();
    }
}

#[test]
fn failed_requests_give_exit_code_1_and_cross_origin_replies_can_be_read() {
    let place = Place::new(&report(&[Outcome::Complete, Outcome::HttpError { status: 500 }]));
    let output = place.run(&["--target", "builtin:fast?tokens=3", "--cross-origin", "--lang", "ko"]);
    let (stdout, stderr) = texts(&output);
    assert_eq!(output.status.code(), Some(1), "{stdout}\n{stderr}");
    let run = saved(&place.path("work").join("firstlight-2026-01-02T03-04-05.json"));
    assert!(run.config.url.ends_with("/v1/chat/completions?preset=fast&tokens=3"), "{}", run.config.url);
    assert!(!run.environment.page.starts_with(&run.config.url[..22]), "another origin than the page's");
    assert!(run.environment.language.ends_with(" true &lang=ko"), "{}", run.environment.language);
    place.check_clean();
}

#[test]
fn a_page_that_cannot_begin_says_why() {
    let place = Place::new(r#"{"run": null, "problems": ["the page is hidden"]}"#);
    let output = place.run(&["--target", "builtin:fast"]);
    let (_, stderr) = texts(&output);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("the page is hidden"), "{stderr}");
    place.check_clean();
}

#[test]
fn wrong_arguments_are_all_told_and_give_exit_code_2() {
    let place = Place::new("{}");
    let args =
        ["--target", "example.com/v1", "--requests", "0", "--prompt", " ", "--header", "nonsense", "--body-fields", "[1]"];
    let output = place.run(&args);
    let (_, stderr) = texts(&output);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    for part in ["Name: value", "JSON object"] {
        assert!(stderr.contains(part), "{stderr}");
    }
    let output = place.run(&["--target", "example.com/v1", "--requests", "0", "--prompt", " "]);
    let (_, stderr) = texts(&output);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    for part in ["example.com/v1", "Requests", "prompt is empty"] {
        assert!(stderr.contains(part), "{stderr}");
    }
    assert_eq!(place.run(&["--target"]).status.code(), Some(2));
    let output = place.run(&["--forward", "api=ftp://example.com", "--target", "forward:other/v1"]);
    assert_eq!(output.status.code(), Some(2));
    for part in ["--forward api: ", "forward:other"] {
        assert!(texts(&output).1.contains(part), "{output:?}");
    }
    let unset = place.run(&["--target", "builtin", "--api-key-env", "FIRSTLIGHT_TEST_UNSET"]);
    assert_eq!(unset.status.code(), Some(2));
    assert!(texts(&unset).1.contains("FIRSTLIGHT_TEST_UNSET"));
}

#[test]
fn a_missing_browser_names_its_package() {
    let place = Place::new("{}");
    for (browser, package) in [("chromium", "apt install chromium"), ("firefox", "apt install firefox-esr")] {
        let output = place.command(&["--target", "builtin", "--browser", browser]).env("PATH", "").output().expect("started");
        let (_, stderr) = texts(&output);
        assert_eq!(output.status.code(), Some(3), "{stderr}");
        assert!(stderr.contains(package), "{stderr}");
    }
}

#[cfg(unix)]
#[test]
fn a_browser_that_ends_early_is_quoted_and_never_sees_the_key() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new("{}");
    let script = place.path("browser.sh");
    let text = format!("#!/bin/sh\nenv > {}\nsleep 300 &\necho cannot open display >&2\nexit 7\n", place.path("env").display());
    std::fs::write(&script, text).expect("written");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let binary = script.to_string_lossy().into_owned();
    let mut command = place.command(&["--target", "builtin", "--api-key-env", "MY_KEY", "--browser-binary", &binary]);
    let output = command.env("MY_KEY", "sk-secret").output().expect("started");
    let (stdout, stderr) = texts(&output);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("cannot open display") && stderr.contains("exit status: 7"), "{stderr}");
    assert!(!stderr.contains("sk-secret") && !stdout.contains("sk-secret"));
    let env = std::fs::read_to_string(place.path("env")).expect("the environment");
    assert!(env.contains("TMPDIR=") && !env.contains("sk-secret"), "{env}");
    place.check_clean();
}
