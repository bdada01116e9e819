//! When do the requests of an open loop start? Offsets from a seed.
//!
//! Intervals are drawn at rate 1 and stretched by the load's own rate: the arrival that stands at `s` in this unit comes at the
//! time at which the integral of the rate reaches `s`. For Poisson arrivals of a changing rate that is exact.

use rand::RngExt;
use rand_distr::{Distribution as _, Exp1, Gamma};

use super::{Over, Shape, Spacing};
use crate::Micros;

/// One arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Offset from the beginning.
    pub at: Micros,
    /// Which step.
    pub stage: u32,
}

/// Draws intervals of mean 1. The first arrival of even spacing is at 0, any other after a first interval.
struct Intervals<'a, R> {
    random: &'a mut R,
    spacing: Spacing,
    gamma: Option<Gamma<f64>>,
    sum: f64,
    count: u64,
}

impl<'a, R: RngExt> Intervals<'a, R> {
    fn new(spacing: Spacing, random: &'a mut R) -> Self {
        let gamma = match spacing {
            Spacing::Gamma { burstiness } => Gamma::new(burstiness, 1.0 / burstiness).ok(),
            Spacing::Even | Spacing::Poisson => None,
        };
        Intervals { random, spacing, gamma, sum: 0.0, count: 0 }
    }

    /// A new beginning, for a new step.
    fn restart(&mut self) {
        (self.sum, self.count) = (0.0, 0);
    }

    fn next(&mut self) -> f64 {
        self.count += 1;
        if self.spacing == Spacing::Even {
            return (self.count - 1) as f64;
        }
        let interval: f64 = match self.gamma {
            Some(gamma) => gamma.sample(self.random),
            None => Exp1.sample(self.random),
        };
        self.sum += interval;
        self.sum
    }
}

/// When the integral of a rate that goes from `from` to `to` (per second) within `over` seconds, and stays, reaches `s`.
fn ramp_time(from: f64, to: f64, over: f64, s: f64) -> f64 {
    let whole = (from + to) / 2.0 * over;
    if s >= whole {
        return over + (s - whole) / to;
    }
    // The root of (to − from) / (2 over) t² + from t = s, in the form that also holds for equal rates.
    let slope = (to - from) / over;
    2.0 * s / (from + (from * from + 2.0 * slope * s).max(0.0).sqrt())
}

/// The first `count` arrivals of an open shape, none later than `limit`. A sweep's are those of one level: see `level`.
/// Closed shapes have none.
pub fn arrivals(shape: &Shape, level: usize, count: usize, limit: Option<Micros>, random: &mut impl RngExt) -> Vec<Arrival> {
    let within = |at: Micros| limit.is_none_or(|limit| at < limit);
    let us = |seconds: f64| Micros((seconds * 1_000_000.0).round() as i64);
    let mut timed = |spacing: Spacing, time: &dyn Fn(f64) -> f64| {
        let mut intervals = Intervals::new(spacing, random);
        let all = (0..count).map(|_| Arrival { at: us(time(intervals.next())), stage: level as u32 });
        all.take_while(|a| within(a.at)).collect()
    };
    match shape {
        Shape::Closed => Vec::new(),
        Shape::Open { per_second, spacing } => timed(*spacing, &|s| s / per_second),
        Shape::Ramp { from, to, over_ms, spacing } => {
            let over = f64::from(*over_ms) / 1000.0;
            timed(*spacing, &|s| ramp_time(*from, *to, over, s))
        }
        Shape::Sweep { over: Over::Rate, levels, spacing, .. } => {
            let rate = levels.get(level).copied().unwrap_or(1.0);
            timed(*spacing, &|s| s / rate)
        }
        Shape::Steps { over: Over::Rate, steps, spacing } => {
            let mut intervals = Intervals::new(*spacing, random);
            let (mut all, mut begin) = (Vec::new(), 0.0);
            for (stage, step) in (0u32..).zip(steps) {
                intervals.restart();
                let longest = step.for_ms.map_or(f64::INFINITY, |ms| f64::from(ms) / 1000.0);
                let mut end = longest;
                let most = step.requests.unwrap_or(u32::MAX);
                for nth in 0..most {
                    let after = intervals.next() / step.level;
                    if after >= longest || all.len() >= count {
                        break;
                    }
                    all.push(Arrival { at: us(begin + after), stage });
                    if nth + 1 == most {
                        // An even step lasts until its next request would come; a random one ends with its last.
                        let next = if *spacing == Spacing::Even { 1.0 / step.level } else { 0.0 };
                        end = (after + next).min(longest);
                    }
                }
                begin += end;
                if all.len() >= count || !begin.is_finite() {
                    break;
                }
            }
            all.retain(|a| within(a.at));
            all
        }
        Shape::Replay { at_ms, speed } => {
            let all = at_ms.iter().take(count).map(|ms| Arrival { at: us(ms / 1000.0 / speed), stage: 0 });
            all.take_while(|a| within(a.at)).collect()
        }
        Shape::Sweep { over: Over::Concurrency, .. } | Shape::Steps { over: Over::Concurrency, .. } => Vec::new(),
    }
}
