//! How did each quantity go over the run, and what of it fits in a row?

use super::observed::resets;
use super::{Quantity, measured_part};
use crate::Micros;
use crate::report::Run;

/// What a series counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Requests.
    Requests,
    /// A share, from 0 to 1.
    Share,
    /// Watts.
    Watts,
    /// Tokens per second.
    TokensPerSecond,
}

impl Unit {
    /// Of a quantity; none of histograms.
    pub fn of(quantity: Quantity) -> Option<Unit> {
        match quantity {
            Quantity::Running | Quantity::Waiting => Some(Unit::Requests),
            Quantity::CacheUse | Quantity::GpuUse => Some(Unit::Share),
            Quantity::Power => Some(Unit::Watts),
            Quantity::InputTokens | Quantity::OutputTokens => Some(Unit::TokensPerSecond),
            Quantity::FirstToken | Quantity::EndToEnd => None,
        }
    }
}

/// One quantity over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Which.
    pub quantity: Quantity,
    /// What it counts.
    pub unit: Unit,
    /// In order of time, on the page's clock, as marks are. A missing sample is a point that is not there. A counter is a rate
    /// between two samples, at the middle between them.
    pub points: Vec<(Micros, f64)>,
}

/// Every quantity that the server told, over the whole run with warm-up and drain. What counted anew between two samples has
/// no rate there.
pub fn series(run: &Run) -> Vec<Series> {
    let Some(scraped) = &run.scraped else { return Vec::new() };
    let resets = resets(run);
    let of = |quantity: Quantity| {
        let unit = Unit::of(quantity)?;
        let told: Vec<(Micros, f64)> = scraped.read().filter_map(|(at, values)| Some((at, values.number(quantity)?))).collect();
        let points = match quantity.is_counter() {
            false => told,
            true => told.windows(2).filter_map(|two| rate(two[0], two[1], &resets)).collect(),
        };
        (!points.is_empty()).then_some(Series { quantity, unit, points })
    };
    Quantity::ALL.into_iter().filter_map(of).collect()
}

fn rate((before, low): (Micros, f64), (after, high): (Micros, f64), resets: &[(Micros, Micros)]) -> Option<(Micros, f64)> {
    let anew = resets.iter().any(|(from, to)| before < *to && *from < after);
    let time = (after - before).as_secs();
    (!anew && time > 0.0 && high >= low).then(|| (Micros((before.0 + after.0) / 2), (high - low) / time))
}

/// The mean of values over time, and the first of the largest.
pub fn mean_and_largest(points: &[(Micros, f64)]) -> Option<(f64, (Micros, f64))> {
    let largest = points.iter().copied().reduce(|most, next| if next.1 > most.1 { next } else { most })?;
    Some((points.iter().map(|(_, value)| value).sum::<f64>() / points.len() as f64, largest))
}

/// A quantity in the measured part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// Which.
    pub quantity: Quantity,
    /// What it counts.
    pub unit: Unit,
    /// Number of points.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// The largest.
    pub max: f64,
    /// When it was first that large, on the page's clock.
    pub max_at: Micros,
}

/// Every quantity of which a point lies in the measured part.
pub fn figures(run: &Run) -> Vec<Figure> {
    let Some((from, to)) = measured_part(run) else { return Vec::new() };
    let figure = |series: &Series| {
        let inside: Vec<(Micros, f64)> = series.points.iter().copied().filter(|(at, _)| (from..=to).contains(at)).collect();
        let (mean, (max_at, max)) = mean_and_largest(&inside)?;
        Some(Figure { quantity: series.quantity, unit: series.unit, n: inside.len(), mean, max, max_at })
    };
    series(run).iter().filter_map(figure).collect()
}
