//! At which level of a sweep was the target saturated? Computed from traces, so that a report can compute it again.
//!
//! Rates are taken between the tenth and the ninetieth percentile of starts and of completions, so that neither the filling
//! at the beginning nor the emptying at the end of a level counts.
//!
//! A level is saturated by the first of these that holds:
//! 1. more than [`FAILURES`] of its requests failed, timed out, were cut or never got a place;
//! 2. over rate: completions came at less than [`KEEPS_UP`] of the rate at which requests were to start;
//! 3. over concurrency: throughput rose over the level before by less than [`NO_GAIN`] (and by less than half of what the
//!    concurrency rose by, for finer steps). By Little's law the mean latency of a closed loop then rises by the rest.

use super::{Over, Shape};
use crate::mark::Mark;
use crate::metrics::Metric;
use crate::outcome::Outcome;
use crate::stats::{P50, P95, Quantile};
use crate::summary::metric_rows;
use crate::trace::{Mode, Trace};

/// The largest share of failures of a level that is not saturated.
pub const FAILURES: f64 = 0.05;
/// The smallest share of the wanted rate that a level completes if it is not saturated.
pub const KEEPS_UP: f64 = 0.9;
/// A smaller rise of throughput from one concurrency to the next is none.
pub const NO_GAIN: f64 = 0.1;

/// Why a level is saturated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Saturated {
    /// This share of its requests failed, timed out, was cut or never got a place.
    Failures(f64),
    /// Completions reached only this share of the rate at which requests were to start.
    FallsBehind(f64),
    /// Throughput rose by only this share over the level before, so that latency rose instead.
    NoGain(f64),
}

/// What was measured at one level.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Its place in the sweep, from 0.
    pub stage: u32,
    /// The rate or concurrency asked for.
    pub level: f64,
    /// Its requests.
    pub n: u32,
    /// Those that failed, timed out, were cut or never got a place.
    pub failed: u32,
    /// Requests sent per second.
    pub sent_rate: Option<f64>,
    /// Requests completed per second.
    pub throughput: Option<f64>,
    /// Time to first token, p50 and p95.
    pub first: Option<(Quantile, Quantile)>,
    /// End-to-end latency, p50 and p95.
    pub end_to_end: Option<(Quantile, Quantile)>,
    /// Why it is saturated, if it is.
    pub saturated: Option<Saturated>,
}

/// Events per second between the tenth and the ninetieth percentile of their times.
fn middle_rate(mut times: Vec<i64>) -> Option<f64> {
    times.sort_unstable();
    let (low, high) = (times.len() / 10, times.len().checked_sub(1 + times.len() / 10)?);
    let span = times.get(high)? - times.get(low)?;
    (span > 0).then(|| (high - low) as f64 * 1_000_000.0 / span as f64)
}

fn percentiles(metric: Metric, traces: &[&Trace]) -> Option<(Quantile, Quantile)> {
    // The mode is a label of the rows only.
    let rows = metric_rows(metric, Mode::Streaming, traces);
    let distribution = &rows.first()?.distribution;
    distribution.percentile(P50).zip(distribution.percentile(P95))
}

/// Every level that has requests, up to the last; the first that is saturated ends a sweep.
pub fn saturation(shape: &Shape, levels: &[f64], traces: &[Trace]) -> Vec<Level> {
    let over = match shape {
        Shape::Sweep { over, .. } | Shape::Steps { over, .. } => *over,
        _ => return Vec::new(),
    };
    let mut found: Vec<Level> = Vec::new();
    for (stage, level) in (0u32..).zip(levels) {
        let here: Vec<&Trace> = traces.iter().filter(|t| !t.planned.warmup && t.planned.stage == stage).collect();
        if here.is_empty() {
            continue;
        }
        let times = |mark: Mark| here.iter().filter_map(|t| Some(t.marks.get(mark).ok()?.0)).collect::<Vec<_>>();
        let completed = here.iter().filter(|t| t.outcome.ended()).map(|t| t.last_known.0).collect();
        let failed = here.iter().filter(|t| t.outcome.is_failure() || t.outcome == Outcome::Cut).count();
        let mut judged = Level {
            stage,
            level: *level,
            n: here.len() as u32,
            failed: failed as u32,
            sent_rate: middle_rate(times(Mark::Sent)),
            throughput: middle_rate(completed),
            first: percentiles(Metric::Ttft, &here),
            end_to_end: percentiles(Metric::EndToEnd, &here),
            saturated: None,
        };
        judged.saturated = why(over, &judged, middle_rate(times(Mark::Intended)), found.last());
        found.push(judged);
    }
    found
}

fn why(over: Over, level: &Level, intended_rate: Option<f64>, before: Option<&Level>) -> Option<Saturated> {
    let failures = f64::from(level.failed) / f64::from(level.n.max(1));
    if failures > FAILURES {
        return Some(Saturated::Failures(failures));
    }
    match over {
        Over::Rate => {
            let share = level.throughput? / intended_rate?;
            (share < KEEPS_UP).then_some(Saturated::FallsBehind(share))
        }
        Over::Concurrency => {
            let before = before?;
            let gain = level.throughput? / before.throughput? - 1.0;
            let possible = level.level / before.level - 1.0;
            (gain < NO_GAIN.min(possible / 2.0)).then_some(Saturated::NoGain(gain))
        }
    }
}
