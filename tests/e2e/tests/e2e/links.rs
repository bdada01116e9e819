//! Links to set-ups.

use fantoccini::key::Key;
use firstlight_core::link::set_up::{self, usual};
use firstlight_core::text::{Lang, Ui};
use firstlight_e2e::page::Setup;
use firstlight_e2e::{Browser, Page};

use crate::checks::open;

/// Nowhere in what others get.
const SECRET: &str = "sk-secret-0815";

/// Asks for the link by its key, and reads it off the page.
fn link(page: &Page<'_>) -> String {
    page.browser().execute("document.getElementById('copy-link').focus();", vec![]).expect("the focus");
    page.press(&char::from(Key::Enter).to_string()).expect("enter");
    page.wait_until("return !!document.getElementById('link');").expect("a link");
    page.text("link").expect("a link")
}

pub(crate) fn a_set_up_opens_from_its_link_and_nothing_is_sent(browser: &Browser) {
    let (served, page) = open(browser);
    // What a fresh page has in its form is what links that say nothing ask for.
    let fresh = link(&page);
    let (_, fragment) = fresh.split_once('#').expect("a fragment");
    let prompt = Ui::DefaultPrompt.get(Lang::En);
    assert_eq!(set_up::open(fragment, "another").expect("a link").expect("a set-up").config, usual(prompt));
    assert_eq!(fragment.matches('&').count(), 1, "{fragment}");

    let url = served.endpoint(&format!("preset=fast&rid=links&api_key={SECRET}"));
    let asked: [(&'static str, &str); 9] = [
        ("prompt", "왜 하늘은 파란가요? & why #1"),
        ("model", "a model/1"),
        ("mode", "both"),
        ("requests", "7"),
        ("load-shape", "poisson"),
        ("load-line", "poisson 3/s"),
        ("max-tokens", "12"),
        ("thresholds", "first_visible<800ms"),
        ("body", "{\"temperature\":0}"),
    ];
    let setup = Setup::own(&url).with("api-key", SECRET).with("headers", format!("X-Extra: {SECRET}"));
    page.fill_in(&asked.iter().fold(setup, |setup, (id, value)| setup.with(id, value))).expect("filled in");
    assert!(!page.shows("link").expect("an answer"), "it would be the link to something else");
    let own = link(&page);
    assert!(!own.contains(SECRET) && own.contains("#measure?v=1&"), "{own}");
    let said = page.text("link-made").expect("a text");
    assert!(said.contains("api_key, headers"), "{said}");

    // A page of its own, as somebody else opens it.
    let opened = |link: &str| {
        firstlight_e2e::rt::block_on(browser.client().goto("about:blank")).expect("left");
        Page::open(browser, link).expect("the link opens")
    };
    let theirs = opened(&own);
    assert_eq!(theirs.state().expect("a state"), "setup");
    for (id, value) in asked.iter().filter(|(id, _)| *id != "body") {
        theirs.unfold(id).expect("unfolded");
        assert_eq!(theirs.value(id).expect("a value"), *value, "#{id}");
    }
    let body: serde_json::Value = serde_json::from_str(&theirs.value("body").expect("a value")).expect("JSON");
    assert_eq!(body, serde_json::json!({"temperature": 0}));
    assert_eq!(theirs.value("url").expect("a value"), url.replace(SECRET, "redacted"));
    for id in ["api-key", "headers"] {
        assert_eq!(theirs.value(id).expect("a value"), "", "#{id}");
    }
    let said = theirs.text("link-opened").expect("a text");
    assert!(said.contains("api_key, headers") && !said.contains("as usual"), "{said}");
    assert_eq!(link(&theirs), own.replace("&left-out=api_key.headers", ""), "it is the same link again");

    // What this page does not know is said, and keeps nothing else from being taken; another version is another thing.
    let some = opened(&format!("{own}&colour=red&concurrency=0"));
    let said = some.text("link-opened").expect("a text");
    assert!(said.contains("as usual: colour, concurrency."), "{said}");
    assert_eq!(["requests", "concurrency"].map(|id| some.value(id).expect("a value")), ["7", "1"]);
    let newer = opened(&own.replace("v=1", "v=2"));
    let said = newer.text("link-opened").expect("a text");
    assert!(said.contains("newer Firstlight") && said.contains("not opened"), "{said}");
    assert_eq!(newer.value("requests").expect("a value"), "20");
    assert!(served.truths("links").is_empty(), "something was sent");
}
