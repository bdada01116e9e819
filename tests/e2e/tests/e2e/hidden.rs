//! A page that nobody sees claims no visibility, and keeps everything else.

use firstlight_core::mark::{Absence, Mark};
use firstlight_core::outcome::Outcome;
use firstlight_core::text::{Lang, absence};
use firstlight_e2e::Browser;

use crate::checks::{LIMIT, at, check, only, open, own};

pub(crate) fn a_hidden_page_claims_no_visibility(browser: &Browser) {
    let (served, page) = open(browser);
    let watch = page.tell_visibility().expect("a listener");
    page.fill_in(&own(&served.endpoint("preset=slow-start&rid=hidden"), 1)).expect("filled in");
    page.click("run").expect("started");
    served.wait_for_truth("hidden", |truths| truths.len() == 1).expect("it came");
    let tab = browser.cover().expect("covered");
    // Really hidden, and not only behind something.
    watch.wait_for("hidden", LIMIT).expect("it is hidden");
    let truths = served.wait_for_truth("hidden", |truths| truths[0].closed_us.is_some()).expect("it ended");
    browser.show(tab).expect("shown again");
    page.wait_for_state("done", LIMIT).expect("the run ends");
    let run = page.saved_run().expect("a run");
    let trace = only(&run);
    check(trace);
    assert_eq!(trace.outcome, Outcome::Complete, "{trace:?}");
    assert!(trace.flags.hidden_during);
    assert_eq!((trace.first_visible, trace.complete_visible), (Err(Absence::Hidden), Err(Absence::Hidden)));
    // What was received counts, hidden or not.
    assert!(at(trace, Mark::LastAnswer) >= at(trace, Mark::FirstAnswer));
    assert_eq!(trace.reads.iter().map(|read| read.events).sum::<u32>() as usize, truths[0].pieces.len());
    // The row has no figure, and says why.
    let row = page.row("ttfv", "streaming").expect("a row");
    assert!(row.cells.is_empty() && row.reason.contains(absence(Lang::En, Absence::Hidden)), "{row:?}");
}
