//! A condition's figures, and whether they keep the promise.

use firstlight_core::stats::{P50, P95, Share};
use firstlight_e2e::Engine;

use super::condition::{Condition, Shape};
use super::measure::Part;
use super::sample::Sight;
use crate::figures::{ms, percent, percentile, share, spread};

/// Chromium: the error against the pixels, at the 95th percentile.
const ERROR: i64 = 3_000;
/// Firefox: the least share of truths inside the bounds.
const INSIDE: f64 = 0.97;
/// Firefox: the widest bounds, at the median.
const WIDTH: i64 = 34_000;
/// Figures of fewer requests are printed, but judged by nobody.
const ENOUGH: usize = 60;
/// Arrival in the worker while the main thread is busy, at the 95th percentile.
const ARRIVAL: [(Engine, i64); 2] = [(Engine::Chromium, 10_000), (Engine::Firefox, 20_000)];

/// The columns.
pub const HEAD: [&str; 11] = [
    "condition",
    "n",
    "arrival p50 / p95 / max",
    "first: error p50",
    "|error| p95 / max",
    "inside the bounds (95 %)",
    "width p50 / p95",
    "no upper bound",
    "last: |error| p50 / p95, or inside",
    "block flagged",
    "no truth, clocks ±",
];

/// Figures of the appearings of one kind.
pub struct Sights {
    /// The value behind the pixels.
    pub errors: Vec<i64>,
    /// The pixels within the bounds, of those that have both.
    pub inside: Share,
    /// Between the bounds.
    pub widths: Vec<i64>,
    /// Seen by the page, without an upper bound.
    pub open: usize,
    /// The screen leaves doubt.
    pub untold: usize,
}

impl Sights {
    /// Of all of them.
    pub fn of<'a>(sights: impl Iterator<Item = &'a Sight>) -> Sights {
        let all: Vec<&Sight> = sights.collect();
        let told: Vec<&Sight> = all.iter().copied().filter(|sight| sight.shown.is_some()).collect();
        let bounds: Vec<(i64, i64)> = told.iter().filter_map(|sight| sight.earliest.zip(sight.latest)).collect();
        Sights {
            errors: told.iter().filter_map(|sight| sight.value).collect(),
            // It changed between two looks.
            inside: share(&bounds, |(earliest, latest)| *earliest <= 0 && *latest >= 0),
            widths: bounds.iter().map(|(earliest, latest)| latest - earliest).collect(),
            open: told.iter().filter(|sight| sight.earliest.is_some() && sight.latest.is_none()).count(),
            untold: all.len() - told.len(),
        }
    }

    /// Without their sign.
    pub fn sizes(&self) -> Vec<i64> {
        self.errors.iter().map(|error| error.abs()).collect()
    }
}

/// The row of a condition.
pub fn row(condition: &Condition, part: &Part) -> Vec<String> {
    let arrivals = arrivals(part);
    let first = Sights::of(part.samples.iter().map(|sample| &sample.first));
    let last = Sights::of(part.samples.iter().map(|sample| &sample.last));
    let exact = !first.errors.is_empty();
    let dash = || "–".to_owned();
    vec![
        condition.shape.name().to_owned(),
        part.samples.len().to_string(),
        spread(&arrivals, &[P50, P95], true),
        if exact { spread(&first.errors, &[P50], false) } else { dash() },
        if exact { spread(&first.sizes(), &[P95], true) } else { dash() },
        percent(first.inside),
        spread(&first.widths, &[P50, P95], false),
        first.open.to_string(),
        if exact { spread(&last.sizes(), &[P50, P95], false) } else { percent(last.inside) },
        part.samples.iter().filter(|sample| sample.blocked > 0).count().to_string(),
        format!("{}, {}", first.untold, ms(part.join_error)),
    ]
}

fn arrivals(part: &Part) -> Vec<i64> {
    part.samples.iter().filter_map(|sample| sample.arrival).collect()
}

/// What is promised of a condition and not kept.
pub fn broken(condition: &Condition, part: &Part) -> Vec<String> {
    let mut broken = Vec::new();
    let first = Sights::of(part.samples.iter().map(|sample| &sample.first));
    match condition.engine {
        Engine::Chromium => {
            let p95 = percentile(&first.sizes(), P95);
            if p95.is_none_or(|p95| p95 > ERROR) {
                broken.push(format!("|visible error| p95 is {} ms, over {}", p95.map_or("unknown".to_owned(), ms), ms(ERROR)));
            }
        }
        Engine::Firefox => {
            if first.inside.value().is_some_and(|share| share < INSIDE) {
                broken.push(format!("inside the bounds: {}, under {:.0} %", percent(first.inside), INSIDE * 100.0));
            }
            let p50 = percentile(&first.widths, P50).filter(|p50| *p50 > WIDTH && first.widths.len() >= ENOUGH);
            if let Some(p50) = p50 {
                broken.push(format!("the bounds are {} ms wide at p50, over {}", ms(p50), ms(WIDTH)));
            }
        }
        Engine::WebKit => {}
    }
    let limit = ARRIVAL.iter().find(|(engine, _)| *engine == condition.engine).map(|(_, limit)| *limit);
    let busy = condition.worker && condition.shape == Shape::Before;
    if let (true, Some(limit), Some(p95)) = (busy, limit, percentile(&arrivals(part), P95))
        && p95 > limit
    {
        broken.push(format!("arrival p95 is {} ms, over {}", ms(p95), ms(limit)));
    }
    broken
}
