//! Limits on one run.

use super::{Case, Said};
use crate::decision::{Answer, Decision, IfItFails, Missing, verdict};
use crate::format::count;
use crate::report::Run;
use crate::sections::{decided_on, judged};
use crate::slo::{Criterion, Subject};
use crate::text::{GateText, Lang, fill, missing};

/// A case for each criterion, on the requests that a decision is made on. If none of them speaks of failures, one more says
/// whether any request failed: percentiles are of the others, and would pass if all but a few did.
pub fn limits(run: &Run, criteria: &[Criterion], lang: Lang) -> Vec<Case> {
    let decision = Decision {
        claim: String::new(),
        owner: String::new(),
        affected: String::new(),
        criteria: criteria.to_vec(),
        baseline: None,
        falsified_by: String::new(),
        if_it_fails: IfItFails::AskSomeone,
    };
    let verdict = verdict(&decision, &decided_on(run), &|t| t.passed());
    let case = |judgement: &crate::decision::Judgement| {
        let [name, measured, interval, n, _] = judged(judgement, lang, run);
        let said = match judgement.answer {
            Answer::Pass => Said::Passed,
            Answer::Fail => Said::Failed,
            Answer::NotEnoughData(_) => Said::Unknown,
        };
        let message = match judgement.answer {
            Answer::NotEnoughData(what @ Missing::NoSamples(_)) => missing(lang, what),
            Answer::NotEnoughData(what) => {
                fill(GateText::MeasuredAnd.get(lang), &[&measured, &interval, &n, &missing(lang, what)])
            }
            _ => fill(GateText::Measured.get(lang), &[&measured, &interval, &n]),
        };
        Case { name, said, message }
    };
    let mut cases: Vec<Case> = verdict.judgements.iter().map(case).collect();
    if !criteria.iter().any(|c| c.subject == Subject::ErrorRate) {
        cases.push(failures(run, lang));
    }
    cases
}

fn failures(run: &Run, lang: Lang) -> Case {
    let measured = || run.traces.iter().filter(|t| !t.planned.warmup);
    let failed = measured().filter(|t| t.outcome.is_failure()).count();
    let said = match (failed, measured().count()) {
        (0, 0) => Said::Unknown,
        (0, _) => Said::Passed,
        _ => Said::Failed,
    };
    let message = fill(GateText::FailedOf.get(lang), &[&count(failed), &count(measured().count())]);
    Case { name: GateText::NoFailures.get(lang).to_owned(), said, message }
}
