//! Every face in both languages, looked through by axe-core.

use firstlight_core::text::Lang;
use firstlight_e2e::{Browser, Page, places};
use serde_json::Value;

use crate::checks::{LIMIT, measure, open, own};

const AXE: &str = "npm/axe-core-4.14.1/axe.min.js";

/// What axe finds; each violation with the elements that it is about.
const RUN: &str = "const found = await axe.run(document, { resultTypes: ['violations'] });\
    return found.violations.map(v => `${v.id}: ${v.help}: ${v.nodes.slice(0, 5).map(n => n.target.join(' ')).join(' | ')}`);";

/// What it finds in the document that a browser shows.
pub(crate) fn violations(browser: &Browser) -> Vec<String> {
    let axe = places::tools().join(AXE);
    let axe = std::fs::read_to_string(&axe)
        .unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask setup --browsers`", axe.display()));
    if browser.execute("return typeof window.axe;", vec![]).expect("asked") == "undefined" {
        browser.execute(&axe, vec![]).expect("axe is there");
    }
    let found = browser.execute_async(RUN, vec![]).expect("looked through");
    found.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Nothing is found in either language.
pub(crate) fn clean(page: &Page<'_>, face: &str) {
    for lang in Lang::ALL {
        page.set("language", lang.code()).expect("switched");
        page.wait_until(&format!("return document.documentElement.lang === '{}';", lang.code())).expect("the language");
        let found = violations(page.browser());
        assert!(found.is_empty(), "{face} in {lang:?}: {}", found.join("\n"));
    }
}

/// Opens everything that is folded.
const UNFOLD: &str = "for (const fold of document.querySelectorAll('details')) fold.open = true;";

pub(crate) fn no_face_has_a_violation(browser: &Browser) {
    let (served, page) = open(browser);
    page.browser().execute(UNFOLD, vec![]).expect("unfolded");
    clean(&page, "the form");
    page.fill_in(&own("x", 0)).expect("filled in");
    page.click("run").expect("pressed");
    clean(&page, "the problems");
    let slow = own(&served.endpoint("ttft_ms=20000&gap_ms=20&tokens=10"), 2);
    page.fill_in(&slow).expect("filled in");
    page.click("run").expect("pressed");
    page.wait_for_state("running", LIMIT).expect("running");
    clean(&page, "a run under way");
    page.click("stop").expect("stopped");
    page.wait_done(LIMIT).expect("stopped");
    clean(&page, "a run without a figure");
    // The words that the page tells of its states begin anew.
    let page = served.open(browser).expect("opened afresh");
    measure(&page, &own(&served.endpoint("preset=worked-example"), 8).with("mode", "both").with("concurrency", 2));
    page.show_charts().expect("scrolled");
    page.browser().execute("document.querySelector('#requests-table button').click();", vec![]).expect("a button");
    page.wait_until("return !!document.querySelector('#waterfall [data-part], #walk');").expect("a request");
    page.browser().execute(UNFOLD, vec![]).expect("unfolded");
    clean(&page, "the result");
    page.click("history-page").expect("the history");
    page.wait_until("return document.querySelectorAll('.kept > li').length > 0;").expect("a kept run");
    clean(&page, "the history");
}
