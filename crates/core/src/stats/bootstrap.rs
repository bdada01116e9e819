//! Pooled values of several requests are not independent: their intervals resample requests, not values.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Interval, P, Quantile};

/// How many resamples.
const RESAMPLES: usize = 1000;
/// The most values that all resamples together walk over one by one.
const WORK: usize = 20_000_000;
/// The most groups into which requests of a large pool are dealt.
const GROUPS: usize = 1000;
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

    /// The percentile by nearest rank; none of no values.
    pub fn percentile(&self, p: P) -> Option<i64> {
        super::nearest_rank(&self.sorted, p).map(|(value, _)| value)
    }

    /// 95 % percentile interval of a seeded bootstrap over requests.
    pub fn interval(&self, p: P, seed: u64) -> Interval<Quantile> {
        match self.resampled(p, seed) {
            Err((at_least, has)) => Interval::Needs { at_least, has },
            Ok(mut estimates) => {
                estimates.sort_unstable();
                let below = (outside(p, self.requests) * (estimates.len() - 1) as f64) as usize;
                let at = |rank: usize| Quantile { value: estimates[rank], at_least: false };
                Interval::Between { lower: at(below), upper: at(estimates.len() - 1 - below) }
            }
        }
    }

    /// The percentile of each resample, in the order in which they were drawn; of too few requests, how many it takes and
    /// how many there are.
    pub(super) fn resampled(&self, p: P, seed: u64) -> Result<Vec<i64>, (usize, usize)> {
        // At worst all values of a request are alike: then requests are what there is of independent values.
        let at_least = super::minimum_n(p);
        if self.requests < at_least {
            return Err((at_least, self.requests));
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        if self.sorted.len() * RESAMPLES > WORK {
            return Ok(self.resampled_by_share(p, &mut random));
        }
        let mut weights = vec![0usize; self.requests];
        Ok((0..RESAMPLES)
            .map(|_| {
                weights.fill(0);
                (0..self.requests).for_each(|_| weights[random.random_range(0..self.requests)] += 1);
                self.weighted(p, &weights)
            })
            .collect())
    }

    /// The same for large pools, without walking over all values once a resample: which share of a resample's values lies
    /// at or below the pool's own percentile says by how many ranks its percentile lies off. Requests are dealt out at
    /// random into at most [`GROUPS`] groups, and groups are resampled.
    fn resampled_by_share(&self, p: P, random: &mut Xoshiro256PlusPlus) -> Vec<i64> {
        let groups = self.requests.min(GROUPS);
        let mut dealt: Vec<u32> = (0..self.requests).map(|r| (r % groups) as u32).collect();
        dealt.shuffle(random);
        let (n, rank) = (self.sorted.len(), p.rank(self.sorted.len()));
        let (mut all, mut below) = (vec![0u64; groups], vec![0u64; groups]);
        for (at, (_, request)) in self.sorted.iter().enumerate() {
            let group = dealt[*request as usize] as usize;
            all[group] += 1;
            below[group] += u64::from(at < rank);
        }
        (0..RESAMPLES)
            .map(|_| {
                let (mut of, mut hits) = (0, 0);
                for _ in 0..groups {
                    let group = random.random_range(0..groups);
                    of += all[group];
                    hits += below[group];
                }
                let off = hits as f64 / of.max(1) as f64 - rank as f64 / n as f64;
                let at = (rank as f64 - off * n as f64).round().clamp(1.0, n as f64);
                self.sorted[at as usize - 1].0
            })
            .collect()
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

/// The share of resamples outside each end of a 95 % interval, of so many requests. Resamples of `n` requests vary less than
/// samples of the whole do, by √((n − 1)/n), and the normal distribution's tails are thinner than Student's: without both, six
/// requests would cover 88 %, not 95 (the "expanded percentile" interval). What decides a tail is the few requests beyond it: `n`
/// is twice their number.
pub(super) fn outside(p: P, requests: usize) -> f64 {
    const Z: f64 = 1.959_963_984_540_054;
    let rarer = p.probability().min(1.0 - p.probability());
    let n = (2.0 * rarer * requests as f64).max(4.0);
    let v = n - 1.0;
    let (z3, z5, z7) = (Z.powi(3), Z.powi(5), Z.powi(7));
    // Student's 97.5 % by its expansion around the normal one: to 0.003 from 5 degrees of freedom on.
    let t = Z
        + (z3 + Z) / (4.0 * v)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * Z) / (96.0 * v * v)
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * Z) / (384.0 * v.powi(3));
    statrs::function::erf::erfc(t * (n / v).sqrt() / std::f64::consts::SQRT_2) / 2.0
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
    fn a_large_pool_is_resampled_by_share_to_nearly_the_same_interval() {
        // Requests differ in pace and in number of values.
        let requests: Vec<Vec<i64>> = (0..400i64)
            .map(|r| (0..20 + r % 31).map(|i| 10_000 + (r * 37 % 100) * 80 + (i * 7919 + r * 104_729) % 9000).collect())
            .collect();
        let pool = Pooled::new(&requests);
        for p in [P50, P95] {
            let ends = |mut estimates: Vec<i64>| {
                estimates.sort_unstable();
                (estimates[25], estimates[974])
            };
            let walked = ends(pool.resampled(p, 5).expect("enough requests"));
            let shared = ends(pool.resampled_by_share(p, &mut Xoshiro256PlusPlus::seed_from_u64(6)));
            let width = walked.1 - walked.0;
            assert!(
                width > 0 && (walked.0 - shared.0).abs() * 4 <= width && (walked.1 - shared.1).abs() * 4 <= width,
                "{p:?} {walked:?} {shared:?}"
            );
        }
    }

    #[test]
    fn few_requests_are_trusted_less() {
        // scipy: norm.cdf(-t.ppf(0.975, n - 1) * sqrt(n / (n - 1)))
        for (n, want) in [(6, 0.002_431_8), (30, 0.018_753_9), (72, 0.022_325_0)] {
            assert!((outside(P50, n) - want).abs() < 3e-5, "{n}: {}", outside(P50, n));
        }
        assert!((outside(P95, 60) - outside(P50, 6)).abs() < 1e-9);
        assert!((outside(P50, 1_000_000) - 0.025).abs() < 1e-5);
    }

    #[test]
    fn too_few_requests_have_no_interval() {
        let pool = Pooled::new(&[vec![1, 2, 3], vec![], vec![4]]);
        assert_eq!(pool.requests(), 2);
        assert_eq!(pool.interval(P95, 1), Interval::Needs { at_least: 72, has: 2 });
        assert_eq!(pool.interval(P50, 1), Interval::Needs { at_least: 6, has: 2 });
    }
}
