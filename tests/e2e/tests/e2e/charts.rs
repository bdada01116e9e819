//! Charts as a person reads them: drawn, pointed at, gone through with keys, brushed, saved, watched.

use fantoccini::key::Key;
use firstlight_core::report::Run;
use firstlight_core::text::{Cht, Lang, fill};
use firstlight_e2e::{Browser, Page, Served};
use serde_json::{Value, json};

use crate::checks::{measure, open, own};

/// A run that every chart but those of a sweep has something of.
fn shown<'a>(browser: &'a Browser) -> (Served, Page<'a>, Run) {
    let (served, page) = open(browser);
    let run = measure(
        &page,
        &own(&served.endpoint("preset=worked-example&gap_ms=10&ttft_ms=150&component=model_container:60"), 12)
            .with("mode", "both")
            .with("concurrency", 3),
    );
    page.show_charts().expect("scrolled");
    (served, page, run)
}

fn ask(page: &Page<'_>, script: &str) -> Value {
    page.browser().execute(script, vec![]).expect("asked")
}

pub(crate) fn every_chart_is_drawn_and_says_what_it_shows(browser: &Browser) {
    let (_served, page, _) = shown(browser);
    let figures = "return [...document.querySelectorAll('figure.figure')].map(f => ({\
        id: f.id, title: f.querySelector('h3').innerText, drawn: !!f.querySelector('.drawing svg path'),\
        about: f.querySelector('.sr')?.textContent ?? '', context: f.querySelector('.context').innerText,\
        notes: f.innerText }));";
    let figures = ask(&page, figures);
    let figures = figures.as_array().expect("figures");
    let drawn: Vec<&str> = figures.iter().filter(|f| f["drawn"] == json!(true)).filter_map(|f| f["id"].as_str()).collect();
    for id in ["by_nines", "ecdf", "over_time", "barcode", "paired"] {
        assert!(drawn.iter().any(|drawn| drawn.contains(id)), "{id} is not among {drawn:?}");
    }
    // Nobody read the server's metrics.
    assert!(!figures.iter().any(|f| f["id"] == json!("chart-server_metrics")));
    for figure in figures {
        let text = |name: &str| figure[name].as_str().unwrap_or_default().to_owned();
        assert!(!text("title").is_empty() && !text("context").is_empty(), "{figure}");
        if figure["drawn"] == json!(true) {
            assert!(text("about").chars().any(|c| c.is_ascii_digit()), "{figure}");
        }
    }
    assert_eq!(page.errors().expect("errors"), Vec::<String>::new());
}

pub(crate) fn keys_read_values_and_select_requests(browser: &Browser) {
    let (_served, page, run) = shown(browser);
    let focus = "document.querySelector('#chart-over_time .drawing').focus(); return document.activeElement.className;";
    assert_eq!(ask(&page, focus), json!("drawing"));
    let said =
        || page.string("return document.querySelector('#chart-over_time .read-out').innerText;", vec![]).expect("a line");
    assert_eq!(said(), Cht::ReadHint.get(Lang::En));
    page.press(&char::from(Key::Right).to_string()).expect("pressed");
    page.wait_until("return document.querySelector('#chart-over_time .read-out').innerText.startsWith('request ');")
        .expect("read out");
    let first = said();
    assert!(first.contains(" ms") && first.contains("complete"), "{first}");
    page.press(&char::from(Key::Right).to_string()).expect("pressed");
    page.wait_until(&format!("return document.querySelector('#chart-over_time .read-out').innerText !== {first:?};"))
        .expect("another");
    page.press(&char::from(Key::Enter).to_string()).expect("pressed");
    page.wait_until("return document.querySelectorAll('#requests-table tbody tr').length === 1;")
        .expect("one request is listed");
    let id: u32 = said().trim_start_matches("request ").split(':').next().and_then(|n| n.parse().ok()).expect("a number");
    let line = page.string("return document.querySelector('.selected p').innerText;", vec![]).expect("a line");
    let total = run.traces.len().to_string();
    assert_eq!(line, fill(Cht::Selected.get(Lang::En), &["1", &total, &id.to_string()]));
    // The same request is marked in every chart that shows it.
    let marked =
        "return [...document.querySelectorAll('figure.figure')].filter(f => f.querySelector('.ink-neutral.line')).length;";
    assert!(ask(&page, marked).as_u64().is_some_and(|n| n >= 2));
    page.press(&char::from(Key::Escape).to_string()).expect("pressed");
    page.wait_until(&format!("return document.querySelectorAll('#requests-table tbody tr').length === {total};"))
        .expect("all again");
}

pub(crate) fn a_brush_selects_in_all_charts(browser: &Browser) {
    let (_served, page, run) = shown(browser);
    let drag = "const svg = document.querySelector('#chart-over_time .drawing svg');\
        svg.scrollIntoView({ block: 'center' }); const box = svg.getBoundingClientRect();\
        const at = (type, x, y) => svg.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, button: 0, isPrimary: true, bubbles: true, pointerId: 1 }));\
        at('pointerdown', box.left + 1, box.top + 1); at('pointermove', box.left + 50, box.top + 50);\
        at('pointermove', box.right - 1, box.bottom - 1); at('pointerup', box.right - 1, box.bottom - 1);";
    page.browser().execute(drag, vec![]).expect("dragged");
    page.wait_until("return document.querySelector('.selected p').innerText.includes('requests selected');").expect("selected");
    let line = page.string("return document.querySelector('.selected p').innerText;", vec![]).expect("a line");
    // One of the two ways of asking is drawn.
    let drawn = run.traces.len() / 2;
    assert!(line.starts_with(&format!("{drawn} of ")), "{line}");
    page.click("selection-clear").expect("cleared");
    page.wait_until("return document.getElementById('selection-clear').hidden;").expect("none is selected");
}

pub(crate) fn a_chart_is_saved_as_a_picture(browser: &Browser) {
    let (_served, page, _) = shown(browser);
    // What would be downloaded is looked at instead.
    let catch = "window.saved = []; HTMLAnchorElement.prototype.click = function () { window.saved.push([this.download, this.href]); };";
    page.browser().execute(catch, vec![]).expect("caught");
    for (n, kind) in ["svg", "png"].into_iter().enumerate() {
        let press = format!("document.querySelectorAll('#chart-ecdf .buttons.small button')[{n}].click();");
        page.browser().execute(&press, vec![]).expect("pressed");
        // Nothing changes in the document when it is.
        let saved = format!("while (!(window.saved.length > {n})) await new Promise(r => setTimeout(r, 20));");
        page.browser().execute_async(&saved, vec![]).expect("saved");
        let read = format!(
            "const [name, href] = window.saved[{n}]; const blob = window.__e2e.blobs.get(href);\
             const bytes = new Uint8Array(await blob.arrayBuffer());\
             return {{ name, type: blob.type, size: bytes.length, head: String.fromCharCode(...bytes.slice(0, 5)) }};"
        );
        let saved = page.browser().execute_async(&read, vec![]).expect("read");
        assert!(saved["name"].as_str().is_some_and(|name| name.starts_with("firstlight-") && name.ends_with(kind)), "{saved}");
        let head = if kind == "svg" { "<svg " } else { "\u{89}PNG\r" };
        assert_eq!(saved["head"], json!(head), "{saved}");
        assert!(saved["size"].as_u64().is_some_and(|size| size > 2_000), "{saved}");
    }
}

pub(crate) fn an_answer_is_watched_again(browser: &Browser) {
    let (_served, page, _) = shown(browser);
    let clock = "document.querySelector('#watch .watch-clock').innerText";
    let text = "document.querySelector('#watch .watch-text').innerText.length";
    let whole = ask(&page, &format!("return {text};")).as_u64().expect("a length");
    assert!(whole > 10);
    assert!(ask(&page, &format!("return {clock};")).as_str().is_some_and(|said| said.contains("complete after")));
    // What passes is recorded by the page: a look from outside may come too late.
    ask(
        &page,
        &format!(
            "window.watched = [];
             new MutationObserver(() => window.watched.push([{clock}, {text}]))
                 .observe(document.getElementById('watch'), {{ subtree: true, childList: true, characterData: true }});"
        ),
    );
    page.click("watch-play").expect("pressed");
    page.wait_until(&format!("return {text} === {whole} && {clock}.includes('complete after');")).expect("all of it");
    let watched = page.browser().execute("return window.watched;", vec![]).expect("what passed");
    let watched: Vec<(String, u64)> = serde_json::from_value(watched).expect("clock and length");
    let waiting = watched.iter().position(|(clock, length)| clock.contains("waiting") && *length == 0);
    let part = watched.iter().position(|(_, length)| (1..whole).contains(length));
    assert!(waiting.is_some() && part > waiting, "it waits, then a part of it is there: {watched:?}");
}

/// The chart of the server's metrics: drawn, read out with keys, linked with requests by time, with its table.
pub(crate) fn the_servers_metrics_are_on_the_same_axis(page: &Page<'_>, run: &Run) {
    page.show_charts().expect("scrolled");
    let text = |what: &str| {
        page.string(&format!("return document.querySelector('#chart-server_metrics {what}').textContent;"), vec![])
            .expect("a text")
    };
    let about = text(".sr");
    // What was read of one slot with three at once.
    for name in ["Requests running", "Requests waiting"] {
        assert!(about.contains(name) && text(".base").contains(name), "{about}");
    }
    assert!(about.contains("no value belongs to a request"), "{about}");
    let focus = "document.querySelector('#chart-server_metrics .drawing').focus(); return true;";
    page.browser().execute(focus, vec![]).expect("focused");
    page.press(&char::from(Key::Home).to_string()).expect("pressed");
    page.wait_until("return /s after the run began; \\d+ of the requests/.test(document.querySelector('#chart-server_metrics .read-out').innerText);")
        .expect("read out");
    // The whole of the time brushed is every request.
    let drag = "const svg = document.querySelector('#chart-server_metrics .drawing svg');\
        svg.scrollIntoView({ block: 'center' }); const box = svg.getBoundingClientRect();\
        const at = (type, x, y) => svg.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, button: 0, isPrimary: true, bubbles: true, pointerId: 1 }));\
        at('pointerdown', box.left + 1, box.top + 1); at('pointermove', box.left + 50, box.top + 50);\
        at('pointermove', box.right - 1, box.bottom - 1); await new Promise(r => setTimeout(r, 100));\
        const counted = document.querySelector('#chart-server_metrics .read-out').innerText;\
        at('pointerup', box.right - 1, box.bottom - 1); return counted;";
    let n = run.traces.len();
    let counted = page.browser().execute_async(drag, vec![]).expect("dragged");
    assert!(counted.as_str().is_some_and(|said| said.starts_with(&format!("{n} requests"))), "{counted}");
    let selected = format!("return document.querySelector('.selected p').innerText.startsWith('{n} of {n} ');");
    page.wait_until(&selected).expect("all are selected");
    page.wait_until("return !!document.querySelector('#chart-over_time .over .ink-neutral');")
        .expect("marked in another chart");
    page.browser().execute("document.querySelector('#chart-server_metrics details summary').click();", vec![]).expect("opened");
    page.wait_until("return document.querySelectorAll('#chart-server_metrics tbody tr').length >= 6;").expect("a table");
}
