//! `firstlight measure --webdriver`: several real browsers of several real drivers, behind one address, as a grid has them.

use std::path::Path;
use std::process::{Command, Stdio};

use firstlight_core::metrics::{Figure, Metric};
use firstlight_core::report::{Lost, Run};
use firstlight_e2e::hub::Hub;
use firstlight_e2e::ports::free_port;
use firstlight_e2e::shared::Alone;
use firstlight_e2e::{Engine, Served, places};
use hdrhistogram::serialization::Deserializer;
use serde_json::{Value, json};

use crate::checks::{all_complete, check};
use crate::command::measure;

fn capabilities(engines: &[Engine]) -> String {
    let all: Vec<Value> = engines.iter().map(|engine| Value::Object(engine.capabilities().expect("an engine"))).collect();
    json!(all).to_string()
}

fn saved(path: &Path) -> Run {
    Run::from_json(&std::fs::read_to_string(path).expect("saved")).expect("a run")
}

/// How often each value of a histogram was counted, by the largest value of its bucket.
fn buckets(histogram: &hdrhistogram::Histogram<u64>) -> Vec<(u64, u64)> {
    let all = histogram.iter_recorded();
    all.map(|at| (histogram.highest_equivalent(at.value_iterated_to()), at.count_since_last_iteration())).collect()
}

#[test]
fn the_buckets_of_many_browsers_are_those_of_all_their_samples() {
    let _alone = Alone::take();
    let folder = tempfile::tempdir().expect("a folder");
    let engines = [Engine::Chromium, Engine::Firefox];
    let hub = Hub::over(&engines).expect("two drivers");
    let wanted = capabilities(&engines);
    let args = ["--webdriver", hub.url(), "--browsers", "2", "--stagger-ms", "50", "--capabilities", &wanted];
    let load = ["--target", "builtin:fast?ttft_ms=150", "--requests", "8", "--concurrency", "2", "--warmup", "1"];
    let output = measure(folder.path(), &[&args[..], &load, &["--seed", "7", "--out", "run.json"]].concat());
    let printed = format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(printed.contains("2 browsers × closed loop, 2 at once"), "{printed}");
    assert!(printed.contains("By browser") && printed.contains("1: chrome") && printed.contains("2: firefox"), "{printed}");

    let run = saved(&folder.path().join("run.json"));
    all_complete(&run);
    run.traces.iter().for_each(check);
    assert_eq!(run.traces.len(), 18, "eight and a warm-up in each");
    // Every sample keeps its browser.
    let origins = run.origins();
    let agents: Vec<bool> =
        ["Chrome/", "Firefox/"].iter().zip(&origins).map(|(n, o)| o.environment.user_agent.contains(n)).collect();
    assert_eq!((origins.len(), agents), (2, vec![true, true]));
    let sessions = origins.iter().map(|o| o.environment.session.clone().expect("a session"));
    let sessions: Vec<(u32, String, bool)> =
        sessions.map(|s| (s.number, s.browser, s.version.is_empty() || s.platform.is_empty())).collect();
    assert_eq!(sessions, [(1, "chrome".to_owned(), false), (2, "firefox".to_owned(), false)]);
    assert!(origins.iter().all(|origin| origin.traces.len() == 9));
    let grid = run.environment.grid.as_deref().expect("a grid");
    assert_eq!((grid.asked, grid.measured, grid.stagger_ms, grid.lost.len()), (2, 2, 50, 0));

    // The histograms of the file, bucket by bucket, against the samples of both browsers put together by hand.
    let text = std::fs::read_to_string(folder.path().join("run.json")).expect("saved");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    for metric in [Metric::Ttft, Metric::EndToEnd, Metric::FirstAnswer] {
        let written = file["histograms"].as_object().expect("histograms");
        let key = format!("{}/streaming/value", metric.code());
        let written = written.get(&key).unwrap_or_else(|| panic!("no {key} in {:?}", written.keys().collect::<Vec<_>>()));
        use base64::Engine as _;
        let bytes = base64::engine::general_purpose::STANDARD.decode(written["hdr"].as_str().expect("text")).expect("base64");
        let pooled: hdrhistogram::Histogram<u64> = Deserializer::new().deserialize(&mut bytes.as_slice()).expect("a histogram");
        let mut by_hand = hdrhistogram::Histogram::<u64>::new_with_bounds(1, 3_600_000_000, 3).expect("a histogram");
        for trace in origins.iter().flat_map(|origin| origin.traces).filter(|trace| !trace.planned.warmup) {
            let Ok(Figure::Exact(us)) = metric.of(trace) else { panic!("{key} of {trace:?}") };
            by_hand.record(us.max(1).unsigned_abs()).expect("within bounds");
        }
        assert_eq!(pooled.len(), 16, "{key}");
        assert_eq!(buckets(&pooled), buckets(&by_hand), "{key}");
    }
}

#[test]
fn a_browser_that_is_killed_is_said_and_counted() {
    let _alone = Alone::take();
    let folder = tempfile::tempdir().expect("a folder");
    let engines = [Engine::Chromium, Engine::Chromium];
    let mut hub = Hub::over(&engines).expect("two drivers");
    let served = Served::start().expect("an endpoint");
    let target = served.endpoint("preset=fast&ttft_ms=250&rid=of-both");
    let mut command = Command::new(places::firstlight().expect("the command is built"));
    command.arg("measure").arg("--dist").arg(places::dist()).current_dir(folder.path());
    command.args(["--webdriver", hub.url(), "--browsers", "2", "--capabilities", &capabilities(&engines[..1])]);
    command.args(["--target", &target, "--requests", "24", "--warmup", "0", "--out", "run.json"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    // Both are at it: more requests are under way than one browser has at once.
    served.wait_for_truth("of-both", |truths| truths.iter().filter(|t| t.closed_us.is_none()).count() > 1).expect("requests");
    hub.kill(1).expect("killed");
    let output = child.wait_with_output().expect("it ends");
    let printed = format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(5), "{printed}");
    assert!(printed.contains("gave no run: it went away while it measured"), "{printed}");
    assert!(printed.contains("1 of 2 browsers gave a run") && printed.contains("1 of 2 browsers × "), "{printed}");
    let run = saved(&folder.path().join("run.json"));
    all_complete(&run);
    let grid = run.environment.grid.as_deref().expect("a grid");
    assert_eq!((grid.asked, grid.measured, grid.at_once, run.traces.len()), (2, 1, 2, 24));
    assert_eq!(grid.lost.iter().map(|lost| lost.why).collect::<Vec<_>>(), [Lost::WentAway]);
    assert_eq!(grid.lost[0].session.browser, "chrome");
}

#[test]
fn a_grid_that_cannot_be_used_says_why() {
    let _alone = Alone::take();
    let folder = tempfile::tempdir().expect("a folder");
    let fails = |args: &[&str], code: i32, said: &[&str]| {
        let output = measure(folder.path(), args);
        let text = format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{text}");
        said.iter().for_each(|said| assert!(text.contains(said), "“{said}” is not in {text}"));
    };
    let target = ["--target", "builtin:fast"];
    fails(&[&target[..], &["--webdriver", "http://127.0.0.1:1"]].concat(), 3, &["no browser gave a run", "refused"]);
    fails(&[&target[..], &["--webdriver", "http://192.0.2.1:4444"]].concat(), 2, &["--listen 0.0.0.0", "--public-url"]);
    // A browser that can't come to the page's server: nothing is there under the address that it is told.
    let hub = Hub::over(&[Engine::Chromium]).expect("a driver");
    let wanted = capabilities(&[Engine::Chromium]);
    let nowhere = format!("http://127.0.0.1:{}", free_port().expect("a port"));
    let args = ["--webdriver", hub.url(), "--capabilities", &wanted, "--public-url", &nowhere, "--fetch-timeout-s", "10"];
    fails(&[&target[..], &args].concat(), 3, &["the page could not be opened", "must reach this server from there"]);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "something was saved");
}
