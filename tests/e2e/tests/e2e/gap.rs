//! Where the wait passed, against real causes: joined clocks, and the server's own metrics.

use firstlight_core::Micros;
use firstlight_core::align::Alignment;
use firstlight_core::gap::{Part, PartKind, Wait, split_aligned};
use firstlight_core::mark::Mark;
use firstlight_core::scrape::Quantity;
use firstlight_core::server_report::Stage;
use firstlight_core::summary::clock_error;
use firstlight_core::trace::Trace;
use firstlight_e2e::{Browser, Engine, Served};
use firstlight_server::Truth;
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;

use crate::checks::{all_complete, at, measure, open, own};
use crate::load::open_https;

/// What is put into the way to the server, and into the way back.
const DELAYS: (Micros, Micros) = (Micros::ms(40), Micros::ms(25));

/// Without the true offset, which only one engine tells: both ways together are what the server's ledger leaves over of the wait,
/// each is as long as it was made, and the clocks are joined as closely as the quickest probe allows.
pub(crate) fn delays_on_the_way_are_told_apart(browser: &Browser) {
    let (served, page) = open(browser);
    let url = served.endpoint("preset=fast&aligned=1&outbound_ms=40&return_ms=25&skew_ms=123456&tokens=4&rid=ways");
    let setup = own(&url, 60).with("concurrency", 2).with("probe", "/clock?outbound_ms=0&return_ms=0&skew_ms=123456");
    let run = measure(&page, &setup);
    all_complete(&run);
    let alignment = Alignment::of(&run);
    let [(_, offset)] = alignment.clocks() else { panic!("one clock: {:?}", run.probes) };
    let bound = offset.unwrap_or_else(|refusal| panic!("{refusal:?}: {:?}", run.probes)).error;
    let quickest = run.probes.before.iter().chain(&run.probes.after).map(|probe| probe.received - probe.sent).min();
    let quickest = quickest.expect("probes");
    assert!(bound.0 <= quickest.0 / 2 + run.clock.step_us + 1, "{bound}, and a probe took {quickest}");
    let truths = served.truths("ways");
    let mut out = Vec::new();
    for trace in &run.traces {
        let truth = truth_of(trace, &truths);
        let parts = split_aligned(trace, Wait::LastOutput, clock_error(&run), &alignment).expect("consistent");
        assert_eq!(parts.parts.iter().map(|part| part.value).sum::<Micros>(), parts.total);
        let of = |wanted: fn(&PartKind) -> bool| parts.parts.iter().find(|part| wanted(&part.kind));
        let outbound = of(|kind| matches!(kind, PartKind::Outbound { .. })).expect("a way out");
        let back = of(|kind| *kind == PartKind::Return).expect("a way back");
        assert!(back.value + back.bound.expect("a bound") >= DELAYS.1, "{back:?} of {trace:?}");
        let strict = browser.engine() == Engine::Chromium;
        let before = if strict { Micros::ZERO } else { at(trace, Mark::RequestStart) - at(trace, Mark::Sent) };
        assert!(before + outbound.value + outbound.bound.expect("a bound") >= DELAYS.0, "{outbound:?} of {trace:?}");
        out.push(outbound.value + outbound.bound.expect("a bound"));
        // Both together need no offset. The server stamps its last output before it writes it, as the ledger knows.
        let stage = |stage| trace.stages.as_ref().and_then(|stages| stages.get(stage)).expect("stamped");
        let wait = at(trace, Mark::LastOutput) - at(trace, Mark::RequestStart);
        assert_eq!(outbound.value + back.value, wait - (stage(Stage::LastToken) - stage(Stage::Received)));
        let written = truth.pieces.iter().rfind(|piece| piece.kind.is_output()).expect("output").at_us;
        assert!(stage(Stage::LastToken).0 - SKEW_US <= us(written), "{:?} is after {truth:?}", trace.stages);
    }
    // Firefox can stamp the start of a request after it has left, one in hundreds by milliseconds.
    out.sort_unstable();
    assert!(out[out.len() / 2] >= DELAYS.0, "{out:?}");
    let named = page.text("picture").expect("a picture").to_lowercase();
    assert!(named.contains("outbound") && named.contains("return"), "{named}");
}

/// A time that the ledger has, in µs.
fn us(us: impl Into<Option<u64>>) -> i64 {
    i64::try_from(us.into().expect("written down")).expect("a time")
}

/// The ledger's entry of a request: it came when the server's own stages say so.
fn truth_of<'a>(trace: &Trace, truths: &'a [Truth]) -> &'a Truth {
    let received = trace.stages.as_ref().and_then(|stages| stages.get(Stage::Received)).expect("stamped");
    truths.iter().find(|truth| us(truth.received_us) == received.0 - SKEW_US).expect("written down")
}

pub(crate) fn without_joined_clocks_nothing_is_called_a_way(browser: &Browser) {
    let (served, page) = open(browser);
    measure(&page, &own(&served.endpoint("preset=worked-example"), 3));
    let all = page.string("return document.getElementById('main').innerText.toLowerCase();", vec![]).expect("a text");
    assert!(!all.contains("network wait") && !all.contains("outbound"), "{all}");
    assert!(all.contains("unattributed"));
}

pub(crate) fn the_servers_metrics_are_read_beside_it(browser: &Browser) {
    let (served, page) = open(browser);
    let metrics = format!("{}/metrics", served.running().second_origin());
    let url = served.endpoint("slots=1&ttft_ms=150&gap_ms=20&tokens=5&rid=metered");
    let setup = own(&url, 6).with("concurrency", 3).with("metrics-url", metrics).with("metrics-period", 250);
    let run = measure(&page, &setup);
    all_complete(&run);
    let scraped = run.scraped.as_ref().expect("samples");
    assert!(scraped.read().count() >= 3, "{scraped:?}");
    let most = |quantity| scraped.read().filter_map(|(_, values)| values.number(quantity)).fold(0.0, f64::max);
    // One slot, three at once.
    assert_eq!((most(Quantity::Running), most(Quantity::Waiting)), (1.0, 2.0));
    let said = page.text("server-metrics").expect("a part");
    assert!(said.contains("Requests waiting"), "{said}");
    crate::charts::the_servers_metrics_are_on_the_same_axis(&page, &run);
}

/// The machine's monotonic clock, in µs.
fn monotonic_us() -> i64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec * 1_000_000 + now.tv_nsec / 1_000
}

/// What is really added to the server's times to get the page's. Both count the machine's monotonic clock: the server, which is
/// in this process, from an instant that is measured here, the page from the start of its navigation, which Chromium tells.
fn true_offset(browser: &Browser, served: &Served) -> i64 {
    browser.cdp("Performance.enable", json!({})).expect("enabled");
    let metrics = browser.cdp("Performance.getMetrics", json!({})).expect("metrics");
    browser.cdp("Performance.disable", json!({})).expect("disabled");
    let mut all = metrics["metrics"].as_array().expect("a list").iter();
    let began = all.find(|metric| metric["name"] == "NavigationStart").expect("a start")["value"].as_f64().expect("seconds");
    let pinned = (0..200).map(|_| {
        let before = monotonic_us();
        let server = i64::try_from(served.running().clock().now_us()).expect("a time");
        let after = monotonic_us();
        (after - before, (before + after) / 2 - server)
    });
    pinned.min().expect("some").1 - (began * 1e6).round() as i64
}

/// To what the truth itself is known: reading two clocks one after the other, and µs that each of them rounds to.
const KNOWN_TO: i64 = 10;
const WAYS: (i64, i64) = (30_000, 12_000);
const SKEW_US: i64 = 123_456_000;

/// The parts of a wait that end at the server or begin there, each with the least and the most that it was in truth by the server's
/// ledger.
fn held_against(trace: &Trace, truth: &Truth, wait: Wait, parts: &[Part], offset: i64) -> [(Part, i64, i64); 4] {
    let (received, queued, served) = (us(truth.received_us), us(truth.queued_us), us(truth.served_us));
    let mut outputs = truth.pieces.iter().filter(|piece| piece.kind.is_output());
    let output = if wait == Wait::LastOutput { outputs.next_back() } else { outputs.next() };
    let written = us(output.map(|piece| piece.at_us));
    let handed = us(output.map(|piece| piece.handed_us));
    let arrived = at(trace, if wait == Wait::LastOutput { Mark::LastOutput } else { Mark::FirstAnswer });
    let left = at(trace, Mark::RequestStart);
    let part = |wanted: &dyn Fn(&PartKind) -> bool| parts.iter().find(|part| wanted(&part.kind)).cloned();
    let none = |kind| Part { kind, value: Micros::ZERO, bound: None };
    let stages = PartKind::Stages { from: Stage::Queued, to: Stage::Started };
    let exactly = |part, us| (part, us, us);
    // What was handed over at its stamp went out this much later.
    let back = |left| arrived.0 - (left + offset) + WAYS.1;
    [
        exactly(
            part(&|kind| matches!(kind, PartKind::Outbound { from_sent: false })).expect("a way out"),
            received + offset - left.0,
        ),
        exactly(part(&|kind| *kind == PartKind::Ingress).expect("ingress"), queued - received),
        // A part of no length is left out.
        exactly(part(&|kind| *kind == stages).unwrap_or(none(stages.clone())), served - queued),
        // It is stamped between: twenty streams share the writes of one connection.
        (part(&|kind| *kind == PartKind::Return).expect("a way back"), back(written), back(handed)),
    ]
}

/// Twenty at once over HTTP/2, where none waits inside the browser; a queue at the server, and both ways delayed.
pub(crate) fn each_part_is_within_its_bound(browser: &Browser) {
    let (served, page) = open_https(browser);
    let query = "ttft_ms=15&gap_ms=5&tokens=4&slots=10&pool=parts&aligned=1&rid=parts";
    let url = served.endpoint(&format!("{query}&outbound_ms=30&return_ms=12&skew_ms=123456"));
    let run = measure(&page, &own(&url, 500).with("concurrency", 20).with("probe", "/clock?skew_ms=123456"));
    all_complete(&run);
    let alignment = Alignment::of(&run);
    let known = true_offset(browser, &served);
    let [(_, Ok(offset))] = alignment.clocks() else { panic!("one clock: {:?}", alignment.clocks()) };
    let apart = offset.offset.0 - (known - SKEW_US);
    assert!(apart.abs() <= offset.error.0 + clock_error(&run).0 + KNOWN_TO, "{offset:?} is wrong by {apart}");
    let truths = served.truths("parts");
    assert_eq!((run.traces.len(), truths.len()), (500, 500));
    let mut within = 0;
    let mut beyond = Vec::new();
    for trace in &run.traces {
        let truth = truth_of(trace, &truths);
        let held: Vec<(Part, i64, i64)> = [Wait::FirstAnswer, Wait::LastOutput]
            .into_iter()
            .flat_map(|wait| {
                let split = split_aligned(trace, wait, clock_error(&run), &alignment).expect("consistent");
                assert_eq!(split.parts.iter().map(|part| part.value).sum::<Micros>(), split.total);
                held_against(trace, truth, wait, &split.parts, known)
            })
            .collect();
        let is_within = |(part, shortest, longest): &(Part, i64, i64)| {
            // What lies between two stamps of one clock has no error but their rounding.
            let bound = part.bound.unwrap_or(Micros(1)).0 + KNOWN_TO;
            // What was put in is the least that a way took.
            let least = match part.kind {
                PartKind::Outbound { .. } => WAYS.0,
                PartKind::Return => WAYS.1,
                _ => 0,
            };
            (shortest - bound..=longest + bound).contains(&part.value.0) && part.value.0 + bound >= least
        };
        within += u32::from(held.iter().all(is_within));
        beyond.extend(held.into_iter().filter(|part| !is_within(part)));
    }
    assert!(within >= 495, "{within} of 500; beyond their bounds: {beyond:?}");
}
