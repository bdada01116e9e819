//! What did a server's histogram count in the measured part of a run, and between which bounds are its quantiles?

use super::{Buckets, Quantity, Values, measured_part};
use crate::Micros;
use crate::report::Run;
use crate::stats::P;

/// What was counted between two samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// The sample from which it counts: the last before the measured part, else the first.
    pub from: Micros,
    /// The sample to which it counts: the first after the measured part, else the last.
    pub to: Micros,
    /// Upper edges of buckets, in seconds.
    edges: Vec<f64>,
    /// In each bucket; the last has no upper edge.
    counts: Vec<u64>,
}

/// Where a quantile is: above one edge of a bucket, and at most the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Between {
    /// More than this (the lowest bucket begins at 0, and holds 0).
    pub above: Micros,
    /// At most this; none in the bucket that has no upper edge.
    pub up_to: Option<Micros>,
}

/// Why there is nothing to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotObserved {
    /// Fewer than two samples, or nothing was sent.
    TooFewSamples,
    /// The server does not tell this.
    NotTold,
    /// The server counted anew in between.
    Reset,
    /// Nothing was counted.
    NoneCounted,
}

impl Observed {
    /// How many there were.
    pub fn n(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The bucket in which the percentile by nearest rank lies.
    pub fn percentile(&self, p: P) -> Option<Between> {
        // In 64 bits on every machine: a server may count more than a page ever sends.
        let rank = u64::from(p.0).saturating_mul(self.n()).div_ceil(1000).max(1);
        let edge = |at: usize| self.edges.get(at).map(|seconds| Micros::from_ms(seconds * 1000.0));
        let mut seen = 0;
        let at = self.counts.iter().position(|count| {
            seen += count;
            seen >= rank
        })?;
        Some(Between { above: at.checked_sub(1).and_then(edge).unwrap_or(Micros::ZERO), up_to: edge(at) })
    }
}

/// What a histogram counted in the measured part, to the nearest samples outside it.
pub fn observed(run: &Run, quantity: Quantity) -> Result<Observed, NotObserved> {
    let scraped = run.scraped.as_ref().ok_or(NotObserved::TooFewSamples)?;
    let (begins, ends) = measured_part(run).ok_or(NotObserved::TooFewSamples)?;
    let read: Vec<(Micros, &Values)> = scraped.read().collect();
    let last = read.len().checked_sub(1).ok_or(NotObserved::TooFewSamples)?;
    let from = read.iter().rposition(|(at, _)| *at <= begins).unwrap_or(0);
    let to = read.iter().position(|(at, _)| *at >= ends).unwrap_or(last);
    if from >= to {
        return Err(NotObserved::TooFewSamples);
    }
    let part = &read[from..=to];
    if part.windows(2).any(|two| counted_anew(two[0].1, two[1].1)) {
        return Err(NotObserved::Reset);
    }
    let after = part[part.len() - 1].1.histogram(quantity).ok_or(NotObserved::NotTold)?;
    // A server may tell of a histogram only once it holds something.
    let none = Buckets { edges: after.edges.clone(), cumulative: vec![0; after.cumulative.len()] };
    let before = part[0].1.histogram(quantity).unwrap_or(&none);
    let grown = after.cumulative.iter().zip(&before.cumulative).map(|(a, b)| a.saturating_sub(*b));
    let counts: Vec<u64> = grown.scan(0, |below, n| Some(n.saturating_sub(std::mem::replace(below, n)))).collect();
    let observed = Observed { from: part[0].0, to: part[part.len() - 1].0, edges: after.edges.clone(), counts };
    if observed.n() == 0 { Err(NotObserved::NoneCounted) } else { Ok(observed) }
}

/// Between which samples a server counted anew: it was restarted, or another copy of it answered.
pub fn resets(run: &Run) -> Vec<(Micros, Micros)> {
    let read: Vec<(Micros, &Values)> = run.scraped.iter().flat_map(|scraped| scraped.read()).collect();
    read.windows(2).filter(|two| counted_anew(two[0].1, two[1].1)).map(|two| (two[0].0, two[1].0)).collect()
}

/// What only grows has not.
fn counted_anew(before: &Values, after: &Values) -> bool {
    let fell = |(quantity, value): &(Quantity, f64)| {
        quantity.is_counter() && after.number(*quantity).is_some_and(|later| later < *value)
    };
    let emptied = |(quantity, buckets): &(Quantity, Buckets)| match after.histogram(*quantity) {
        Some(later) => !grew(buckets, later),
        None => buckets.count() > 0,
    };
    before.numbers.iter().any(fell) || before.histograms.iter().any(emptied)
}

/// The same buckets, and in none of them is less than before.
fn grew(before: &Buckets, after: &Buckets) -> bool {
    let own = |buckets: &Buckets| -> Vec<u64> {
        let below = std::iter::once(&0).chain(&buckets.cumulative);
        buckets.cumulative.iter().zip(below).map(|(n, below)| n - below).collect()
    };
    before.edges == after.edges && own(before).iter().zip(own(after)).all(|(b, a)| *b <= a)
}
