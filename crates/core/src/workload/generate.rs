//! Which prompts does a seed make, and how long are they and their answers?
//!
//! No tokenizer is at hand. The estimate: one common English word, or one full stop, is about one token.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::ask::mix;
use super::words::WORDS;
use super::{Case, MAX_CASES, MAX_OUTPUT, WorkloadProblem};

/// Raised whenever the same numbers would make other cases; part of the hash.
pub const GENERATOR_VERSION: u32 = 1;
/// The shortest input, in estimated tokens: its words tell one prompt from every other.
pub const MIN_INPUT: u32 = 4;
/// The longest input, in estimated tokens.
pub const MAX_INPUT: u32 = 200_000;

/// Cases made from a seed: the same numbers make the same cases on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generator {
    /// How many cases.
    pub cases: u32,
    /// The seed; the generator's own, so that runs with other seeds ask the same.
    pub seed: u64,
    /// Estimated tokens of a prompt.
    pub input: Lengths,
    /// The output limit of each case, in the server's tokens; the run's own limit if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Lengths>,
    /// Estimated tokens that stand in front of every prompt, the same in all; not counted in `input`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shared_prefix: u32,
    /// How many cases, the last ones, are held out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub held_out: u32,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// A distribution of lengths, in tokens. What falls outside `min` and `max` is moved to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Lengths {
    /// Always the same.
    Fixed(u32),
    /// Each from `min` to `max` as likely as any other.
    Uniform {
        /// Shortest.
        min: u32,
        /// Longest.
        max: u32,
    },
    /// Normal.
    Normal {
        /// Mean.
        mean: u32,
        /// Standard deviation.
        sd: u32,
        /// Shortest.
        min: u32,
        /// Longest.
        max: u32,
    },
    /// Log-normal, by two percentiles: sigma is ln(p95 / median) / 1.645.
    LogNormal {
        /// 50th percentile.
        median: u32,
        /// 95th percentile.
        p95: u32,
        /// Shortest.
        min: u32,
        /// Longest.
        max: u32,
    },
}

/// A number of the generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeneratorField {
    /// The number of cases.
    Cases,
    /// The lengths of inputs.
    Input,
    /// The lengths of outputs.
    Output,
    /// The 95th percentile of a log-normal distribution, which is over its median.
    P95,
    /// The shared prefix.
    SharedPrefix,
    /// The number of cases held out.
    HeldOut,
}

/// The 95th percentile of the standard normal distribution.
const Z95: f64 = 1.644_853_626_951_472_2;

impl Lengths {
    /// The largest that it can be.
    pub fn most(self) -> u32 {
        match self {
            Lengths::Fixed(n) => n,
            Lengths::Uniform { max, .. } | Lengths::Normal { max, .. } | Lengths::LogNormal { max, .. } => max,
        }
    }

    fn sample(self, random: &mut Xoshiro256PlusPlus) -> u32 {
        let rounded = |value: f64, min: u32, max: u32| value.round().clamp(f64::from(min), f64::from(max)) as u32;
        match self {
            Lengths::Fixed(n) => n,
            Lengths::Uniform { min, max } => random.random_range(min..=max),
            Lengths::Normal { mean, sd, min, max } => {
                rounded(f64::from(mean) + f64::from(sd) * standard_normal(random), min, max)
            }
            Lengths::LogNormal { median, p95, min, max } => {
                let median = f64::from(median);
                let sigma = libm::log(f64::from(p95) / median) / Z95;
                rounded(median * libm::exp(sigma * standard_normal(random)), min, max)
            }
        }
    }

    fn problem(self, field: GeneratorField, min: u32, max: u32) -> Option<WorkloadProblem> {
        let inside = |n: u32| (min..=max).contains(&n);
        let sound = match self {
            Lengths::Fixed(n) => inside(n),
            Lengths::Uniform { min, max } => inside(min) && inside(max) && min <= max,
            Lengths::Normal { mean, sd, min, max } => {
                [mean, min, max].into_iter().all(inside) && sd <= MAX_OUTPUT && min <= max
            }
            Lengths::LogNormal { median, min, max, .. } => [median, min, max].into_iter().all(inside) && min <= max,
        };
        match self {
            _ if !sound => Some(WorkloadProblem::Generator { field, min, max }),
            Lengths::LogNormal { median, p95, .. } if p95 <= median || p95 > MAX_OUTPUT => {
                Some(WorkloadProblem::Generator { field: GeneratorField::P95, min: median + 1, max: MAX_OUTPUT })
            }
            _ => None,
        }
    }
}

/// Marsaglia's polar method. With `libm`, and not the platform's logarithm, every machine draws the same.
fn standard_normal(random: &mut Xoshiro256PlusPlus) -> f64 {
    loop {
        let (x, y) = (random.random_range(-1.0..1.0), random.random_range(-1.0..1.0));
        let square: f64 = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * libm::log(square) / square).sqrt();
        }
    }
}

impl Generator {
    /// The first number outside its range.
    pub fn problem(&self) -> Option<WorkloadProblem> {
        let range =
            |field, n: u32, min, max| (!(min..=max).contains(&n)).then_some(WorkloadProblem::Generator { field, min, max });
        range(GeneratorField::Cases, self.cases, 1, MAX_CASES as u32)
            .or_else(|| self.input.problem(GeneratorField::Input, MIN_INPUT, MAX_INPUT))
            .or_else(|| self.output.and_then(|lengths| lengths.problem(GeneratorField::Output, 1, MAX_OUTPUT)))
            .or_else(|| range(GeneratorField::SharedPrefix, self.shared_prefix, 0, MAX_INPUT))
            .or_else(|| range(GeneratorField::HeldOut, self.held_out, 0, self.cases))
    }

    /// The lengths of a case: its input in estimated tokens, and its output limit.
    pub fn lengths(&self, index: u32) -> (u32, Option<u32>) {
        let mut random = self.random(index);
        (self.input.sample(&mut random), self.output.map(|lengths| lengths.sample(&mut random)))
    }

    /// A case.
    pub fn case(&self, index: u32) -> Case {
        let mut random = self.random(index);
        let tokens = self.input.sample(&mut random);
        let max_tokens = self.output.map(|lengths| lengths.sample(&mut random));
        let mut prompt = String::new();
        if self.shared_prefix > 0 {
            write(&mut prompt, [], self.shared_prefix, &mut Xoshiro256PlusPlus::seed_from_u64(mix(self.seed)));
            prompt.push(' ');
        }
        write(&mut prompt, self.own_words(index), tokens, &mut random);
        let case = Case::of_prompt(format!("case-{}", u64::from(index) + 1), prompt);
        Case { max_tokens, held_out: self.is_held_out(index), ..case }
    }

    pub(super) fn is_held_out(&self, index: u32) -> bool {
        index >= self.cases.saturating_sub(self.held_out)
    }

    fn random(&self, index: u32) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(mix(self.seed) ^ (u64::from(index) + 1))
    }

    /// Words that no other case of this generator begins with: the index, scrambled one to one, a word for each byte.
    fn own_words(&self, index: u32) -> [&'static str; MIN_INPUT as usize] {
        let scrambled = (index ^ mix(self.seed) as u32).wrapping_mul(0x9e37_79b1);
        scrambled.to_be_bytes().map(|byte| WORDS[usize::from(byte)])
    }
}

/// Words to about so many tokens: `first`, then drawn ones, a full stop at every twelfth token and at the end.
fn write<const N: usize>(out: &mut String, first: [&'static str; N], tokens: u32, random: &mut Xoshiro256PlusPlus) {
    let mut first = first.into_iter();
    let start = out.len();
    for place in 1..=tokens {
        let own = first.next();
        let stop = place % 12 == 0 || place == tokens && tokens > N as u32;
        if own.is_none() && stop && out.len() > start {
            out.push('.');
            continue;
        }
        if out.len() > start {
            out.push(' ');
        }
        out.push_str(own.unwrap_or_else(|| WORDS[random.random_range(0..WORDS.len())]));
    }
}

#[cfg(test)]
mod tests;
