//! A real inference server on another origin: llama.cpp.

use firstlight_core::Micros;
use firstlight_core::diagnosis::{Rule, Stage, State, Verdict, diagnose, walk};
use firstlight_core::gap::{Wait, split};
use firstlight_core::mark::Mark;
use firstlight_core::outcome::Outcome;
use firstlight_core::server_report::{Boundary, Source, Span};
use firstlight_core::summary::{Summary, clock_error};
use firstlight_core::text::Lang;
use firstlight_core::trace::{Shape, Trace};
use firstlight_e2e::Browser;
use firstlight_e2e::llama::{Llama, Options};

use crate::checks::{LIMIT, all_complete, at, check, measure, only, open, own};

fn span(trace: &Trace, boundary: Boundary) -> &Span {
    let found = trace.spans.iter().find(|span| span.boundary == boundary);
    found.unwrap_or_else(|| panic!("no {}: {trace:?}", boundary.code()))
}

/// What llama.cpp reports of itself was read, and fits into what was measured.
fn reported(trace: &Trace, tokens: u64, error: Micros) {
    let usage = trace.usage.expect("usage");
    assert_eq!(usage.output, Some(tokens));
    assert!(usage.input > Some(10), "{usage:?}");
    let (prefill, decode) = (span(trace, Boundary::Prefill), span(trace, Boundary::Decode));
    assert_eq!((prefill.name.as_str(), decode.name.as_str()), ("timings.prompt_ms", "timings.predicted_ms"));
    assert_eq!((prefill.source, decode.source), (Source::BodyField, Source::BodyField));
    assert!(prefill.value > Micros::ZERO && decode.value > Micros::ZERO);
    let parts = split(trace, Wait::LastOutput, error).expect("the report fits into the wait");
    assert_eq!(parts.reported(), prefill.value + decode.value);
    assert_eq!(parts.parts.iter().map(|part| part.value).sum::<Micros>(), parts.total);
}

pub(crate) fn spans_of_a_stream(browser: &Browser) {
    let llama = Llama::start(Options::FAST).expect("llama.cpp");
    let (_served, page) = open(browser);
    let run = measure(&page, &own(&llama.chat_url(), 6).with("max-tokens", 40));
    all_complete(&run);
    assert_eq!(run.traces.len(), 6);
    for trace in &run.traces {
        assert_eq!(trace.shape, Some(Shape::Stream));
        assert_eq!(trace.reads.iter().map(|read| read.output_events).sum::<u32>(), 40, "every token is a word");
        reported(trace, 40, clock_error(&run));
        let first = split(trace, Wait::FirstAnswer, clock_error(&run)).expect("consistent");
        assert_eq!(first.reported(), span(trace, Boundary::Prefill).value);
    }
    // These requests are quicker than paints: the next may begin while both places still wait for theirs.
    let painted = |trace: &&Trace| trace.planned.painted;
    assert!(run.traces.iter().filter(painted).count() >= 3, "{run:?}");
    for trace in run.traces.iter().filter(painted) {
        assert!(trace.first_visible.is_ok(), "{trace:?}");
    }
}

pub(crate) fn spans_of_a_whole_answer(browser: &Browser) {
    let llama = Llama::start(Options::FAST).expect("llama.cpp");
    let (_served, page) = open(browser);
    let run = measure(&page, &own(&llama.chat_url(), 4).with("max-tokens", 40).with("mode", "non-streaming"));
    all_complete(&run);
    for trace in &run.traces {
        assert_eq!(trace.shape, Some(Shape::Whole));
        reported(trace, 40, clock_error(&run));
    }
}

/// Six at once at two slots: four wait, and nothing that the server reports explains their wait.
pub(crate) fn waiting_for_a_slot_is_unattributed(browser: &Browser) {
    let llama = Llama::start(Options::SLOW).expect("llama.cpp");
    let (_served, page) = open(browser);
    let setup = own(&llama.chat_url(), 6).with("concurrency", 6).with("max-tokens", 80);
    let run = measure(&page, &setup);
    all_complete(&run);
    assert_eq!(run.traces.len(), 6);
    let error = clock_error(&run);
    let mut waits: Vec<_> =
        run.traces.iter().map(|trace| split(trace, Wait::FirstAnswer, error).expect("consistent")).collect();
    waits.sort_by_key(|wait| wait.total);
    let (at_once, waited) = waits.split_at(2);
    // A request that waited, waited at least for most of another's answer.
    let shortest = run.traces.iter().map(|trace| span(trace, Boundary::Decode).value).min().expect("six");
    for wait in waited {
        assert!(wait.has_report, "{wait:?}");
        assert!(wait.total.0 * 2 > shortest.0, "it waited: {wait:?}, an answer takes {shortest}");
        assert!(wait.unattributed().0 * 2 > wait.total.0, "most of the wait has no explanation: {wait:?}");
        assert!(wait.reported().0 * 2 < wait.total.0, "the server's part is small: {wait:?}");
    }
    for wait in at_once {
        assert!(wait.total < waited[0].total, "{wait:?}");
    }
}

/// Two at once, then four, then six, at two slots: what waits does so for about as long as the others run, outside the server's
/// number, and diagnosis says so.
pub(crate) fn a_queue_for_both_slots_is_found_outside_the_report(browser: &Browser) {
    const LEVELS: [u32; 3] = [2, 4, 6];
    let llama = Llama::start(Options::SLOW).expect("llama.cpp");
    let (_served, page) = open(browser);
    let setup = own(&llama.chat_url(), 36).with("max-tokens", 40);
    let run = measure(&page, &setup.with("load-shape", "steps").with("load-line", "steps 2 4 6 each 12 requests"));
    all_complete(&run);
    assert_eq!(run.traces.len(), 36);
    let middle = |stage: usize, of: &dyn Fn(&Trace) -> Micros| {
        let here = run.traces.iter().filter(|trace| trace.planned.stage as usize == stage);
        let mut values: Vec<Micros> = here.map(of).collect();
        values.sort_unstable();
        values[values.len() / 2]
    };
    let first = |trace: &Trace| split(trace, Wait::FirstAnswer, clock_error(&run)).expect("consistent");
    let unattributed = |stage| middle(stage, &|trace| first(trace).unattributed()).as_secs();
    let runs =
        |stage| middle(stage, &|trace| span(trace, Boundary::Prefill).value + span(trace, Boundary::Decode).value).as_secs();
    assert!(unattributed(0) < 0.5 * runs(0), "{} s beside runs of {} s", unattributed(0), runs(0));
    for (stage, level) in LEVELS.into_iter().enumerate().skip(1) {
        // With n at two slots, n − 2 are before it, two at a time.
        let others = f64::from(level - 2) / 2.0 * runs(stage);
        let waited = unattributed(stage) / others;
        assert!((0.6..1.4).contains(&waited), "at {level} at once: {waited} of the others' {others} s");
        // The server's number knows nothing of it.
        assert!(middle(stage, &|trace| first(trace).reported()).as_secs() < 0.5 * unattributed(stage));
    }
    let findings = diagnose(&run, &Summary::of(&run), Lang::En);
    let found = findings.iter().find(|finding| finding.rule == Rule::ServerQueue).expect("every rule speaks");
    assert_eq!(found.verdict, Verdict::Found, "{found:?}");
    let says = "return document.querySelector('#diagnosis .found li[data-rule=\"queue_outside_report\"]')?.innerText || '';";
    page.wait_until(says).expect("it is on the page");
    assert!(page.string(says, vec![]).expect("a text").contains(&found.evidence), "{found:?}");
    // A request that waited, read backwards: evidence ends where the server's begins.
    let slow = run.traces.iter().max_by_key(|trace| first(trace).total).expect("some");
    let walked = walk(&run, slow.planned.id, Lang::En);
    assert_eq!((walked.state, walked.explained_by), (State::Explained, Some(Stage::Unattributed)), "{walked:?}");
}

pub(crate) fn a_prompt_over_the_context(browser: &Browser) {
    let llama = Llama::start(Options { context: 256, ..Options::FAST }).expect("llama.cpp");
    let (_served, page) = open(browser);
    let run = measure(&page, &own(&llama.chat_url(), 1).with("prompt", "why ".repeat(400)));
    let trace = only(&run);
    assert_eq!(trace.outcome, Outcome::HttpError { status: 400 });
    assert!(trace.diagnostics.iter().any(|note| note.detail.contains("context size")), "{:?}", trace.diagnostics);
}

pub(crate) fn killed_in_the_middle(browser: &Browser) {
    let mut llama = Llama::start(Options::SLOW).expect("llama.cpp");
    let (_served, page) = open(browser);
    page.fill_in(&own(&llama.chat_url(), 1).with("max-tokens", 900)).expect("filled in");
    page.click("run").expect("started");
    llama.wait_for_tokens(20).expect("twenty tokens");
    llama.kill().expect("killed");
    page.wait_done(LIMIT).expect("the run ends");
    let run = page.saved_run().expect("a run");
    let trace = only(&run);
    check(trace);
    assert!(matches!(trace.outcome, Outcome::NetworkError | Outcome::Truncated), "{:?}", trace.outcome);
    assert!(at(trace, Mark::LastAnswer) >= at(trace, Mark::FirstAnswer));
    assert!(trace.reads.iter().map(|read| read.output_events).sum::<u32>() >= 10, "{trace:?}");
    assert!(trace.marks.get(Mark::Terminal).is_err());
    assert!(trace.spans.is_empty(), "its timings come last, so there are none");
}
