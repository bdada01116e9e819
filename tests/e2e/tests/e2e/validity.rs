//! What happens to a page while it measures: each is caused for real, and the request says it.

use std::time::Duration;

use firstlight_core::Micros;
use firstlight_core::mark::{Absence, Mark};
use firstlight_core::outcome::Outcome;
use firstlight_core::report::{Arrival, Run};
use firstlight_core::trace::{Covered, Trace};
use firstlight_core::validity::{Circumstance, of_request};
use firstlight_e2e::{Browser, Engine, Page};
use serde_json::json;

use crate::checks::{LIMIT, at, check, measure, only, open, own};

/// Blocks the page's main thread for 150 ms, again and again, for as long as the page lives.
const BLOCK: &str = "setInterval(() => { const end = performance.now() + 150; while (performance.now() < end); }, 400);";
/// A stream that goes on for about two seconds.
const LONG: &str = "ttft_ms=300&gap_ms=25&tokens=60";

fn met(run: &Run, trace: &Trace, circumstance: Circumstance) -> bool {
    of_request(trace, &run.environment).iter().any(|(found, _)| *found == circumstance)
}

/// The page lists a circumstance of the run.
pub(crate) fn listed(page: &Page<'_>, code: &str) -> bool {
    let script = "return !!document.querySelector(`#circumstances [data-circumstance=${arguments[0]}]`);";
    page.browser().execute(script, vec![json!(code)]).expect("looked up") == json!(true)
}

/// The share of outputs that came together with others, in thousandths.
fn coalesced(run: &Run) -> u32 {
    let reads = || run.traces.iter().flat_map(|t| &t.reads);
    let together: u32 = reads().map(|r| r.output_events).filter(|n| *n > 1).sum();
    1000 * together / reads().map(|r| r.output_events).sum::<u32>()
}

/// The same page, the same blocks: once read in the worker, once on the main thread.
pub(crate) fn a_blocked_main_thread_is_told_and_moves_no_stamp_of_a_worker(browser: &Browser) {
    let (served, page) = open(browser);
    browser.execute(BLOCK, vec![]).expect("blocking");
    let setup = own(&served.endpoint(LONG), 3);
    let in_worker = measure(&page, &setup);
    page.click("change").expect("back to the form");
    page.toggle_more().expect("unfolded");
    page.click("main-thread").expect("chosen");
    let on_main = measure(&page, &setup);
    assert_eq!((in_worker.environment.arrival, on_main.environment.arrival), (Arrival::Worker, Arrival::Main));
    for (run, circumstance) in [(&in_worker, Circumstance::Blocked), (&on_main, Circumstance::BlockedAndLate)] {
        assert!(run.traces.iter().all(|t| met(run, t, circumstance)), "{run:?}");
        // Two seconds hold at least three blocks.
        assert!(run.traces.iter().all(|t| t.flags.blocked >= Micros::ms(300)), "{run:?}");
    }
    assert!(listed(&page, "main_thread_blocked_late"));
    // A block of 150 ms holds back the six outputs that come in it, unless somebody else reads.
    let (worker, main) = (coalesced(&in_worker), coalesced(&on_main));
    assert!(main > 200 && worker < main / 2, "{worker} ‰ in the worker, {main} ‰ on the main thread");
}

/// WebKit hands replies to a worker through the page's main thread: they are late, and it is said.
pub(crate) fn a_blocked_main_thread_makes_stamps_late_and_it_is_said(browser: &Browser) {
    let (served, page) = open(browser);
    browser.execute(BLOCK, vec![]).expect("blocking");
    let run = measure(&page, &own(&served.endpoint(LONG), 2));
    assert_eq!(run.environment.arrival, Arrival::WorkerThroughMain);
    assert!(run.traces.iter().all(|t| met(&run, t, Circumstance::BlockedAndLate)), "{run:?}");
    assert!(listed(&page, "main_thread_blocked_late") && listed(&page, "read_on_main"));
}

pub(crate) fn a_covered_answer_was_not_seen(browser: &Browser) {
    let (served, page) = open(browser);
    page.fill_in(&own(&served.endpoint(LONG), 1)).expect("filled in");
    let cover = "const over = document.createElement('div');\
        Object.assign(over.style, { position: 'fixed', inset: '0', background: 'white', zIndex: '99' });\
        document.getElementById('run').click(); document.body.append(over);";
    browser.execute(cover, vec![]).expect("covered");
    page.wait_done(LIMIT).expect("the run ends");
    let run = page.saved_run().expect("a run");
    let trace = only(&run);
    check(trace);
    assert_eq!(trace.outcome, Outcome::Complete);
    assert_eq!((trace.first_visible, trace.complete_visible), (Err(Absence::Covered), Err(Absence::Covered)));
    assert!(trace.flags.covered == Covered::Yes && met(&run, trace, Circumstance::Covered));
    // Uncovered, it is not said to be.
    browser.execute("document.body.lastElementChild.remove();", vec![]).expect("uncovered");
    page.click("change").expect("back to the form");
    let run = measure(&page, &own(&served.endpoint(LONG), 1));
    let told = if browser.engine() == Engine::Chromium { Covered::No } else { Covered::Unknown };
    assert_eq!(only(&run).flags.covered, told);
    assert!(only(&run).first_visible.is_ok());
}

pub(crate) fn an_answer_outside_the_viewport_was_not_seen(browser: &Browser) {
    let (served, page) = open(browser);
    // Whatever gets the focus, the answers stay below the window.
    let below = "document.body.style.paddingTop = '3000px'; setInterval(() => window.scrollTo(0, 0), 5);\
        const focus = HTMLElement.prototype.focus; HTMLElement.prototype.focus = function () { focus.call(this, { preventScroll: true }); };";
    browser.execute(below, vec![]).expect("moved");
    page.fill_in(&own(&served.endpoint("preset=fast"), 1)).expect("filled in");
    browser.execute("document.getElementById('run').click();", vec![]).expect("started");
    page.wait_done(LIMIT).expect("the run ends");
    let run = page.saved_run().expect("a run");
    let trace = only(&run);
    assert_eq!((trace.first_visible, trace.complete_visible), (Err(Absence::OffScreen), Err(Absence::OffScreen)), "{trace:?}");
    assert!(met(&run, trace, Circumstance::OffScreen) && listed(&page, "off_screen"));
    assert!(at(trace, Mark::LastAnswer) >= at(trace, Mark::FirstAnswer));
}

/// Two requests, and during the first the page or the machine stands still: it is void and not asked for again, the other
/// goes well.
fn voided(browser: &Browser, rid: &str, outcome: &Outcome, stand_still: impl Fn()) {
    let (served, page) = open(browser);
    page.fill_in(&own(&served.endpoint(&format!("{LONG}&rid={rid}")), 2)).expect("filled in");
    page.click("run").expect("started");
    served.wait_for_truth(rid, |truths| truths.first().is_some_and(|t| !t.pieces.is_empty())).expect("under way");
    stand_still();
    page.wait_done(LIMIT).expect("the run goes on and ends");
    let run = page.saved_run().expect("a run");
    let outcomes: Vec<&Outcome> = run.traces.iter().map(|t| &t.outcome).collect();
    assert_eq!(outcomes, [outcome, &Outcome::Complete]);
    assert_eq!(served.truths(rid).len(), 2);
}

/// The machine's sleep, as a page notices it: the wall clock runs ahead of the other.
pub(crate) fn a_machine_that_slept_voids_what_was_under_way(browser: &Browser) {
    voided(browser, "slept", &Outcome::Slept, || {
        let sleep = "const real = window.Date.now; window.Date.now = () => real.call(window.Date) + 3600000;";
        browser.execute(sleep, vec![]).expect("slept");
    });
}

pub(crate) fn a_frozen_page_voids_what_was_under_way(browser: &Browser) {
    voided(browser, "frozen", &Outcome::Frozen, || {
        browser.cdp("Page.setWebLifecycleState", json!({"state": "frozen"})).expect("frozen");
        // Longer than what is left of the stream: it ends while nobody can take it.
        std::thread::sleep(Duration::from_millis(2_500));
        browser.cdp("Page.setWebLifecycleState", json!({"state": "active"})).expect("active");
        // It is still hidden then, and the run waits, until somebody looks at it.
        let tab = browser.cover().expect("another tab");
        browser.show(tab).expect("shown");
    });
}

/// What a worker knew that breaks is lost, and the page says so and can measure again.
pub(crate) fn a_page_that_breaks_says_so(browser: &Browser) {
    let (_served, page) = open(browser);
    let hidden = || browser.execute("return document.getElementById('broken').hidden;", vec![]).expect("asked");
    // Somebody else's error is not ours.
    browser
        .execute_async("setTimeout(() => { throw new Error('not ours'); }); await new Promise(r => setTimeout(r, 50));", vec![])
        .expect("thrown");
    assert_eq!(hidden(), true);
    // A module whose one function is `unreachable`; of the page's own WebAssembly, where the driver's scripts have another.
    let trap = "const page = window.wrappedJSObject ?? window;\
        const bytes = [0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,97,0,0,10,5,1,3,0,0,11];\
        const code = new page.Uint8Array(bytes.length); bytes.forEach((byte, at) => { code[at] = byte; });\
        const module = new page.WebAssembly.Module(code);\
        page.setTimeout(new page.WebAssembly.Instance(module).exports.a); await new Promise(r => setTimeout(r, 50));";
    browser.execute_async(trap, vec![]).expect("trapped");
    assert_eq!(hidden(), false);
    let said = browser.execute("return document.getElementById('broken').innerText;", vec![]).expect("asked");
    assert!(said.as_str().is_some_and(|said| said.contains("reload") && said.contains("RuntimeError")), "{said}");
    let errors = page.errors().expect("errors");
    assert!(errors.iter().any(|error| error.to_lowercase().contains("unreachable")), "{errors:?}");
}

pub(crate) fn a_worker_that_breaks_ends_the_run_with_a_message(browser: &Browser) {
    let (served, page) = open(browser);
    let keep = "const Own = window.Worker;\
        window.Worker = function (...all) { return window.kept = new Own(...all); };";
    browser.execute(keep, vec![]).expect("kept");
    page.fill_in(&own(&served.endpoint(&format!("{LONG}&rid=broken")), 2)).expect("filled in");
    page.click("run").expect("started");
    served.wait_for_truth("broken", |truths| truths.first().is_some_and(|t| !t.pieces.is_empty())).expect("under way");
    browser.execute("window.kept.dispatchEvent(new ErrorEvent('error', { message: 'out of luck' }));", vec![]).expect("told");
    page.wait_for_state("setup", LIMIT).expect("the form");
    assert!(page.text("problems").expect("problems").contains("out of luck"));
    // The worker is gone, and with it what it asked for.
    let truths = served.wait_for_truth("broken", |truths| truths.iter().all(|t| t.closed_us.is_some())).expect("let go");
    assert!(truths.len() == 1 && truths[0].pieces.len() < 60, "it went on to its end: {truths:?}");
    let run = measure(&page, &own(&served.endpoint("preset=fast"), 1));
    assert_eq!(only(&run).outcome, Outcome::Complete);
}

pub(crate) fn a_replaced_fetch_is_told_where_it_is_used(browser: &Browser) {
    let (served, page) = open(browser);
    let replace = "const fetch = window.fetch; window.fetch = (...all) => fetch.apply(window, all);";
    browser.execute(replace, vec![]).expect("replaced");
    let setup = own(&served.endpoint("preset=fast"), 1);
    // A worker has its own, which nobody replaced.
    let in_worker = measure(&page, &setup);
    assert!(!in_worker.environment.native_fetch && !only(&in_worker).flags.patched_fetch);
    page.click("change").expect("back to the form");
    page.toggle_more().expect("unfolded");
    page.click("main-thread").expect("chosen");
    page.measure(&setup, LIMIT).expect("the run ends");
    let run = page.saved_run().expect("a run");
    assert!(only(&run).flags.patched_fetch && listed(&page, "patched_fetch"));
}

/// A page that may not start a worker measures all the same, and says what that costs.
pub(crate) fn without_a_worker_the_main_thread_reads(browser: &Browser) {
    let (served, page) = open(browser);
    // Too late for a policy of the server's; one in the document counts for what comes after it.
    let policy = "const policy = document.createElement('meta'); policy.httpEquiv = 'Content-Security-Policy';\
        policy.content = \"worker-src 'none'\"; document.head.append(policy);";
    browser.execute(policy, vec![]).expect("a policy");
    page.measure(&own(&served.endpoint("preset=fast"), 2), LIMIT).expect("the run ends");
    let run = page.saved_run().expect("a run");
    assert_eq!(run.environment.arrival, Arrival::NoWorker);
    assert!(!run.environment.worker_refused.is_empty() && listed(&page, "read_on_main"));
    run.traces.iter().for_each(check);
    assert!(run.traces.iter().all(|t| t.outcome == Outcome::Complete && t.marks.get(Mark::FirstAnswer).is_ok()));
    assert_eq!(run.clock.joint_us, None);
}
