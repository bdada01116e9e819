//! Do the measured figures bear a lesson's claim out, and if nobody can tell, why not?

use super::check::{Check, Counts};
use super::figure::{Estimate, Measured};
use super::{Lesson, Plan};
use crate::mark::Absence;
use crate::report::Run;
use crate::stats::Interval;
use crate::summary::Summary;

/// Why nothing can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A run that it needs was not made, or was stopped by hand.
    NotRun,
    /// Requests failed: the others can't stand for them.
    Failed {
        /// So many.
        failed: usize,
        /// Of so many.
        of: usize,
    },
    /// The figure is not there.
    Absent(Absence),
    /// The sample is too small for an interval.
    TooFew {
        /// It needs so many.
        at_least: usize,
        /// It has so many.
        has: usize,
    },
    /// The interval reaches over the edge of what bears the prediction out.
    Undecided,
}

impl From<Absence> for Why {
    fn from(why: Absence) -> Why {
        Why::Absent(why)
    }
}

/// What one figure says of its prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The whole interval lies where it was predicted.
    Holds,
    /// The whole interval lies elsewhere.
    Fails,
    /// Neither.
    Open(Why),
}

/// A prediction beside what was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The prediction.
    pub check: Check,
    /// What was measured.
    pub measured: Result<Estimate, Why>,
    /// What it says.
    pub answer: Answer,
}

/// What may be said of the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every figure lies where it was predicted.
    BorneOut,
    /// At least one lies elsewhere.
    NotBorneOut,
    /// None lies elsewhere, but of at least one nothing can be said.
    CantTell(Why),
}

impl Verdict {
    /// The stable name used in the page.
    pub fn code(self) -> &'static str {
        match self {
            Verdict::BorneOut => "borne_out",
            Verdict::NotBorneOut => "not_borne_out",
            Verdict::CantTell(_) => "cant_tell",
        }
    }
}

impl Answer {
    /// The stable name used in the page.
    pub fn code(self) -> &'static str {
        match self {
            Answer::Holds => "holds",
            Answer::Fails => "fails",
            Answer::Open(_) => "open",
        }
    }

    /// By the whole interval, where the figure has one.
    fn of(estimate: &Estimate, counts: Counts) -> Answer {
        let (lower, upper) = match estimate.interval {
            Some(Interval::Needs { at_least, has }) => return Answer::Open(Why::TooFew { at_least, has }),
            Some(Interval::Between { lower, upper }) => (lower, upper),
            None => (estimate.value.lower, estimate.value.upper),
        };
        let below = counts.from.zip(upper).is_some_and(|(from, upper)| upper < from);
        let above = counts.to.zip(lower).is_some_and(|(to, lower)| lower > to);
        let from = counts.from.is_none_or(|from| lower.is_some_and(|lower| lower >= from));
        let to = counts.to.is_none_or(|to| upper.is_some_and(|upper| upper <= to));
        match (below || above, from && to) {
            (true, _) => Answer::Fails,
            (_, true) => Answer::Holds,
            _ => Answer::Open(Why::Undecided),
        }
    }
}

/// A claim, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What may be said of the claim.
    pub verdict: Verdict,
    /// Every prediction, in the order of the plan.
    pub findings: Vec<Finding>,
}

impl Lesson {
    /// Judges the claim by the runs of its plan, in their order; fewer where it was stopped.
    pub fn judge(self, runs: &[&Run]) -> Judgement {
        judge(&self.plan(), runs)
    }
}

pub(super) fn judge(plan: &Plan, runs: &[&Run]) -> Judgement {
    let measured: Vec<Measured<'_>> = runs.iter().map(|run| Measured { run, summary: Summary::of(run) }).collect();
    let finding = |check: &Check| {
        let trouble = check.figure.runs().into_iter().find_map(|run| measured.get(run).and_then(trouble));
        let measured = trouble.map_or_else(|| check.figure.of(&measured), Err);
        let answer = match &measured {
            Ok(estimate) => Answer::of(estimate, check.counts),
            Err(why) => Answer::Open(*why),
        };
        Finding { check: *check, measured, answer }
    };
    let findings: Vec<Finding> = plan.checks.iter().map(finding).collect();
    let open = findings.iter().find_map(|finding| match finding.answer {
        Answer::Open(why) => Some(why),
        _ => None,
    });
    let verdict = match open {
        _ if findings.iter().any(|finding| finding.answer == Answer::Fails) => Verdict::NotBorneOut,
        Some(why) => Verdict::CantTell(why),
        None => Verdict::BorneOut,
    };
    Judgement { verdict, findings }
}

/// What keeps a run from being judged at all.
fn trouble(of: &Measured<'_>) -> Option<Why> {
    let (failed, of_all) = (of.summary.failed() as usize, of.summary.measured() as usize);
    if of.run.stopped {
        return Some(Why::NotRun);
    }
    (failed > 0).then_some(Why::Failed { failed, of: of_all })
}
