//! The custom elements and the page for frames in other people's pages: what they measure, what they tell, and what they leave alone.

use firstlight_core::mark::Mark;
use firstlight_core::outcome::Outcome;
use firstlight_core::paint::Method;
use firstlight_core::report::{ClockProbe, Embedded, Run};
use firstlight_e2e::clock::Join;
use firstlight_e2e::served::write_of_first_answer;
use firstlight_e2e::stub::Stub;
use firstlight_e2e::{Browser, Engine, Page, Served, places};
use firstlight_server::{Options, Truth};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::accessible::violations;
use crate::checks::{all_complete, at, check};

const PAGE: &str = include_str!("../../pages/element.html");
const SCRIPT: &str = include_str!("../../pages/element.js");
const STYLE: &str = include_str!("../../pages/host.css");
const FRAMES: &str = include_str!("../../pages/frame.html");
/// Calls a scenario of the page.
const CALL: &str = "const page = window.wrappedJSObject ?? window;\
    return await new Promise((give, fail) => page.host(args[0], args[1]).then((said) => give(String(said)), (error) => fail(String(error))));";

fn ask(page: &Page<'_>, scenario: &str, args: &Value) -> Value {
    let said = page.browser().execute_async(CALL, vec![json!(scenario), json!(args.to_string())]);
    let said = said.unwrap_or_else(|error| panic!("{scenario}: {error:#}"));
    serde_json::from_str(said.as_str().expect("a text")).expect("JSON")
}

/// A host's page under a strict policy, with the package beside it.
struct Host<'a> {
    served: Served,
    page: Page<'a>,
    _site: TempDir,
}

impl<'a> Host<'a> {
    fn open(browser: &'a Browser) -> Host<'a> {
        let site = tempfile::tempdir().expect("a directory");
        for (name, text) in [("index.html", PAGE), ("element.js", SCRIPT), ("host.css", STYLE)] {
            std::fs::write(site.path().join(name), text).expect("written");
        }
        for part in ["", "element", "measure"] {
            copy(part, site.path());
        }
        let options = Options { dist: Some(site.path().to_owned()), ..Options::default() };
        let served = Served::start_as(options).expect("the server starts");
        let page = served.open(browser).expect("the page opens");
        Host { served, page, _site: site }
    }

    fn ask(&self, scenario: &str, args: &Value) -> Value {
        ask(&self.page, scenario, args)
    }

    fn put(&self, key: &str, url: &str, more: &[(&str, &str)]) {
        let mut attributes = json!({"target": url, "lang": "en", "warmup": "0"});
        more.iter().for_each(|(name, value)| attributes[*name] = json!(value));
        let into = if key == "second" { "second" } else { "first" };
        self.ask("put", &json!([key, {"into": into, "attributes": attributes}]));
    }

    /// The run of the last report, sound in itself.
    fn run(&self, key: &str) -> Run {
        let run = Run::from_json(&self.ask("report", &json!([key]))["last"]["run"].to_string()).expect("a run file");
        run.traces.iter().for_each(check);
        run
    }

    /// Nothing was thrown, logged, added to the globals, or changed of the page's own styles; no event went beyond its element.
    fn check_quiet(&self) {
        let left = self.ask("left", &json!([]));
        let wanted = json!({
            "added": [], "problems": [], "bubbled": [], "sheets": 0, "color": "rgb(1, 2, 3)", "isDefined": true,
        });
        assert_eq!(left, wanted);
    }

    fn join(&self) -> Join {
        let answer = self.page.browser().execute_async(include_str!("../../src/scripts/clock.js"), vec![json!(50)]);
        let probes: Vec<ClockProbe> = serde_json::from_value(answer.expect("probes")).expect("clock probes");
        Join::from_probes(&probes).expect("the clock answers")
    }
}

/// A folder of the package's JavaScript and WebAssembly.
fn copy(part: &str, site: &std::path::Path) {
    let (from, to) = (places::npm().join(part), site.join("firstlight").join(part));
    std::fs::create_dir_all(&to).expect("a directory");
    let files = std::fs::read_dir(&from)
        .unwrap_or_else(|_| panic!("there is no package in {}: run `cargo xtask npm`, or set FIRSTLIGHT_NPM", from.display()));
    let served = |path: &std::path::PathBuf| path.extension().is_some_and(|ext| ext == "js" || ext == "wasm");
    for file in files.map(|file| file.expect("a file").path()).filter(served) {
        std::fs::copy(&file, to.join(file.file_name().expect("a name"))).expect("copied");
    }
}

fn names(told: &Value) -> Vec<&str> {
    told["names"].as_array().expect("names").iter().filter_map(Value::as_str).collect()
}

fn count(told: &Value, name: &str) -> usize {
    names(told).into_iter().filter(|of| *of == name).count()
}

/// The last write of each, and the first.
fn ended(truths: &[Truth]) -> u64 {
    truths.iter().filter_map(|truth| truth.pieces.last().map(|piece| piece.at_us)).max().expect("writes")
}

pub(crate) fn it_measures_in_a_page_that_styles_everything(browser: &Browser) {
    let host = Host::open(browser);
    let join = host.join();
    let url = host.served.endpoint("ttft_ms=120&gap_ms=20&tokens=12&rid=element");
    host.put("a", &url, &[("requests", "3"), ("warmup", "1")]);
    assert_eq!(violations(host.page.browser()), Vec::<String>::new(), "the set-up");
    host.ask("start", &json!(["a"]));
    let told = host.ask("wait", &json!(["a", "report"]));
    assert_eq!((names(&told)[0], names(&told).last()), ("ready", Some(&"report")), "{told}");
    assert_eq!((count(&told, "sample"), count(&told, "report"), count(&told, "error")), (4, 1, 0), "{told}");
    assert!(count(&told, "progress") >= 1 && told["running"] == json!(false), "{told}");
    assert_eq!(told["children"], json!(0), "nothing of the run is left in the page");

    let run = host.run("a");
    all_complete(&run);
    assert_eq!((run.environment.embedded, run.traces.len()), (Embedded::Element, 4));
    let truths = host.served.truths("element");
    assert_eq!(truths.len(), 4);
    // One request at a time: the nth that was sent is the nth that came.
    for (trace, truth) in run.traces.iter().zip(&truths) {
        let written = join.on_page(write_of_first_answer(truth).expect("an answer"));
        let early = firstlight_core::Micros(join.error.0 + run.clock.step_us + run.clock.joint_us.unwrap_or(0));
        assert!(at(trace, Mark::FirstAnswer) + early >= written, "{trace:?}");
        let seen = trace.first_visible.unwrap_or_else(|why| panic!("not seen: {}; {trace:?}", why.code()));
        let method = if browser.engine() == Engine::Chromium { Method::ElementTiming } else { Method::FrameCallbacks };
        assert_eq!(seen.method, method, "{trace:?}");
        assert!(seen.latest.is_none_or(|latest| latest + early >= written), "{trace:?}");
        assert!(trace.complete_visible.is_ok(), "{trace:?}");
    }
    // The figure is that of the samples.
    let report = host.ask("report", &json!(["a"]));
    assert_eq!((&report["reports"], &report["same"]), (&json!(1), &json!(true)));
    let mut measured: Vec<f64> = report["samples"]
        .as_array()
        .expect("samples")
        .iter()
        .filter(|sample| sample["warmup"] == json!(false))
        .map(|sample| sample["figures"]["ttft"]["value"].as_f64().expect("a figure"))
        .collect();
    measured.sort_by(f64::total_cmp);
    let rows = report["last"]["figures"].as_array().expect("figures");
    let row = rows.iter().find(|row| row["metric"] == json!("ttft")).expect("a row");
    assert_eq!((&row["n"], &row["statistics"]["p50"]["value"]), (&json!(3), &json!(measured[1])), "{row}");
    let look = host.ask("look", &json!(["a"]));
    assert!(look["text"].as_str().is_some_and(|text| text.contains("Half of the requests took")), "{look}");
    for part in ["headline", "picture", "figures", "outcomes", "again"] {
        assert!(look["parts"].as_array().is_some_and(|parts| parts.contains(&json!(part))), "{part}: {look}");
    }
    assert_eq!(violations(host.page.browser()), Vec::<String>::new(), "the result");
    host.check_quiet();
}

pub(crate) fn the_hosts_styles_do_not_reach_the_answers(browser: &Browser) {
    let host = Host::open(browser);
    host.put("a", &host.served.endpoint("ttft_ms=50&gap_ms=20&tokens=2000&rid=shown"), &[("requests", "1"), ("theme", "dark")]);
    assert_eq!(host.ask("paper", &json!(["a"])), json!("rgb(18, 21, 26)"));
    host.ask("start", &json!(["a"]));
    host.served.wait_for_truth("shown", |truths| truths.first().is_some_and(|t| t.pieces.len() > 10)).expect("it came");
    let look = host.ask("look", &json!(["a"]));
    let answer = look["answers"].as_array().expect("answers").iter().find(|answer| answer["text"] != json!("")).cloned();
    let answer = answer.unwrap_or_else(|| panic!("no answer in {look}"));
    assert_eq!((&answer["shown"], &answer["spacing"]), (&json!(true), &json!("normal")), "{answer}");
    host.ask("stop", &json!(["a"]));
    let told = host.ask("wait", &json!(["a", "report"]));
    assert_eq!((count(&told, "error"), host.run("a").stopped), (0, true), "{told}");
    host.check_quiet();
}

pub(crate) fn two_on_a_page_do_not_measure_each_other(browser: &Browser) {
    let host = Host::open(browser);
    let url = |rid: &str| host.served.endpoint(&format!("ttft_ms=300&gap_ms=10&tokens=6&rid={rid}"));
    host.put("first", &url("one"), &[("requests", "2")]);
    host.put("second", &url("two"), &[("requests", "2")]);
    host.ask("start", &json!(["first"]));
    host.ask("start", &json!(["second"]));
    let told = host.ask("wait", &json!(["second", "error"]));
    assert_eq!((&told["errors"][0]["code"], &told["running"]), (&json!("busy"), &json!(false)), "{told}");
    host.ask("wait", &json!(["first", "report"]));
    assert_eq!(host.served.truths("two").len(), 0, "nothing was sent");
    host.ask("start", &json!(["second"]));
    host.ask("wait", &json!(["second", "report"]));
    for key in ["first", "second"] {
        let run = host.run(key);
        all_complete(&run);
        assert_eq!(run.traces.len(), 2);
    }
    let (one, two) = (host.served.truths("one"), host.served.truths("two"));
    assert_eq!((one.len(), two.len()), (2, 2));
    assert!(ended(&one) < two[0].received_us, "one after the other");
    host.check_quiet();
}

pub(crate) fn taken_out_it_stops_and_nothing_restarts(browser: &Browser) {
    let host = Host::open(browser);
    host.put(
        "a",
        &host.served.endpoint("ttft_ms=20000&gap_ms=10&tokens=6&rid=gone"),
        &[("requests", "5"), ("concurrency", "2")],
    );
    host.ask("start", &json!(["a"]));
    host.served.wait_for_truth("gone", |truths| truths.len() == 2).expect("both came");
    host.ask("remove", &json!(["a"]));
    let told = host.ask("wait", &json!(["a", "report"]));
    assert_eq!(told["errors"][0]["code"], json!("disconnected"), "{told}");
    assert!(names(&told).ends_with(&["report"]) && told["children"] == json!(0) && told["running"] == json!(false), "{told}");
    let run = host.run("a");
    assert!(run.stopped && run.traces.iter().any(|trace| trace.outcome == Outcome::Cancelled), "{run:?}");
    // Back in the page: it is as if it were new, and does nothing by itself.
    host.ask("move", &json!(["a", "second"]));
    let told = host.ask("wait", &json!(["a", "ready", 2]));
    assert_eq!((&told["running"], names(&told).last()), (&json!(false), Some(&"ready")), "{told}");
    // Taken out while it still measures the clock: nothing is ever sent.
    let unsent = host.served.endpoint("preset=fast&rid=unsent");
    host.put("second", &unsent, &[]);
    host.ask("startAndRemove", &json!(["second"]));
    let told = host.ask("wait", &json!(["second", "report"]));
    assert_eq!(told["errors"][0]["code"], json!("disconnected"), "{told}");
    // Something else is measured meanwhile.
    host.put("third", &host.served.endpoint("preset=fast&rid=third"), &[("requests", "2")]);
    host.ask("start", &json!(["third"]));
    host.ask("wait", &json!(["third", "report"]));
    let sent = |rid: &str| host.served.truths(rid).len();
    assert_eq!((sent("gone"), sent("unsent"), sent("third")), (2, 0, 2));
    host.served.wait_for_truth("gone", |truths| truths.iter().all(|truth| truth.closed_us.is_some())).expect("let go");
    host.check_quiet();
}

pub(crate) fn moved_it_goes_on(browser: &Browser) {
    let host = Host::open(browser);
    host.put("a", &host.served.endpoint("ttft_ms=100&gap_ms=30&tokens=20&rid=moved"), &[("requests", "3")]);
    host.ask("start", &json!(["a"]));
    host.served.wait_for_truth("moved", |truths| truths.len() == 2).expect("the second came");
    let told = host.ask("move", &json!(["a", "second"]));
    assert_eq!(told["running"], json!(true));
    let told = host.ask("wait", &json!(["a", "report"]));
    assert_eq!((count(&told, "ready"), count(&told, "error")), (1, 0), "{told}");
    let run = host.run("a");
    all_complete(&run);
    assert_eq!((run.stopped, host.served.truths("moved").len()), (false, 3), "nothing was sent twice");
    host.check_quiet();
}

pub(crate) fn what_may_be_changed_is_the_hosts_to_say(browser: &Browser) {
    let host = Host::open(browser);
    let url = host.served.endpoint("preset=fast&rid=typed");
    let fields = |key: &str| host.ask("look", &json!([key]))["fields"].clone();
    host.put("locked", &url, &[("locked", "")]);
    assert_eq!(fields("locked"), json!([]));
    host.put("a", &url, &[("editable", "requests key"), ("lang", "ko")]);
    assert_eq!(fields("a"), json!(["key", "requests"]));
    assert!(host.ask("look", &json!(["a"]))["text"].as_str().is_some_and(|text| text.contains("요청")));
    host.ask("type", &json!(["a", {"requests": "none"}]));
    let told = host.ask("wait", &json!(["a", "error"]));
    assert_eq!(
        (&told["errors"][0]["code"], &told["errors"][0]["problems"][0]["field"]),
        (&json!("invalid"), &json!("requests"))
    );
    host.ask("type", &json!(["a", {"requests": "2", "key": "sk-typed"}]));
    host.ask("wait", &json!(["a", "report"]));
    let report = host.ask("report", &json!(["a"]));
    assert!(!report.to_string().contains("sk-typed"), "a key is in no report");
    let truths = host.served.truths("typed");
    assert_eq!(truths.len(), 2);
    // What is only a property.
    let properties = json!({"config": {"requests": 1, "max_tokens": 3, "unknown": 1}});
    host.ask("put", &json!(["b", {"attributes": {"target": url, "lang": "en"}, "properties": properties}]));
    host.ask("start", &json!(["b"]));
    let told = host.ask("wait", &json!(["b", "error"]));
    assert!(told["errors"][0]["message"].as_str().is_some_and(|text| text.contains("unknown field")), "{told}");
    assert_eq!(host.served.truths("typed").len(), 2, "nothing was sent");
    assert_eq!(violations(host.page.browser()), Vec::<String>::new(), "problems");
    host.check_quiet();
}

pub(crate) fn a_race_starts_both_at_once(browser: &Browser) {
    let host = Host::open(browser);
    let url = host.served.endpoint("ttft_ms=300&gap_ms=25&tokens=12&rid=race");
    host.ask("put", &json!(["a", {"name": "firstlight-race", "attributes": {"target": url, "lang": "en", "locked": ""}}]));
    host.ask("start", &json!(["a"]));
    let told = host.ask("wait", &json!(["a", "report"]));
    assert_eq!(count(&told, "error"), 0, "{told}");
    let run = host.run("a");
    all_complete(&run);
    assert!(run.traces.iter().all(|trace| trace.planned.painted), "every lane is looked at");
    let truths = host.served.truths("race");
    assert_eq!(truths.len(), 2);
    let last = truths.iter().map(|truth| truth.received_us).max().expect("requests");
    assert!(truths.iter().filter_map(write_of_first_answer).all(|write| last < write as u64), "{truths:?}");
    let look = host.ask("look", &json!(["a"]));
    assert!(look["text"].as_str().is_some_and(|text| text.contains("With streaming, the first words")), "{look}");
    let answers = look["answers"].as_array().expect("answers");
    assert!(answers.len() == 2 && answers.iter().all(|answer| answer["shown"] == json!(true)), "the answers stay: {look}");
    assert_eq!(violations(host.page.browser()), Vec::<String>::new(), "the race");
    host.check_quiet();
}

pub(crate) fn a_frame_speaks_with_whom_its_address_names(browser: &Browser) {
    let outer = Stub::page(FRAMES).expect("a page");
    let origin = outer.url().split("/v1").next().expect("an origin").to_owned();
    let embed_origins = vec![origin.parse().expect("an origin")];
    let options = Options { dist: Some(places::dist()), embed_origins, ..Options::default() };
    let served = Served::start_as(options).expect("the server starts");
    let page = Page::open(browser, outer.url()).expect("the page opens");
    let frame = |rid: &str, origin: &str| {
        let target = served.endpoint(&format!("ttft_ms=60&gap_ms=10&tokens=8&rid={rid}"));
        let mut url = url::Url::parse(&format!("{}embed/", served.running().page_url())).expect("an address");
        url.query_pairs_mut().extend_pairs([
            ("origin", origin),
            ("target", &target),
            ("requests", "5"),
            ("warmup", "0"),
            ("lang", "en"),
            ("locked", ""),
        ]);
        url.to_string()
    };
    // Whose messages are not for it, and for whom its own are not.
    ask(&page, "frame", &json!(["right", frame("right", &origin), true]));
    ask(&page, "frame", &json!(["wrong", frame("wrong", "https://other.example"), false]));
    let post = |key: &str, message: Value| ask(&page, "post", &json!([key, message]));
    let heard = |kind: &str, count: usize| ask(&page, "heard", &json!(["right", kind, count]));
    for message in ["hello", "start"] {
        post("wrong", json!({"firstlight": 1, "type": message}));
    }
    post("right", json!({"firstlight": 2, "type": "start"}));
    assert_eq!(heard("error", 1)[0]["error"]["code"], json!("version"));
    post("right", json!({"firstlight": 1, "type": "restart"}));
    assert_eq!(heard("error", 2)[1]["error"]["code"], json!("unknown_message"));
    post("right", json!({"firstlight": 1, "type": "configure", "setup": {"request": 3}}));
    assert_eq!(heard("error", 3)[2]["error"]["code"], json!("invalid"));
    post("right", json!({"firstlight": 1, "type": "configure", "setup": {"requests": 3, "apiKey": "sk-framed"}}));
    heard("configured", 1);
    post("right", json!({"firstlight": 1, "type": "start"}));
    let reports = heard("report", 1);
    let message = &reports[0];
    assert_eq!((&message["firstlight"], &message["report"]["context"]["embedded"]), (&json!(1), &json!("foreign_frame")));
    assert!(message["not_seen"].as_array().is_some_and(|codes| codes.contains(&json!("covered_by_outer_page"))), "{message}");
    assert!(!message.to_string().contains("sk-framed"), "a key is in no message");
    assert_eq!(message["origin"], json!(served.running().origin()));
    let run = Run::from_json(&message["report"]["run"].to_string()).expect("a run file");
    run.traces.iter().for_each(check);
    all_complete(&run);
    assert_eq!(run.environment.embedded, Embedded::ForeignFrame);
    assert!(run.traces.iter().all(|trace| trace.first_visible.is_ok()), "{run:?}");
    let types = ask(&page, "types", &json!(["right"]));
    let samples = types.as_array().expect("types").iter().filter(|kind| **kind == json!("sample")).count();
    assert_eq!((samples, served.truths("right").len()), (3, 3), "{types}");
    // Long after it was asked to start.
    assert_eq!((ask(&page, "types", &json!(["wrong"])), served.truths("wrong").len()), (json!([]), 0));
    let errors = page.errors().expect("errors");
    assert!(errors.is_empty(), "{errors:?}");
}
