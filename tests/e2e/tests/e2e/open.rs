//! Saving and opening again.

use firstlight_core::report::{OpenError, Run, VERSION};
use firstlight_core::text::{Lang, Ui};
use firstlight_e2e::Browser;
use firstlight_e2e::page::Page;
use serde_json::{Value, json};

use crate::checks::{LIMIT, measure, open, own};

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
