//! Attainment and goodput: which requests met every threshold, which did not, and which can't be judged?

use super::Threshold;
use crate::Micros;
use crate::mark::Absence;
use crate::metrics::{output_tokens, throughput};
use crate::outcome::Outcome;
use crate::stats::Share;
use crate::trace::Trace;

/// What is said of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// Within the limit.
    Met,
    /// Beyond it, or failed.
    NotMet,
    /// The metric could not be measured, or only to bounds on both sides of the limit ([`Absence::BoundsOnly`]); no reason
    /// where the browser or the machine stopped the request.
    NotJudged(Option<Absence>),
    /// Cancelled by the user, or cut by the end of the run.
    LeftOut,
}

/// The request counts in a rate of failures: neither the user, nor the end of the run, nor the browser ended it.
pub fn is_due(trace: &Trace) -> bool {
    let interrupted = matches!(trace.outcome, Outcome::Slept | Outcome::Frozen | Outcome::Backgrounded);
    !interrupted && !matches!(trace.outcome, Outcome::Cancelled | Outcome::Cut)
}

/// One request against one threshold.
pub fn judge(threshold: &Threshold, trace: &Trace) -> Judged {
    match &trace.outcome {
        Outcome::Cancelled | Outcome::Cut => return Judged::LeftOut,
        Outcome::Slept | Outcome::Frozen | Outcome::Backgrounded => return Judged::NotJudged(None),
        // What is seen is judged on the painted subset alone, failures among it too: else the failures of all requests would
        // stand against the successes of a few.
        _ if threshold.metric.is_seen() && !trace.planned.painted => {
            return Judged::NotJudged(Some(Absence::NotInPaintedSubset));
        }
        outcome if outcome.is_failure() => return Judged::NotMet,
        _ => {}
    }
    match threshold.metric.of(trace) {
        Ok(figure) => match threshold.is_met(figure) {
            Some(true) => Judged::Met,
            Some(false) => Judged::NotMet,
            None => Judged::NotJudged(Some(Absence::BoundsOnly)),
        },
        // Watched to its end, and it never became useful.
        Err(Absence::RuleNotSatisfied) => Judged::NotMet,
        Err(why) => Judged::NotJudged(Some(why)),
    }
}

/// One request against all thresholds. One that can't be judged by some of them is not judged, even if it breaks another:
/// else requests with less evidence could only count against the endpoint.
pub fn judge_all(thresholds: &[Threshold], trace: &Trace) -> Judged {
    let all = thresholds.iter().map(|t| judge(t, trace));
    let rank = |judged: &Judged| match judged {
        Judged::Met => 0,
        Judged::NotMet => 1,
        Judged::NotJudged(_) => 2,
        Judged::LeftOut => 3,
    };
    all.max_by_key(rank).unwrap_or(Judged::NotJudged(None))
}

/// How many of the requests that were due met their thresholds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attainment {
    /// Met.
    pub met: u32,
    /// Not met, failures among them.
    pub not_met: u32,
    /// Not judged, by reason; no reason where the browser or the machine stopped the request.
    pub not_judged: Vec<(Option<Absence>, u32)>,
    /// Cancelled or cut.
    pub left_out: u32,
}

impl Attainment {
    fn add(&mut self, judged: Judged) {
        match judged {
            Judged::Met => self.met += 1,
            Judged::NotMet => self.not_met += 1,
            Judged::LeftOut => self.left_out += 1,
            Judged::NotJudged(why) => match self.not_judged.iter_mut().find(|(known, _)| *known == why) {
                Some((_, n)) => *n += 1,
                None => self.not_judged.push((why, 1)),
            },
        }
    }

    /// Those that met / those that were judged, with its exact interval at hand.
    pub fn share(&self) -> Share {
        Share { hits: self.met as usize, of: (self.met + self.not_met) as usize }
    }
}

/// Of measured requests: for each threshold by itself, and for all of them together; none without thresholds.
pub fn attainment(thresholds: &[Threshold], measured: &[&Trace]) -> Option<(Vec<(Threshold, Attainment)>, Attainment)> {
    if thresholds.is_empty() {
        return None;
    }
    let count = |judged: &dyn Fn(&Trace) -> Judged| {
        let mut attainment = Attainment::default();
        measured.iter().for_each(|t| attainment.add(judged(t)));
        attainment
    };
    let each = thresholds.iter().map(|t| (*t, count(&|trace| judge(t, trace)))).collect();
    Some((each, count(&|trace| judge_all(thresholds, trace))))
}

/// Requests and tokens that met every threshold, per second of the run's window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goodput {
    /// The window, as of throughput.
    pub window: Micros,
    /// Requests per second.
    pub requests: f64,
    /// Output tokens per second, and whether any count is an estimate; none where a count is missing.
    pub tokens: Option<(f64, bool)>,
    /// Requests that were not judged and so are not in it: with any, it is at least this.
    pub not_judged: u32,
}

/// Goodput of measured requests; none without thresholds.
pub fn goodput(thresholds: &[Threshold], measured: &[&Trace]) -> Option<Result<Goodput, Absence>> {
    if thresholds.is_empty() {
        return None;
    }
    let window = match throughput(measured) {
        Ok(throughput) => throughput.window,
        Err(why) => return Some(Err(why)),
    };
    let judged: Vec<(Judged, &Trace)> = measured.iter().map(|t| (judge_all(thresholds, t), *t)).collect();
    let good: Vec<&Trace> = judged.iter().filter(|(j, _)| *j == Judged::Met).map(|(_, t)| *t).collect();
    let counts: Result<Vec<_>, _> = good.iter().map(|t| output_tokens(t)).collect();
    let tokens = counts.ok().map(|counts| {
        let sum: u64 = counts.iter().map(|t| t.count).sum();
        (sum as f64 / window.as_secs(), counts.iter().any(|t| t.estimated))
    });
    let not_judged = judged.iter().filter(|(j, _)| matches!(j, Judged::NotJudged(_))).count() as u32;
    Some(Ok(Goodput { window, requests: good.len() as f64 / window.as_secs(), tokens, not_judged }))
}
