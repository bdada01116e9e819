//! What explains the waits: what was found in full, what can't be told and what was not found briefly.

use super::{Section, Tone};
use crate::diagnosis::{Finding, Verdict, diagnose};
use crate::report::Run;
use crate::summary::Summary;
use crate::text::{Dia, Lang, fill};

/// The diagnosis of a run; none of a run without measured requests.
pub fn diagnosis(run: &Run, summary: &Summary, lang: Lang) -> Option<Section> {
    run.traces.iter().find(|t| !t.planned.warmup)?;
    let findings = diagnose(run, summary, lang);
    let of = |verdict: Verdict| findings.iter().filter(move |f| f.verdict == verdict);
    let say = |key: Dia, values: &[&str]| fill(key.get(lang), values);
    let mut section = Section::new("diagnosis", Dia::Title.get(lang));
    for found in of(Verdict::Found) {
        section.say(Tone::Warn, say(Dia::FoundSentence, &[&found.title, &found.evidence, &found.advice]));
    }
    if section.is_empty() {
        section.say(Tone::Plain, Dia::NoneFound.get(lang).to_owned());
    }
    let unclear = by_reason(of(Verdict::CantTell));
    if !unclear.is_empty() {
        let items = unclear.iter().map(|(why, titles)| say(Dia::UnclearItem, &[&titles.join(", "), why]));
        section.say(Tone::Plain, say(Dia::UnclearSentence, &[&items.collect::<Vec<_>>().join("; ")]));
    }
    let absent: Vec<&str> = of(Verdict::NotFound).map(|f| f.title.as_str()).collect();
    if !absent.is_empty() {
        section.say(Tone::Plain, say(Dia::NotFoundSentence, &[&absent.join(", ")]));
    }
    Some(section)
}

/// What can't be told for one reason stands together.
fn by_reason<'f>(findings: impl Iterator<Item = &'f Finding>) -> Vec<(&'f str, Vec<&'f str>)> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for finding in findings {
        match reasons.iter_mut().find(|(why, _)| *why == finding.evidence) {
            Some((_, titles)) => titles.push(&finding.title),
            None => reasons.push((&finding.evidence, vec![&finding.title])),
        }
    }
    reasons
}
