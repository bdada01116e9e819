//! Saving and opening again.

use firstlight_core::report::{OpenError, Run, VERSION};
use firstlight_core::text::{Lang, Ui};
use firstlight_e2e::Browser;
use firstlight_e2e::page::Page;
use serde_json::{Value, json};

use crate::checks::{LIMIT, measure, open, own};

/// What a browser tells a page when files with these texts are held over it, leave it, or are dropped on it.
const DRAG: &str = r#"
const [kind, ...texts] = arguments;
const dataTransfer = new DataTransfer();
for (const text of texts) dataTransfer.items.add(new File([text], "run.json", { type: "application/json" }));
const event = new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true });
document.getElementById("main").dispatchEvent(event);
return event.defaultPrevented;
"#;

/// Whether the page keeps the browser from leaving it for the files.
fn drag(page: &Page<'_>, kind: &str, texts: &[&str]) -> bool {
    let arguments = std::iter::once(kind).chain(texts.iter().copied()).map(Value::from).collect();
    page.browser().execute(DRAG, arguments).expect("an event") == json!(true)
}

/// Chooses a file with this text.
fn choose(page: &Page<'_>, folder: &tempfile::TempDir, name: &str, text: &str) {
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("written");
    page.choose_file(&path).expect("chosen");
}

pub(crate) fn a_saved_run_shows_the_same_table(browser: &Browser) {
    let folder = tempfile::tempdir().expect("a folder");
    let (served, page) = open(browser);
    let run = measure(&page, &own(&served.endpoint("preset=fast"), 4).with("mode", "both"));
    let (text, table, headline) =
        (page.saved_text().expect("a text"), page.table().expect("a table"), page.text("headline").expect("a headline"));
    let again = served.open(browser).expect("opened afresh");
    assert_eq!(again.state().expect("a state"), "setup");
    choose(&again, &folder, "run.json", &text);
    again.wait_for_state("done", LIMIT).expect("shown");
    assert_eq!(again.table().expect("a table"), table);
    assert_eq!(again.text("headline").expect("a headline"), headline);
    assert_eq!(again.requests().expect("requests").len(), run.traces.len());
    assert_eq!(again.saved_run().expect("a run"), run);
}

pub(crate) fn files_that_cannot_be_opened_change_nothing(browser: &Browser) {
    let folder = tempfile::tempdir().expect("a folder");
    let (served, page) = open(browser);
    measure(&page, &own(&served.endpoint("preset=fast"), 2));
    let (text, table) = (page.saved_text().expect("a text"), page.table().expect("a table"));
    let half = text.chars().take(text.chars().count() / 2).collect::<String>();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut file: Value = serde_json::from_str(&text).expect("JSON");
        change(&mut file);
        file.to_string()
    };
    let newer = changed(&|file| file["version"] = json!(99));
    assert_eq!(Run::from_json(&newer), Err(OpenError::Newer { found: 99, known: VERSION }));
    let damaged = changed(&|file| file["requests"][0]["reads"] = json!("many"));
    assert!(matches!(Run::from_json(&damaged), Err(OpenError::Damaged(_))));
    let cases = [
        ("half.json", half.as_str(), Ui::OpenTruncated),
        ("newer.json", newer.as_str(), Ui::OpenNewer),
        ("other.json", "{\"a\": 1}", Ui::OpenNotOurs),
        ("words.txt", "These are words.", Ui::OpenNotJson),
        ("damaged.json", damaged.as_str(), Ui::OpenDamaged),
    ];
    for (name, content, message) in cases {
        choose(&page, &folder, name, content);
        // Up to what the message fills in.
        let expected = message.get(Lang::En).split('{').next().unwrap_or_default().trim();
        let shown = format!("return document.getElementById('problems').innerText.includes({expected:?});");
        page.wait_until(&shown).unwrap_or_else(|error| panic!("{name}: “{expected}” is never said: {error:#}"));
        assert_eq!(page.state().expect("a state"), "done", "{name}");
        assert_eq!(page.table().expect("a table"), table, "{name}");
        assert_eq!(page.saved_text().expect("a text"), text, "{name}");
    }
}

pub(crate) fn a_saved_run_is_dropped_on_the_page(browser: &Browser) {
    let (served, page) = open(browser);
    let run = measure(&page, &own(&served.endpoint("preset=fast"), 2));
    let (text, table) = (page.saved_text().expect("a text"), page.table().expect("a table"));
    // On any of the pages.
    let again = Page::open(browser, &format!("{}#race", served.running().page_url())).expect("opened afresh");
    let hint = || again.shows("drop").expect("an answer");
    assert!(!hint() && drag(&again, "dragover", &[&text]) && hint());
    assert_eq!(again.text("drop").expect("a text"), Ui::DropRun.get(Lang::En));
    assert!(drag(&again, "dragleave", &[&text]) && !hint());
    assert!(!drag(&again, "dragover", &[]) && !hint(), "what holds no file is no matter of the page's");
    assert!(drag(&again, "dragover", &[&text]) && drag(&again, "drop", &[&text]) && !hint());
    again.wait_until("return document.body.dataset.state === 'done' && !!document.getElementById('save');").expect("shown");
    assert_eq!(again.table().expect("a table"), table);
    assert_eq!(again.saved_run().expect("a run"), run);
    // What can't be opened changes nothing, and it says why.
    let mut newer: Value = serde_json::from_str(&text).expect("JSON");
    newer["version"] = json!(99);
    let newer = newer.to_string();
    for (texts, message) in [
        (vec![newer.as_str()], Ui::OpenNewer),
        (vec!["These are words."], Ui::OpenNotJson),
        (vec![text.as_str(), text.as_str()], Ui::DropWrong),
    ] {
        assert!(drag(&again, "drop", &texts));
        let expected = message.get(Lang::En).split('{').next().unwrap_or_default().trim();
        let shown = format!("return document.getElementById('problems').innerText.includes({expected:?});");
        again.wait_until(&shown).unwrap_or_else(|error| panic!("“{expected}” is never said: {error:#}"));
        assert_eq!(again.state().expect("a state"), "done");
        assert_eq!(again.table().expect("a table"), table);
    }
}
