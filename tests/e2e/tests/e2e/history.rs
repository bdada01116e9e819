//! Runs that the browser keeps: found again, noted, dropped, deleted; and no secret in them.

use std::collections::BTreeMap;

use fantoccini::key::Key;
use firstlight_core::history::{Entry, assembled};
use firstlight_core::outcome::Outcome;
use firstlight_core::report::Run;
use firstlight_core::text::{His, Lang};
use firstlight_e2e::page::Page;
use firstlight_e2e::rt::block_on;
use firstlight_e2e::{Browser, Served};
use serde_json::{Value, json};

use crate::checks::{LIMIT, all_complete, measure, open, own};
use crate::keyboard::go_through;

/// Quick requests, one after the other, by which a run can be told.
pub(crate) fn quick(served: &Served, rid: &str) -> String {
    served.endpoint(&format!("ttft_ms=30&gap_ms=5&tokens=8&rid={rid}"))
}

/// A server, and its page in the browser, which keeps nothing: another test may have had a server at the same address.
pub(crate) fn open_empty(browser: &Browser) -> (Served, Page<'_>) {
    const FORGET: &str = "await new Promise((resolve, reject) => {
        const forgetting = indexedDB.deleteDatabase('firstlight');
        forgetting.onsuccess = resolve;
        forgetting.onerror = () => reject(forgetting.error);
    });";
    let (served, page) = open(browser);
    if page.kept().expect("kept").is_empty() {
        return (served, page);
    }
    browser.execute_async(FORGET, vec![]).expect("forgotten");
    let page = served.open(browser).expect("opened afresh");
    (served, page)
}

/// The list of kept runs, with so many.
pub(crate) fn list(page: &Page<'_>, runs: usize) {
    page.click("history-page").expect("the list");
    wait_for(page, runs);
}

fn wait_for(page: &Page<'_>, runs: usize) {
    page.wait_until(&format!("return document.querySelectorAll('.kept > li').length === {runs};")).expect("so many runs");
}

/// What the list says, newest first.
pub(crate) fn rows(page: &Page<'_>) -> Vec<String> {
    let texts = "return [...document.querySelectorAll('.kept > li')].map(row => row.innerText);";
    let rows = page.browser().execute(texts, vec![]).expect("rows");
    rows.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The names of the kept runs, oldest first.
pub(crate) fn ids(kept: &BTreeMap<String, String>) -> Vec<String> {
    kept.keys().filter_map(|key| key.strip_prefix("entry/")).map(str::to_owned).collect()
}

/// A kept run, as it lies there.
pub(crate) fn run_of(kept: &BTreeMap<String, String>, id: &str) -> Run {
    let key = format!("run/{id}");
    let pieces = kept.iter().filter(|(k, _)| k.strip_prefix(&key).is_some_and(|rest| rest.starts_with('/')));
    assembled(&kept[&key], pieces.map(|(_, text)| text.as_str())).expect("a run")
}

fn press(page: &Page<'_>, key: Key) {
    page.press(&char::from(key).to_string()).expect("pressed");
}

/// Presses a button of the newest run.
fn press_first(page: &Page<'_>, class: &str) {
    let button = format!(".kept .{class}");
    let client = page.browser().client();
    block_on(async { client.find(fantoccini::Locator::Css(&button)).await?.click().await }).expect(class);
}

fn note(page: &Page<'_>, id: &str, text: &str) {
    page.set(&format!("note-{id}"), text).expect("noted");
    press(page, Key::Tab);
    page.wait_for_kept(|kept| kept[&format!("entry/{id}")].contains(text)).expect("the note is kept");
}

pub(crate) fn runs_are_found_again_with_their_notes_until_deleted(browser: &Browser) {
    let (served, page) = open_empty(browser);
    let first = measure(&page, &own(&quick(&served, "first"), 3));
    let table = page.table().expect("a table");
    page.click("change").expect("the form");
    measure(&page, &own(&quick(&served, "second"), 2).with("model", "another-model"));
    list(&page, 2);
    let said = rows(&page);
    let host = served.running().second_origin().replace("http://", "");
    assert!(said[0].contains("another-model") && !said[1].contains("another-model"), "{said:?}");
    assert!(said.iter().all(|row| row.contains(&host)) && said[1].contains("n = 3"), "{said:?}");
    let kept = page.kept().expect("kept");
    let ids = ids(&kept);
    assert_eq!(run_of(&kept, &ids[0]).traces, first.traces);
    note(&page, &ids[0], "before the new proxy");
    assert!(rows(&page)[1].contains(His::Pinned.get(Lang::En)));
    go_through(&page);
    // Another page of the same browser.
    let again = served.open(browser).expect("opened afresh");
    list(&again, 2);
    again.set("history-search", "PROXY before").expect("searched");
    wait_for(&again, 1);
    assert_eq!(again.value(&format!("note-{}", ids[0])).expect("a note"), "before the new proxy");
    again.set("history-search", "no such words").expect("searched");
    wait_for(&again, 0);
    assert!(again.text("history-list").expect("words").contains(His::NoneFound.get(Lang::En)));
    again.set("history-search", "proxy").expect("searched");
    wait_for(&again, 1);
    press_first(&again, "open-kept");
    again.wait_for_state("done", LIMIT).expect("shown");
    assert_eq!(again.table().expect("a table"), table);
    assert_eq!(again.saved_run().expect("a run"), first);
    list(&again, 1);
    again.set("history-search", "").expect("all");
    wait_for(&again, 2);
    // Once not, once so.
    press_first(&again, "delete-kept");
    block_on(browser.client().dismiss_alert()).expect("asked");
    press_first(&again, "delete-kept");
    block_on(browser.client().accept_alert()).expect("asked");
    wait_for(&again, 1);
    let left = again.wait_for_kept(|kept| kept.keys().filter(|key| key.starts_with("run/")).count() == 2).expect("deleted");
    assert_eq!(self::ids(&left), ids[..1]);
}

pub(crate) fn the_oldest_go_over_the_limit_and_all_when_asked(browser: &Browser) {
    let (served, page) = open_empty(browser);
    let one = |page: &Page<'_>| measure(page, &own(&quick(&served, "many"), 2));
    one(&page);
    list(&page, 1);
    let kept = page.kept().expect("kept");
    let noted = ids(&kept).remove(0);
    note(&page, &noted, "stays");
    let bytes = Entry::read(&kept[&format!("entry/{noted}")]).expect("an entry").bytes;
    page.set("history-limit", "none").expect("typed");
    press(&page, Key::Tab);
    page.wait_until("return document.getElementById('history-limit').ariaInvalid === 'true';").expect("refused");
    // Two runs and a half.
    let limit = bytes as f64 * 2.5 / 1e6;
    page.set("history-limit", &limit.to_string()).expect("typed");
    press(&page, Key::Tab);
    page.wait_for_kept(|kept| kept.contains_key("settings")).expect("set");
    let newest = |kept: &BTreeMap<String, String>| ids(kept).pop();
    for _ in 0..3 {
        let before = newest(&page.kept().expect("kept"));
        page.click("history-page").expect("the result");
        page.wait_for_state("done", LIMIT).expect("the result");
        page.click("change").expect("the form");
        one(&page);
        page.click("history-page").expect("the list");
        page.wait_for_kept(|kept| newest(kept) != before && ids(kept).len() == 2).expect("kept, and one dropped for it");
    }
    wait_for(&page, 2);
    let kept = page.kept().expect("kept");
    assert_eq!(ids(&kept)[0], noted, "what has a note stays, the oldest of the others went");
    let measured = served.truths("many");
    let newest = run_of(&kept, &ids(&kept)[1]);
    assert_eq!((measured.len(), newest.traces.len()), (8, 2));
    assert!(page.text("history-used").expect("words").contains("MB"));
    page.click("delete-all").expect("pressed");
    block_on(browser.client().accept_alert()).expect("asked");
    wait_for(&page, 0);
    page.wait_for_kept(|kept| kept.keys().eq(["settings"])).expect("nothing is left");
    // Switched off, nothing is written.
    page.click("history-keep").expect("switched off");
    page.wait_for_kept(|kept| kept["settings"].contains("false")).expect("set");
    page.click("history-page").expect("the result");
    page.wait_for_state("done", LIMIT).expect("the result");
    page.click("change").expect("the form");
    one(&page);
    list(&page, 0);
    assert!(page.kept().expect("kept").keys().eq(["settings"]));
}

const KEY: &str = "sk-e2e-4712-secret";
const HEADER: &str = "header-0816-secret";

pub(crate) fn no_key_is_in_what_is_kept(browser: &Browser) {
    let (served, page) = open_empty(browser);
    let url = served.endpoint("ttft_ms=100&gap_ms=30&tokens=30&rid=secret");
    // For some seconds more than one is over, and the run is not.
    let setup =
        own(&url, 4).with("prompt", "A prompt to look for").with("api-key", KEY).with("headers", format!("X-Secret: {HEADER}"));
    page.fill_in(&setup).expect("filled in");
    page.click("run").expect("started");
    let look = |kept: &BTreeMap<String, String>| {
        let text = format!("{kept:?}");
        assert!(text.contains("A prompt to look for"), "as in a file: {text}");
        assert!(!text.contains(KEY) && !text.contains(HEADER), "{text}");
    };
    let pieces = |kept: &BTreeMap<String, String>, place: &str| kept.keys().filter(|key| key.starts_with(place)).count();
    look(&page.wait_for_kept(|kept| pieces(kept, "live/") >= 2).expect("saved as it goes"));
    page.wait_for_state("done", LIMIT).expect("over");
    let kept = page.wait_for_kept(|kept| pieces(kept, "entry/") == 1).expect("kept");
    look(&kept);
    all_complete(&run_of(&kept, &ids(&kept)[0]));
    assert_eq!(pieces(&kept, "live/"), 0, "what is over is no longer under way: {:?}", kept.keys());
}

pub(crate) fn without_a_store_it_is_said_and_measured(browser: &Browser) {
    let source = "Object.defineProperty(window, 'indexedDB', { value: undefined });";
    let added = browser.cdp("Page.addScriptToEvaluateOnNewDocument", json!({"source": source})).expect("added");
    let (served, page) = open(browser);
    let run = measure(&page, &own(&quick(&served, "nowhere"), 1));
    assert_eq!(run.traces[0].outcome, Outcome::Complete);
    assert_eq!(page.text("offered").expect("words"), "");
    page.click("history-page").expect("the list");
    page.wait_until("return document.querySelector('.history').innerText.includes('no IndexedDB');").expect("said there");
    assert!(!page.shows("history-keep").expect("asked"));
    browser.cdp("Page.removeScriptToEvaluateOnNewDocument", json!({"identifier": added["identifier"]})).expect("removed");
}
