//! Did what was written down before the run pass?

use super::{Section, Table, Tone, both_arms, figure, heads, of_mode};
use crate::Micros;
use crate::decision::{Answer, Judgement, verdict};
use crate::format::{count, significant};
use crate::report::Run;
use crate::slo::Subject;
use crate::stats::Interval;
use crate::text::{Lang, Sec, answer, fill, if_it_fails, missing};
use crate::trace::Trace;

/// The decision and its answer.
pub(super) fn decided(run: &Run, lang: Lang) -> Option<Section> {
    let decision = run.config.decision.as_ref()?;
    let say = |key: Sec, values: &[&str]| fill(key.get(lang), values);
    let title = match (run.config.versus.is_some(), run.config.confirmation) {
        (true, _) => Sec::DecisionCandidate,
        (_, true) => Sec::DecisionConfirmation,
        _ => Sec::DecisionTitle,
    };
    let mut section = Section::new("decision", title.get(lang));
    let verdict = verdict(decision, &decided_on(run), &|t| t.passed());
    let (tone, sentence) = match verdict.answer {
        Answer::Pass => (Tone::Good, Sec::SaidPass),
        Answer::Fail => (Tone::Warn, Sec::SaidFail),
        Answer::NotEnoughData(_) => (Tone::Warn, Sec::SaidOpen),
    };
    section.say(tone, say(sentence, &[&decision.claim]));
    if verdict.answer != Answer::Pass {
        section.say(Tone::Plain, say(Sec::ThenDo, &[if_it_fails(lang, decision.if_it_fails)]));
    }
    let people =
        [(Sec::OwnedBy, &decision.owner), (Sec::Affects, &decision.affected), (Sec::FalsifiedBy, &decision.falsified_by)];
    for (key, text) in people.into_iter().filter(|(_, text)| !text.is_empty()) {
        section.say(Tone::Plain, say(key, &[text]));
    }
    section.tables.push(Table {
        caption: String::new(),
        head: heads([Sec::ColCriterion, Sec::ColMeasured, Sec::ColInterval].map(|k| k.get(lang)))
            .into_iter()
            .chain(["n".to_owned(), Sec::ColAnswer.get(lang).to_owned()])
            .collect(),
        rows: verdict.judgements.iter().map(|j| judged(j, lang, run).to_vec()).collect(),
    });
    Some(section)
}

/// The requests that are judged: where two are compared, those of the candidate, which is what the decision is about.
pub fn decided_on(run: &Run) -> Vec<&Trace> {
    let arm = u8::from(run.config.versus.is_some());
    both_arms(run).into_iter().filter(|t| t.planned.arm == arm).collect()
}

/// What must hold, what was measured, its interval, on how many requests, and the answer.
pub(crate) fn judged(judgement: &Judgement, lang: Lang, run: &Run) -> [String; 5] {
    let step = Micros(run.clock.step_us);
    let shown = |value: i64| match judgement.criterion.subject {
        Subject::Percentile(_, metric) => figure(metric, value, step),
        Subject::ErrorRate | Subject::PassRate => format!("{} %", significant(value as f64 / 1e4, 2)),
    };
    let (lower, upper) = (judgement.estimate.lower, judgement.estimate.upper);
    let measured = match (lower, upper) {
        (Some(l), Some(u)) if l == u => shown(l),
        (Some(l), Some(u)) => format!("{}–{}", shown(l), shown(u)),
        (Some(l), None) => format!("≥ {}", shown(l)),
        (None, Some(u)) => format!("≤ {}", shown(u)),
        (None, None) => "–".to_owned(),
    };
    let interval = match judgement.interval {
        Interval::Between { lower, upper } => {
            let end = |end: Option<i64>| end.map_or("…".to_owned(), shown);
            format!("{}–{}", end(lower), end(upper))
        }
        Interval::Needs { .. } => "–".to_owned(),
    };
    let said = match judgement.answer {
        Answer::NotEnoughData(what) => format!("{}: {}", answer(lang, judgement.answer), missing(lang, what)),
        sure => answer(lang, sure).to_owned(),
    };
    let criterion = judgement.criterion.to_string();
    let criterion = judgement.mode.map_or(criterion.clone(), |mode| of_mode(&criterion, mode, lang));
    [criterion, measured, interval, count(judgement.n), said]
}
