//! A phone shows everything without scrolling sideways.

use firstlight_core::text::Lang;
use firstlight_e2e::Browser;
use firstlight_e2e::page::Page;
use serde_json::json;

use crate::checks::{measure, open, own};

/// Elements that stick out of the window, those inside a part that scrolls by itself left out.
const TOO_WIDE: &str = r#"
const scrolls = (e) => e && (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
const width = document.documentElement.clientWidth;
return [...document.querySelectorAll("body *")]
  .filter((e) => e.getBoundingClientRect().right > width + 1 && !e.closest("svg *") && !scrolls(e.parentElement))
  .map((e) => `${e.tagName.toLowerCase()}#${e.id}.${e.className}`);
"#;

fn fits(page: &Page<'_>, view: &str) {
    for lang in Lang::ALL {
        page.set("language", lang.code()).expect("switched");
        page.wait_until(&format!("return document.documentElement.lang === '{}';", lang.code())).expect("the language");
        let wide = page.browser().execute(TOO_WIDE, vec![]).expect("elements");
        assert_eq!(wide, json!([]), "{view} in {lang:?} is wider than the window");
    }
}

pub(crate) fn nothing_is_wider_than_a_phone(browser: &Browser) {
    let phone = json!({"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": false});
    browser.cdp("Emulation.setDeviceMetricsOverride", phone).expect("a phone's size");
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
    browser.cdp("Emulation.clearDeviceMetricsOverride", json!({})).expect("the window's size again");
}
