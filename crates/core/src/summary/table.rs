//! The table of metrics × percentiles, as texts.

use super::context::with_subset;
use super::{Edge, Row, Summary};
use crate::Micros;
use crate::format::{count, quantile, value};
use crate::metrics::{Metric, Unit};
use crate::report::Run;
use crate::stats::{Interval, P, Quantile};
use crate::text::{Lang, Sum, absence, fill, metric_definition, metric_name};
use crate::trace::Mode;

/// A figure in its cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Which statistic: `p50`, …, `max`, `mean`, `sd`.
    pub stat: &'static str,
    /// The figure, or `–`.
    pub text: String,
    /// Its interval, or what an interval would need.
    pub interval: Option<String>,
    /// The sample is too small for the interval's upper end.
    pub too_few: bool,
}

/// A row in its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// Which metric.
    pub metric: Metric,
    /// Of requests asked for in this way.
    pub mode: Mode,
    /// Value or bound.
    pub edge: Edge,
    /// Its name, with the bound if it is one.
    pub name: String,
    /// Its formula and when it is undefined.
    pub definition: String,
    /// Its unit.
    pub unit: &'static str,
    /// Number of samples.
    pub n: String,
    /// The figures; empty if there are none.
    pub cells: Vec<Cell>,
    /// Why requests are missing from it, with counts.
    pub missing: Vec<String>,
    /// The context of its figures.
    pub context: String,
}

/// The rows that apply, in order; a metric without any figure keeps its row and says why.
pub fn table(run: &Run, summary: &Summary, lang: Lang) -> Vec<TableRow> {
    summary.rows.iter().map(|row| table_row(run, row, lang)).collect()
}

fn table_row(run: &Run, row: &Row, lang: Lang) -> TableRow {
    let step = Micros(run.clock.step_us);
    let name = match row.edge {
        Edge::Value => metric_name(lang, row.metric).to_owned(),
        Edge::Earliest => fill(Sum::EdgeEarliest.get(lang), &[metric_name(lang, row.metric)]),
        Edge::Latest => fill(Sum::EdgeLatest.get(lang), &[metric_name(lang, row.metric)]),
    };
    let n = row.distribution.n();
    TableRow {
        metric: row.metric,
        mode: row.mode,
        edge: row.edge,
        name,
        definition: metric_definition(lang, row.metric).to_owned(),
        unit: match row.metric.unit() {
            Unit::Time => "ms",
            Unit::Count => "",
            Unit::TokenRate => "tok/s",
        },
        n: count(n),
        cells: if n == 0 { Vec::new() } else { cells(row, run.config.seed, lang, step) },
        missing: row.absent.iter().map(|(why, n)| format!("{} × {}", n, absence(lang, *why))).collect(),
        context: row_context(run, row, lang),
    }
}

/// The context of a row's figures.
pub fn row_context(run: &Run, row: &Row, lang: Lang) -> String {
    let boundary = row.metric.boundary().map_or_else(
        || metric_name(lang, row.metric).to_owned(),
        |(from, to)| format!("{} → {}", from.replace('_', " "), to.replace('_', " ")),
    );
    let n = row.distribution.n();
    let statistic = match &row.pooled {
        Some(pool) => fill(Sum::StatisticPooled.get(lang), &[&count(n), &count(pool.requests())]),
        None => fill(Sum::StatisticN.get(lang), &[&count(n)]),
    };
    let statistic = with_subset(run, lang, row.metric, row.mode, &statistic);
    super::context_line(run, lang, Some(row.mode), &boundary, &statistic)
}

fn cells(row: &Row, seed: u64, lang: Lang, step: Micros) -> Vec<Cell> {
    let unit = row.metric.unit();
    let estimate = if row.estimated { "~" } else { "" };
    let show = |q: Quantile| format!("{estimate}{}", quantile(q, |of| value(of, unit, step)));
    let plain =
        |stat, text: Option<String>| Cell { stat, text: text.unwrap_or_else(|| "–".into()), interval: None, too_few: false };
    let number = |v: Option<f64>| v.map(|v| format!("{estimate}{}", value(v.round() as i64, unit, step)));
    let percentile = |p: P| {
        let (interval, too_few) = match row.interval(p, seed) {
            Interval::Between { lower, upper } => (format!("{}–{}", show(lower), show(upper)), false),
            Interval::Needs { at_least, has } => {
                let key = if row.pooled.is_some() { Sum::NeedsRequests } else { Sum::Needs };
                (fill(key.get(lang), &[&count(at_least), &count(has)]), true)
            }
        };
        Cell { interval: Some(interval), too_few, ..plain(p.name(), row.distribution.percentile(p).map(show)) }
    };
    let mut cells: Vec<Cell> = P::SHOWN.into_iter().map(percentile).collect();
    cells.push(plain("max", row.distribution.max().map(show)));
    cells.push(plain("mean", number(row.distribution.mean())));
    cells.push(plain("sd", number(row.distribution.sd())));
    cells
}
