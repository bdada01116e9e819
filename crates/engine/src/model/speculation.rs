//! How many tokens does a step make for one sequence? One, and those of its draft that are accepted.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::parameters::Parameters;
use super::request::RequestId;

/// A request's own draws, so that what others do changes nothing; none without speculation.
pub(super) fn drafts(parameters: &Parameters, id: RequestId) -> Option<Xoshiro256PlusPlus> {
    let seed = parameters.seed.rotate_left(32) ^ id.0;
    (parameters.speculative > 0).then(|| Xoshiro256PlusPlus::seed_from_u64(seed))
}

/// Tokens of one decoding step.
pub(super) fn of_step(parameters: &Parameters, random: &mut Xoshiro256PlusPlus) -> u32 {
    let accepted = (0..parameters.speculative).take_while(|_| random.random_range(0..100) < parameters.acceptance_percent);
    1 + accepted.count() as u32
}

/// The tokens of each step of a request, in order: known before any of it happens, since no load changes it.
pub fn steps_of(parameters: &Parameters, id: RequestId, output_tokens: u32) -> Vec<u32> {
    let mut random = drafts(parameters, id);
    let mut steps = Vec::new();
    let mut left = output_tokens;
    while left > 0 {
        // The step that reads the last of the input makes one.
        let made = match &mut random {
            Some(random) if !steps.is_empty() => of_step(parameters, random),
            _ => 1,
        };
        steps.push(made.min(left));
        left -= made.min(left);
    }
    steps
}
