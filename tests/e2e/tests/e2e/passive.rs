//! The passive part in a host's page: streams are read as without it, and what it tells of them lies inside the server's truth.

use std::time::{Duration, Instant};

use firstlight_core::passive::Report;
use firstlight_core::report::ClockProbe;
use firstlight_e2e::clock::Join;
use firstlight_e2e::rt::block_on;
use firstlight_e2e::stub::{self, Stub};
use firstlight_e2e::{Browser, Engine, Page, Served, places};
use firstlight_engine::Kind;
use firstlight_server::{Collect, CollectOptions, Options, Origins, Truth};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::checks::LIMIT;

const PAGE: &str = include_str!("../../pages/passive.html");
const SCRIPT: &str = include_str!("../../pages/passive.js");
/// Calls a scenario of the page.
const CALL: &str = "const page = window.wrappedJSObject ?? window;\
    return await new Promise((give, fail) => page.host(args[0], args[1]).then((said) => give(String(said)), (error) => fail(String(error))));";

/// A server with the host's page on it, opened.
pub(crate) struct Host<'a> {
    served: Served,
    page: Page<'a>,
    _site: TempDir,
}

impl<'a> Host<'a> {
    pub(crate) fn open(browser: &'a Browser) -> Host<'a> {
        Host::open_at(browser, "")
    }

    fn open_at(browser: &'a Browser, query: &str) -> Host<'a> {
        let site = site();
        let options = Options { dist: Some(site.path().to_owned()), ..Options::default() };
        let served = Served::start_as(options).expect("the server starts");
        let page = Page::open(browser, &format!("{}{query}", served.running().page_url())).expect("the page opens");
        Host { served, page, _site: site }
    }

    pub(crate) fn ask(&self, scenario: &str, args: &Value) -> Value {
        let said = self.page.browser().execute_async(CALL, vec![json!(scenario), json!(args.to_string())]);
        let said = said.unwrap_or_else(|error| panic!("{scenario}: {error:#}"));
        let said = serde_json::from_str(said.as_str().expect("a text")).expect("JSON");
        can_be_collected(&said);
        said
    }

    /// Nothing was thrown, logged as an error or added to the page's globals.
    pub(crate) fn check_quiet(&self) {
        assert_eq!(self.ask("left", &json!([])), json!({"added": [], "problems": []}));
    }

    fn join(&self) -> Join {
        let answer = self.page.browser().execute_async(include_str!("../../src/scripts/clock.js"), vec![json!(50)]);
        let probes: Vec<ClockProbe> = serde_json::from_value(answer.expect("probes")).expect("clock probes");
        Join::from_probes(&probes).expect("the clock answers")
    }
}

/// Every report that a page makes is one that a collector takes (`firstlight collect`).
pub(crate) fn can_be_collected(said: &Value) {
    if said.get("marks").is_some() && said.get("clock").is_some() {
        Report::of(said).unwrap_or_else(|why| panic!("{why}: {said}"));
    }
    said.as_object().into_iter().flat_map(|all| all.values()).for_each(can_be_collected);
    said.as_array().into_iter().flatten().for_each(can_be_collected);
}

/// The page and the package.
fn site() -> TempDir {
    let site = tempfile::tempdir().expect("a directory");
    std::fs::write(site.path().join("index.html"), PAGE).expect("written");
    std::fs::write(site.path().join("passive.js"), SCRIPT).expect("written");
    for part in ["", "passive"] {
        let (from, to) = (places::npm().join(part), site.path().join("firstlight").join(part));
        std::fs::create_dir_all(&to).expect("a directory");
        let files = std::fs::read_dir(&from).unwrap_or_else(|_| {
            panic!("there is no package in {}: run `cargo xtask npm`, or set FIRSTLIGHT_NPM", from.display())
        });
        for file in
            files.map(|file| file.expect("a file").path()).filter(|file| file.extension().is_some_and(|ext| ext == "js"))
        {
            std::fs::copy(&file, to.join(file.file_name().expect("a name"))).expect("copied");
        }
    }
    site
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no figure"))
}

fn written(truth: &Truth) -> usize {
    truth.pieces.iter().map(|piece| piece.bytes).sum()
}

pub(crate) fn every_way_of_reading_is_as_without(browser: &Browser) {
    let host = Host::open(browser);
    // Pieces of seven bytes: characters and events are cut anywhere.
    let all = host.ask("ways", &json!([host.served.endpoint("preset=fast&split=7&gap_ms=0&ttft_ms=10&rid=ways")]));
    let bytes = written(&host.served.truths("ways")[0]);
    let mut read = 0;
    for (way, seen) in all.as_object().expect("ways") {
        assert!(seen["same"] == json!(true), "{way}: {seen}");
        let report = &seen["report"];
        if let Some(reads) = report["reads"].as_array().filter(|reads| !reads.is_empty()) {
            read += 1;
            assert_eq!((&report["outcome"]["code"], &report["bytes"]), (&json!("complete"), &json!(bytes)), "{way}");
            let sum: u64 = reads.iter().filter_map(|read| read[1].as_u64()).sum();
            assert!(report["readsLeftOut"] != json!(0) || sum == bytes as u64, "{way}");
        }
    }
    // All three read by readers, pipes, branches and clones; not all by BYOB readers and iteration.
    assert!(read >= 7, "{all}");
    for whole in ["text", "array_buffer", "blob", "body_then_text"] {
        let report = &all[whole]["report"];
        assert_eq!(
            (&report["outcome"]["code"], &report["reads"]["absent"]),
            (&json!("complete"), &json!("whole_body")),
            "{whole}"
        );
    }
    host.check_quiet();
}

pub(crate) fn what_a_response_says_of_itself_is_kept(browser: &Browser) {
    let host = Host::open(browser);
    let direct = host.served.endpoint("preset=fast");
    let redirect = Stub::redirect(&direct).expect("a stub");
    for (url, redirected) in [(direct.as_str(), false), (redirect.url(), true)] {
        let said = host.ask("itself", &json!([url]));
        assert_eq!((&said["same"], &said["isResponse"]), (&json!(true), &json!(true)), "{said}");
        assert_eq!(said["report"]["redirected"], json!(redirected));
        assert_eq!(said["observed"][0]["url"], json!(direct));
    }
    host.check_quiet();
}

pub(crate) fn everything_happens_in_the_same_order(browser: &Browser) {
    let host = Host::open(browser);
    let orders = host.ask("order", &json!([]));
    assert_eq!(orders["plain"], orders["observed"]);
    assert!(orders["plain"].as_array().is_some_and(|order| order.len() > 12), "{orders}");
    host.check_quiet();
}

pub(crate) fn cancelling_reaches_the_server(browser: &Browser) {
    let host = Host::open(browser);
    let all = host.ask("cancel", &json!([host.served.endpoint("ttft_ms=20&gap_ms=20&tokens=2000")]));
    let all = all.as_object().expect("ways");
    assert!(all.len() >= 5, "{all:?}");
    for (way, seen) in all {
        assert_eq!(seen["plain"], seen["observed"], "{way}");
        assert_eq!(seen["report"]["outcome"]["code"], json!("cancelled"), "{way}");
        for n in [0, 1] {
            let truths = host.served.wait_for_truth(&format!("{way}-{n}"), |truths| truths[0].closed_us.is_some());
            assert!(truths.expect("let go")[0].pieces.len() < 2_000, "{way}");
        }
    }
    host.check_quiet();
}

/// Browsers take many megabytes from the network that nobody has read, so a source inside the page tells what it is asked for.
pub(crate) fn nothing_is_read_before_the_host_reads(browser: &Browser) {
    let host = Host::open(browser);
    let all = host.ask("pulls", &json!([]));
    for (way, pulls) in all.as_object().expect("ways") {
        assert_eq!(pulls[0], pulls[1], "{way}: {all}");
    }
    assert_eq!((&all["untouched"][1], &all["one_read"][1], &all["three_reads"][1]), (&json!(0), &json!(1), &json!(3)), "{all}");
    host.check_quiet();
}

pub(crate) fn errors_are_the_same(browser: &Browser) {
    let host = Host::open(browser);
    let ways = json!(["reader", "pipe_to", "tee", "text", "json", "blob", "array_buffer", "in_a_response"]);
    let all = host.ask("ways", &json!([host.served.endpoint("preset=fast&gap_ms=40&fault=reset"), ways]));
    for (way, seen) in all.as_object().expect("ways") {
        // Firefox words the error of a body that another response was made of by where its bytes come from.
        assert!(
            seen["same"] == json!(true) || (browser.engine() == Engine::Firefox && way == "in_a_response"),
            "{way}: {seen}"
        );
        // WebKit takes a cut body for a whole one.
        let code = if browser.engine() == Engine::WebKit { "complete" } else { "error" };
        assert_eq!(seen["report"]["outcome"]["code"], json!(code), "{way}");
    }
    let failed = host.ask("fails", &json!([format!("{}?key=secret", stub::refused().expect("a port"))]));
    assert_eq!(failed["plain"], failed["observed"]);
    assert_eq!(failed["report"]["outcome"], json!({"code": "error", "error": "TypeError"}));
    assert_eq!(failed["report"]["status"], json!({"absent": "no_response"}));
    assert!(!failed["report"].to_string().contains("secret"));
}

pub(crate) fn marks_lie_inside_the_servers_truth(browser: &Browser) {
    let host = Host::open(browser);
    let join = host.join();
    let query = "ttft_ms=200&gap_ms=30&tokens=20&server_timing=a;dur=5&rid=marks";
    let said = host.ask("show", &json!([host.served.endpoint(query), {}]));
    let truths = host.served.wait_for_truth("marks", |truths| truths[0].closed_us.is_some()).expect("it ended");
    let truth = &truths[0];
    // On the page's clock, and for whatever its step may be.
    let slack = (join.error.0 + 1_000) as f64 / 1_000.0;
    let on_page = |us: u64| join.on_page(us as i64).0 as f64 / 1_000.0;
    let write = |kind: Kind| on_page(truth.pieces.iter().find(|piece| piece.kind == kind).expect("a piece").at_us);
    let report = &said["report"];
    let mark = |name: &str| number(&report["marks"][name]);
    // Figures are rounded to the microsecond.
    let rounding = 0.001;
    assert!(number(&said["from"]) <= mark("sent") + rounding && mark("sent") <= on_page(truth.received_us) + slack);
    assert!(mark("sent") <= mark("requestStart") + slack && mark("requestStart") <= mark("firstByte"));
    let first = on_page(truth.pieces[0].at_us);
    assert!(on_page(truth.headers_us.expect("headers")) <= mark("firstByte") + slack);
    assert!(first <= mark("firstRead") + slack && mark("firstRead") <= number(&said["host"][0]) + rounding, "{said}");
    assert!(on_page(truth.pieces[truth.pieces.len() - 1].at_us) <= mark("lastRead") + slack);
    assert!(
        on_page(truth.closed_us.expect("closed")) <= mark("bodyEnd") + slack && mark("bodyEnd") <= number(&said["to"]) + slack
    );
    assert!(mark("lastRead") <= mark("bodyEnd"));
    assert_eq!(report["bytes"], json!(written(truth)));
    // The first of the answer, and not what the host had put there before.
    let seen = &report["firstVisible"];
    assert_eq!((&seen["method"], &seen["value"]["absent"]), (&json!("frame_callbacks"), &json!("bounds_only")), "{seen}");
    let (mutated, earliest) = (number(&seen["mutated"]), number(&seen["earliest"]));
    assert!(write(Kind::Answer) <= mutated + slack && mutated <= earliest, "{said}");
    match (browser.engine(), seen["latest"].as_f64()) {
        (Engine::WebKit, latest) => assert_eq!((latest, &seen["latest"]["absent"]), (None, &json!("engine_lacks"))),
        (_, Some(latest)) => assert!(latest > earliest + 20.0),
        (_, None) => assert_eq!(seen["latest"]["absent"], json!("long_frame")),
    }
    let wait = &report["waits"]["firstVisible"];
    assert!((number(&wait["earliest"]) - (earliest - mark("sent"))).abs() < 0.01);
    assert_eq!(report["server"]["serverTiming"], json!("a;dur=5"));
    let entries = &report["server"]["entries"];
    if browser.engine() == Engine::WebKit {
        assert_eq!(entries["absent"], json!("no_server_report"));
    } else {
        assert_eq!(entries, &json!([{"name": "a", "duration": 5, "description": ""}]));
    }
    assert_eq!((&report["status"], &report["counts"]["absent"]), (&json!(200), &json!("not_decoded")));
    assert!(
        report["flags"]["hiddenDuring"] == json!(false)
            && report["url"] == json!(host.served.endpoint("").trim_end_matches('?'))
    );
    host.check_quiet();
}

/// The browser does not say which of its entries is whose.
pub(crate) fn of_two_at_once_no_network_timing_is_taken(browser: &Browser) {
    let host = Host::open(browser);
    let both = host.ask("pair", &json!([host.served.endpoint("preset=fast")]));
    for report in both.as_array().expect("two") {
        let marks = &report["marks"];
        assert_eq!(
            (&marks["requestStart"], &marks["firstByte"]),
            (&json!({"absent": "ambiguous"}), &json!({"absent": "ambiguous"}))
        );
        assert!(number(&marks["sent"]) < number(&marks["firstRead"]), "{report}");
    }
    host.check_quiet();
}

pub(crate) fn stalls_are_found(browser: &Browser) {
    let host = Host::open(browser);
    let said = host.ask("show", &json!([host.served.endpoint("ttft_ms=100&gap_ms=500&tokens=4"), {"stallMs": 300}]));
    let stalls = &said["report"]["stalls"];
    assert_eq!((&stalls["count"], stalls["list"].as_array().map(Vec::len)), (&json!(3), Some(3)), "{stalls}");
    assert!(number(&stalls["longest"]) > 300.0);
    host.check_quiet();
}

pub(crate) fn a_hidden_page_claims_no_visibility(browser: &Browser) {
    let host = Host::open(browser);
    let watch = host.page.tell_visibility().expect("a listener");
    let begin = "const page = window.wrappedJSObject ?? window; page.kept = page.host(arguments[0], arguments[1]);";
    let args = json!([host.served.endpoint("preset=slow-start&rid=hidden"), {}]).to_string();
    browser.execute(begin, vec![json!("show"), json!(args)]).expect("begun");
    host.served.wait_for_truth("hidden", |truths| truths.len() == 1).expect("it came");
    let tab = browser.cover().expect("covered");
    watch.wait_for("hidden", LIMIT).expect("it is hidden");
    let truths = host.served.wait_for_truth("hidden", |truths| truths[0].closed_us.is_some()).expect("it ended");
    browser.show(tab).expect("shown again");
    let end = "const page = window.wrappedJSObject ?? window; return await new Promise((give) => page.kept.then((said) => give(String(said))));";
    let said = browser.execute_async(end, vec![]).expect("its report");
    let said: Value = serde_json::from_str(said.as_str().expect("a text")).expect("JSON");
    let report = &said["report"];
    assert_eq!((&report["flags"]["hiddenDuring"], &report["firstVisible"]), (&json!(true), &json!({"absent": "hidden"})));
    assert_eq!(report["waits"]["firstVisible"]["earliest"], json!({"absent": "hidden"}));
    // What was received counts, hidden or not.
    assert_eq!((&report["outcome"]["code"], &report["bytes"]), (&json!("complete"), &json!(written(&truths[0]))));
}

pub(crate) fn a_blocked_page_is_told(browser: &Browser) {
    let host = Host::open(browser);
    let report = host.ask("blocked", &json!([host.served.endpoint("ttft_ms=100&gap_ms=30&tokens=60")]));
    // Two seconds hold at least three blocks of 150 ms.
    assert!(number(&report["flags"]["mainThreadBlocked"]) >= 200.0, "{report}");
    let by = if browser.engine() == Engine::Chromium { "long_tasks" } else { "late_timer" };
    assert_eq!(report["flags"]["blockedBy"], json!(by));
    host.check_quiet();
}

pub(crate) fn what_is_not_drawn_is_not_touched(browser: &Browser) {
    let host = Host::open(browser);
    let said = host.ask("unsampled", &json!([host.served.endpoint("preset=fast")]));
    let wanted = json!({"untouched": true, "asked": 0, "calls": 1, "clean": true, "reports": [null, null, null]});
    assert_eq!(said, wanted);
    // A hook that throws is told to the page, and the product's fetch goes on.
    let left = host.ask("left", &json!([]));
    let problems = left["problems"].as_array().expect("a list");
    assert!(problems.len() == 1 && problems[0].as_str().is_some_and(|said| said.contains("a hook of the host's")), "{left}");
}

pub(crate) fn text_is_kept_only_if_asked_for(browser: &Browser) {
    let host = Host::open(browser);
    let said = host.ask("text", &json!([host.served.endpoint("preset=fast&rid=text")]));
    let bytes = written(&host.served.truths("text")[0]);
    for quiet in ["plain", "decoded", "broken"] {
        assert!(!said[quiet].to_string().contains("chatcmpl"), "{quiet}: {said}");
    }
    assert!(!said.to_string().contains("secret-key"));
    assert_eq!(said["plain"]["counts"], json!({"absent": "not_decoded"}));
    assert_eq!(said["decoded"]["counts"], json!({"bytes": bytes, "streamed": true}));
    assert_eq!(said["broken"]["counts"], json!({"absent": "decoder_failed: RangeError"}));
    assert_eq!(said["asked"]["textBytesLeftOut"], json!(bytes - 40));
    assert_eq!(said["asked"]["text"].as_str().map(str::len), Some(40));
    assert_eq!(said["asked"]["server"]["headers"], json!({"content-type": "text/event-stream; charset=utf-8"}));
    assert_eq!(said["whole"]["text"].as_str().map(str::len), Some(bytes));
    host.check_quiet();
}

pub(crate) fn reports_are_tried_again_and_never_dropped_in_silence(browser: &Browser) {
    let host = Host::open(browser);
    let collector = Stub::json("{}").expect("a stub");
    let said = host.ask("deliver", &json!([collector.url(), host.served.endpoint("preset=fast")]));
    assert_eq!(said["lost"], json!([["long", "too_large"], ["a", "queue_full"], ["refused", "http_404"]]));
    let got = collector.bodies();
    assert_eq!(got.iter().map(|body| body["reports"].as_array().map_or(0, Vec::len)).collect::<Vec<_>>(), [3, 3], "{got:?}");
    // The collector learns how many there were that it does not get.
    assert_eq!(got.iter().map(|body| body["dropped"].as_u64()).collect::<Vec<_>>(), [Some(1), Some(1)]);
    let requests = said["requests"].as_array().expect("requests");
    assert_eq!(requests.len(), 3, "{said}");
    assert!(requests.iter().all(|request| request["bytes"].as_u64().is_some_and(|bytes| bytes <= 3_000)), "{said}");
    // The long one came without its single reads, and says so; the host's own is as it was.
    let many = got[0]["reports"].as_array().and_then(|all| all.iter().find(|report| report["id"] == json!("many")));
    assert_eq!(many.map(|report| (&report["reads"], &report["readsLeftOut"])), Some((&json!([]), &json!(501))));
    assert_eq!(said["kept"], json!(500));
    host.check_quiet();
}

pub(crate) fn a_collector_is_left_alone_as_long_as_it_asks(browser: &Browser) {
    let host = Host::open(browser);
    let all = host.ask("pauses", &json!([]));
    // By the first pause of 100 ms at most, and as much again so that pages don't come back together. A date has whole seconds, and
    // some time passes until it is read.
    for (name, least, most) in [
        ("seconds", 6_990.0, 7_100.0),
        ("date", 5_000.0, 7_100.0),
        ("long", 599_990.0, 600_100.0),
        ("nothing", 50.0, 100.0),
        ("past", 50.0, 100.0),
        ("nonsense", 50.0, 100.0),
        ("none", 50.0, 100.0),
        ("dropped", 6_990.0, 7_100.0),
    ] {
        let said = &all[name];
        let pauses = said["pauses"].as_array().expect("pauses");
        assert!(pauses.len() == 1 && (least..=most).contains(&number(&pauses[0])), "{name}: {said}");
        assert_eq!((&said["requests"], &said["waiting"]), (&json!(2), &json!(0)), "{name}: {said}");
    }
    host.check_quiet();
}

pub(crate) fn a_report_survives_its_page(browser: &Browser) {
    let host = Host::open(browser);
    // Through `firstlight collect` to a collector: a beacon of a page that is gone is taken and passed on.
    let collector = Stub::json("{}").expect("a stub");
    let origins = Origins::parse(&[host.served.running().origin()]).expect("an origin");
    let otlp = collector.url().trim_end_matches("/v1/chat/completions").to_owned();
    let collect = block_on(Collect::start(CollectOptions::to(&otlp, origins))).expect("it starts");
    let to = format!("http://{}/collect", collect.address());
    host.ask("leave", &json!([to, host.served.endpoint("ttft_ms=20&gap_ms=20&tokens=1000")]));
    let end = Instant::now() + LIMIT;
    while collector.bodies().len() < 2 {
        assert!(Instant::now() < end, "no report came");
        std::thread::sleep(Duration::from_millis(20));
    }
    let span = &collector.bodies()[0]["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
    let attribute = |key: &str| span["attributes"].as_array()?.iter().find(|a| a["key"] == key).map(|a| a["value"].clone());
    assert_eq!(attribute("firstlight.outcome"), Some(json!({"stringValue": "unfinished"})), "{span}");
    let bytes = attribute("firstlight.bytes").and_then(|value| value["intValue"].as_str()?.parse::<u64>().ok());
    assert!(bytes.is_some_and(|bytes| bytes > 0), "{span}");
    assert!(collector.heads().iter().all(|head| head.starts_with("POST /v1/")), "{:?}", collector.heads());
    block_on(collect.stop());
}

pub(crate) fn other_sources(browser: &Browser) {
    let host = Host::open(browser);
    let stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n\
        data: first\n\ndata: 둘\n\ndata: [DONE]\n\n";
    let source = Stub::recording(stream.as_bytes()).expect("a stub");
    let said = host.ask("sources", &json!([source.url()]));
    assert_eq!(said["heard"], json!(["first", "둘", "[DONE]"]));
    let told = |kind: &str| (said[kind]["outcome"]["code"].clone(), said[kind]["bytes"].clone());
    assert_eq!(told("event_source"), (json!("complete"), json!(14)));
    assert_eq!(said["event_source"]["reconnects"], json!(0));
    assert_eq!(told("web_socket"), (json!("complete"), json!(7)));
    assert_eq!((&said["sends"], &said["clean"]), (&json!(["ask"]), &json!("sends,url")));
    assert_eq!(said["web_socket"]["url"], json!("wss://example.test/chat"));
    let waited = number(&said["web_socket"]["waits"]["firstRead"]["ms"]);
    assert!(waited >= 19.0, "{waited}");
    assert_eq!(said["death"]["outcome"], json!({"code": "error", "error": "close_1006"}));
    assert_eq!((told("tap"), &said["passed"]), ((json!("complete"), json!(5)), &json!(true)));
    assert_eq!(said["tap"]["parts"], json!({"text-delta": 2, "finish": 1}));
    host.check_quiet();
}

pub(crate) fn the_joined_file_measures_as_well(browser: &Browser) {
    let host = Host::open_at(browser, "?min");
    let report = host.ask("once", &json!([host.served.endpoint("preset=fast&rid=joined")]));
    assert_eq!(report["bytes"], json!(written(&host.served.truths("joined")[0])));
    assert_eq!(report["outcome"]["code"], json!("complete"));
    host.check_quiet();
}
