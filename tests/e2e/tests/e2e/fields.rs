//! Filling in: with the keyboard alone, and wrongly.

use fantoccini::key::Key;
use firstlight_core::config::{Field, MAX_REQUESTS, Problem};
use firstlight_core::text::{Lang, problem};
use firstlight_e2e::page::Setup;
use firstlight_e2e::stub::Stub;
use firstlight_e2e::{Browser, Page};

use crate::checks::{LIMIT, all_complete, open};

const TAB: &str = "\u{E004}";
const ENTER: &str = "\u{E007}";

/// Presses Tab until the focus is on an element.
fn tab_to(page: &Page<'_>, id: &str) {
    let focus = || page.string("return document.activeElement ? document.activeElement.id : '';", vec![]).expect("focus");
    let mut passed = Vec::new();
    for _ in 0..80 {
        if focus() == id {
            return;
        }
        page.press(TAB).expect("tab");
        passed.push(focus());
    }
    panic!("#{id} can't be reached by Tab; passed were {passed:?}");
}

pub(crate) fn the_keyboard_is_enough(browser: &Browser) {
    let (_served, page) = open(browser);
    tab_to(&page, "requests");
    page.press_with(Key::Control, 'a').expect("all of it");
    page.press("2").expect("typed over");
    assert_eq!(page.value("requests").expect("a value"), "2");
    tab_to(&page, "run");
    page.press(ENTER).expect("enter");
    page.wait_for_state("running", LIMIT).expect("it runs");
    page.wait_done(LIMIT).expect("the run ends");
    let run = page.saved_run().expect("a run");
    assert_eq!(run.traces.iter().filter(|trace| !trace.planned.warmup).count(), 2);
    all_complete(&run);
    // A request's waterfall opens with Space.
    page.browser().execute("document.querySelector('#requests-table button').focus();", vec![]).expect("a button");
    page.press(" ").expect("space");
    page.wait_until("return !!document.querySelector('#waterfall [data-part]');").expect("a waterfall");
    tab_to(&page, "save");
}

/// Fills in, presses the button, and waits until every one of these texts is said.
pub(crate) fn says(page: &Page<'_>, setup: &Setup, texts: &[String]) {
    page.fill_in(setup).expect("filled in");
    page.click("run").unwrap_or_else(|error| panic!("{setup:?}: {error:#}"));
    let all: Vec<String> = texts.iter().map(|text| format!("said.includes({text:?})")).collect();
    let condition = format!("const said = document.getElementById('problems')?.innerText ?? ''; return {};", all.join(" && "));
    page.wait_until(&condition).unwrap_or_else(|error| {
        let said = page.text("problems").unwrap_or_default();
        panic!("{setup:?}: {texts:?} is not said, but “{said}” in the state {:?}: {error:#}", page.state());
    });
    assert_eq!(page.state().expect("a state"), "setup");
}

pub(crate) fn problems_name_their_fields_and_nothing_is_sent(browser: &Browser) {
    let (_served, page) = open(browser);
    let stub = Stub::page("never asked").expect("a stub");
    let check = |setup: Setup, expected: &[Problem]| {
        let texts: Vec<String> = expected.iter().map(|wanted| problem(Lang::En, wanted)).collect();
        says(&page, &setup, &texts);
        assert_eq!(stub.heads(), [""; 0], "something was sent");
    };
    let range = |field, min, max| Problem::Range { field, min, max };
    check(Setup::own("no/scheme"), &[Problem::Url("no/scheme".into())]);
    let role = page.string("return document.querySelector('#problems').getAttribute('role');", vec![]).expect("a role");
    assert_eq!(role, "alert", "it is read out");
    check(Setup::own("ftp://127.0.0.1/x"), &[Problem::Scheme("ftp".into())]);
    check(Setup::own("http://me:pass@127.0.0.1/x"), &[Problem::Credentials]);
    check(Setup::own(stub.url()).with("headers", "X-Good: 1\nno colon"), &[Problem::Header(2)]);
    check(Setup::new().with("headers", "Host: elsewhere"), &[Problem::ForbiddenHeader("Host".into())]);
    check(Setup::new().with("headers", "").with("api-key", "\u{d0a4}"), &[Problem::Key]);
    check(Setup::new().with("api-key", "").with("body", "[1]"), &[Problem::BodyNotObject]);
    check(Setup::new().with("body", "").with("requests", 0), &[range(Field::Requests, 1, MAX_REQUESTS)]);
    // All at once, so that all can be put right at once.
    let setup = Setup::new().with("requests", "many").with("concurrency", 0).with("prompt", " ").with("url", "x");
    let all = [
        range(Field::Requests, 1, MAX_REQUESTS),
        range(Field::Concurrency, 1, firstlight_core::config::MAX_CONCURRENCY),
        Problem::Prompt,
        Problem::Url("x".into()),
    ];
    check(setup, &all);
    // The words of a JSON error are the parser's.
    let begin = problem(Lang::En, &Problem::Body(String::new()));
    says(&page, &Setup::new().with("body", "{x").with("requests", 1), &[begin.trim_end().to_owned()]);
}
