//! Geometry of charts: scales, ticks, shapes with a meaning; no DOM. The page, the file that is exported and a report draw
//! the same figure.
//!
//! A [`Sheet`] (a run, its figures, a mode, a size, a language) and a [`Chart`] make a [`Figure`]. Whoever draws it paints
//! [`Layer::path`] of each layer with the colour of its [`Ink`] and writes [`Figure::texts`].

mod barcode;
mod by_nines;
mod ecdf;
mod frame;
mod gap;
mod label;
mod levels;
mod over_time;
mod paired;
mod path;
mod pick;
mod replay;
mod scale;
mod scatter;
mod scene;
mod selected;
mod server_metrics;
mod sheet;
mod split;
pub mod svg;
mod waterfall;

pub use barcode::barcode;
pub use by_nines::by_nines;
pub use ecdf::ecdf;
pub use frame::{Anchor, Role as TextRole, Text, text_width};
pub use gap::gap_distribution;
pub use levels::{sweep_speed, sweep_wait};
pub use over_time::over_time;
pub use paired::paired;
pub use path::Brush;
pub use pick::Direction;
pub use replay::{Replay, replay, to_watch};
pub use scale::{Scale, labelled_ticks, range_ticks, ticks};
pub use scatter::scatter;
pub use scene::{Axis, Figure, Form, Glyph, Ink, KeyLine, Layer, Place, Reading, Rect, Shape, Size, Spot, Tick, Weight};
pub use selected::{brushed_line, selected_line};
pub use server_metrics::server_metrics;
pub use sheet::Sheet;
pub use split::{split_first, split_whole};
pub use waterfall::{Lane, LaneKind, Segment, Waterfall, waterfall};

use crate::metrics::Metric;
use crate::summary::{Edge, Row, Summary};
use crate::trace::Mode;

/// Metrics of one request that have samples, the first of them what a chart begins with.
pub fn metrics_of(summary: &Summary, mode: Mode) -> Vec<Metric> {
    let has = |metric: &Metric| {
        let mine = |r: &Row| {
            r.metric == *metric && r.mode == mode && r.edge != Edge::Latest && r.pooled.is_none() && r.distribution.n() > 0
        };
        summary.rows.iter().any(mine)
    };
    let preferred = [Metric::FirstVisible, Metric::FirstAnswer];
    let all = preferred.into_iter().chain(Metric::ALL.into_iter().filter(|m| !preferred.contains(m)));
    all.filter(has).collect()
}

/// The height of a drawing, in pixels: rows of a barcode need room.
pub fn height_of(chart: Chart) -> f64 {
    if chart == Chart::Barcode { 400.0 } else { 280.0 }
}

/// The charts of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chart {
    /// Server-reported, received and seen times over percentiles.
    ByNines,
    /// The distribution of the per-request gap.
    Gap,
    /// Parts of the wait for the first words.
    SplitFirst,
    /// Parts of the wait for the whole answer.
    SplitWhole,
    /// The distribution of a metric.
    Ecdf,
    /// Every request over time.
    OverTime,
    /// The server's own metrics over the same time.
    ServerMetrics,
    /// Reported against measured.
    Scatter,
    /// When parts of answers arrived.
    Barcode,
    /// Throughput against the wait.
    Levels,
    /// Throughput against each answer's pace.
    Speed,
    /// Differences of pairs.
    Paired,
}

impl Chart {
    /// Every chart, in the order of the page.
    pub const ALL: [Chart; 12] = [
        Chart::ByNines,
        Chart::Gap,
        Chart::SplitFirst,
        Chart::SplitWhole,
        Chart::Ecdf,
        Chart::OverTime,
        Chart::ServerMetrics,
        Chart::Scatter,
        Chart::Barcode,
        Chart::Levels,
        Chart::Speed,
        Chart::Paired,
    ];

    /// It is of both ways of asking, or of neither: once a run.
    pub fn is_of_run(self) -> bool {
        matches!(self, Chart::ServerMetrics | Chart::Paired)
    }

    /// It shows a metric that can be chosen.
    pub fn of_metric(self) -> bool {
        matches!(self, Chart::Ecdf | Chart::OverTime)
    }

    /// Draws it; none where it does not apply to the run, its mode or the metric. A figure without layers says why it is
    /// empty.
    pub fn draw(self, sheet: &Sheet, metric: Metric) -> Option<Figure> {
        match self {
            Chart::ByNines => Some(by_nines(sheet)),
            Chart::Gap => Some(gap_distribution(sheet)),
            Chart::SplitFirst => Some(split_first(sheet)),
            Chart::SplitWhole => Some(split_whole(sheet)),
            Chart::Ecdf => ecdf(sheet, metric),
            Chart::OverTime => over_time(sheet, metric),
            Chart::ServerMetrics => server_metrics(sheet),
            Chart::Scatter => Some(scatter(sheet)),
            Chart::Barcode => barcode(sheet),
            Chart::Levels => sweep_wait(sheet),
            Chart::Speed => sweep_speed(sheet),
            Chart::Paired => paired(sheet),
        }
    }
}

#[cfg(test)]
mod tests;
