//! Each rule on runs made for it: one that triggers it for the right cause, near misses, and what it can't tell.

mod arbitrary;
mod client;
mod figures;
mod server;
mod stream;
mod walked;
mod wire;

pub(super) use arbitrary::arbitrary_run;

use super::*;
use crate::Micros;
use crate::mark::Mark;
use crate::network::NetworkTiming;
use crate::summary::fixture;
use crate::trace::{Read, ResponseFacts, Trace};

/// Requests after one another, a second apart, each with its first words after 100 ms and its last after 200.
fn requests(n: u32, change: impl Fn(u32, &mut Trace)) -> Run {
    let one = |id: u32| {
        let mut trace = fixture::trace(id, 100);
        change(id, &mut trace);
        shift(&mut trace, Micros::ms(1000 * i64::from(id)));
        trace
    };
    fixture::run((0..n).map(one).collect())
}

/// The same, all sent at one instant.
fn at_once(n: u32, change: impl Fn(u32, &mut Trace)) -> Run {
    let one = |id: u32| {
        let mut trace = fixture::trace(id, 100);
        change(id, &mut trace);
        trace
    };
    fixture::run((0..n).map(one).collect())
}

fn shift(trace: &mut Trace, by: Micros) {
    for mark in Mark::ALL {
        if let Ok(at) = trace.marks.get(mark) {
            trace.marks.set(mark, at + by);
        }
    }
    trace.reads.iter_mut().for_each(|read| read.at += by);
    trace.last_known += by;
    if let Ok(n) = &mut trace.network {
        n.start += by;
        n.response_end += by;
        let times = [&mut n.fetch_start, &mut n.connect_start, &mut n.connect_end, &mut n.request_start, &mut n.first_byte];
        times.into_iter().flatten().for_each(|at| *at += by);
    }
    for seen in [&mut trace.first_visible, &mut trace.complete_visible].into_iter().flatten() {
        seen.earliest += by;
        seen.latest = seen.latest.map(|at| at + by);
        seen.value = seen.value.map(|at| at + by);
    }
}

fn sent(trace: &Trace) -> Micros {
    trace.marks.get(Mark::Sent).expect("sent")
}

/// Moves a mark to so many ms after `sent`.
fn mark(trace: &mut Trace, mark: Mark, ms: i64) {
    let at = sent(trace) + Micros::ms(ms);
    trace.marks.set(mark, at);
}

/// First and last words at these ms after `sent`.
fn answered(trace: &mut Trace, first: i64, last: i64) {
    for m in [Mark::FirstEvent, Mark::FirstOutput, Mark::FirstAnswer] {
        mark(trace, m, first);
    }
    for m in [Mark::LastAnswer, Mark::LastOutput] {
        mark(trace, m, last);
    }
    trace.last_known = sent(trace) + Micros::ms(last);
}

/// Reads at ms after `sent`, each with a number of outputs of 100 bytes.
fn reads(trace: &mut Trace, reads: &[(i64, u32)]) {
    let at = |ms: i64| sent(trace) + Micros::ms(ms);
    let read =
        |(ms, outputs): &(i64, u32)| Read { at: at(*ms), bytes: 100 * outputs, events: *outputs, output_events: *outputs };
    let made = reads.iter().map(read).collect();
    trace.reads = made;
    if let (Some((first, _)), Some((last, _))) = (reads.first(), reads.last()) {
        answered(trace, *first, *last);
    }
}

/// A reply of another origin, or of the page's own, with its encoding.
fn reply(trace: &mut Trace, cross_origin: bool, encoding: Option<&str>) {
    let content_encoding = encoding.map(str::to_owned);
    trace.response = Some(ResponseFacts { status: 200, cross_origin, content_encoding, ..ResponseFacts::default() });
}

/// Network timing that can be read: so many ms connecting, then so many waiting.
fn network(trace: &mut Trace, connecting: i64, waiting: i64, protocol: &str) {
    let start = sent(trace);
    let connected = start + Micros::ms(connecting);
    let out = connected + Micros::ms(waiting);
    trace.marks.set(Mark::RequestStart, out);
    trace.network = Ok(NetworkTiming {
        start,
        fetch_start: Some(start),
        connect_start: Some(start),
        connect_end: Some(connected),
        request_start: Some(out),
        first_byte: Some(out + Micros::ms(1)),
        response_end: trace.last_known,
        protocol: Some(protocol.to_owned()),
        ..NetworkTiming::default()
    });
}

/// Network timing that the server hides.
fn hidden_network(trace: &mut Trace) {
    trace.network = Ok(NetworkTiming { start: sent(trace), response_end: trace.last_known, ..NetworkTiming::default() });
}

fn finding_of(run: &Run, rule: Rule) -> Finding {
    let findings = diagnose(run, &Summary::of(run), Lang::En);
    findings.into_iter().find(|f| f.rule == rule).expect("every rule speaks")
}

#[track_caller]
fn check(run: &Run, rule: Rule, verdict: Verdict) -> Finding {
    let found = finding_of(run, rule);
    assert_eq!(found.verdict, verdict, "{rule:?}: {}", found.evidence);
    assert_eq!(found.advice.is_empty(), verdict != Verdict::Found);
    assert!(!found.evidence.is_empty() && !found.evidence.contains('{'), "{}", found.evidence);
    found
}

#[test]
fn enough_is_the_smallest_sample_whose_median_has_an_interval() {
    assert_eq!(ENOUGH, crate::stats::minimum_n(crate::stats::P50));
}

#[test]
fn codes_and_titles_are_one_of_a_kind() {
    let mut codes: Vec<&str> = Rule::ALL.iter().map(|r| r.code()).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), Rule::ALL.len());
    for lang in Lang::ALL {
        let mut titles: Vec<&str> = Rule::ALL.iter().map(|r| r.title(lang)).collect();
        titles.sort_unstable();
        titles.dedup();
        assert_eq!(titles.len(), Rule::ALL.len());
    }
}

#[test]
fn what_was_found_stands_first_and_of_it_what_explains_most() {
    // Half of each wait is a new connection, a quarter of it a preflight.
    let run = requests(12, |_, t| {
        reply(t, true, None);
        answered(t, 200, 400);
        network(t, 100, 50, "h2");
    });
    let findings = diagnose(&run, &Summary::of(&run), Lang::En);
    assert_eq!(findings.len(), Rule::ALL.len());
    assert_eq!((findings[0].rule, findings[0].share), (Rule::Cold, Some(0.5)));
    assert_eq!((findings[1].rule, findings[1].share), (Rule::Preflight, Some(0.25)));
    assert!(findings.windows(2).all(|w| w[0].verdict <= w[1].verdict));
}

#[test]
fn a_section_says_what_was_found_in_full_and_the_rest_briefly() {
    let run = requests(12, |_, t| network(t, 50, 0, "h2"));
    let section = crate::sections::diagnosis(&run, &Summary::of(&run), Lang::En).expect("a section");
    let warned = section.sentences.iter().filter(|(tone, _)| *tone == crate::sections::Tone::Warn);
    let found = diagnose(&run, &Summary::of(&run), Lang::En).iter().filter(|f| f.verdict == Verdict::Found).count();
    assert_eq!(warned.count(), found);
    assert!(section.sentences[0].1.starts_with("New connections: 12 of 12 requests"), "{:?}", section.sentences);
    // One sentence for what can't be told, one for what was not found.
    assert_eq!(section.sentences.len(), found + 2);
    let all: String = section.sentences.iter().map(|(_, text)| text.as_str()).collect();
    assert!(Rule::ALL.iter().all(|rule| all.contains(rule.title(Lang::En))));
    let none = requests(0, |_, _| {});
    assert_eq!(crate::sections::diagnosis(&none, &Summary::of(&none), Lang::En), None);
}
