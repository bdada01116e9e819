//! Raw samples of one metric, some of which may only be known to be larger than something.

use super::{Interval, P, minimum_n, nearest_rank, ranks};

/// A value at a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantile {
    /// The value.
    pub value: i64,
    /// The rank falls on a censored request: the true value is at least this.
    pub at_least: bool,
}

impl Quantile {
    /// The value where it is known; of a censored one only the lower bound is.
    pub fn known(self) -> Option<i64> {
        (!self.at_least).then_some(self.value)
    }
}

/// Samples, sorted; requests that had not got there yet when they were cut stand above all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distribution {
    sorted: Vec<i64>,
    censored: Vec<i64>,
}

impl Distribution {
    /// From samples in any order, and the elapsed times of censored requests.
    pub fn new(mut samples: Vec<i64>, mut censored: Vec<i64>) -> Distribution {
        samples.sort_unstable();
        censored.sort_unstable();
        Distribution { sorted: samples, censored }
    }

    /// How many requests it speaks of, the censored among them.
    pub fn n(&self) -> usize {
        self.sorted.len() + self.censored.len()
    }

    /// How many of them are censored.
    pub fn censored(&self) -> usize {
        self.censored.len()
    }

    /// The elapsed times of the censored, in order.
    pub fn censored_values(&self) -> &[i64] {
        &self.censored
    }

    /// The measured values in order.
    pub fn sorted(&self) -> &[i64] {
        &self.sorted
    }

    /// The value at a rank from 1.
    pub(super) fn at_rank(&self, rank: usize) -> Option<Quantile> {
        match self.sorted.get(rank.checked_sub(1)?) {
            Some(&value) => Some(Quantile { value, at_least: false }),
            None if rank <= self.n() => self.censored.first().map(|&value| Quantile { value, at_least: true }),
            None => None,
        }
    }

    /// The percentile by nearest rank; none of no samples.
    pub fn percentile(&self, p: P) -> Option<Quantile> {
        if self.n() == 0 { None } else { self.at_rank(p.rank(self.n())) }
    }

    /// The percentile's 95 % interval.
    pub fn interval(&self, p: P) -> Interval<Quantile> {
        let ends = ranks(p, self.n()).and_then(|(lower, upper)| Some((self.at_rank(lower.max(1))?, self.at_rank(upper)?)));
        match ends {
            Some((lower, upper)) => Interval::Between { lower, upper },
            None => Interval::Needs { at_least: minimum_n(p), has: self.n() },
        }
    }

    /// The largest.
    pub fn max(&self) -> Option<Quantile> {
        self.at_rank(self.n())
    }

    /// The mean; none of no samples or where some are censored.
    pub fn mean(&self) -> Option<f64> {
        if self.sorted.is_empty() || !self.censored.is_empty() {
            return None;
        }
        let sum: i128 = self.sorted.iter().map(|&v| i128::from(v)).sum();
        Some(sum as f64 / self.sorted.len() as f64)
    }

    /// The sample standard deviation; none of fewer than two samples or where some are censored.
    pub fn sd(&self) -> Option<f64> {
        let mean = self.mean()?;
        let n = self.sorted.len();
        if n < 2 {
            return None;
        }
        let squares: f64 = self.sorted.iter().map(|&v| (v as f64 - mean).powi(2)).sum();
        Some((squares / (n - 1) as f64).sqrt())
    }

    /// The median of plain values, for text that has no room for more.
    pub fn median(&self) -> Option<i64> {
        nearest_rank(&self.sorted, super::P50)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{P50, P90, P95, P99, P999};
    use proptest::prelude::*;

    fn values(of: &Distribution) -> Vec<i64> {
        [P50, P90, P95, P99, P999].iter().filter_map(|p| of.percentile(*p)).map(|q| q.value).collect()
    }

    #[test]
    fn nearest_rank_on_a_small_sample() {
        let d = Distribution::new((1..=10).rev().collect(), vec![]);
        assert_eq!(values(&d), [5, 9, 10, 10, 10]);
        assert_eq!(d.mean(), Some(5.5));
        assert!((d.sd().expect("sd") - 3.0276503540974917).abs() < 1e-12);
        assert_eq!(Distribution::new(vec![7], vec![]).sd(), None);
        assert_eq!(Distribution::default().percentile(P50), None);
    }

    #[test]
    fn a_percentile_that_falls_on_a_censored_request_is_a_lower_bound() {
        let d = Distribution::new(vec![1, 2, 3, 4, 5, 6, 7, 8], vec![40, 30]);
        assert_eq!(d.percentile(P50), Some(Quantile { value: 5, at_least: false }));
        assert_eq!(d.percentile(P90), Some(Quantile { value: 30, at_least: true }));
        assert_eq!((d.mean(), d.sd()), (None, None));
        assert_eq!(d.max(), Some(Quantile { value: 30, at_least: true }));
        assert_eq!(d.n(), 10);
    }

    #[test]
    fn intervals_lie_on_ranks_or_say_what_is_missing() {
        let d = Distribution::new((1..=100).collect(), vec![]);
        let q = |value| Quantile { value, at_least: false };
        assert_eq!(d.interval(P50), Interval::Between { lower: q(40), upper: q(61) });
        assert_eq!(d.interval(P95), Interval::Between { lower: q(90), upper: q(100) });
        assert_eq!(d.interval(P99), Interval::Needs { at_least: 368, has: 100 });
    }

    proptest! {
        #[test]
        fn at_least_p_of_the_sample_lies_at_or_below_the_percentile(mut v in prop::collection::vec(-1000i64..1000, 1..200)) {
            let d = Distribution::new(v.clone(), vec![]);
            v.sort_unstable();
            for p in P::SHOWN {
                let q = d.percentile(p).expect("not empty").value;
                let at_or_below = v.iter().filter(|x| **x <= q).count();
                let below = v.iter().filter(|x| **x < q).count();
                prop_assert!(at_or_below * 1000 >= p.0 as usize * v.len());
                prop_assert!(below * 1000 < p.0 as usize * v.len());
            }
        }
    }
}
