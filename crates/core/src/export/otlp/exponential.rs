//! Exponential histograms: bucket `i` of scale `s` holds what is more than `base^i` and at most `base^(i+1)`, with
//! `base = 2^(2^−s)`. The scale is the finest at which the buckets between the least and the largest value are few enough.

/// The most buckets on each side of zero: what OpenTelemetry's own libraries keep, so every receiver takes as many.
pub const MOST_BUCKETS: i32 = 160;
/// The finest scale: a bucket is then less than a millionth wide.
const FINEST: i32 = 20;

/// Consecutive buckets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Buckets {
    /// The index of the first.
    pub offset: i32,
    /// How many values each holds.
    pub counts: Vec<u64>,
}

/// Values in buckets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exponential {
    /// How fine the buckets are.
    pub scale: i32,
    /// Values that are 0.
    pub zeros: u64,
    /// Values above 0.
    pub positive: Buckets,
    /// Values below 0, by their size.
    pub negative: Buckets,
}

/// The bucket of a size above 0 at the finest scale.
fn index(size: f64) -> i32 {
    // Exact at powers of two, which are the only bounds of buckets that a number can lie on.
    (libm::log2(size) * f64::from(1 << FINEST)).ceil() as i32 - 1
}

impl Exponential {
    /// Of values, none of which may be infinite or not a number.
    pub fn of(values: &[f64]) -> Exponential {
        let indices = |sign: f64| -> Vec<i32> { values.iter().map(|v| v * sign).filter(|v| *v > 0.0).map(index).collect() };
        let (above, below) = (indices(1.0), indices(-1.0));
        let mut coarser = 0;
        // Halving the scale joins the buckets 2i and 2i + 1 to one.
        let too_many = |indices: &[i32], by: i32| {
            let ends = indices.iter().min().zip(indices.iter().max());
            ends.is_some_and(|(least, most)| (most >> by) - (least >> by) >= MOST_BUCKETS)
        };
        while too_many(&above, coarser) || too_many(&below, coarser) {
            coarser += 1;
        }
        Exponential {
            scale: FINEST - coarser,
            zeros: (values.len() - above.len() - below.len()) as u64,
            positive: buckets(&above, coarser),
            negative: buckets(&below, coarser),
        }
    }

    /// How many values.
    pub fn count(&self) -> u64 {
        self.zeros + self.positive.counts.iter().chain(&self.negative.counts).sum::<u64>()
    }

    /// What a bucket's values are more than, and at most, by its index.
    pub fn bounds(&self, index: i32) -> (f64, f64) {
        let bound = |index: i32| libm::exp2(f64::from(index) * libm::exp2(f64::from(-self.scale)));
        (bound(index), bound(index + 1))
    }
}

fn buckets(indices: &[i32], coarser: i32) -> Buckets {
    let Some((least, most)) = indices.iter().min().zip(indices.iter().max()) else { return Buckets::default() };
    let offset = least >> coarser;
    let mut counts = vec![0; ((most >> coarser) - offset + 1) as usize];
    for index in indices {
        counts[((index >> coarser) - offset) as usize] += 1;
    }
    Buckets { offset, counts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{P, nearest_rank};
    use proptest::prelude::*;

    /// The bounds of the bucket in which the value of a rank lies.
    fn at_rank(histogram: &Exponential, rank: u64) -> (f64, f64) {
        let mut before = 0;
        for (at, count) in histogram.negative.counts.iter().enumerate().rev() {
            before += count;
            if before >= rank {
                let (low, high) = histogram.bounds(histogram.negative.offset + at as i32);
                return (-high, -low);
            }
        }
        before += histogram.zeros;
        if before >= rank {
            return (0.0, 0.0);
        }
        for (at, count) in histogram.positive.counts.iter().enumerate() {
            before += count;
            if before >= rank {
                return histogram.bounds(histogram.positive.offset + at as i32);
            }
        }
        panic!("rank {rank} of {}", histogram.count());
    }

    proptest! {
        #[test]
        fn percentiles_lie_in_the_bucket_of_their_rank(mut us in prop::collection::vec(-2_000i64..3_600_000_000, 1..300)) {
            let seconds: Vec<f64> = us.iter().map(|us| *us as f64 / 1e6).collect();
            let histogram = Exponential::of(&seconds);
            prop_assert_eq!(histogram.count(), us.len() as u64);
            us.sort_unstable();
            for p in P::SHOWN {
                let exact = nearest_rank(&us, p).expect("not empty") as f64 / 1e6;
                let (low, high) = at_rank(&histogram, p.rank(us.len()) as u64);
                let slack = exact.abs() * 1e-12;
                prop_assert!(low - slack <= exact && exact <= high + slack, "{} of {}: {}…{}", p.name(), exact, low, high);
            }
            prop_assert!(histogram.positive.counts.len() as i32 <= MOST_BUCKETS);
            prop_assert!(histogram.negative.counts.len() as i32 <= MOST_BUCKETS);
            // No scale finer would do, and so no bucket is wider than it has to be.
            let finer = Exponential { scale: histogram.scale + 1, ..histogram.clone() };
            let spread = |buckets: &Buckets| 2 * buckets.counts.len() as i32;
            let joined = spread(&histogram.positive).max(spread(&histogram.negative));
            prop_assert!(finer.scale > FINEST || joined >= MOST_BUCKETS);
        }
    }

    #[test]
    fn a_bound_belongs_to_the_bucket_below_it() {
        for power in [-20, -1, 0, 1, 2, 11] {
            let histogram = Exponential::of(&[libm::exp2(f64::from(power))]);
            assert_eq!((histogram.scale, histogram.positive.counts.as_slice()), (FINEST, [1].as_slice()));
            assert_eq!(histogram.positive.offset, power * (1 << FINEST) - 1);
        }
        // At scale 0 buckets are (1, 2], (2, 4], (4, 8] and so on; at this spread ten buckets fit in a doubling.
        let histogram = Exponential::of(&[1.0, 65_536.0]);
        assert_eq!((histogram.scale, histogram.positive.offset, histogram.positive.counts.len()), (3, -1, 129));
        assert_eq!(histogram.bounds(histogram.positive.offset).1, 1.0);
    }

    #[test]
    fn nothing_and_zeros() {
        let none = Exponential::of(&[]);
        assert_eq!((none.count(), none.scale), (0, FINEST));
        let zeros = Exponential::of(&[0.0, -0.0, 3.0]);
        assert_eq!((zeros.zeros, zeros.count(), zeros.positive.counts.len()), (2, 3, 1));
    }
}
