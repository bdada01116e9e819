//! What must hold for every request of every run, and how a run is made.

use std::time::Duration;

use firstlight_core::Micros;
use firstlight_core::mark::Mark;
use firstlight_core::outcome::Outcome;
use firstlight_core::report::Run;
use firstlight_core::trace::Trace;
use firstlight_e2e::page::Setup;
use firstlight_e2e::{Browser, Page, Served};

/// A run of the tests ends well within this; it is a limit against hanging, not a judgement.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

/// A server, and its page in the browser.
pub(crate) fn open(browser: &Browser) -> (Served, Page<'_>) {
    let served = Served::start().expect("the server starts");
    let page = served.open(browser).expect("the page opens");
    (served, page)
}

/// Measures and reads the saved run; the page must not have run into an error of its own.
pub(crate) fn measure(page: &Page<'_>, setup: &Setup) -> Run {
    page.measure(setup, LIMIT).expect("the run ends");
    let run = page.saved_run().expect("the saved run can be read");
    run.traces.iter().for_each(check);
    let errors = page.errors().expect("errors");
    // Browsers log failed requests by themselves; what the page throws is another thing.
    let own: Vec<&String> = errors.iter().filter(|e| !e.contains("Failed to load resource")).collect();
    assert!(own.is_empty(), "the page ran into {own:?}");
    run
}

/// A run of this endpoint without warm-up.
pub(crate) fn own(url: &str, requests: u32) -> Setup {
    Setup::own(url).with("requests", requests).with("warmup", 0)
}

/// The one trace of a run of one request.
pub(crate) fn only(run: &Run) -> &Trace {
    assert_eq!(run.traces.len(), 1);
    &run.traces[0]
}

/// An instant that must be there.
pub(crate) fn at(trace: &Trace, mark: Mark) -> Micros {
    trace.marks.get(mark).unwrap_or_else(|why| panic!("no {}: {}; {trace:?}", mark.code(), why.code()))
}

/// Every request ended well.
pub(crate) fn all_complete(run: &Run) {
    for trace in &run.traces {
        assert_eq!(trace.outcome, Outcome::Complete, "{trace:?}");
    }
}

/// What holds for every trace, however it ended.
pub(crate) fn check(trace: &Trace) {
    assert_eq!(trace.order_violations(), [], "{trace:?}");
    assert!(!trace.seen_before_received(), "{trace:?}");
    assert!(!trace.flags.patched_fetch, "the harness replaced fetch");
    assert!(trace.reads.is_sorted_by_key(|read| read.at), "{trace:?}");
    if let (Some(first), Ok(first_read)) = (trace.reads.first(), trace.marks.get(Mark::FirstRead)) {
        assert_eq!(first.at, first_read);
    }
    for (earlier, later) in [
        (Mark::Sent, Mark::HeadersSeen),
        (Mark::FirstOutput, Mark::FirstAnswer),
        (Mark::FirstAnswer, Mark::FirstUseful),
        (Mark::FirstUseful, Mark::LastAnswer),
        (Mark::LastAnswer, Mark::LastOutput),
        (Mark::FirstAnswer, Mark::Terminal),
    ] {
        if let Ok(span) = trace.marks.between(earlier, later) {
            assert!(span >= Micros::ZERO, "{} after {}: {trace:?}", earlier.code(), later.code());
        }
    }
    for paint in [trace.first_visible, trace.complete_visible].into_iter().flatten() {
        let latest = paint.latest.unwrap_or(Micros(i64::MAX));
        assert!(paint.earliest <= latest, "{trace:?}");
        assert!(paint.value.is_none_or(|value| (paint.earliest..=latest).contains(&value)), "{trace:?}");
    }
}
