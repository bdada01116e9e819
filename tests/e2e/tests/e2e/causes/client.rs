//! The page itself: its main thread, and whether anybody looks at it.

use firstlight_core::diagnosis::{Rule, Verdict};
use firstlight_e2e::page::Setup;
use firstlight_e2e::{Browser, Engine, Page};

use super::{Shown, shown};
use crate::checks::{LIMIT, open, own};

/// Blocks the main thread for 300 of 400 ms, until it is told to stop.
const BLOCK: &str = "window.blocking = setInterval(() => {\
    const end = performance.now() + 300; while (performance.now() < end); }, 400);";
const UNBLOCK: &str = "clearInterval(window.blocking);";

fn on_main_thread(page: &Page<'_>) {
    page.unfold("main-thread").expect("unfolded");
    page.click("main-thread").expect("chosen");
}

fn blocked<'p, 'b>(page: &'p Page<'b>, setup: &Setup) -> Shown<'p, 'b> {
    page.fill_in(setup).expect("filled in");
    page.browser().execute(BLOCK, vec![]).expect("blocking");
    let shown = shown(page, &Setup::new());
    page.browser().execute(UNBLOCK, vec![]).expect("free");
    shown
}

/// Read on a main thread that is busy for three quarters of the time; then on the same thread, idle.
pub(crate) fn client_limited(browser: &Browser) {
    let (served, page) = open(browser);
    on_main_thread(&page);
    let setup = own(&served.endpoint("ttft_ms=150&gap_ms=20&tokens=10"), 8);
    let found = blocked(&page, &setup).found(Rule::Client);
    assert!(found.share.is_some_and(|share| share > 0.3), "{found:?}");
    let idle = shown(&page, &setup);
    idle.not_found(Rule::Client);
}

/// The words are there, and the main thread has no time to draw them.
pub(crate) fn render_bound(browser: &Browser) {
    let (served, page) = open(browser);
    let setup = own(&served.endpoint("ttft_ms=150&gap_ms=20&tokens=10"), 10);
    let found = blocked(&page, &setup).found(Rule::Render);
    assert!(found.requests.len() >= 2, "{found:?}");
    let idle = shown(&page, &setup);
    if browser.engine() == Engine::Chromium {
        idle.not_found(Rule::Render);
    } else {
        // Elsewhere no more is known than that it was drawn later than this.
        assert_ne!(idle.finding(Rule::Render).verdict, Verdict::Found);
    }
}

/// Another tab lies over the page while a request is under way; during the next nothing does.
pub(crate) fn hidden_or_throttled(browser: &Browser) {
    let (served, page) = open(browser);
    let watch = page.tell_visibility().expect("a listener");
    page.fill_in(&own(&served.endpoint("ttft_ms=1500&gap_ms=5&tokens=10&rid=covered"), 1)).expect("filled in");
    page.click("run").expect("started");
    served.wait_for_truth("covered", |truths| truths.len() == 1).expect("it came");
    let tab = browser.cover().expect("covered");
    watch.wait_for("hidden", LIMIT).expect("it is hidden");
    served.wait_for_truth("covered", |truths| truths[0].closed_us.is_some()).expect("it ended");
    browser.show(tab).expect("shown again");
    page.wait_for_state("done", LIMIT).expect("the run ends");
    let hidden = Shown { page: &page, run: page.saved_run().expect("a run") };
    assert_eq!(hidden.found(Rule::Hidden).requests, [0]);
    shown(&page, &own(&served.endpoint("preset=fast"), 2)).not_found(Rule::Hidden);
}
