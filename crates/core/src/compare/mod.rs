//! By how much do two sets of requests differ, and what differed besides? Two runs (one of them a baseline), or two arms
//! measured interleaved in one run.

mod context;
mod regression;
mod words;

pub use context::{ContextDifference, ContextItem, context_differences};
pub use regression::{By, Changed, Regression, RegressionError, changed};
pub use words::{context_lines, failure_sentence, sentence, what_it_shows};

use crate::metrics::{Figure, Metric, Unit};
use crate::report::Run;
use crate::slo::is_due;
use crate::stats::{
    Bounds, Difference, Distribution, Interval, P, P50, P95, Share, Side, Verdict, difference, difference_of_pools,
    difference_of_shares,
};
use crate::summary::{Row, metric_rows, side};
use crate::trace::{Mode, Trace};

/// A percentile of a metric on both sides, and its difference `b − a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetricDifference {
    /// Which metric.
    pub metric: Metric,
    /// The percentile of `a`: bounds where no more is known.
    pub a: Bounds,
    /// The percentile of `b`.
    pub b: Bounds,
    /// The difference.
    pub difference: Difference,
    /// What may be said of it.
    pub verdict: Verdict,
}

/// Failures of both sides, of requests that were due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FailureDifference {
    /// Of `a`.
    pub a: Share,
    /// Of `b`.
    pub b: Share,
    /// Newcombe's 95 % interval of the difference `b − a`; none where a side has no requests.
    pub interval: Option<(f64, f64)>,
}

/// Two sets of requests beside each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Arms {
    /// Every metric that both sides have.
    pub metrics: Vec<MetricDifference>,
    /// Failures.
    pub failures: FailureDifference,
}

/// Two runs beside each other: what differs in their contexts stands before any difference of figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// What differs besides.
    pub context: Vec<ContextDifference>,
    /// Each mode that both runs measured.
    pub modes: Vec<(Mode, Arms)>,
}

/// Compares run `b` with the baseline `a`. `margin_us`: differences of times of this size and less don't matter.
pub fn compare_runs(a: &Run, b: &Run, margin_us: Option<i64>) -> Comparison {
    let arms = |mode: Mode| {
        let (in_a, in_b) = (measured(a, mode), measured(b, mode));
        let both = !in_a.is_empty() && !in_b.is_empty();
        both.then(|| (mode, compare_arms(&in_a, &in_b, a.config.seed, margin_us)))
    };
    let modes = [Mode::Streaming, Mode::NonStreaming].into_iter().filter_map(arms).collect();
    Comparison { context: context_differences(a, b), modes }
}

/// Its measured requests of one mode.
pub(crate) fn measured(run: &Run, mode: Mode) -> Vec<&Trace> {
    run.traces.iter().filter(|t| !t.planned.warmup && t.planned.mode == mode).collect()
}

/// Compares two arms of one run, or two sets of requests of any kind: measured ones, warm-up left out by the caller.
pub fn compare_arms(a: &[&Trace], b: &[&Trace], seed: u64, margin_us: Option<i64>) -> Arms {
    let metrics = Metric::ALL.into_iter().flat_map(|metric| of_metric(metric, a, b, seed, margin_us)).collect();
    let failed = |traces: &[&Trace]| {
        let due = traces.iter().filter(|t| is_due(t));
        Share { hits: due.clone().filter(|t| t.outcome.is_failure()).count(), of: due.count() }
    };
    let (of_a, of_b) = (failed(a), failed(b));
    Arms { metrics, failures: FailureDifference { a: of_a, b: of_b, interval: difference_of_shares(of_a, of_b) } }
}

fn of_metric(metric: Metric, a: &[&Trace], b: &[&Trace], seed: u64, margin_us: Option<i64>) -> Vec<MetricDifference> {
    // The mode is a label of the rows only.
    let (rows_a, rows_b) = (metric_rows(metric, Mode::Streaming, a), metric_rows(metric, Mode::Streaming, b));
    let margin = margin_us.filter(|_| metric.unit() == Unit::Time);
    let of = |p: P| {
        let (difference, a, b) = match (side(&rows_a), side(&rows_b)) {
            (Some(a), Some(b)) => (difference(a, b, p, seed)?, a.percentile(p), b.percentile(p)),
            _ => {
                let pool = |rows: &'_ [Row]| rows.first().is_some_and(|row| row.pooled.is_some());
                if !pool(&rows_a) || !pool(&rows_b) {
                    return None;
                }
                let (a, b) = (rows_a[0].pooled.as_ref()?, rows_b[0].pooled.as_ref()?);
                let exact = |value: Option<i64>| Bounds { lower: value, upper: value };
                (difference_of_pools(a, b, p, seed)?, exact(a.percentile(p)), exact(b.percentile(p)))
            }
        };
        Some(MetricDifference { metric, a, b, difference, verdict: difference.verdict(margin) })
    };
    // The middle and the tail always, if only to say what they need; the others where there is enough.
    let enough = |d: &MetricDifference| matches!(d.difference.interval, Interval::Between { .. });
    let shown = |d: &MetricDifference| [P50, P95].contains(&d.difference.p) || enough(d);
    P::SHOWN.into_iter().filter_map(of).filter(shown).collect()
}

/// Differences `b − a` of pairs that were measured side by side: only pairs of which both have an exact figure.
pub fn paired_differences(metric: Metric, pairs: &[(&Trace, &Trace)]) -> Distribution {
    let figure = |trace: &Trace| match metric.of(trace) {
        Ok(Figure::Exact(value)) if trace.outcome.enters_distributions() => Some(value),
        _ => None,
    };
    Distribution::new(pairs.iter().filter_map(|(a, b)| Some(figure(b)? - figure(a)?)).collect(), Vec::new())
}

/// What may be said of the median of paired differences, by its order-statistic interval.
pub fn paired_verdict(differences: &Distribution, margin: Option<i64>) -> Verdict {
    Verdict::of(Side::from(differences).interval(P50), margin)
}

#[cfg(test)]
mod tests;
