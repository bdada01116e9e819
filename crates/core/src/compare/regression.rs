//! By how much may a figure get worse from one run to the next? `p95(first_visible) +10%`, `p50(output_rate) -5%`,
//! `error_rate +1%`.
//!
//! The allowed value is the baseline's percentile, moved: every sample of the baseline is made so much larger (or smaller), which
//! moves each percentile by exactly as much, and the two are compared like any two runs. So the doubt of both sides counts.

use std::fmt;
use std::str::FromStr;

use super::{difference, difference_of_shares};
use crate::cost::pass_rate;
use crate::metrics::Unit;
use crate::slo::{SloError, Subject, is_due, limit, metric_code, metric_limit, subject, write_metric_limit, written};
use crate::stats::{Bounds, Distribution, Interval, Share};
use crate::summary::{Row, metric_rows, side};
use crate::trace::{Mode, Trace};

/// How much worse a figure may get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Regression {
    /// Of what.
    pub subject: Subject,
    /// Larger is worse (`+`); else smaller is (`-`).
    pub larger_is_worse: bool,
    /// By how much.
    pub by: By,
}

/// An amount of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    /// Millionths of the baseline's value.
    Share(i64),
    /// In the metric's unit (µs, thousandths of a count or rate); of a rate in millionths: percentage points.
    Amount(i64),
}

/// Why a text is no such limit, and what would be one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegressionError {
    /// No change in it.
    #[error("“{0}” says no change: write a figure, + or -, and how much, such as 'p95(first_visible) +10%'")]
    NoChange(String),
    /// The figure or the amount is wrong.
    #[error(transparent)]
    Figure(#[from] SloError),
    /// The other way is the worse one.
    #[error("{name} gets worse the {which} it is: write {name} {sign}…")]
    Sign {
        /// The figure.
        name: String,
        /// Larger or smaller.
        which: &'static str,
        /// What says so.
        sign: char,
    },
    /// A share of what may be negative.
    #[error("a share of {0} means nothing, since it may be negative: write an amount, such as +5ms")]
    Negative(&'static str),
}

impl FromStr for Regression {
    type Err = RegressionError;

    fn from_str(text: &str) -> Result<Regression, RegressionError> {
        let at = text.rfind(['+', '-', '−']).ok_or_else(|| RegressionError::NoChange(text.trim().to_owned()))?;
        let (left, right) = text.split_at(at);
        let larger_is_worse = right.starts_with('+');
        let subject = subject(left.trim())?;
        let amount = right.trim_start_matches(['+', '-', '−']).trim();
        if worse(subject).is_some_and(|larger| larger != larger_is_worse) {
            let (which, sign) = if larger_is_worse { ("smaller", '-') } else { ("larger", '+') };
            return Err(RegressionError::Sign { name: subject.to_string(), which, sign });
        }
        match (subject, change(amount, subject)?) {
            (Subject::Percentile(_, metric), By::Share(_)) if metric.may_be_negative() => {
                Err(RegressionError::Negative(metric_code(metric)))
            }
            (_, By::Share(share)) if !larger_is_worse && share >= 1_000_000 => {
                let (text, name) = (amount.to_owned(), subject.to_string());
                Err(SloError::Limit { text, name, units: "less than 100 %: nothing can get smaller by more" }.into())
            }
            (_, by) => Ok(Regression { subject, larger_is_worse, by }),
        }
    }
}

/// Larger is worse, or smaller is; none of counts, of which neither is.
fn worse(subject: Subject) -> Option<bool> {
    match subject {
        Subject::Percentile(_, metric) => match metric.unit() {
            Unit::Time => Some(true),
            Unit::TokenRate => Some(false),
            Unit::Count => None,
        },
        Subject::ErrorRate => Some(true),
        Subject::PassRate => Some(false),
    }
}

/// How much, in what fits the figure.
fn change(text: &str, subject: Subject) -> Result<By, SloError> {
    match subject {
        Subject::Percentile(_, metric) if text.ends_with('%') => {
            limit(text, metric_code(metric), &[("%", 4)], "%, up to 4 decimals").map(By::Share)
        }
        Subject::Percentile(_, metric) => metric_limit(text, metric).map(By::Amount),
        Subject::ErrorRate | Subject::PassRate => {
            limit(text, &subject.to_string(), &[("%", 4)], "%: percentage points").map(By::Amount)
        }
    }
}

impl fmt::Display for Regression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.larger_is_worse { '+' } else { '-' };
        write!(f, "{} {sign}", self.subject)?;
        match (self.subject, self.by) {
            (Subject::Percentile(_, metric), By::Amount(amount)) => write_metric_limit(f, amount, metric),
            (_, By::Share(millionths) | By::Amount(millionths)) => write!(f, "{}%", written(millionths, 4)),
        }
    }
}

/// What became of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Changed {
    /// How much worse it may get.
    pub allowed: Regression,
    /// Sizes of both samples, the baseline's first.
    pub n: (usize, usize),
    /// The baseline's value, in the unit of the metric, or in millionths.
    pub a: Bounds,
    /// The other's.
    pub b: Bounds,
    /// The 95 % interval of how far the other's lies above the allowed value.
    pub above_allowed: Interval<Option<i64>>,
}

impl Changed {
    /// It is worse by more than allowed, or it is not; none where neither can be said.
    pub fn regressed(&self) -> Option<bool> {
        let Interval::Between { lower, upper } = self.above_allowed else { return None };
        if self.allowed.larger_is_worse {
            // As much as allowed is allowed.
            let beyond = lower.is_some_and(|l| l > 0);
            let within = upper.is_some_and(|u| u <= 0);
            (beyond || within).then_some(beyond)
        } else {
            let beyond = upper.is_some_and(|u| u < 0);
            let within = lower.is_some_and(|l| l >= 0);
            (beyond || within).then_some(beyond)
        }
    }
}

/// What became of a figure between a baseline and another run, both of one mode and without warm-up; none where one of them
/// does not have it.
pub fn changed(allowed: Regression, a: &[&Trace], b: &[&Trace], seed: u64) -> Option<Changed> {
    match allowed.subject {
        Subject::Percentile(p, metric) => {
            // The mode is a label of the rows only.
            let (rows_a, rows_b) = (metric_rows(metric, Mode::Streaming, a), metric_rows(metric, Mode::Streaming, b));
            let (of_a, of_b) = (side(&rows_a)?, side(&rows_b)?);
            let moved: Vec<Row> = rows_a.iter().map(|row| moved(row, allowed)).collect();
            let found = difference(side(&moved)?, of_b, p, seed)?;
            let (in_a, in_b) = (of_a.percentile(p), of_b.percentile(p));
            Some(Changed { allowed, n: (of_a.n(), of_b.n()), a: in_a, b: in_b, above_allowed: found.interval })
        }
        Subject::ErrorRate => {
            let failed = |traces: &[&Trace]| {
                let due = traces.iter().filter(|t| is_due(t));
                Share { hits: due.clone().filter(|t| t.outcome.is_failure()).count(), of: due.count() }
            };
            shares(allowed, failed(a), failed(b))
        }
        Subject::PassRate => shares(allowed, pass_rate(a, &|t| t.passed()), pass_rate(b, &|t| t.passed())),
    }
}

/// The baseline's samples, each as large as is allowed.
fn moved(row: &Row, allowed: Regression) -> Row {
    let sign = if allowed.larger_is_worse { 1 } else { -1 };
    let further = |value: &i64| match allowed.by {
        By::Amount(amount) => value + sign * amount,
        By::Share(millionths) => {
            let scaled = i128::from(*value) * i128::from(1_000_000 + sign * millionths);
            // To the nearest, away from zero in between.
            ((scaled + scaled.signum() * 500_000) / 1_000_000) as i64
        }
    };
    let all = |values: &[i64]| values.iter().map(further).collect();
    let (of, pooled) = (&row.distribution, None);
    Row { distribution: Distribution::new(all(of.sorted()), all(of.censored_values())), pooled, absent: Vec::new(), ..*row }
}

fn shares(allowed: Regression, a: Share, b: Share) -> Option<Changed> {
    let sign = if allowed.larger_is_worse { 1 } else { -1 };
    let millionths = |x: f64| (x * 1e6).round() as i64;
    let exact = |share: Share| share.value().map(|v| Bounds { lower: Some(millionths(v)), upper: Some(millionths(v)) });
    let (in_a, in_b) = exact(a).zip(exact(b))?;
    let (lower, upper) = difference_of_shares(a, b)?;
    let amount = match allowed.by {
        By::Amount(amount) => amount,
        By::Share(share) => (a.value()? * share as f64).round() as i64,
    };
    let above = |x: f64| Some(millionths(x) - sign * amount);
    let above_allowed = Interval::Between { lower: above(lower), upper: above(upper) };
    Some(Changed { allowed, n: (a.of, b.of), a: in_a, b: in_b, above_allowed })
}

#[cfg(test)]
#[path = "regression_tests.rs"]
mod tests;
