//! What a browser does to a page that nobody looks at: it makes one before anybody goes there, and throws one away.

use std::time::{Duration, Instant};

use firstlight_core::Micros;
use firstlight_core::config::{RunConfig, Secrets};
use firstlight_core::mark::Mark;
use firstlight_core::report::{AutoJob, Run};
use firstlight_core::text::{Lang, Ui};
use firstlight_core::validity::{Circumstance, of_run};
use firstlight_e2e::rt::block_on;
use firstlight_e2e::shared::Alone;
use firstlight_e2e::watch::Watch;
use firstlight_e2e::{Browser, Engine, Served, places};
use serde_json::{Value, json};

use crate::checks::{LIMIT, all_complete, at, check, measure, only, own};
use crate::validity::listed;

/// Says a word once the page says its state, whoever looks at it. The word's address stands before this.
const TOLD: &str = "new MutationObserver((_, observer) => {\
    if (!document.body?.dataset.state) return; observer.disconnect(); fetch(WORD, { mode: 'no-cors', cache: 'no-store' });\
    }).observe(document, { attributes: true, childList: true, subtree: true });";
/// Asks the browser to make a page in advance.
const RULES: &str = "const rules = document.createElement('script'); rules.type = 'speculationrules';\
    rules.textContent = JSON.stringify({ prerender: [{ source: 'list', urls: [arguments[0]], eagerness: 'immediate' }] });\
    document.head.append(rules);";
/// When somebody went to the page, and when it asked its server for what. By the page's clock, in ms.
const TIMES: &str = "const asked = path => performance.getEntriesByType('resource').find(e => e.name.includes(path))?.startTime;\
    return [performance.getEntriesByType('navigation')[0].activationStart, asked('/api/info'), asked('/api/auto/')];";

/// The page, with a script that says `there` as soon as the page is.
fn served_with_word(watch: &Watch) -> Served {
    let index = std::fs::read_to_string(places::dist().join("index.html")).expect("the page is built");
    let with_word = index.replacen("<script ", "<script src=\"./told.js\"></script>\n    <script ", 1);
    assert_ne!(with_word, index, "the page has a script");
    let told = format!("const WORD = '{}there'; {TOLD}", watch.url());
    Served::start_with(&[("index.html", &with_word), ("told.js", &told)]).expect("the server starts")
}

pub(crate) fn a_page_made_in_advance_waits_until_somebody_goes_to_it(browser: &Browser) {
    let watch = Watch::start().expect("a listener");
    let served = served_with_word(&watch);
    let page = served.open(browser).expect("the page opens");
    watch.wait_for("there", LIMIT).expect("the word of this page");
    let config = RunConfig { requests: 2, warmup: 0, ..RunConfig::of(served.endpoint("preset=fast&rid=advance")) };
    let job = AutoJob { config, secrets: Secrets::default(), clock_probes: 0 };
    let mut automation = served.running().submit(job).expect("put up");
    // A document of the same origin without the page's policy, which would forbid rules of ours.
    let info = format!("{}api/info", served.running().page_url());
    block_on(browser.client().goto(&info)).expect("opened");
    browser.execute(RULES, vec![json!(automation.url)]).expect("asked for");
    watch.wait_for("there", LIMIT).expect("the page is made in advance");
    assert!(automation.fetched.try_recv().is_err() && served.truths("advance").is_empty(), "it did not wait");
    browser
        .execute("const url = arguments[0]; setTimeout(() => { location.href = url; });", vec![json!(automation.url)])
        .expect("gone to");
    let report = block_on(async { tokio::time::timeout(LIMIT, automation.report).await });
    let report = report.expect("a report in time").expect("the server is there").expect("a sound report");
    let run = Run::from_file(report.run.expect("a run")).expect("a sound run");
    run.traces.iter().for_each(check);
    all_complete(&run);
    assert!(run.environment.prerendered && run.traces.iter().all(|t| t.first_visible.is_ok()), "{run:?}");
    assert!(of_run(&run.environment, Micros(run.clock.step_us)).contains(&(Circumstance::Prerendered, None)));
    page.attach().expect("it is this page");
    page.wait_until("return !!document.querySelector('#circumstances [data-circumstance=prerendered]');").expect("it says so");
    let times = browser.execute(TIMES, vec![]).expect("times");
    let ms = |n: usize| times[n].as_f64().unwrap_or_else(|| panic!("{times}"));
    let (activated, info, job) = (ms(0), ms(1), ms(2));
    assert!(0.0 < info && info < activated, "it was there before anybody went to it: {times}");
    assert!(job >= activated, "{times}");
    assert!(run.traces.iter().all(|t| at(t, Mark::Sent) >= Micros::from_ms(activated)), "{times}; {run:?}");
    assert_eq!(served.truths("advance").len(), 2);
}

/// An extension that throws away every page of this machine that another tab covers: no driver has a command for it.
const MANIFEST: &str = r#"{"manifest_version": 3, "name": "Discards", "version": "1", "permissions": ["tabs"],
    "background": {"service_worker": "discard.js"}}"#;
const DISCARD: &str = "chrome.tabs.onActivated.addListener(async () => {\
    for (const tab of await chrome.tabs.query({ active: false })) {\
        if (tab.url?.startsWith('http://127.0.0.1')) chrome.tabs.discard(tab.id);\
    }});";

/// Asks again and again, where nothing tells.
fn until(what: &str, holds: impl Fn() -> bool) {
    let end = Instant::now() + LIMIT;
    while !holds() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_discarded_page_says_so_and_sends_nothing_again() {
    let _alone = Alone::take();
    let extension = tempfile::tempdir().expect("a folder");
    std::fs::write(extension.path().join("manifest.json"), MANIFEST).expect("written");
    std::fs::write(extension.path().join("discard.js"), DISCARD).expect("written");
    let load = format!("--load-extension={}", extension.path().display());
    let allow = "--disable-features=DisableLoadExtensionCommandLineSwitch".to_owned();
    let browser = Browser::start_with(Engine::Chromium, &[load, allow]).expect("Chromium");
    let served = Served::start().expect("the server starts");
    let page = served.open(&browser).expect("the page opens");
    until("the extension does not start", || {
        let targets = browser.cdp("Target.getTargets", json!({})).expect("targets");
        let is_ours = |t: &Value| t["url"].as_str().is_some_and(|url| url.ends_with("/discard.js"));
        targets["targetInfos"].as_array().is_some_and(|all| all.iter().any(is_ours))
    });
    // Long enough to be under way, whenever the browser gets round to it.
    let tokens = 600;
    let endpoint = served.endpoint(&format!("ttft_ms=300&gap_ms=25&tokens={tokens}&rid=discarded"));
    page.fill_in(&own(&endpoint, 2)).expect("filled in");
    page.click("run").expect("started");
    served.wait_for_truth("discarded", |truths| truths.first().is_some_and(|t| !t.pieces.is_empty())).expect("under way");
    browser.cover().expect("another tab");
    let truths = served.wait_for_truth("discarded", |truths| truths[0].closed_us.is_some()).expect("its page is gone");
    assert!(truths[0].pieces.len() < tokens, "{truths:?}");
    block_on(browser.client().close_window()).expect("closed");
    // The browser makes it again now, in a window that the driver does not know by the old name.
    until("there is no page any more", || {
        let window = block_on(browser.client().windows()).ok().and_then(|windows| windows.into_iter().next());
        window.is_some_and(|window| block_on(browser.client().switch_to_window(window)).is_ok())
    });
    browser.cdp("Page.bringToFront", json!({})).expect("shown");
    let again = "return document.wasDiscarded === true && !!document.body?.dataset.state;";
    until("the page was not discarded", || browser.execute(again, vec![]).is_ok_and(|holds| holds == json!(true)));
    page.attach().expect("made again");
    assert_eq!(page.state().expect("a state"), "setup");
    let said = page.text("problems").expect("a text");
    assert!(said.contains(Ui::Discarded.get(Lang::En)), "{said}");
    assert_eq!(served.truths("discarded").len(), 1, "nothing is sent again by itself");
    // It measures as any other.
    let run = measure(&page, &own(&served.endpoint("preset=fast"), 1));
    all_complete(&run);
    assert!(only(&run).first_visible.is_ok() && !listed(&page, "hidden_during"));
}
