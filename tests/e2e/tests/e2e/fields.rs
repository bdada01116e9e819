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

/// Fills in, presses the button, and reads what is said. Returns to the state before.
fn said(page: &Page<'_>, setup: &Setup) -> String {
    page.fill_in(setup).expect("filled in");
    page.click("run").expect("pressed");
    page.wait_until("const p = document.getElementById('problems'); return !!p && p.innerText.trim() !== '';").expect("said");
    assert_eq!(page.state().expect("a state"), "setup");
    page.text("problems").expect("problems")
}

pub(crate) fn problems_name_their_fields_and_nothing_is_sent(browser: &Browser) {
    let (_served, page) = open(browser);
    let stub = Stub::page("never asked").expect("a stub");
    let check = |setup: Setup, expected: &[Problem]| {
        let said = said(&page, &setup);
        for wanted in expected {
            let text = problem(Lang::En, wanted);
            assert!(said.contains(&text), "“{text}” is not in “{said}”");
        }
        assert_eq!(stub.heads(), [""; 0], "something was sent");
        page.string("return document.querySelector('#problems').getAttribute('role');", vec![]).expect("a role")
    };
    let range = |field, min, max| Problem::Range { field, min, max };
    assert_eq!(check(Setup::own("no/scheme"), &[Problem::Url("no/scheme".into())]), "alert");
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
    let not_json = said(&page, &Setup::new().with("body", "{x").with("requests", 1));
    let begin = problem(Lang::En, &Problem::Body(String::new()));
    assert!(not_json.contains(begin.trim_end()), "{not_json}");
}
