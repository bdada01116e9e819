//! A phone shows everything without scrolling sideways, and a low window the button beside what keeps it from working.

use firstlight_core::config::Problem;
use firstlight_core::text::{Lang, problem};
use firstlight_e2e::Browser;
use firstlight_e2e::page::{Page, Setup};
use serde_json::json;

use crate::checks::{measure, open, own};
use crate::fields::says;

/// Elements that stick out of the window, those inside a part that scrolls by itself left out.
const TOO_WIDE: &str = r#"
const scrolls = (e) => e && (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
const width = document.documentElement.clientWidth;
return [...document.querySelectorAll("body *")]
  .filter((e) => e.getBoundingClientRect().right > width + 1 && !e.closest("svg *") && !scrolls(e.parentElement))
  .map((e) => `${e.tagName.toLowerCase()}#${e.id}.${e.className}`);
"#;

/// Nothing sticks out, in either language.
pub(crate) fn fits(page: &Page<'_>, view: &str) {
    for lang in Lang::ALL {
        page.set("language", lang.code()).expect("switched");
        page.wait_until(&format!("return document.documentElement.lang === '{}';", lang.code())).expect("the language");
        let wide = page.browser().execute(TOO_WIDE, vec![]).expect("elements");
        assert_eq!(wide, json!([]), "{view} in {lang:?} is wider than the window");
    }
}

/// Makes the window's inside this large.
pub(crate) fn resize(browser: &Browser, width: u32, height: u32) {
    let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
    browser.cdp("Emulation.setDeviceMetricsOverride", size).expect("a size");
}

pub(crate) fn nothing_is_wider_than_a_phone(browser: &Browser) {
    resize(browser, 390, 844);
    let (served, page) = open(browser);
    fits(&page, "the form");
    page.fill_in(&own("x", 0)).expect("filled in");
    page.click("run").expect("pressed");
    fits(&page, "the problems");
    measure(&page, &own(&served.endpoint("preset=worked-example"), 3).with("mode", "both"));
    fits(&page, "the result");
    page.browser().execute("document.querySelector('#requests-table button').click();", vec![]).expect("a button");
    page.wait_until("return !!document.querySelector('#waterfall [data-part]');").expect("a waterfall");
    fits(&page, "the waterfall");
    page.click("history-page").expect("the history");
    page.wait_until("return document.querySelectorAll('.kept > li').length > 0;").expect("a kept run");
    fits(&page, "the history");
    browser.cdp("Emulation.clearDeviceMetricsOverride", json!({})).expect("the window's size again");
}

/// Seven problems, one with a long word.
fn many_problems() -> Setup {
    let wrong = Setup::own("localhost:8080/v1/chat/completions").with("headers", "X-Team Alpha").with("body", "{x");
    wrong.with("prompt", " ").with("requests", 0).with("concurrency", 1000).with("timeout-s", 0)
}

/// The whole button is inside the window, and nothing lies over it.
const IN_SIGHT: &str = r#"
const button = document.getElementById("run"), box = button.getBoundingClientRect();
const inside = box.top >= 0 && box.bottom <= innerHeight;
return inside && document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2) === button;
"#;

/// The list of problems can have the focus, and nothing of it lies outside but what can be scrolled to, upwards and down.
const LIST: &str = r#"
const list = document.querySelector('#problems ul');
list.focus();
return document.activeElement === list && list.clientHeight >= 48 && list.scrollWidth <= list.clientWidth;
"#;

pub(crate) fn the_button_stays_in_sight_beside_its_problems(browser: &Browser) {
    for (width, height) in [(1280, 640), (1280, 900), (390, 640), (844, 390)] {
        resize(browser, width, height);
        for lang in Lang::ALL {
            let place = format!("{width} × {height} in {lang:?}");
            let (_served, page) = open(browser);
            page.set("language", lang.code()).expect("switched");
            says(&page, &many_problems(), &[problem(lang, &Problem::Prompt)]);
            // Wherever the form is scrolled to.
            for top in ["0", "document.documentElement.scrollHeight / 2", "document.documentElement.scrollHeight"] {
                browser.execute(&format!("window.scrollTo(0, {top});"), vec![]).expect("scrolled");
                let seen = browser.execute(IN_SIGHT, vec![]).expect("a place");
                assert_eq!(seen, json!(true), "the button is out of sight at {place}, scrolled to {top}");
            }
            assert_eq!(browser.execute(LIST, vec![]).expect("a list"), json!(true), "the list at {place}");
        }
    }
    browser.cdp("Emulation.clearDeviceMetricsOverride", json!({})).expect("the window's size again");
}
