//! `measure` of the npm package in a host's page, under the server's strict policy: what it says follows from what the server
//! really did, and nothing of it stays behind.

use std::path::Path;

use firstlight_core::Micros;
use firstlight_core::mark::Mark;
use firstlight_core::paint::Method;
use firstlight_core::report::{Run, figures, sample};
use firstlight_core::summary::Summary;
use firstlight_e2e::served::{write_of_first_answer, write_of_last_answer};
use firstlight_e2e::{Browser, Engine, Page, Served, places};
use firstlight_server::Options;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::checks::{all_complete, at, check};

const PAGE: &str = include_str!("../../pages/measure.html");
const SCRIPT: &str = include_str!("../../pages/measure-host.js");
/// Calls a scenario of the page.
const CALL: &str = "const page = window.wrappedJSObject ?? window;\
    return await new Promise((give, fail) => page.host(args[0], args[1]).then((said) => give(String(said)), (error) => fail(String(error))));";

/// A server with the host's page on it, opened.
struct Host<'a> {
    served: Served,
    page: Page<'a>,
    /// What the page held before anything was measured.
    before: Value,
    _site: TempDir,
}

impl<'a> Host<'a> {
    fn open(browser: &'a Browser) -> Host<'a> {
        Host::with_policy(browser, None)
    }

    /// With a policy of its own beside the server's.
    fn with_policy(browser: &'a Browser, policy: Option<&str>) -> Host<'a> {
        let site = tempfile::tempdir().expect("a directory");
        let policy = policy.map(|policy| format!("<head><meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">"));
        let page = policy.map_or_else(|| PAGE.to_owned(), |policy| PAGE.replace("<head>", &policy));
        std::fs::write(site.path().join("index.html"), page).expect("written");
        std::fs::write(site.path().join("measure-host.js"), SCRIPT).expect("written");
        for part in ["", "measure"] {
            copy(&places::npm().join(part), &site.path().join("firstlight").join(part));
        }
        let options = Options { dist: Some(site.path().to_owned()), ..Options::default() };
        let served = Served::start_as(options).expect("the server starts");
        let page = Page::open(browser, &served.running().page_url()).expect("the page opens");
        let mut host = Host { served, page, before: Value::Null, _site: site };
        host.before = host.ask("left", &json!([]));
        host
    }

    fn ask(&self, scenario: &str, args: &Value) -> Value {
        let said = self.page.browser().execute_async(CALL, vec![json!(scenario), json!(args.to_string())]);
        let said = said.unwrap_or_else(|error| panic!("{scenario}: {error:#}"));
        serde_json::from_str(said.as_str().expect("a text")).expect("JSON")
    }

    /// Nothing was loaded before it was used; nothing was thrown, logged or forbidden; no listener, observer, worker, sheet or
    /// global stays.
    fn check_left(&self) {
        let (before, after) = (&self.before, self.ask("left", &json!([])));
        assert_eq!((&before["loadedAtImport"], &after["loaded"]), (&json!(0), &json!(1)));
        for kept in ["open", "sheets"] {
            assert_eq!(before[kept], after[kept], "{kept}: {after}");
        }
        for none in ["workers", "observers"] {
            assert_eq!(after[none], json!(0), "{none}: {after}");
        }
        assert_eq!((&after["added"], &after["problems"]), (&json!([]), &json!([])));
    }
}

/// The files of a folder that a page loads.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a directory");
    let files = std::fs::read_dir(from)
        .unwrap_or_else(|_| panic!("there is no package in {}: run `cargo xtask npm`, or set FIRSTLIGHT_NPM", from.display()));
    let loaded = |path: &Path| path.extension().is_some_and(|ext| ext == "js" || ext == "wasm");
    for file in files.map(|file| file.expect("a file").path()).filter(|file| loaded(file)) {
        std::fs::copy(&file, to.join(file.file_name().expect("a name"))).expect("copied");
    }
}

/// The run of a report, which must open like any other.
fn run_of(said: &Value) -> Run {
    assert!(said["error"].is_null(), "{said}");
    let run = Run::from_json(&said["report"]["run"].to_string()).expect("a run");
    run.traces.iter().for_each(check);
    run
}

/// As it is when it has been text in between: a number of seventeen digits may be read as its neighbour.
fn as_read(value: &Value) -> Value {
    serde_json::from_str(&value.to_string()).expect("JSON")
}

pub(crate) fn its_figures_follow_the_servers_truth(browser: &Browser) {
    let host = Host::open(browser);
    let clocks = host.served.join_clocks(&host.page).expect("joined clocks");
    let url = host.served.endpoint("preset=fast&rid=embedded");
    let config = json!({"url": url, "requests": 6, "warmup": 1, "prompt": "Why is the sky blue?"});
    let said = host.ask("run", &json!([config, {"apiKey": "sk-e2e-hidden"}]));
    let (run, report) = (run_of(&said), &said["report"]);
    all_complete(&run);
    let truths = host.served.truths("embedded");
    assert_eq!((run.traces.len(), truths.len()), (7, 7));
    let error = clocks.error + Micros(run.clock.step_us + run.clock.joint_us.unwrap_or(0));
    for (trace, truth) in run.traces.iter().zip(&truths) {
        let received = clocks.on_page(i64::try_from(truth.received_us).expect("a time"));
        assert!(at(trace, Mark::Sent) <= received + error, "sent after it came: {trace:?} {truth:?}");
        let first = clocks.on_page(write_of_first_answer(truth).expect("an answer"));
        let last = clocks.on_page(write_of_last_answer(truth).expect("an answer"));
        assert!(at(trace, Mark::FirstAnswer) + error >= first, "read before it was written: {trace:?} {truth:?}");
        assert!(at(trace, Mark::LastAnswer) + error >= last, "read before it was written: {trace:?} {truth:?}");
    }
    // What it says is what follows from the run that it gives, to the last digit.
    let expected = as_read(&figures(&run, &Summary::of(&run)));
    for (name, value) in expected.as_object().expect("an object") {
        assert_eq!(&report[name], value, "{name}");
    }
    let mut samples = said["samples"].as_array().expect("samples").clone();
    // Each is told when all is known of it.
    samples.sort_by_key(|sample| sample["id"].as_u64());
    let expected: Vec<Value> = run.traces.iter().map(|trace| as_read(&sample(trace))).collect();
    assert_eq!(samples, expected);
    // Nothing was drawn, and so nothing is said to have been seen.
    let seen = report["figures"].as_array().expect("figures").iter().find(|figure| figure["metric"] == "ttfv");
    assert_eq!(seen.expect("a row")["statistics"], json!({"absent": "not_in_painted_subset"}));
    let arrival = if browser.engine() == Engine::WebKit { "worker_through_main" } else { "worker" };
    assert_eq!(report["context"]["arrival"], json!(arrival), "{}", report["context"]);
    assert_eq!((&report["firstlight"], &report["stopped"]), (&json!(env!("CARGO_PKG_VERSION")), &json!(false)));
    assert!(!said.to_string().contains("sk-e2e-hidden"));
    host.check_left();
}

pub(crate) fn answers_are_drawn_where_the_host_says(browser: &Browser) {
    let host = Host::open(browser);
    let config = json!({"url": host.served.endpoint("preset=fast"), "requests": 4});
    for (into, by_elements) in [("light", browser.engine() == Engine::Chromium), ("shadow", false)] {
        let said = host.ask("run", &json!([config, {"into": into}]));
        let run = run_of(&said);
        all_complete(&run);
        let painted: Vec<_> = run.traces.iter().filter(|trace| trace.planned.painted).collect();
        assert!(!painted.is_empty(), "{said}");
        for trace in painted {
            for (paint, received) in [(trace.first_visible, Mark::FirstAnswer), (trace.complete_visible, Mark::LastAnswer)] {
                let seen = paint.unwrap_or_else(|why| panic!("{into}: not seen: {}; {trace:?}", why.code()));
                let method = if by_elements { Method::ElementTiming } else { Method::FrameCallbacks };
                assert_eq!((seen.method, seen.value.is_some()), (method, by_elements), "{into}: {trace:?}");
                assert!(seen.value.unwrap_or(seen.earliest) >= at(trace, received), "{into}: seen too early: {trace:?}");
            }
        }
        assert_eq!(said["unchanged"], json!(true), "{into}");
    }
    host.check_left();
}

pub(crate) fn runs_are_stopped_refused_and_wait_for_each_other(browser: &Browser) {
    let host = Host::open(browser);
    let url = host.served.endpoint("preset=fast");
    let few = json!({"url": url, "requests": 2});
    // The module is there from now on.
    let wrong = json!({"url": "ftp://a.test", "requests": 0, "mode": "streaming", "prompt": ""});
    let said = host.ask("run", &json!([wrong]));
    let error = &said["error"];
    assert_eq!(
        (&error["name"], &error["code"], &error["is"]),
        (&json!("FirstlightError"), &json!("config"), &json!(true)),
        "{said}"
    );
    let fields: Vec<&Value> = error["problems"].as_array().expect("problems").iter().map(|problem| &problem["field"]).collect();
    assert_eq!(fields, ["url", "prompt", "requests"]);
    let said = host.ask("stop", &json!([{"url": url, "requests": 1000}, 2]));
    let run = run_of(&said);
    assert!(run.stopped && said["report"]["stopped"] == json!(true), "{said}");
    assert!((2..1000).contains(&run.traces.len()), "{}", run.traces.len());
    let said = host.ask("queue", &json!([few]));
    let order: Vec<&str> = said["order"].as_array().expect("names").iter().filter_map(Value::as_str).collect();
    assert_eq!(order[2..], ["first", "second"], "{order:?}");
    for (at, ended) in [true, true, false, false].into_iter().enumerate() {
        let one = &said["all"][at];
        if ended {
            all_complete(&run_of(one));
        } else {
            assert_eq!(one["error"]["name"], json!("AbortError"), "{one}");
        }
    }
    // The second was sent when the first was over.
    let sent = |at: usize| at_sent(&run_of(&said["all"][at]));
    assert!(sent(1).0 > sent(0).1, "{said}");
    let said = host.ask("throws", &json!([few]));
    all_complete(&run_of(&said));
    assert_eq!(said["told"].as_array().map(Vec::len), Some(2), "{said}");
    host.check_left();
}

/// When the first request was sent, and when the last was.
fn at_sent(run: &Run) -> (Micros, Micros) {
    let sent: Vec<Micros> = run.traces.iter().map(|trace| at(trace, Mark::Sent)).collect();
    (sent[0], sent[sent.len() - 1])
}

pub(crate) fn a_policy_without_workers_is_told(browser: &Browser) {
    let host = Host::with_policy(browser, Some("worker-src 'none'"));
    let said = host.ask("run", &json!([{"url": host.served.endpoint("preset=fast"), "requests": 2}]));
    all_complete(&run_of(&said));
    let context = &said["report"]["context"];
    assert_eq!(context["arrival"], json!("no_worker"), "{context}");
    assert!(context["worker_refused"].as_str().is_some_and(|why| !why.is_empty()), "{context}");
    assert_eq!(host.ask("left", &json!([]))["open"], host.before["open"]);
}
