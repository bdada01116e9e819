//! How late are stamps? The thread that takes them is asked again and again: a timer of it that fires late says how long
//! something that came then had to wait for its stamp.

use serde::{Deserialize, Serialize};

use crate::Micros;
use crate::stats::{P50, P99, nearest_rank};

/// How late timers of the reading thread fired during a run, in µs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lag {
    /// How many timers.
    pub n: u32,
    /// The median.
    pub p50_us: i64,
    /// The 99th percentile.
    pub p99_us: i64,
    /// The largest.
    pub max_us: i64,
}

/// Timers, before the p99 of their lag is more than the largest of them.
const TIMERS: u32 = 100;

impl Lag {
    /// The 99th percentile, where there are enough timers for one.
    pub fn p99(&self) -> Option<Micros> {
        (self.n >= TIMERS).then_some(Micros(self.p99_us))
    }
}

/// What was seen so far, thinned evenly where it gets too much to keep.
#[derive(Clone, Debug, Default)]
pub struct Lags {
    late: Vec<i64>,
    every: u32,
    skip: u32,
}

/// So many lags are kept; then every second one is dropped, and only every second one taken from then on.
const KEPT: usize = 16_384;

impl Lags {
    /// A timer fired so late.
    pub fn add(&mut self, late: Micros) {
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        self.late.push(late.0.max(0));
        if self.late.len() == KEPT {
            let mut at = 0;
            self.late.retain(|_| {
                at += 1;
                at % 2 == 0
            });
            self.every = 2 * self.every + 1;
        }
        self.skip = self.every;
    }

    /// What was seen; none before anything was.
    pub fn seen(&self) -> Option<Lag> {
        let mut sorted = self.late.clone();
        sorted.sort_unstable();
        Some(Lag {
            n: sorted.len() as u32,
            p50_us: nearest_rank(&sorted, P50)?,
            p99_us: nearest_rank(&sorted, P99)?,
            max_us: *sorted.last()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_what_was_seen() {
        let mut lags = Lags::default();
        assert_eq!(lags.seen(), None);
        (1..=200).rev().for_each(|ms| lags.add(Micros::ms(ms)));
        lags.add(Micros(-5));
        let want = Lag { n: 201, p50_us: 100_000, p99_us: 198_000, max_us: 200_000 };
        assert_eq!(lags.seen(), Some(want));
        assert_eq!((want.p99(), Lag { n: 99, ..want }.p99()), (Some(Micros::ms(198)), None));
    }

    #[test]
    fn a_long_run_keeps_a_bounded_even_sample() {
        let mut lags = Lags::default();
        (0..200_000).for_each(|us| lags.add(Micros(us)));
        let seen = lags.seen().expect("lags");
        assert!((seen.n as usize) < KEPT);
        assert!((seen.p50_us - 100_000).abs() < 2_000 && (seen.p99_us - 198_000).abs() < 1_000, "{seen:?}");
    }
}
