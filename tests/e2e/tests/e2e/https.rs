//! A page that came over https: which http addresses it refuses, which it measures, and that browsers see it the same way.

use firstlight_core::config::Problem;
use firstlight_core::outcome::Outcome;
use firstlight_core::report::Run;
use firstlight_core::text::{Lang, outcome_advice, problem};
use firstlight_e2e::page::{Page, Setup};
use firstlight_e2e::tls::Tls;
use firstlight_e2e::{Browser, Served};
use serde_json::json;

use crate::checks::{all_complete, check, only, own};
use crate::fields::says;

/// Keeps the address of everything that the page fetches from now on.
const WATCH: &str = r#"
const fetch = window.fetch;
window.fetched = [];
window.fetch = (what, ...rest) => { window.fetched.push(what.url || String(what)); return fetch.call(window, what, ...rest); };
"#;

/// Origins that no browser trusts.
const PLAIN: [&str; 4] =
    ["http://example.test", "HTTP://Example.Test:8080", "http://10.0.0.1", "http://localhost.example.test"];

fn open<'a>(browser: &'a Browser) -> (Served, Page<'a>) {
    let served = Served::start().expect("the server starts");
    let proxy = Tls::before(&served.running().page_url()).expect("a proxy");
    let page = Page::open(browser, &proxy.url()).expect("the page opens over https");
    let isolated = browser.execute("return location.protocol === 'https:' && isSecureContext && crossOriginIsolated;", vec![]);
    assert_eq!(isolated.expect("a context"), json!(true), "a secure, isolated context");
    (served, page)
}

/// Measures; the page is asked for its state, since where http is blocked it can't tell of it either.
fn measure(page: &Page<'_>, setup: &Setup) -> Run {
    page.fill_in(setup).expect("filled in");
    page.click("run").expect("started");
    page.wait_until("return document.body.dataset.state === 'done';").expect("the run ends");
    page.saved_run().expect("a run")
}

pub(crate) fn an_http_address_is_refused_and_nothing_is_sent(browser: &Browser) {
    let (served, page) = open(browser);
    // Where what is sent can be seen from the page.
    page.toggle_more().expect("unfolded");
    page.click("main-thread").expect("chosen");
    let fetched = || browser.execute("return window.fetched;", vec![]).expect("addresses");
    browser.execute(WATCH, vec![]).expect("watched");
    for origin in PLAIN {
        // Between two of them another problem is said, so that each one's message is its own.
        says(&page, &Setup::own("none"), &[problem(Lang::En, &Problem::Url("none".into()))]);
        says(&page, &own(&format!("{origin}/v1/chat/completions"), 1), &[problem(Lang::En, &Problem::MixedContent)]);
        assert_eq!(fetched(), json!([]), "{origin}");
    }
    // What keeps watch sees what is sent, whether the browser lets it pass or not.
    let url = served.endpoint("preset=fast");
    measure(&page, &own(&url, 1));
    let all = fetched();
    assert!(all.as_array().is_some_and(|all| all.contains(&json!(url))), "{all}");
}

pub(crate) fn an_http_address_of_this_machine_is_measured(browser: &Browser) {
    let (served, page) = open(browser);
    let url = served.endpoint("preset=worked-example");
    let run = measure(&page, &own(&url, 2));
    run.traces.iter().for_each(check);
    all_complete(&run);
    assert!(run.environment.page.starts_with("https://") && run.environment.isolated, "{:?}", run.environment);
    // Under each of its names.
    for name in ["localhost", "LocalHost.", "firstlight.localhost"] {
        page.click("change").expect("pressed");
        page.wait_until("return document.body.dataset.state === 'setup';").expect("the form");
        let url = served.endpoint("preset=fast").replace("127.0.0.1", name);
        assert!(url.contains(name), "{url}");
        let run = measure(&page, &own(&url, 1));
        assert_eq!(only(&run).outcome, Outcome::Complete, "{name}: {run:?}");
    }
}

/// WebKit blocks it, and tells the page no more than that it failed: the advice has to name this too.
pub(crate) fn an_http_address_of_this_machine_is_blocked_in_webkit(browser: &Browser) {
    let (served, page) = open(browser);
    let run = measure(&page, &own(&served.endpoint("preset=fast&rid=blocked"), 1));
    assert_eq!(only(&run).outcome, Outcome::NetworkError);
    assert!(served.truths("blocked").is_empty(), "it was sent");
    let advice = outcome_advice(Lang::En, &Outcome::NetworkError).expect("advice");
    let said = page.string("return document.body.innerText;", vec![]).expect("a text");
    assert!(advice.contains("this page is https and the address http") && said.contains(advice), "{said}");
}
