//! A result without a mouse: everything that acts is reached with Tab, shows that it has the focus, and acts by its keys.

use fantoccini::key::Key;
use firstlight_core::text::{Lang, Ui};
use firstlight_e2e::{Browser, Page};
use serde_json::{Value, json};

use crate::checks::{LIMIT, measure, open, own};

/// Everything that acts or scrolls and can be seen.
const ACTS: &str = "window.acts = () => [...document.querySelectorAll(\
    'a[href], button, select, input:not([type=hidden]), textarea, summary, [tabindex=\"0\"]')]\
    .filter(e => !e.disabled && e.checkVisibility({ visibilityProperty: true }));\
    window.passed = new Set(); window.unmarked = [];";

/// Notes who has the focus, and gives a word for it; nothing once the page has been gone through: a further Tab may leave it for the
/// browser's own buttons, from which no script brings the focus back.
const PASS: &str = "const e = document.activeElement; if (!e || e === document.body || passed.has(e)) return '';\
    passed.add(e); const style = getComputedStyle(e);\
    const ring = (s) => s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== 'none'\
        || s.stroke !== 'none' && parseFloat(s.strokeWidth) >= 3;\
    const label = e.nextElementSibling?.htmlFor === e.id ? [e.nextElementSibling] : [];\
    if (!ring(style) && ![...e.querySelectorAll('*'), ...label].some(c => ring(getComputedStyle(c)))) unmarked.push(e.outerHTML.slice(0, 120));\
    return acts().every(e => passed.has(e)) ? '' : e.id || e.getAttribute('class') || e.localName;";

const LEFT: &str = "return acts().filter(e => !passed.has(e)).map(e => e.outerHTML.slice(0, 90)).slice(0, 5);";

fn ask(page: &Page<'_>, script: &str) -> Value {
    page.browser().execute(script, vec![]).expect("asked")
}

fn key(page: &Page<'_>, key: Key) {
    page.press(&char::from(key).to_string()).expect("pressed");
}

/// Puts the focus on the first element of a selector, and presses a key.
fn press_on(page: &Page<'_>, selector: &str, pressed: &str) {
    let focus = format!("document.querySelector({selector:?}).focus(); return document.activeElement.matches({selector:?});");
    assert_eq!(ask(page, &focus), json!(true), "{selector} takes no focus");
    page.press(pressed).expect("pressed");
}

/// An open request is read from its title. A focus that moves changes nothing in the document.
fn title_has_focus(page: &Page<'_>) {
    let wait =
        "while (document.activeElement?.id !== 'waterfall-title') await new Promise(r => setTimeout(r, 20)); return true;";
    page.browser().execute_async(wait, vec![]).expect("its title has the focus");
}

/// Everything is reached; what a focus brings into view is reached too.
pub(crate) fn go_through(page: &Page<'_>) {
    ask(page, ACTS);
    ask(page, "window.scrollTo(0, 0); const first = document.querySelector('.skip'); first.focus(); passed.add(first);");
    let mut order = Vec::new();
    for _ in 0..600 {
        key(page, Key::Tab);
        let passed = ask(page, PASS);
        match passed.as_str() {
            Some("") | None => break,
            Some(word) => order.push(word.to_owned()),
        }
    }
    assert_eq!(ask(page, LEFT), json!([]), "not reached by Tab; passed were {order:?}");
    assert_eq!(ask(page, "return unmarked;"), json!([]), "nothing shows that these have the focus");
}

pub(crate) fn a_result_is_read_and_used_by_keys(browser: &Browser) {
    let (served, page) = open(browser);
    let both = own(&served.endpoint("preset=worked-example&gap_ms=10"), 4).with("mode", "both").with("concurrency", 2);
    measure(&page, &both);
    page.show_charts().expect("scrolled");
    ask(&page, "document.getElementById('open-0').click();");
    page.wait_until("return !!document.querySelector('#walk');").expect("a request is open");
    title_has_focus(&page);
    ask(&page, "document.getElementById('export').open = true;");
    go_through(&page);

    let enter = char::from(Key::Enter).to_string();
    press_on(&page, "#waterfall-close", &enter);
    page.wait_until("return !document.querySelector('#walk');").expect("closed");
    assert_eq!(ask(&page, "return document.activeElement.id;"), json!("open-0"), "the focus goes back to where it came from");
    press_on(&page, "#open-1", " ");
    title_has_focus(&page);

    press_on(&page, "#metrics-more", &enter);
    page.wait_until("return document.getElementById('metrics-more').getAttribute('aria-expanded') === 'true';").expect("all");
    press_on(&page, "figure.figure details > summary", " ");
    page.wait_until("return document.querySelector('figure.figure details').open;").expect("the table behind a chart");

    ask(&page, "window.saved = []; HTMLAnchorElement.prototype.click = function () { window.saved.push(this.download); };");
    press_on(&page, "#chart-ecdf .buttons.small button", &enter);
    let saved = "while (!window.saved.length) await new Promise(r => setTimeout(r, 20)); return window.saved[0];";
    let saved = page.browser().execute_async(saved, vec![]).expect("saved");
    assert!(saved.as_str().is_some_and(|name| name.ends_with(".svg")), "{saved}");
    // The file is made when it is asked for; here its download is not let through.
    ask(&page, "document.getElementById('save').addEventListener('click', event => event.preventDefault());");
    press_on(&page, "#save", &enter);
    page.wait_until("return document.getElementById('save').href.startsWith('blob:');").expect("the run's file");

    // It begins anew: what the clock said meanwhile is recorded by the page, since a look from outside may come too late.
    let clock = "document.querySelector('#watch .watch-clock')";
    ask(
        &page,
        &format!(
            "window.said = '';
             new MutationObserver(() => window.said += {clock}.innerText + '|')
                 .observe(document.getElementById('watch'), {{ subtree: true, childList: true, characterData: true }});"
        ),
    );
    press_on(&page, "#watch-play", " ");
    page.wait_until(&format!("return window.said.includes('waiting') && {clock}.innerText.includes('complete after');"))
        .expect("replayed to its end");

    press_on(&page, "#chart-over_time .drawing", &char::from(Key::Right).to_string());
    key(&page, Key::Enter);
    page.wait_until("return document.querySelectorAll('#requests-table tbody tr').length === 1;").expect("one is selected");
    press_on(&page, "#selection-clear", &enter);
    page.wait_until("return document.querySelectorAll('#requests-table tbody tr').length > 1;").expect("all again");

    press_on(&page, "#change", &enter);
    page.wait_for_state("setup", LIMIT).expect("the form");
    press_on(&page, "#back", &enter);
    page.wait_for_state("done", LIMIT).expect("the result again");
    press_on(&page, "#language", &char::from(Key::Down).to_string());
    page.wait_until("return document.documentElement.lang === 'ko';").expect("Korean");
    let again = Ui::RunAgain.get(Lang::Ko);
    page.wait_until(&format!("return document.getElementById('again').innerText === {again:?};")).expect("all of it");
    assert_eq!(page.errors().expect("errors"), Vec::<String>::new());
}

pub(crate) fn a_run_is_started_again_and_stopped_by_keys(browser: &Browser) {
    let (served, page) = open(browser);
    measure(&page, &own(&served.endpoint("preset=fast"), 2));
    press_on(&page, "#change", " ");
    page.wait_for_state("setup", LIMIT).expect("the form");
    page.set("url", &served.endpoint("ttft_ms=20000&tokens=5")).expect("another address");
    press_on(&page, "#run", " ");
    page.wait_until("return !!document.getElementById('stop');").expect("a button");
    press_on(&page, "#stop", &char::from(Key::Enter).to_string());
    // The page was done before, too.
    page.wait_until("return !!document.getElementById('again');").expect("stopped");
    let run = page.saved_run().expect("a run");
    assert!(run.stopped, "it says that it was stopped");
}
