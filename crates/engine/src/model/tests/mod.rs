//! The model against queueing theory, against hand-worked examples, and against what must hold whatever happens.

mod always;
mod theory;
mod worked;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;

pub(super) fn asked(input_tokens: u32, output_tokens: u32) -> Asked {
    Asked { input_tokens, output_tokens, prefix: 0 }
}

/// Requests that come independently of each other, so many µs apart in the mean.
pub(super) fn poisson(mut random: Xoshiro256PlusPlus, mean_us: f64, count: usize, each: Asked) -> Vec<(u64, Asked)> {
    let mut at = 0.0;
    (0..count)
        .map(|_| {
            at += -(1.0 - random.random::<f64>()).ln() * mean_us;
            (at.round() as u64, each)
        })
        .collect()
}
