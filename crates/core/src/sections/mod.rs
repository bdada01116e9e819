//! What follows from limits, loads, groups and comparisons, as texts: sentences and tables, the same on the page and on the
//! command line.

mod browsers;
mod compared;
mod decided;
mod diagnosis;
mod drawing;
mod groups;
mod limits;
mod load;
mod server_metrics;

pub(crate) use compared::margin;
pub use compared::{compared, compared_within};
pub use decided::decided_on;
pub(crate) use decided::judged;
pub use diagnosis::diagnosis;

use crate::Micros;
use crate::format::{self, count, millis, value};
use crate::metrics::{Metric, Unit};
use crate::report::Run;
use crate::stats::{Interval, Quantile};
use crate::summary::{Summary, context_line};
use crate::text::{Lang, Sum, fill};
use crate::trace::{Mode, Trace};

/// How a sentence is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As it is.
    Plain,
    /// Good news.
    Good,
    /// Something to look at.
    Warn,
}

/// A table. The first cell of a row is its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What it shows; empty if the part's title says it.
    pub caption: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// One part of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// A stable name.
    pub id: &'static str,
    /// Its title.
    pub title: String,
    /// What it says.
    pub sentences: Vec<(Tone, String)>,
    /// What it shows.
    pub tables: Vec<Table>,
    /// The context of its figures.
    pub context: String,
}

impl Section {
    /// With nothing in it yet.
    pub(crate) fn new(id: &'static str, title: &str) -> Section {
        Section { id, title: title.to_owned(), sentences: Vec::new(), tables: Vec::new(), context: String::new() }
    }

    fn say(&mut self, tone: Tone, text: String) {
        self.sentences.push((tone, text));
    }

    fn is_empty(&self) -> bool {
        self.sentences.is_empty() && self.tables.is_empty()
    }
}

/// Every part that a run has something for, in order.
pub fn sections(run: &Run, summary: &Summary, lang: Lang) -> Vec<Section> {
    with_diagnosis(run, lang, diagnosis(run, summary, lang))
}

/// The same without the diagnosis, for those who show more of it than sentences.
pub fn sections_beside_diagnosis(run: &Run, lang: Lang) -> Vec<Section> {
    with_diagnosis(run, lang, None)
}

fn with_diagnosis(run: &Run, lang: Lang, diagnosis: Option<Section>) -> Vec<Section> {
    let parts = [
        decided::decided(run, lang),
        compared::versus(run, lang),
        diagnosis,
        limits::limits(run, lang),
        limits::quality(run, lang),
        browsers::browsers(run, lang),
        load::load(run, lang),
        drawing::drawing(run, lang),
        server_metrics::server_metrics(run, lang),
        groups::groups(run, lang),
    ];
    let context = context_line(run, lang, None, "", "");
    let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
    parts.map(|part| Section { context: context.clone(), ..part }).collect()
}

/// What is said of one mode where there are several: with the mode behind it.
pub(crate) fn of_mode(text: &str, mode: Mode, lang: Lang) -> String {
    let way = if mode == Mode::Streaming { Sum::Streaming } else { Sum::NotStreaming };
    format!("{text} ({})", way.get(lang))
}

/// Measured requests of both arms.
fn both_arms(run: &Run) -> Vec<&Trace> {
    run.traces.iter().filter(|t| !t.planned.warmup).collect()
}

/// Measured requests of the present one, where two are compared.
fn measured(run: &Run) -> Vec<&Trace> {
    both_arms(run).into_iter().filter(|t| t.planned.arm == 0).collect()
}

/// An amount of money: four significant digits however small it is, since a request may cost a ten-thousandth.
fn amount(value: f64) -> String {
    let decimals = if value > 0.0 { (3 - value.log10().floor() as i64).clamp(2, 12) } else { 2 };
    format!("{value:.*}", decimals as usize)
}

fn quantile(q: Quantile, step: Micros) -> String {
    format::quantile(q, |value| millis(value, step))
}

/// An interval of times, or what it would need.
fn interval(interval: Interval<Quantile>, lang: Lang, step: Micros) -> String {
    match interval {
        Interval::Between { lower, upper } => format!("{}–{}", quantile(lower, step), quantile(upper, step)),
        Interval::Needs { at_least, has } => fill(Sum::Needs.get(lang), &[&count(at_least), &count(has)]),
    }
}

/// A figure of a metric with its unit.
pub(crate) fn figure(metric: Metric, of: i64, step: Micros) -> String {
    let unit = match metric.unit() {
        Unit::Time => " ms",
        Unit::Count => "",
        Unit::TokenRate => " tok/s",
    };
    format!("{}{unit}", value(of, metric.unit(), step))
}

/// Heads of columns.
fn heads<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

#[cfg(test)]
mod tests;
