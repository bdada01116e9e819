//! Every format of the built-in endpoint with every fault, through the page: each has its named outcome, and the amounts of
//! text are the engine's own. One page measures them all, in three runs; the table is printed.

use std::collections::BTreeMap;
use std::io::Write as _;

#[path = "../../../../crates/server/tests/common/named.rs"]
mod named;

use firstlight_core::Micros;
use firstlight_core::mark::Mark;
use firstlight_core::outcome::Outcome;
use firstlight_core::report::Run;
use firstlight_core::trace::Trace;
use firstlight_e2e::page::Setup;
use firstlight_e2e::relay::Relay;
use firstlight_e2e::{Browser, Engine, Page};
use firstlight_engine::{Ask, Ending, Schedule};
use serde_json::json;

use self::named::{CHANGES, ENDLESS, STREAMED, WHOLE};
use crate::checks::{at, measure, open, own};

/// One request of a run.
struct Case {
    format: &'static str,
    change: &'static str,
    query: String,
}

impl Case {
    fn of(format: &'static str, change: &'static str) -> Case {
        // A trickle takes as long as its bytes are many.
        let tokens = if change == "fault=trickle" || change == "split=1" { "tokens=2&usage=0" } else { "tokens=6" };
        let query = format!("preset=fast&reasoning_tokens=2&ttft_ms=50&{tokens}&format={format}&{change}");
        Case { format, change, query }
    }

    fn all(formats: &[&'static str], changes: &[&'static str]) -> Vec<Case> {
        formats.iter().flat_map(|format| changes.iter().map(|change| Case::of(format, change))).collect()
    }

    /// What the engine sends.
    fn truth(&self, stream: bool) -> Schedule {
        let pairs: Vec<(&str, &str)> = self.query.split('&').filter_map(|pair| pair.split_once('=')).collect();
        Schedule::parse(&pairs, &Ask { stream, ..Ask::streaming() }).expect("a schedule")
    }
}

/// Measures the cases in one run; gives each with its trace.
fn run<'a>(page: &Page<'_>, cases: &'a [Case], mode: &str, limit_s: u32) -> (Run, Vec<(&'a Case, Trace)>) {
    let lines: Vec<String> = cases.iter().map(|case| json!({"prompt": case.query}).to_string()).collect();
    let setup = Setup::new().with("mode", mode).with("timeout-s", limit_s).with("requests", cases.len());
    page.fill_in(&setup).expect("filled in");
    // Not typed: so many lines take a driver longer than the run.
    const PUT: &str = "const area = document.getElementById('workload-lines'); area.value = arguments[0];\
        for (const kind of ['input', 'change']) area.dispatchEvent(new Event(kind, { bubbles: true }));";
    page.browser().execute(PUT, vec![json!(lines.join("\n"))]).expect("the cases are put in");
    let run = measure(page, &Setup::new());
    assert_eq!(run.traces.len(), cases.len());
    let traces: Vec<(&Case, Trace)> =
        run.traces.iter().map(|trace| (&cases[trace.planned.case as usize], trace.clone())).collect();
    (run, traces)
}

/// The outcome is the named one; a cut that an engine takes for an end is the engine's own.
fn outcome_is_named(engine: Engine, case: &Case, trace: &Trace, named: Outcome) {
    if case.change == "fault=reset" && engine == Engine::WebKit {
        let taken = [Outcome::NetworkError, Outcome::Truncated, Outcome::Complete, Outcome::NoAnswer];
        assert!(taken.contains(&trace.outcome), "{}: {trace:?}", case.query);
        return;
    }
    assert_eq!(trace.outcome, named, "{}: {trace:?}", case.query);
}

/// As much text as the engine sent.
fn amounts_are_true(case: &Case, trace: &Trace, truth: &Schedule) {
    let letters = |text: &str| text.chars().count() as u64;
    let said = [&truth.said.answer, &truth.said.reasoning, &truth.said.tool].map(|text| letters(text));
    let seen = [trace.amounts.answer_chars, trace.amounts.reasoning_chars, trace.amounts.tool_chars];
    match (case.format, case.change) {
        // Half of a text is a text.
        ("text", "fault=truncate" | "fault=reset") if !truth.streamed => {}
        // What a page had not read before the cut, browsers drop.
        (_, "fault=reset") => assert!(seen.iter().zip(said).all(|(seen, said)| *seen <= said), "{}: {seen:?}", case.query),
        (_, "fault=never-ends") => assert!(seen[0] >= said[0], "{}: {seen:?}", case.query),
        (_, "fault=hang" | "fault=html") => assert_eq!(seen, [0; 3], "{}", case.query),
        // A result, and not a generated text.
        ("prediction" | "embeddings", _) => {}
        ("text", "fault=json") => assert!(seen[0] > said[0], "{}: {seen:?}", case.query),
        // Its mark is a letter of it.
        ("text", "bom=1") => assert!([said[0], said[0] + 1].contains(&seen[0]), "{}: {seen:?}", case.query),
        _ => assert_eq!(seen, said, "{}", case.query),
    }
}

/// The times of the two ways to compress: held bytes come no sooner than the end.
fn is_held(run: &Run, case: &Case, trace: &Trace, truth: &Schedule) {
    if case.change != "fault=gzip-no-flush" || trace.outcome != Outcome::Complete {
        return;
    }
    let end_us = truth.pieces.last().map_or(0, |piece| piece.at_us);
    let wait = at(trace, Mark::FirstOutput) - at(trace, Mark::Sent);
    assert!(wait + Micros(2 * run.clock.step_us) >= Micros(end_us as i64), "{}: {wait}", case.query);
}

fn is_a_lie(case: &Case, trace: &Trace) {
    if case.change == "fault=lying-server-timing" {
        let elapsed = trace.elapsed().expect("sent");
        assert!(trace.spans.iter().any(|span| span.value > elapsed), "{}: {:?}", case.query, trace.spans);
    }
}

/// Printed past the capture of tests that pass: the table is a result.
fn print(engine: Engine, mode: &str, traces: &[(&Case, Trace)]) {
    let mut rows: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for (case, trace) in traces {
        let change = if case.change.is_empty() { "clean" } else { case.change.trim_start_matches("fault=") };
        rows.entry(change).or_default().insert(case.format, trace.outcome.code());
    }
    let formats: Vec<&str> = WHOLE.into_iter().filter(|format| rows.values().any(|row| row.contains_key(format))).collect();
    let mut text = format!("\n{engine:?}, {mode}\n{:<22}", "");
    formats.iter().for_each(|format| text.push_str(&format!("{format:<15}")));
    for (change, row) in rows {
        text.push_str(&format!("\n{change:<22}"));
        formats.iter().for_each(|format| text.push_str(&format!("{:<15}", row.get(format).unwrap_or(&"-"))));
    }
    let _printed = writeln!(std::io::stderr(), "{text}");
}

pub(crate) fn each_fault_of_each_dialect_has_its_outcome(browser: &Browser) {
    let (served, page) = open(browser);
    let relay = Relay::start(served.endpoint("").trim_end_matches('?')).expect("a relay");
    let engine = browser.engine();
    page.fill_in(&own(relay.url(), 1).with("concurrency", 6).with("workload-kind", "cases")).expect("filled in");
    let streams = Case::all(&STREAMED, &CHANGES);
    let (run_of_streams, traces) = run(&page, &streams, "streaming", 25);
    for (case, trace) in &traces {
        let truth = case.truth(true);
        outcome_is_named(engine, case, trace, named::streamed(case.format, case.change));
        if truth.status == 200 {
            amounts_are_true(case, trace, &truth);
            is_held(&run_of_streams, case, trace, &truth);
            is_a_lie(case, trace);
        }
    }
    print(engine, "streaming", &traces);
    page.click("change").expect("back to the settings");
    let endless = Case::all(&STREAMED, &ENDLESS);
    let (_, traces) = run(&page, &endless, "streaming", 3);
    for (case, trace) in &traces {
        let truth = case.truth(true);
        assert!(truth.ending != Ending::Clean || truth.head_at_us.is_none());
        outcome_is_named(engine, case, trace, Outcome::Timeout);
        amounts_are_true(case, trace, &truth);
    }
    print(engine, "streaming, until the time limit", &traces);
    page.click("change").expect("back to the settings");
    let whole: Vec<&'static str> = CHANGES.into_iter().filter(|change| !change.starts_with("fault=status-4")).collect();
    let whole = Case::all(&WHOLE, &whole);
    let (_, traces) = run(&page, &whole, "non-streaming", 25);
    for (case, trace) in &traces {
        outcome_is_named(engine, case, trace, named::whole(case.format, case.change));
        let truth = case.truth(false);
        if truth.status == 200 {
            amounts_are_true(case, trace, &truth);
            is_a_lie(case, trace);
        }
    }
    print(engine, "non-streaming", &traces);
}
