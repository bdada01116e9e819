//! Stopping by hand.

use firstlight_core::outcome::Outcome;
use firstlight_e2e::Browser;

use crate::checks::{LIMIT, check, open, own};

pub(crate) fn what_was_measured_is_kept(browser: &Browser) {
    let (served, page) = open(browser);
    page.fill_in(&own(&served.endpoint("preset=chat&rid=stop"), 500)).expect("filled in");
    page.click("run").expect("started");
    let ended = |truths: &[firstlight_server::Truth]| truths.iter().filter(|truth| truth.closed_us.is_some()).count();
    served.wait_for_truth("stop", |truths| ended(truths) >= 2 && truths.len() > ended(truths)).expect("two ended");
    page.click("stop").expect("stopped");
    page.wait_for_state("done", LIMIT).expect("the run ends");
    let run = page.saved_run().expect("a run");
    assert!(run.stopped);
    run.traces.iter().for_each(check);
    let complete = run.traces.iter().filter(|trace| trace.outcome == Outcome::Complete).count();
    assert!(complete >= 2, "{complete}");
    let others: Vec<_> = run.traces.iter().filter(|trace| trace.outcome != Outcome::Complete).collect();
    assert!(others.iter().all(|trace| trace.outcome == Outcome::Cancelled), "{others:?}");
    assert!(others.len() <= 1, "one at a time: {others:?}");
    // Nothing was sent that the file does not know, and the server saw the end of everything.
    let truths = served.wait_for_truth("stop", |truths| ended(truths) == truths.len()).expect("all ended");
    assert_eq!(truths.len(), run.traces.len());
}
