//! Pooled values of several requests are not independent: their intervals resample requests, not values.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Interval, P, Quantile};

/// How many resamples, unless the work would grow too large.
const RESAMPLES: usize = 1000;
/// The most values that all resamples together walk over.
const WORK: usize = 40_000_000;
/// Fewer requests than this have no interval.
const MINIMUM_REQUESTS: usize = 6;

/// Values of many requests in one distribution.
pub struct Pooled {
    /// Sorted values, each with the index of its request.
    sorted: Vec<(i64, u32)>,
    requests: usize,
}

impl Pooled {
    /// From each request's values.
    pub fn new(per_request: &[Vec<i64>]) -> Pooled {
        let contributing = per_request.iter().filter(|v| !v.is_empty());
        let mut sorted: Vec<(i64, u32)> =
            contributing.clone().zip(0u32..).flat_map(|(values, request)| values.iter().map(move |v| (*v, request))).collect();
        sorted.sort_unstable();
        Pooled { sorted, requests: contributing.count() }
    }

    /// How many values.
    pub fn n(&self) -> usize {
        self.sorted.len()
    }

    /// How many requests they come from.
    pub fn requests(&self) -> usize {
        self.requests
    }

    /// All values.
    pub fn distribution(&self) -> super::Distribution {
        super::Distribution::new(self.sorted.iter().map(|(v, _)| *v).collect(), Vec::new())
    }

    /// 95 % percentile interval of a seeded bootstrap over requests.
    pub fn interval(&self, p: P, seed: u64) -> Interval<Quantile> {
        if self.requests < MINIMUM_REQUESTS {
            return Interval::Needs { at_least: MINIMUM_REQUESTS, has: self.requests };
        }
        let resamples = RESAMPLES.min(WORK / self.sorted.len().max(1)).max(200);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut weights = vec![0usize; self.requests];
        let mut estimates: Vec<i64> = (0..resamples)
            .map(|_| {
                weights.fill(0);
                (0..self.requests).for_each(|_| weights[random.random_range(0..self.requests)] += 1);
                self.weighted(p, &weights)
            })
            .collect();
        estimates.sort_unstable();
        let at = |share: f64| {
            let rank = (share * (resamples - 1) as f64).round() as usize;
            Quantile { value: estimates[rank], at_least: false }
        };
        Interval::Between { lower: at(0.025), upper: at(0.975) }
    }

    /// The percentile of the pool in which each request stands as often as its weight says.
    fn weighted(&self, p: P, weights: &[usize]) -> i64 {
        let total: usize = self.sorted.iter().map(|(_, r)| weights[*r as usize]).sum();
        let rank = p.rank(total);
        let mut seen = 0;
        for (value, request) in &self.sorted {
            seen += weights[*request as usize];
            if seen >= rank {
                return *value;
            }
        }
        self.sorted.last().map_or(0, |(v, _)| *v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{P50, P95};

    #[test]
    fn the_same_seed_gives_the_same_interval_and_it_holds_the_estimate() {
        let requests: Vec<Vec<i64>> = (0..40).map(|r| (0..20).map(|i| 1000 + r * 10 + i).collect()).collect();
        let pool = Pooled::new(&requests);
        let once = pool.interval(P50, 3);
        assert_eq!(once, pool.interval(P50, 3));
        let Interval::Between { lower, upper } = once else { panic!("no interval") };
        let median = pool.distribution().percentile(P50).expect("median").value;
        assert!(lower.value <= median && median <= upper.value);
        assert!(lower.value < upper.value);
    }

    #[test]
    fn values_of_one_request_move_together() {
        // 20 requests, each with 100 equal gaps: treating the 2,000 gaps as independent would give a far narrower interval.
        let requests: Vec<Vec<i64>> = (0..20).map(|r| vec![r * 1000; 100]).collect();
        let Interval::Between { lower, upper } = Pooled::new(&requests).interval(P50, 1) else { panic!("no interval") };
        assert!(upper.value - lower.value >= 4000, "{lower:?} {upper:?}");
    }

    #[test]
    fn too_few_requests_have_no_interval() {
        let pool = Pooled::new(&[vec![1, 2, 3], vec![], vec![4]]);
        assert_eq!(pool.requests(), 2);
        assert_eq!(pool.interval(P95, 1), Interval::Needs { at_least: 6, has: 2 });
    }
}
