//! Statistics that hold at the sample sizes of a browser. Values are integers (µs, or thousandths of a count or rate).

mod bootstrap;
mod difference;
mod distribution;
mod histogram;
mod interval;
mod proportion;

pub use bootstrap::Pooled;
pub use difference::{Bounds, Difference, Side, Verdict, difference, difference_of_pools};
pub use distribution::{Distribution, Quantile};
pub use histogram::{HISTOGRAM_MAX, Histogram, SUB_BUCKETS, Step};
pub use interval::{Interval, minimum_n, ranks};
pub use proportion::{Share, difference_of_shares};

/// A percentile, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct P(pub u32);

/// The median.
pub const P50: P = P(500);
/// 90 %.
pub const P90: P = P(900);
/// 95 %.
pub const P95: P = P(950);
/// 99 %.
pub const P99: P = P(990);
/// 99.9 %.
pub const P999: P = P(999);

impl P {
    /// The percentiles that are shown.
    pub const SHOWN: [P; 5] = [P50, P90, P95, P99, P999];

    /// As a probability.
    pub fn probability(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// The nearest rank of `n` values, from 1: ⌈p·n⌉.
    pub fn rank(self, n: usize) -> usize {
        (self.0 as usize * n).div_ceil(1000).max(1)
    }

    /// As written: `p95`, `p99.9`.
    pub fn name(self) -> &'static str {
        match self.0 {
            500 => "p50",
            900 => "p90",
            950 => "p95",
            990 => "p99",
            999 => "p99.9",
            _ => "p",
        }
    }
}

/// The value at the nearest rank of sorted values; none of no values.
pub fn nearest_rank<T: Copy>(sorted: &[T], p: P) -> Option<T> {
    if sorted.is_empty() { None } else { sorted.get(p.rank(sorted.len()) - 1).copied() }
}

#[cfg(test)]
mod reference_tests;
