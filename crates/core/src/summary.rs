//! What a run shows: rows of figures, counts, gaps and the one sentence. Everything here follows from the traces.

mod circumstances;
mod context;
mod detail;
#[cfg(test)]
pub(crate) mod fixture;
mod headline;
mod lines;
mod load;
mod parts;
mod requests;
mod table;
mod typical;

pub use circumstances::{CircumstanceLine, circumstance_lines, circumstances};
pub(crate) use context::browser_name;
pub(crate) use context::with_subset;
pub use context::{clock_line, context_line, environment_line, workload_line};
pub use detail::{MarkLine, boundary_name, facts, mark_lines, source_name, span_value};
pub use headline::{Headline, headline};
pub use lines::{PairedLine, expose_lines, notes, pace_line, paired_lines, server_timing_access};
pub use load::load_line;
pub use parts::{PartLine, Role, part_lines, parts_sentence, wait_name};
pub use requests::{TimeCell, complete_cell, request_order, time_cell};
pub use table::{Cell, TableRow, row_context, table};
pub use typical::{Typical, request_at, request_to_open, typical_request, typical_waits};

use crate::Micros;
use crate::align::Alignment;
use crate::gap::{Gaps, Wait, summarise};
use crate::load::Shape;
use crate::load::window_end;
use crate::mark::Absence;
use crate::metrics::{Figure, Metric, Throughput, gaps, output_tokens, steady_state, throughput_until};
use crate::outcome::Outcome;
use crate::report::Run;
use crate::stats::{Distribution, Interval, P, Pooled, Quantile, Side};
use crate::trace::{Mode, Trace};

/// Which end of an interval-valued mark a row speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edge {
    /// The value itself.
    Value,
    /// The lower bounds.
    Earliest,
    /// The upper bounds.
    Latest,
}

impl Edge {
    /// The stable name used in exports and in the page.
    pub fn code(self) -> &'static str {
        match self {
            Edge::Value => "value",
            Edge::Earliest => "earliest",
            Edge::Latest => "latest",
        }
    }
}

/// One metric of one mode.
pub struct Row {
    /// Which metric.
    pub metric: Metric,
    /// Of requests asked for in this way.
    pub mode: Mode,
    /// Value or bound.
    pub edge: Edge,
    /// The samples.
    pub distribution: Distribution,
    /// For pooled values: the pool, whose intervals resample requests.
    pub pooled: Option<Pooled>,
    /// Requests without the figure, by reason.
    pub absent: Vec<(Absence, u32)>,
    /// Some number of tokens in it is an estimate.
    pub estimated: bool,
}

impl Row {
    /// The stable name of its series: `metric/mode/edge`.
    pub fn series(&self) -> String {
        format!("{}/{}/{}", self.metric.code(), self.mode.code(), self.edge.code())
    }

    /// It holds times that were measured, so that it has a histogram.
    pub fn has_times(&self) -> bool {
        self.metric.unit() == crate::metrics::Unit::Time && !self.distribution.sorted().is_empty()
    }

    /// The 95 % interval of a percentile.
    pub fn interval(&self, p: P, seed: u64) -> Interval<Quantile> {
        match &self.pooled {
            Some(pool) => pool.interval(p, seed),
            None => self.distribution.interval(p),
        }
    }
}

/// Differences of pairs that were measured side by side: streaming − not streaming.
pub struct Paired {
    /// Which metric.
    pub metric: Metric,
    /// One difference a pair.
    pub differences: Distribution,
}

/// Everything that a run shows, as numbers.
pub struct Summary {
    /// Figures, in the order of the table.
    pub rows: Vec<Row>,
    /// How requests ended, by mode, measured ones only.
    pub outcomes: Vec<(Mode, Outcome, u32)>,
    /// Warm-up requests, in no figure.
    pub warmup: u32,
    /// Throughput by mode.
    pub throughput: Vec<(Mode, Result<Throughput, Absence>)>,
    /// Steady-state rate by mode, tokens or items per second.
    pub steady: Vec<(Mode, Result<f64, Absence>)>,
    /// The gaps of the wait for the first output, and for completion, by mode.
    pub gaps: Vec<(Mode, Wait, Gaps)>,
    /// Paired differences, where both modes were measured.
    pub paired: Vec<Paired>,
}

/// The largest error of a difference of two stamps of a run: the clock's step twice, the
/// joint of the worker's clock to the page's, and the rounding of paint times.
pub fn clock_error(run: &Run) -> Micros {
    let rounding = if run.environment.isolated { Micros::ZERO } else { crate::paint::PRESENTATION_ROUNDING };
    Micros(2 * run.clock.step_us + run.clock.joint_us.unwrap_or(0)) + rounding
}

impl Summary {
    /// Of a run.
    pub fn of(run: &Run) -> Summary {
        // Of two arms the present one: a candidate is another endpoint, and stands beside it in a comparison.
        let measured: Vec<&Trace> = run.traces.iter().filter(|t| !t.planned.warmup && t.planned.arm == 0).collect();
        let modes = run.config.modes();
        let of_mode = |mode: Mode| measured.iter().copied().filter(|t| t.planned.mode == mode).collect::<Vec<_>>();
        let mut rows = Vec::new();
        for metric in Metric::ALL {
            for mode in modes {
                rows.extend(metric_rows(metric, *mode, &of_mode(*mode)));
            }
        }
        let end = window_end(&run.config, &measured);
        let (error, alignment) = (clock_error(run), Alignment::of(run));
        let gaps = modes.iter().flat_map(|mode| {
            let entering: Vec<&Trace> = of_mode(*mode).into_iter().filter(|t| t.outcome.enters_distributions()).collect();
            [Wait::FirstVisible, Wait::FirstAnswer, Wait::CompleteVisible, Wait::LastOutput]
                .map(|wait| (*mode, wait, summarise(entering.iter().copied(), wait, error, &alignment)))
        });
        Summary {
            rows,
            outcomes: outcomes(&measured),
            warmup: run.traces.iter().filter(|t| t.planned.warmup).count() as u32,
            throughput: modes
                .iter()
                .map(|m| match run.is_merged() {
                    true => (*m, Err(Absence::OwnClocks)),
                    false => (*m, throughput_until(&of_mode(*m), end)),
                })
                .collect(),
            steady: modes
                .iter()
                .map(|m| match run.config.load.shape {
                    _ if run.is_merged() => (*m, Err(Absence::OwnClocks)),
                    Shape::Closed => (*m, steady_state(&of_mode(*m), run.config.concurrency)),
                    // Other loads have no one concurrency to stand at.
                    _ => (*m, Err(Absence::NeverAtTarget)),
                })
                .collect(),
            gaps: gaps.collect(),
            paired: paired(&measured),
        }
    }

    /// A row, if the run has it.
    pub fn row(&self, metric: Metric, mode: Mode, edge: Edge) -> Option<&Row> {
        self.rows.iter().find(|r| r.metric == metric && r.mode == mode && r.edge == edge)
    }

    /// The gaps of a wait of one mode.
    pub fn gaps_of(&self, mode: Mode, wait: Wait) -> Option<&Gaps> {
        self.gaps.iter().find(|(m, w, _)| (*m, *w) == (mode, wait)).map(|(_, _, gaps)| gaps)
    }

    /// Measured requests.
    pub fn measured(&self) -> u32 {
        self.outcomes.iter().map(|(_, _, n)| n).sum()
    }

    /// Measured requests that failed.
    pub fn failed(&self) -> u32 {
        self.outcomes.iter().filter(|(_, o, _)| o.is_failure()).map(|(_, _, n)| n).sum()
    }
}

fn outcomes(measured: &[&Trace]) -> Vec<(Mode, Outcome, u32)> {
    let mut counts: Vec<(Mode, Outcome, u32)> = Vec::new();
    for trace in measured {
        let same = counts.iter_mut().find(|(mode, outcome, _)| *mode == trace.planned.mode && *outcome == trace.outcome);
        match same {
            Some((_, _, n)) => *n += 1,
            None => counts.push((trace.planned.mode, trace.outcome.clone(), 1)),
        }
    }
    counts
}

/// Both sides of a metric's samples; none where there are none, or where values are pooled.
pub(crate) fn side(rows: &[Row]) -> Option<Side<'_>> {
    let side = match rows {
        [row] if row.pooled.is_none() => Side::from(&row.distribution),
        [earliest, latest] => Side { low: &earliest.distribution, high: &latest.distribution },
        _ => return None,
    };
    (side.low.n() > 0).then_some(side)
}

/// The samples of a metric, in one row or, where only bounds are known, in two.
pub(crate) fn metric_rows(metric: Metric, mode: Mode, traces: &[&Trace]) -> Vec<Row> {
    let entering = traces.iter().filter(|t| t.outcome.enters_distributions());
    let mut absent: Vec<(Absence, u32)> = Vec::new();
    let estimated =
        metric.uses_tokens() && entering.clone().any(|t| metric.of(t).is_ok() && output_tokens(t).is_ok_and(|n| n.estimated));
    let row = |edge, distribution, absent: &[(Absence, u32)]| Row {
        metric,
        mode,
        edge,
        distribution,
        pooled: None,
        absent: absent.to_vec(),
        estimated,
    };
    if metric == Metric::InterChunk {
        let per_request: Vec<Vec<i64>> =
            entering.map(|t| gaps(t).inspect_err(|why| count(&mut absent, *why)).unwrap_or_default()).collect();
        let pool = Pooled::new(&per_request);
        let distribution = pool.distribution();
        return vec![Row { pooled: Some(pool), ..row(Edge::Value, distribution, &absent) }];
    }
    let (mut values, mut earliest, mut latest, mut unbounded, mut censored) = (vec![], vec![], vec![], vec![], vec![]);
    for trace in entering {
        match metric.of(trace) {
            Ok(Figure::Exact(value)) => values.push(value),
            Ok(Figure::Bounds(low, high)) => {
                earliest.push(low);
                match high {
                    Some(high) => latest.push(high),
                    // Later than its lower bound, and nothing says by how much.
                    None => unbounded.push(low),
                }
            }
            Err(Absence::NotReached) if trace.outcome.censors() && metric.unit() == crate::metrics::Unit::Time => {
                censored.extend(trace.elapsed().map(|e| e.0))
            }
            Err(why) => count(&mut absent, why),
        }
    }
    if earliest.is_empty() {
        return vec![row(Edge::Value, Distribution::new(values, censored), &absent)];
    }
    // A value is both of its own bounds.
    earliest.extend(&values);
    latest.extend(&values);
    unbounded.extend(&censored);
    vec![
        row(Edge::Earliest, Distribution::new(earliest, censored), &absent),
        row(Edge::Latest, Distribution::new(latest, unbounded), &absent),
    ]
}

/// One more of a reason.
fn count(absent: &mut Vec<(Absence, u32)>, why: Absence) {
    match absent.iter_mut().find(|(known, _)| *known == why) {
        Some((_, n)) => *n += 1,
        None => absent.push((why, 1)),
    }
}

/// The request without streaming that was measured beside this one with it: right before or after it in the plan.
fn other_half<'a>(measured: &[&'a Trace], streaming: &Trace) -> Option<&'a Trace> {
    let pair = streaming.planned.pair.filter(|_| streaming.planned.mode == Mode::Streaming)?;
    let at = measured.partition_point(|t| t.planned.id < streaming.planned.id);
    let near = &measured[at.saturating_sub(1)..measured.len().min(at + 2)];
    near.iter().copied().find(|t| t.planned.pair == Some(pair) && t.planned.mode == Mode::NonStreaming)
}

fn paired(measured: &[&Trace]) -> Vec<Paired> {
    let pairs: Vec<(&Trace, &Trace)> = measured.iter().filter_map(|t| Some((*t, other_half(measured, t)?))).collect();
    let figure = |metric: Metric, trace: &Trace| match metric.of(trace) {
        Ok(Figure::Exact(value)) if trace.outcome.enters_distributions() => Some(value),
        _ => None,
    };
    [Metric::FirstVisible, Metric::CompleteVisible, Metric::EndToEnd]
        .into_iter()
        .map(|metric| {
            let both = pairs.iter().filter_map(|(s, n)| Some(figure(metric, s)? - figure(metric, n)?));
            Paired { metric, differences: Distribution::new(both.collect(), Vec::new()) }
        })
        .filter(|p| p.differences.n() > 0)
        .collect()
}

#[cfg(test)]
mod large_tests;
#[cfg(test)]
mod tests;
