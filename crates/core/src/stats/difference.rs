//! By how much does a percentile differ between two independent samples, and what may be said of it?
//!
//! How many of `n` values lie at or below the true percentile is binomial, whatever the distribution. Each resample draws
//! that number for both samples; the true percentile lies between that order statistic and the next, and the outer of the
//! two is taken at each end. With one sample of known value this is the interval of [`super::ranks`] itself, so it does not
//! under-cover in the tail of a small sample as resampling of values does (nearest rank, percentile bootstrap).

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::bootstrap::outside;
use super::{Distribution, Interval, P, Pooled, Quantile, minimum_n};

/// How many resamples.
const RESAMPLES: usize = 4000;

/// One side of a comparison: its lower and its upper bounds. They are the same samples where values are exact.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// What each value is at least.
    pub low: &'a Distribution,
    /// What each value is at most.
    pub high: &'a Distribution,
}

impl<'a> From<&'a Distribution> for Side<'a> {
    fn from(exact: &'a Distribution) -> Side<'a> {
        Side { low: exact, high: exact }
    }
}

impl Side<'_> {
    /// Samples of which both bounds are there.
    pub fn n(self) -> usize {
        self.low.n().min(self.high.n())
    }

    /// A percentile between its bounds; no upper one where it falls on a censored sample.
    pub fn percentile(self, p: P) -> Bounds {
        let upper = self.high.percentile(p).and_then(Quantile::known);
        Bounds { lower: self.low.percentile(p).map(|q| q.value), upper }
    }

    /// Its 95 % interval: from the lower end of the lower bounds to the upper end of the upper ones.
    pub fn interval(self, p: P) -> Interval<Option<i64>> {
        match (self.low.interval(p), self.high.interval(p)) {
            (Interval::Between { lower, .. }, Interval::Between { upper, .. }) => {
                Interval::Between { lower: Some(lower.value), upper: upper.known() }
            }
            (Interval::Needs { at_least, has }, _) | (_, Interval::Needs { at_least, has }) => {
                Interval::Needs { at_least, has }
            }
        }
    }

    /// What the value at a rank is at least; none below the smallest.
    fn at_least(self, rank: usize) -> Option<i64> {
        self.low.at_rank(rank).map(|q| q.value)
    }

    /// What the value at a rank is at most; none above the largest, and of a censored one.
    fn at_most(self, rank: usize) -> Option<i64> {
        self.high.at_rank(rank).and_then(Quantile::known)
    }
}

/// Bounds; none where there is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// At least this.
    pub lower: Option<i64>,
    /// At most this.
    pub upper: Option<i64>,
}

/// The difference `b − a` of one percentile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which percentile.
    pub p: P,
    /// The sizes of both samples, `a` first: values, or requests where values are pooled.
    pub n: (usize, usize),
    /// The difference of the samples' own percentiles: both bounds are equal where both are exact and measured.
    pub estimate: Bounds,
    /// Its 95 % interval, by a seeded bootstrap; an end may be missing where it falls on censored requests.
    pub interval: Interval<Option<i64>>,
}

/// What may be said of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The whole interval lies above 0.
    Higher,
    /// The whole interval lies below 0.
    Lower,
    /// The whole interval lies inside the stated margin.
    NoDifference,
    /// None of these: neither a difference nor its absence is shown.
    Undecided,
    /// A sample is smaller than the percentile needs.
    NotEnoughData {
        /// What each sample needs.
        at_least: usize,
        /// The size of the smaller one.
        has: usize,
    },
}

impl Verdict {
    /// Of a 95 % interval of a difference. `margin`: differences of this size and less don't matter; stated beforehand.
    pub fn of(interval: Interval<Option<i64>>, margin: Option<i64>) -> Verdict {
        match interval {
            Interval::Needs { at_least, has } => Verdict::NotEnoughData { at_least, has },
            Interval::Between { lower, upper } => {
                let inside = |m: i64| lower.is_some_and(|l| l >= -m) && upper.is_some_and(|u| u <= m);
                if margin.is_some_and(inside) {
                    Verdict::NoDifference
                } else if lower.is_some_and(|l| l > 0) {
                    Verdict::Higher
                } else if upper.is_some_and(|u| u < 0) {
                    Verdict::Lower
                } else {
                    Verdict::Undecided
                }
            }
        }
    }

    /// The stable name used in exports.
    pub fn code(self) -> &'static str {
        match self {
            Verdict::Higher => "higher",
            Verdict::Lower => "lower",
            Verdict::NoDifference => "no_difference",
            Verdict::Undecided => "undecided",
            Verdict::NotEnoughData { .. } => "not_enough_data",
        }
    }
}

impl Difference {
    /// What may be said of it.
    pub fn verdict(&self, margin: Option<i64>) -> Verdict {
        Verdict::of(self.interval, margin)
    }
}

/// The difference `b − a` of a percentile of two independent samples; none where one of them is empty.
pub fn difference<'a>(a: impl Into<Side<'a>>, b: impl Into<Side<'a>>, p: P, seed: u64) -> Option<Difference> {
    let (a, b) = (a.into(), b.into());
    let n = (a.n(), b.n());
    if n.0 == 0 || n.1 == 0 {
        return None;
    }
    let minus = |from: Option<i64>, take: Option<i64>| Some(from? - take?);
    let (at_a, at_b) = (p.rank(n.0), p.rank(n.1));
    let estimate = Bounds { lower: minus(b.at_least(at_b), a.at_most(at_a)), upper: minus(b.at_most(at_b), a.at_least(at_a)) };
    let (at_least, has) = (minimum_n(p), n.0.min(n.1));
    if has < at_least {
        return Some(Difference { p, n, estimate, interval: Interval::Needs { at_least, has } });
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let ranks_a = ranks_below(n.0, p, &mut random);
    let mut ranks_b = ranks_below(n.1, p, &mut random);
    ranks_b.shuffle(&mut random);
    let pairs = || ranks_a.iter().zip(&ranks_b);
    let lower = end(pairs().map(|(i, j)| minus(b.at_least(*j), a.at_most(i + 1))).collect(), 0.025);
    // Negated, so that what has no upper bound stands first here too.
    let upper = end(pairs().map(|(i, j)| minus(a.at_least(*i), b.at_most(j + 1))).collect(), 0.025).map(|negated| -negated);
    Some(Difference { p, n, estimate, interval: Interval::Between { lower, upper } })
}

/// The difference `b − a` of a percentile of pooled values: both sides resample requests.
pub fn difference_of_pools(a: &Pooled, b: &Pooled, p: P, seed: u64) -> Option<Difference> {
    let quantile = |pool: &Pooled| pool.percentile(p);
    let estimate = quantile(b)? - quantile(a)?;
    let interval = match (a.resampled(p, seed), b.resampled(p, seed.wrapping_add(1))) {
        (Ok(of_a), Ok(of_b)) => {
            let outside = outside(p, a.requests().min(b.requests()));
            let pairs = || of_a.iter().zip(&of_b);
            let lower = end(pairs().map(|(a, b)| Some(b - a)).collect(), outside);
            let upper = end(pairs().map(|(a, b)| Some(a - b)).collect(), outside).map(|negated| -negated);
            Interval::Between { lower, upper }
        }
        (Err((at_least, of_a)), Err((_, of_b))) => Interval::Needs { at_least, has: of_a.min(of_b) },
        (Err((at_least, has)), _) | (_, Err((at_least, has))) => Interval::Needs { at_least, has },
    };
    let exact = Bounds { lower: Some(estimate), upper: Some(estimate) };
    Some(Difference { p, n: (a.requests(), b.requests()), estimate: exact, interval })
}

/// The lower end: no more than this share of the resamples lies below it. None stands below everything.
fn end(mut resamples: Vec<Option<i64>>, outside: f64) -> Option<i64> {
    let at = (outside * resamples.len() as f64) as usize;
    let (_, end, _) = resamples.select_nth_unstable(at);
    *end
}

/// For each resample, how many of `n` values lie at or below the true percentile; in rising order, one of each of
/// [`RESAMPLES`] equal shares of the binomial distribution, so that its tails are met as often as they weigh.
fn ranks_below(n: usize, p: P, random: &mut Xoshiro256PlusPlus) -> Vec<usize> {
    let odds = p.probability() / (1.0 - p.probability());
    let mode = (p.0 as usize * (n + 1) / 1000).min(n);
    // Weights relative to the mode's, out to where they no longer count.
    let step = |k: usize| (n - k) as f64 / (k + 1) as f64 * odds;
    let negligible = |w: &f64| *w > 1e-17;
    let above = (mode..n).scan(1.0, |w, k| {
        *w *= step(k);
        Some(*w)
    });
    let below = (0..mode).rev().scan(1.0, |w, k| {
        *w /= step(k);
        Some(*w)
    });
    let mut weights: Vec<f64> = below.take_while(negligible).collect();
    let first = mode - weights.len();
    weights.reverse();
    weights.push(1.0);
    weights.extend(above.take_while(negligible));
    let total: f64 = weights.iter().sum();
    let (mut at, mut reached) = (0, weights[0]);
    let draw = |share: usize| {
        let wanted = (share as f64 + random.random::<f64>()) / RESAMPLES as f64 * total;
        while reached < wanted && at + 1 < weights.len() {
            at += 1;
            reached += weights[at];
        }
        first + at
    };
    (0..RESAMPLES).map(draw).collect()
}

#[cfg(test)]
#[path = "difference_tests.rs"]
mod tests;
