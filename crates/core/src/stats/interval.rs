//! 95 % confidence intervals of a percentile from order statistics: no assumption about the distribution.

use statrs::distribution::{Binomial, DiscreteCDF};

use super::P;

/// An interval between two ranks, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval<T> {
    /// Both ends; no `lower` or `upper` where the end falls on values that are only known to be larger.
    Between {
        /// Lower end.
        lower: T,
        /// Upper end.
        upper: T,
    },
    /// The sample is too small for an upper end.
    Needs {
        /// The smallest sample that has one.
        at_least: usize,
        /// The size of this one.
        has: usize,
    },
}

/// The smallest `n` at which the interval has an upper end: 1 − pⁿ ≥ 0.975.
pub fn minimum_n(p: P) -> usize {
    let n = (0.025f64.ln() / p.probability().ln()).ceil();
    n as usize
}

/// The ranks (from 1) of the two-sided 95 % interval; none below [`minimum_n`]. The lower rank is 0 where it falls below
/// the smallest value.
pub fn ranks(p: P, n: usize) -> Option<(usize, usize)> {
    if n < minimum_n(p) {
        return None;
    }
    let binomial = Binomial::new(p.probability(), n as u64).ok()?;
    let cdf = |k: usize| if k == 0 { 0.0 } else { binomial.cdf(k as u64 - 1) };
    // cdf(k) = P(X < k) grows with k: both ends by bisection.
    let first = |holds: &dyn Fn(f64) -> bool| {
        let (mut low, mut high) = (0usize, n + 1);
        while low < high {
            let middle = (low + high) / 2;
            if holds(cdf(middle)) { high = middle } else { low = middle + 1 }
        }
        low
    };
    let lower = first(&|c| c > 0.025).saturating_sub(1);
    let upper = first(&|c| c >= 0.975);
    (upper <= n).then_some((lower, upper))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{P50, P90, P95, P99, P999};

    #[test]
    fn the_smallest_samples_with_an_upper_end() {
        assert_eq!([P50, P90, P95, P99, P999].map(minimum_n), [6, 36, 72, 368, 3688]);
        for p in [P50, P90, P95, P99, P999] {
            assert!(ranks(p, minimum_n(p)).is_some(), "{p:?}");
            assert!(ranks(p, minimum_n(p) - 1).is_none(), "{p:?}");
        }
    }

    #[test]
    fn ranks_agree_with_published_tables() {
        let table = [
            (P50, 10, 2, 9),
            (P50, 20, 6, 15),
            (P50, 30, 10, 21),
            (P50, 100, 40, 61),
            (P90, 50, 41, 50),
            (P90, 100, 84, 96),
            (P95, 100, 90, 100),
            (P95, 300, 277, 293),
            (P99, 500, 490, 500),
            (P99, 1000, 983, 997),
        ];
        for (p, n, lower, upper) in table {
            assert_eq!(ranks(p, n), Some((lower, upper)), "{p:?} of {n}");
        }
    }

    /// The binomial sum in exact arithmetic of integers, for p = 1/2.
    #[test]
    fn coverage_of_the_median_interval_is_at_least_95_percent_exactly() {
        for n in 6..=60usize {
            let (lower, upper) = ranks(P50, n).expect("ranks");
            let mut choose = 1u128;
            let mut covered = 0u128;
            for k in 0..=n {
                if (lower..upper).contains(&k) {
                    covered += choose;
                }
                choose = choose * (n - k) as u128 / (k + 1) as u128;
            }
            assert!(covered * 100 >= 95 * (1u128 << n), "n = {n}");
        }
    }
}
