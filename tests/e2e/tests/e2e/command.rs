//! `firstlight measure`: the same page in the same browsers, from the command line.

use std::path::Path;
use std::process::{Command, Output};

use firstlight_core::outcome::Outcome;
use firstlight_core::report::Run;
use firstlight_e2e::shared::Alone;
use firstlight_e2e::stub::Stub;
use firstlight_e2e::{Engine, places};

use crate::checks::{all_complete, check};

const KEY: &str = "sk-e2e-command-line";

/// Runs the command in a folder; the built page and the key's variable are given.
pub fn measure(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(places::firstlight().expect("the command is built"));
    command.arg("measure").args(args).arg("--dist").arg(places::dist());
    command.current_dir(folder).env("E2E_KEY", KEY).output().expect("it runs")
}

/// The exit code, with everything that was printed for the message of a failure.
fn ended(output: &Output, code: i32) -> String {
    let text = format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert!(!text.contains(KEY), "the key is printed: {text}");
    text
}

fn saved(path: &Path) -> Run {
    let text = std::fs::read_to_string(path).expect("the run is saved");
    assert!(!text.contains(KEY), "the key is saved");
    Run::from_json(&text).expect("a run")
}

fn measures(engine: Engine, browser: &str, agent: &str) {
    let _alone = Alone::take();
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["--target", "builtin:fast", "--cross-origin", "--requests", "5", "--warmup", "1", "--browser", browser];
    let output = measure(folder.path(), &[&args[..], &["--out", "run.json"]].concat());
    let printed = ended(&output, 0);
    let run = saved(&folder.path().join("run.json"));
    assert!(run.environment.user_agent.contains(agent), "{}", run.environment.user_agent);
    assert_eq!(run.traces.len(), 6);
    all_complete(&run);
    run.traces.iter().for_each(check);
    let seen = run.traces.iter().filter(|trace| trace.first_visible.is_ok()).count();
    assert_eq!(seen, 6, "{engine:?} shows what it measures");
    assert!(printed.contains("p50") && printed.contains("p95") && printed.contains("Saved: run.json"), "{printed}");
    // Failed requests are a result, and another exit code.
    let args = ["--target", "builtin:fast?fault=status-500", "--requests", "2", "--warmup", "0", "--browser", browser];
    let output = measure(folder.path(), &[&args[..], &["--out", "failed.json"]].concat());
    ended(&output, 1);
    let run = saved(&folder.path().join("failed.json"));
    assert!(run.traces.iter().all(|trace| trace.outcome == Outcome::HttpError { status: 500 }), "{run:?}");
}

#[test]
fn chromium_measures() {
    measures(Engine::Chromium, "chromium", "Chrome/");
}

#[test]
fn firefox_measures() {
    measures(Engine::Firefox, "firefox", "Firefox/");
}

/// More at once than a browser keeps connections, over the server's own https.
fn measures_over_https(browser: &str) {
    let _alone = Alone::take();
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["--https", "--target", "builtin:fast?ttft_ms=300", "--cross-origin", "--requests", "24", "--concurrency", "12"];
    let output = measure(folder.path(), &[&args[..], &["--warmup", "0", "--browser", browser, "--out", "run.json"]].concat());
    ended(&output, 0);
    let run = saved(&folder.path().join("run.json"));
    assert_eq!((run.traces.len(), run.environment.isolated), (24, true));
    assert!(run.config.url.starts_with("https://127.0.0.1:"), "{}", run.config.url);
    all_complete(&run);
    let protocols = run.traces.iter().filter_map(|trace| trace.network.as_ref().ok()?.protocol.as_deref());
    let protocols: std::collections::BTreeSet<&str> = protocols.collect();
    assert_eq!(protocols.into_iter().collect::<Vec<_>>(), ["h2"]);
}

#[test]
fn chromium_measures_over_https() {
    measures_over_https("chromium");
}

#[test]
fn firefox_measures_over_https() {
    measures_over_https("firefox");
}

#[test]
fn wrong_arguments_send_nothing() {
    let _alone = Alone::take();
    let folder = tempfile::tempdir().expect("a folder");
    let stub = Stub::page("never asked").expect("a stub");
    for (args, said) in [
        (&["--target", stub.url(), "--requests", "0"][..], "Requests"),
        (&["--target", "127.0.0.1:8080/v1"], "127.0.0.1:8080/v1"),
        (&["--target", "builtin:nonsense"], "worked-example"),
        (&["--target", stub.url(), "--body-fields", "[1]"], "--body-fields"),
        (&["--target", stub.url(), "--header", "no colon"], "Name: value"),
        (&["--target", stub.url(), "--api-key-env", "E2E_NO_SUCH_KEY"], "E2E_NO_SUCH_KEY"),
        (&["--target", stub.url(), "--no-such-option"], "--no-such-option"),
        (&[], "--target"),
    ] {
        let printed = ended(&measure(folder.path(), args), 2);
        assert!(printed.contains(said), "“{said}” is not in {printed}");
    }
    assert_eq!(stub.heads(), [""; 0], "something was sent");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "something was saved");
}

#[test]
fn what_cannot_be_done_here_is_said() {
    let _alone = Alone::take();
    let folder = tempfile::tempdir().expect("a folder");
    let output = measure(folder.path(), &["--target", "builtin", "--browser-binary", "/nowhere/chromium"]);
    assert!(ended(&output, 3).contains("/nowhere/chromium"));
    let mut command = Command::new(places::firstlight().expect("the command is built"));
    let output = command.args(["measure", "--target", "builtin"]).current_dir(folder.path()).output().expect("it runs");
    assert!(ended(&output, 3).contains("index.html is missing"));
}

#[test]
fn a_key_from_the_environment_is_sent_and_neither_printed_nor_saved() {
    const BODY: &str = r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"Yes."},"finish_reason":"stop"}]}"#;
    let _alone = Alone::take();
    let folder = tempfile::tempdir().expect("a folder");
    let stub = Stub::json(BODY).expect("a stub");
    let args = ["--target", stub.url(), "--api-key-env", "E2E_KEY", "--mode", "non-streaming", "--requests", "1"];
    let output = measure(folder.path(), &[&args[..], &["--warmup", "0", "--out", "run.json"]].concat());
    ended(&output, 0);
    all_complete(&saved(&folder.path().join("run.json")));
    let heads = stub.heads();
    let posts: Vec<&String> = heads.iter().filter(|head| head.starts_with("POST")).collect();
    assert_eq!(posts.len(), 1);
    assert!(posts[0].to_ascii_lowercase().contains(&format!("authorization: bearer {KEY}")), "{posts:?}");
}
