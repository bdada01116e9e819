//! What is asked: cases as data, typed, imported or generated, with a hash that names them.
//!
//! `docs/workloads.md` is the description for people who write such files.

mod ask;
mod case;
pub mod check;
mod describe;
mod generate;
mod hash;
mod import;
mod resolve;
mod spelling;
mod words;

pub use ask::{Ask, CacheMode, nonce};
pub use case::{Case, CaseProblem, Class, Content, Message, Role, Turn};
pub use describe::{Identity, cache_name, describe};
pub use generate::{GENERATOR_VERSION, Generator, GeneratorField, Lengths, MAX_INPUT, MIN_INPUT};
pub use hash::{HASH_VERSION, Hash};
pub use import::{ImportError, Imported, LineProblem, Note, NoteKind, Wanted, import};
pub use resolve::{AnswersMissing, Resolved};

use serde::{Deserialize, Serialize};

use crate::config::BodyChoice;

/// The most cases of one workload.
pub const MAX_CASES: usize = 100_000;
/// The most bytes of an imported file.
pub const MAX_BYTES: usize = 20_000_000;
/// The largest output limit of a case, in tokens.
pub const MAX_OUTPUT: u32 = 1_000_000;

/// What a run asks: data, with a name and version that people give it. What it is compared by is its [hash](struct@Hash).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Workload {
    /// Its name, for people; not part of the hash.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Its version, for people; not part of the hash.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Where its cases come from.
    pub source: Source,
}

/// Where cases come from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The one prompt of the form, asked again and again.
    #[default]
    Prompt,
    /// These cases; turns of one conversation stand together, in order.
    Cases(Vec<Case>),
    /// Cases made from a seed.
    Generated(Generator),
}

/// What is wrong with a workload as a whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", crate::text::workload_problem(crate::text::Lang::En, self))]
pub enum WorkloadProblem {
    /// There is no case.
    NoCases,
    /// There are more cases than [`MAX_CASES`].
    TooManyCases,
    /// A case can't be sent or judged.
    Case {
        /// Its place, from 1.
        number: usize,
        /// What is wrong.
        problem: CaseProblem,
    },
    /// A number of the generator is outside its range.
    Generator {
        /// Which number.
        field: GeneratorField,
        /// Smallest.
        min: u32,
        /// Largest.
        max: u32,
    },
    /// A confirmation run has nothing to run.
    NothingHeldOut,
    /// A normal run has nothing to run.
    AllHeldOut,
    /// The body's template carries one prompt only, and a case has more than one message.
    NeedsMessages {
        /// The case's place, from 1.
        number: usize,
    },
}

impl Workload {
    /// The first thing that keeps this workload from being run with this body, in a normal or in a confirmation run.
    pub fn problem(&self, body: &BodyChoice, confirmation: bool) -> Option<WorkloadProblem> {
        let resolved = match self.resolve("") {
            Ok(resolved) => resolved,
            Err(problem) => return Some(problem),
        };
        if resolved.units(confirmation).next().is_none() {
            return Some(if confirmation { WorkloadProblem::NothingHeldOut } else { WorkloadProblem::AllHeldOut });
        }
        let one_prompt = matches!(body, BodyChoice::Custom(template) if !template.to_string().contains("\"{messages}\""));
        let longer = |case: &Case| case.messages.len() > 1 || case.turn_index() > 1;
        match &self.source {
            Source::Cases(cases) if one_prompt => {
                Some(WorkloadProblem::NeedsMessages { number: cases.iter().position(longer)? + 1 })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
