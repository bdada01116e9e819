//! Which limits are set, which requests meet them, and how many do?
//!
//! A [`Threshold`] judges one request (`first_visible<800ms`); a [`Criterion`] judges many (`p95(first_visible)<800ms`,
//! `error_rate<1%`), each mode by itself, or of one alone (`streaming p95(first_visible)<800ms`). Both are read from and written as
//! text; limits are integers in the metric's own unit.

mod attainment;
mod read;

pub use attainment::{Attainment, Goodput, Judged, attainment, goodput, is_due, judge, judge_all};
pub use read::{NAMES, SloError, metric_code};
pub(crate) use read::{limit, metric_limit, subject, write_metric_limit, written};

use serde::{Deserialize, Serialize};

use crate::metrics::{Figure, Metric};
use crate::stats::P;
use crate::trace::Mode;

/// How a value must stand to its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `>=`
    AtLeast,
}

impl Relation {
    /// A value stands so to a limit.
    pub fn holds<T: PartialOrd>(self, value: T, limit: T) -> bool {
        match self {
            Relation::Below => value < limit,
            Relation::AtMost => value <= limit,
            Relation::Above => value > limit,
            Relation::AtLeast => value >= limit,
        }
    }

    /// Larger values are worse.
    pub fn is_upper(self) -> bool {
        matches!(self, Relation::Below | Relation::AtMost)
    }

    /// Whether every value, some value or no value between two bounds stands so; a missing bound is an open end.
    /// None where some do and some don't.
    pub fn holds_between<T: PartialOrd + Copy>(self, lower: Option<T>, upper: Option<T>, limit: T) -> Option<bool> {
        let (worst, best) = if self.is_upper() { (upper, lower) } else { (lower, upper) };
        match (worst, best) {
            (Some(worst), _) if self.holds(worst, limit) => Some(true),
            (_, Some(best)) if !self.holds(best, limit) => Some(false),
            _ => None,
        }
    }
}

/// A limit on a metric of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Threshold {
    /// Which metric.
    pub metric: Metric,
    /// On which side.
    pub relation: Relation,
    /// In the metric's unit: µs, or thousandths of a count or rate.
    pub limit: i64,
}

impl Threshold {
    /// Whether a figure meets it; none where the limit lies between its bounds.
    pub fn is_met(&self, figure: Figure) -> Option<bool> {
        let (lower, upper) = match figure {
            Figure::Exact(value) => (Some(value), Some(value)),
            Figure::Bounds(lower, upper) => (Some(lower), upper),
        };
        self.relation.holds_between(lower, upper, self.limit)
    }
}

/// What a criterion speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A percentile of a metric.
    Percentile(P, Metric),
    /// Failed requests / requests that were due.
    ErrorRate,
    /// Results that passed their checks / results that were checked.
    PassRate,
}

/// A limit on a statistic of many requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Criterion {
    /// The mode whose requests it speaks of; none: of those of each mode, by themselves.
    pub mode: Option<Mode>,
    /// Of what.
    pub subject: Subject,
    /// On which side.
    pub relation: Relation,
    /// In the metric's unit; of a rate in millionths.
    pub limit: i64,
}

#[cfg(test)]
mod tests;
