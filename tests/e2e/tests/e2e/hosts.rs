//! The example host pages, built as their teams would build them, under the very policy of the documentation: what is measured reaches
//! them, and nothing is logged, forbidden or added to their globals.

use std::path::Path;

use firstlight_core::report::{Embedded, Run};
use firstlight_e2e::rt::block_on;
use firstlight_e2e::site::{Files, Site};
use firstlight_e2e::{Browser, Engine, Served, places};
use serde_json::{Value, json};

use crate::accessible::violations;
use crate::checks::{all_complete, check};

/// Where the policy is written down.
const DOCUMENT: &str = include_str!("../../../../docs/csp.md");
/// What the pages and the policy have in the place of the endpoint.
const PLACEHOLDER: &str = "https://api.example.com";
const PATH: &str = "/v1/chat/completions";

/// Waits for the button that starts; the shadow tree tells nobody outside of its changes.
const READY: &str = "while (!document.querySelector('firstlight-test')?.shadowRoot?.querySelector('[part=start]'))\
    await new Promise((later) => setTimeout(later, 20));";
const START: &str = "document.querySelector('firstlight-test').shadowRoot.querySelector('[part=start]').click();";
const ASK: &str =
    "document.querySelector('#answer').scrollIntoView({ block: 'center' }); document.querySelector('#chat button').click();";

/// The lines of the documented policy.
fn policy() -> Vec<&'static str> {
    let block = DOCUMENT.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block with the policy");
    let lines: Vec<&str> = block.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert!(lines.len() >= 5 && lines.iter().any(|line| line.starts_with("connect-src ")), "{lines:?}");
    lines
}

/// A host's page, opened.
struct Host<'a> {
    served: Served,
    browser: &'a Browser,
}

impl<'a> Host<'a> {
    fn open(browser: &'a Browser, name: &str) -> Host<'a> {
        Host::with_policy(browser, name, &policy().join(" "))
    }

    fn with_policy(browser: &'a Browser, name: &str, policy: &str) -> Host<'a> {
        let served = Served::start().expect("the server starts");
        let exchange = vec![(format!("{PLACEHOLDER}{PATH}"), served.endpoint("preset=fast&rid=host"))];
        let files = Files {
            folder: places::hosts().join(name),
            policy: policy.replace(PLACEHOLDER, &served.running().second_origin()),
            exchange,
            first: Some(include_str!("../../src/scripts/first.js")),
        };
        let site = Site::start(files).expect("the page is served");
        if browser.engine() == Engine::Chromium {
            // What an earlier page left there.
            browser.console().expect("a console");
        }
        block_on(browser.client().goto(site.origin())).expect("the page opens");
        Host { served, browser }
    }

    /// Starts a run and waits for what the page says of it.
    fn measure(&self) -> String {
        self.browser.execute_async(READY, vec![]).expect("the element is ready");
        self.browser.execute(START, vec![]).expect("started");
        self.wait_for("#heard", "/answers came whole|did not work/")
    }

    /// Waits until the page's own text matches, and gives it.
    fn wait_for(&self, selector: &str, pattern: &str) -> String {
        let condition = format!(
            "const words = document.querySelector('{selector}')?.textContent ?? ''; return {pattern}.test(words) ? words : null;"
        );
        let script = include_str!("../../src/scripts/when.js").replace("CONDITION", &condition);
        let words = self.browser.execute_async(&script, vec![]).expect("the page says it");
        words.as_str().expect("a text").to_owned()
    }

    /// What the script that is first in the page knows.
    fn told(&self, what: &str) -> Value {
        let script = format!("return (window.wrappedJSObject ?? window).host.{what}();");
        let said = self.browser.execute(&script, vec![]).expect("told");
        serde_json::from_str(said.as_str().expect("a text")).expect("JSON")
    }
}

/// The sentence that the pages make of a report.
fn in_words(report: &Value) -> String {
    let figures = report["figures"].as_array().expect("figures");
    let seen = figures.iter().find(|row| row["metric"] == json!("ttfv") && row["edge"] != json!("latest")).expect("a row");
    let half = seen["statistics"]["p50"]["value"].as_f64().unwrap_or_else(|| panic!("no figure: {seen}"));
    let when = if seen["edge"] == json!("value") { "after" } else { "not before" };
    format!("3 of 3 answers came whole; half of them began to show {when} {} ms.", half.round())
}

/// Measures in a page, and in its chat if it has one; `globals` are its framework's own.
fn drive(browser: &Browser, name: &str, chats: bool, globals: &[&str]) {
    let host = Host::open(browser, name);
    let words = host.measure();
    let report = host.told("report");
    assert_eq!(words, in_words(&report));
    let run = Run::from_json(&report["run"].to_string()).expect("a run file");
    run.traces.iter().for_each(check);
    all_complete(&run);
    assert_eq!((run.traces.len(), host.served.truths("host").len()), (3, 3));
    assert_eq!((run.environment.embedded, &report["context"]["isolated"]), (Embedded::Element, &json!(false)));
    // The policy lets its worker be.
    assert_ne!(report["context"]["arrival"], json!("no_worker"), "{}", report["context"]);
    if chats {
        browser.execute(ASK, vec![]).expect("asked");
        let watched = host.wait_for("#watched", "/./");
        assert!(watched.starts_with("It began to show after ") && watched.contains("whole after "), "{watched}");
        let answer = browser.execute("return document.querySelector('#answer').textContent;", vec![]).expect("read");
        assert!(answer.as_str().is_some_and(|answer| answer.len() > 5 && !answer.contains("did not work")), "{answer}");
        assert_eq!(host.served.truths("host").len(), 4);
    }
    assert_eq!(host.told("left"), json!({"added": globals, "problems": []}), "{name}");
    if browser.engine() == Engine::Chromium {
        assert_eq!(browser.console().expect("a console"), Vec::<String>::new(), "{name}");
    }
    assert_eq!(violations(browser), Vec::<String>::new(), "{name}");
}

pub(crate) fn plain_html(browser: &Browser) {
    drive(browser, "plain", true, &[]);
}

pub(crate) fn react(browser: &Browser) {
    drive(browser, "react", true, &[]);
}

pub(crate) fn vue(browser: &Browser) {
    drive(browser, "vue", false, &["__VUE_INSTANCE_SETTERS__", "__VUE_SSR_SETTERS__", "__VUE__"]);
}

pub(crate) fn svelte(browser: &Browser) {
    drive(browser, "svelte", false, &["__svelte"]);
}

pub(crate) fn static_export(browser: &Browser) {
    let page = std::fs::read_to_string(places::hosts().join(Path::new("export/index.html"))).expect("the page is built");
    assert!(page.contains("<firstlight-test ") && page.contains("Nothing measured yet."), "it is in the HTML: {page}");
    drive(browser, "export", false, &[]);
}

/// The policy, with something else in the place of what stands there.
fn changed(from: &str, to: &str) -> String {
    let policy = policy().join(" ");
    assert!(policy.contains(from), "no {from} in {policy}");
    policy.replace(from, to)
}

pub(crate) fn each_line_of_the_policy_is_needed(browser: &Browser) {
    let host = Host::with_policy(browser, "plain", &changed("'wasm-unsafe-eval'", ""));
    let words = host.wait_for("#heard", "/did not work/");
    assert!(words.contains("could not be loaded"), "{words}");

    let host = Host::with_policy(browser, "plain", &changed(PLACEHOLDER, ""));
    assert!(host.measure().starts_with("0 of 3 answers came whole"));
    assert_eq!(host.served.truths("host").len(), 0);

    // Without a worker it measures on the page's own thread, and says so. The element needs no style that a policy could forbid.
    let policy = changed("worker-src 'self'", "worker-src 'none'").replace("style-src 'self'", "style-src 'none'");
    let host = Host::with_policy(browser, "plain", &policy);
    assert!(host.measure().starts_with("3 of 3 answers came whole"));
    let context = &host.told("report")["context"];
    assert_eq!(context["arrival"], json!("no_worker"), "{context}");
    assert!(context["worker_refused"].as_str().is_some_and(|why| !why.is_empty()), "{context}");
    let color = "const base = document.querySelector('firstlight-test').shadowRoot.querySelector('[part=base]');\
        return [getComputedStyle(base).backgroundColor, getComputedStyle(document.querySelector('header')).backgroundColor];";
    let colors = browser.execute(color, vec![]).expect("colours");
    assert_eq!(colors[1], json!("rgba(0, 0, 0, 0)"), "the page's own styles are forbidden");
    assert_ne!(colors[0], colors[1], "the element has its own");
}
