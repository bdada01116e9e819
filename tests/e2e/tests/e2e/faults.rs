//! Endpoints that fail: each failure has its own outcome, and what was measured before it is kept.

use firstlight_core::mark::Mark;
use firstlight_core::outcome::Outcome;
use firstlight_core::report::Run;
use firstlight_core::text::{Lang, outcome_advice};
use firstlight_core::trace::Trace;
use firstlight_e2e::stub::{Stub, refused};
use firstlight_e2e::{Browser, Page, Served};

use crate::checks::{measure, only, open, own};

/// With its pieces far from the reset: what a browser has not handed to the page when a connection is reset, it may throw away.
const RESET: &str = "preset=fast&gap_ms=100&fault=reset";

/// One request to the built-in endpoint on the second origin, with a fault, on a page opened afresh.
fn one(served: &Served, browser: &Browser, query: &str) -> Run {
    let page = served.open(browser).expect("the page opens");
    ask(&page, &served.endpoint(query), query)
}

/// One request to an address, with a time limit of a second for what never ends.
fn ask(page: &Page<'_>, url: &str, query: &str) -> Run {
    let endless = ["never-ends", "hang", "stall"].iter().any(|name| query.contains(name));
    let setup = own(url, 1).with("timeout-s", if endless { 1 } else { 20 });
    let run = measure(page, &setup);
    // The row of the request and the reason are on the page.
    let rows = page.requests().expect("requests");
    assert_eq!(rows.iter().map(|row| row.outcome.as_str()).collect::<Vec<_>>(), [only(&run).outcome.code()], "{query}");
    if let Some(advice) = outcome_advice(Lang::En, &only(&run).outcome) {
        let shown = page.string("return document.body.innerText;", vec![]).expect("a text");
        assert!(shown.contains(advice), "the page does not say “{advice}”");
    }
    run
}

/// Parts of an answer came before the failure, and their marks are kept.
fn keeps_its_beginning(trace: &Trace) {
    assert!(trace.marks.get(Mark::FirstAnswer).is_ok(), "{trace:?}");
    assert!(trace.output_reads().count() > 0);
    assert!(trace.amounts.answer_chars > 0);
}

pub(crate) fn error_statuses(browser: &Browser) {
    let (served, _page) = open(browser);
    for status in [401, 404, 429, 500, 503] {
        let run = one(&served, browser, &format!("preset=fast&fault=status-{status}"));
        let trace = only(&run);
        assert_eq!(trace.outcome, Outcome::HttpError { status });
        let facts = trace.response.as_ref().expect("a response");
        assert_eq!(facts.status, status);
        assert_eq!(facts.retry_after.as_deref(), (status == 429).then_some("7"));
        let said = trace.diagnostics.iter().any(|note| note.detail.contains("the fault was asked for"));
        assert!(said, "the server's own words are kept: {:?}", trace.diagnostics);
        assert!(trace.marks.get(Mark::FirstAnswer).is_err());
    }
}

pub(crate) fn streams_that_break(browser: &Browser) {
    let (served, _page) = open(browser);
    let run = one(&served, browser, "preset=fast&fault=error-inside");
    assert_eq!(only(&run).outcome, Outcome::StreamError);
    keeps_its_beginning(only(&run));
    let run = one(&served, browser, "preset=fast&fault=truncate");
    assert_eq!(only(&run).outcome, Outcome::Truncated);
    keeps_its_beginning(only(&run));
    assert!(only(&run).marks.get(Mark::Terminal).is_err());
    // An end marker that is missing after a finish reason is worth a note, not a failure.
    let run = one(&served, browser, "preset=fast&done=0");
    assert_eq!(only(&run).outcome, Outcome::Complete);
    assert!(!only(&run).diagnostics.is_empty());
}

pub(crate) fn a_reset_connection(browser: &Browser) {
    let (served, _page) = open(browser);
    let run = one(&served, browser, RESET);
    assert_eq!(only(&run).outcome, Outcome::NetworkError);
    keeps_its_beginning(only(&run));
}

/// WebKitGTK reports a body that was cut as one that ended: only the protocol's own end tells.
pub(crate) fn a_cut_body_ends_cleanly_in_webkit(browser: &Browser) {
    let (served, _page) = open(browser);
    let run = one(&served, browser, RESET);
    let outcome = &only(&run).outcome;
    assert!(matches!(outcome, Outcome::Truncated | Outcome::NetworkError), "{outcome:?}");
    keeps_its_beginning(only(&run));
}

pub(crate) fn replies_that_are_no_stream(browser: &Browser) {
    let (served, page) = open(browser);
    for fault in ["html", "json"] {
        let run = one(&served, browser, &format!("preset=fast&fault={fault}"));
        assert_eq!(only(&run).outcome, Outcome::NotAStream, "{fault}");
        assert!(only(&run).marks.get(Mark::FirstAnswer).is_err(), "{fault}");
    }
    let stub = Stub::start("SSH-2.0-nonsense\r\n").expect("a stub");
    let page = served.open(page.browser()).expect("the page opens");
    assert_eq!(only(&ask(&page, stub.url(), "no HTTP")).outcome, Outcome::NetworkError);
}

pub(crate) fn the_time_limit(browser: &Browser) {
    let (served, _page) = open(browser);
    for fault in ["never-ends", "stall", "hang"] {
        let run = one(&served, browser, &format!("preset=fast&fault={fault}&rid={fault}"));
        let trace = only(&run);
        assert_eq!(trace.outcome, Outcome::Timeout, "{fault}");
        assert!(trace.elapsed().expect("sent").0 >= 1_000_000, "{fault}: {trace:?}");
        if fault == "hang" {
            assert!(trace.response.is_none());
        } else {
            keeps_its_beginning(trace);
        }
        // The page let go of it: the server saw the end.
        served.wait_for_truth(fault, |truths| truths.iter().all(|truth| truth.closed_us.is_some())).expect("closed");
    }
}

pub(crate) fn what_the_browser_blocks(browser: &Browser) {
    let (served, page) = open(browser);
    for query in ["preset=fast&cors=off", "preset=fast&preflight=reject"] {
        let run = one(&served, browser, query);
        let trace = only(&run);
        assert_eq!(trace.outcome, Outcome::NetworkError, "{query}");
        assert!(trace.response.is_none() && trace.reads.is_empty(), "{query}: {trace:?}");
    }
    let page = served.open(page.browser()).expect("the page opens");
    let run = ask(&page, &refused().expect("a port"), "refused");
    assert_eq!(only(&run).outcome, Outcome::NetworkError);
    // Where there is no figure there is none, not a nought.
    let row = page.row("e2e", "streaming").expect("a row");
    assert!(row.cells.is_empty(), "{row:?}");
}
