//! Which measured figure is meant, and what is it? Nothing is computed here that a run's own figures do not have.

use super::verdict::Why;
use crate::gap::Wait;
use crate::mark::Absence;
use crate::metrics::Metric;
use crate::report::Run;
use crate::stats::{Bounds, Distribution, Interval, P, P50, Side, difference};
use crate::summary::{Row, Summary, side};
use crate::trace::{Mode, Trace};

/// What a throughput counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PerSecond {
    /// Output tokens.
    Tokens,
    /// Items: results of predictions and embeddings.
    Items,
}

/// A figure of the runs of a lesson. Runs are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// A percentile of a metric.
    Percentile {
        /// Of this run.
        run: usize,
        /// Of requests asked for in this way.
        mode: Mode,
        /// The metric.
        metric: Metric,
        /// The percentile.
        p: P,
    },
    /// The mean of a metric of streamed answers.
    Mean {
        /// Of this run.
        run: usize,
        /// The metric.
        metric: Metric,
    },
    /// The median of the differences of pairs: streaming − not streaming.
    Paired {
        /// Of this run.
        run: usize,
        /// The metric.
        metric: Metric,
    },
    /// The difference of a percentile: streaming − not streaming.
    Modes {
        /// Of this run.
        run: usize,
        /// The metric.
        metric: Metric,
        /// The percentile.
        p: P,
    },
    /// The difference of a percentile of streamed answers between two runs: `b − a`.
    Runs {
        /// The one.
        a: usize,
        /// The other.
        b: usize,
        /// The metric.
        metric: Metric,
        /// The percentile.
        p: P,
    },
    /// The median of the part of each wait that the server's report does not cover.
    Outside {
        /// Of this run.
        run: usize,
        /// The wait.
        wait: Wait,
    },
    /// The median of a span that the server reports.
    Reported {
        /// Of this run.
        run: usize,
        /// The span's name at the server.
        name: &'static str,
    },
    /// The throughput of a run.
    Rate {
        /// Of this run.
        run: usize,
        /// Of what.
        of: PerSecond,
    },
    /// 1 if a stop rule ended the run, else 0.
    Stopped {
        /// This run.
        run: usize,
    },
}

/// A measured figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// The value, or its bounds.
    pub value: Bounds,
    /// The 95 % interval; none of a figure that has none: a mean, a throughput.
    pub interval: Option<Interval<Option<i64>>>,
    /// Of so many requests or pairs; of a difference, the smaller side.
    pub n: usize,
}

/// A run beside its figures.
pub(super) struct Measured<'a> {
    pub run: &'a Run,
    pub summary: Summary,
}

impl Figure {
    /// The runs that it needs.
    pub fn runs(self) -> Vec<usize> {
        match self {
            Figure::Runs { a, b, .. } => vec![a, b],
            Figure::Percentile { run, .. }
            | Figure::Mean { run, .. }
            | Figure::Paired { run, .. }
            | Figure::Modes { run, .. }
            | Figure::Outside { run, .. }
            | Figure::Reported { run, .. }
            | Figure::Rate { run, .. }
            | Figure::Stopped { run } => vec![run],
        }
    }

    /// What it is in these runs.
    pub(super) fn of(self, runs: &[Measured<'_>]) -> Result<Estimate, Why> {
        let get = |run: usize| runs.get(run).ok_or(Why::NotRun);
        match self {
            Figure::Percentile { run, mode, metric, p } => {
                percentile(side(rows(get(run)?, metric, mode)?).ok_or(Absence::NotReached)?, p)
            }
            Figure::Mean { run, metric } => {
                let [row] = rows(get(run)?, metric, Mode::Streaming)? else { return Err(Absence::BoundsOnly.into()) };
                let mean = row.distribution.mean().ok_or(Absence::NotReached)?.round() as i64;
                Ok(Estimate { value: exact(mean), interval: None, n: row.distribution.n() })
            }
            Figure::Paired { run, metric } => {
                let paired = get(run)?.summary.paired.iter().find(|paired| paired.metric == metric);
                percentile((&paired.ok_or(Absence::TooFew)?.differences).into(), P50)
            }
            Figure::Modes { run, metric, p } => {
                let measured = get(run)?;
                let [with, without] = [Mode::Streaming, Mode::NonStreaming].map(|mode| rows(measured, metric, mode));
                between(without?, with?, p, measured.run.config.seed)
            }
            Figure::Runs { a, b, metric, p } => {
                let (a, b) = (get(a)?, get(b)?);
                between(rows(a, metric, Mode::Streaming)?, rows(b, metric, Mode::Streaming)?, p, a.run.config.seed)
            }
            Figure::Outside { run, wait } => {
                let gaps = get(run)?.summary.gaps_of(Mode::Streaming, wait).ok_or(Absence::NotReached)?;
                let inconsistent = gaps.outside.n() == 0 && gaps.inconsistent > 0;
                let why = if inconsistent { Absence::Inconsistent } else { Absence::NoServerReport };
                if gaps.outside.n() == 0 { Err(why.into()) } else { percentile((&gaps.outside).into(), P50) }
            }
            Figure::Reported { run, name } => {
                let values = measured(get(run)?.run).filter_map(|t| Some(t.spans.iter().find(|s| s.name == name)?.value.0));
                let spans = Distribution::new(values.collect(), Vec::new());
                if spans.n() == 0 { Err(Absence::NoServerReport.into()) } else { percentile((&spans).into(), P50) }
            }
            Figure::Rate { run, of } => rate(get(run)?, of),
            Figure::Stopped { run } => {
                let run = get(run)?.run;
                let n = measured(run).filter(|t| t.outcome.ended()).count();
                Ok(Estimate { value: exact(i64::from(run.stopped_by.is_some())), interval: None, n })
            }
        }
    }
}

fn measured(run: &Run) -> impl Iterator<Item = &Trace> {
    run.traces.iter().filter(|t| !t.planned.warmup)
}

fn exact(value: i64) -> Bounds {
    Bounds { lower: Some(value), upper: Some(value) }
}

/// The samples of a metric: one row, or two where only bounds are known.
fn rows<'a>(of: &'a Measured<'_>, metric: Metric, mode: Mode) -> Result<&'a [Row], Why> {
    // They stand together.
    let mine = |row: &Row| (row.metric, row.mode) == (metric, mode);
    let from = of.summary.rows.iter().position(mine).ok_or(Absence::NotReached)?;
    let rows = &of.summary.rows[from..];
    let rows = &rows[..rows.iter().take_while(|row| mine(row)).count()];
    let why = rows.iter().flat_map(|row| &row.absent).max_by_key(|(_, n)| *n).map_or(Absence::NotReached, |(why, _)| *why);
    if rows.iter().all(|row| row.distribution.n() == 0) { Err(why.into()) } else { Ok(rows) }
}

/// A percentile of samples that may only be known by their bounds.
fn percentile(of: Side<'_>, p: P) -> Result<Estimate, Why> {
    let value = of.percentile(p);
    value.lower.ok_or(Absence::TooFew)?;
    Ok(Estimate { value, interval: Some(of.interval(p)), n: of.n() })
}

/// The difference `b − a` of a percentile of two sets of samples.
fn between(a: &[Row], b: &[Row], p: P, seed: u64) -> Result<Estimate, Why> {
    let (a, b): (Side<'_>, Side<'_>) = (side(a).ok_or(Absence::TooFew)?, side(b).ok_or(Absence::TooFew)?);
    let difference = difference(a, b, p, seed).ok_or(Absence::TooFew)?;
    let n = difference.n.0.min(difference.n.1);
    Ok(Estimate { value: difference.estimate, interval: Some(difference.interval), n })
}

fn rate(of: &Measured<'_>, per_second: PerSecond) -> Result<Estimate, Why> {
    let throughput = of.summary.throughput.first().map(|(_, throughput)| throughput);
    let throughput = (*throughput.ok_or(Absence::NotReached)?)?;
    let rate = match per_second {
        PerSecond::Tokens => throughput.tokens.map(|(rate, _)| rate).ok_or(Absence::TokensUnknown)?,
        PerSecond::Items => throughput.items.ok_or(Absence::NoOutput)?,
    };
    let n = measured(of.run).filter(|t| t.outcome.ended()).count();
    Ok(Estimate { value: exact((rate * 1000.0).round() as i64), interval: None, n })
}
