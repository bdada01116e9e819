//! Which claims about latency can be tried out, and do measured figures bear them out?
//!
//! A lesson states a claim, says which runs against the built-in endpoint would show it, and predicts their figures from the
//! endpoint's own parameters. What was measured is then judged by intervals, so that a claim that is wrong, or too little to
//! tell, is said as plainly as one that holds. `docs/lessons.md` lists them for people.

mod check;
mod endpoint;
mod figure;
mod lines;
mod plans;
mod verdict;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod tests;

pub use check::{Check, Counts};
pub use endpoint::{Endpoint, changed};
pub use figure::{Estimate, Figure, PerSecond};
pub use lines::{FindingLine, finding_lines, levels_table, step_line, verdict_sentence, verdict_word};
pub use plans::{Plan, Step};
pub use verdict::{Answer, Finding, Judgement, Verdict, Why};

use crate::text::{Lang, Les};

/// The lessons, in the order in which they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lesson {
    /// The first token is not the response time.
    FirstToken,
    /// Streaming does not make inference finish sooner.
    Streaming,
    /// Inference latency is not only model time.
    NotOnlyModel,
    /// A model has no single latency number.
    NoSingleNumber,
    /// More tokens per second overall can mean slower for each user.
    Batching,
    /// Averages hide the tail.
    Tail,
    /// A fast percentile at concurrency 1 says nothing about 20.
    Concurrency,
    /// Warm against cold.
    Cold,
    /// What the server does not report is not network.
    Unattributed,
    /// Which figure comes first depends on the job.
    Offline,
}

impl Lesson {
    /// Every lesson.
    pub const ALL: [Lesson; 10] = [
        Lesson::FirstToken,
        Lesson::Streaming,
        Lesson::NotOnlyModel,
        Lesson::NoSingleNumber,
        Lesson::Batching,
        Lesson::Tail,
        Lesson::Concurrency,
        Lesson::Cold,
        Lesson::Unattributed,
        Lesson::Offline,
    ];

    /// The stable name, used in addresses.
    pub fn code(self) -> &'static str {
        match self {
            Lesson::FirstToken => "first-token",
            Lesson::Streaming => "streaming",
            Lesson::NotOnlyModel => "not-only-model",
            Lesson::NoSingleNumber => "no-single-number",
            Lesson::Batching => "batching",
            Lesson::Tail => "tail",
            Lesson::Concurrency => "concurrency",
            Lesson::Cold => "cold",
            Lesson::Unattributed => "unattributed",
            Lesson::Offline => "offline",
        }
    }

    /// The lesson of a stable name.
    pub fn from_code(code: &str) -> Option<Lesson> {
        Lesson::ALL.into_iter().find(|lesson| lesson.code() == code)
    }

    /// Its place in the list, from 1.
    pub fn number(self) -> usize {
        Lesson::ALL.iter().position(|lesson| *lesson == self).map_or(0, |at| at + 1)
    }

    /// What it claims.
    pub fn claim(self, lang: Lang) -> &'static str {
        match self {
            Lesson::FirstToken => Les::FirstTokenClaim,
            Lesson::Streaming => Les::StreamingClaim,
            Lesson::NotOnlyModel => Les::NotOnlyModelClaim,
            Lesson::NoSingleNumber => Les::NoSingleNumberClaim,
            Lesson::Batching => Les::BatchingClaim,
            Lesson::Tail => Les::TailClaim,
            Lesson::Concurrency => Les::ConcurrencyClaim,
            Lesson::Cold => Les::ColdClaim,
            Lesson::Unattributed => Les::UnattributedClaim,
            Lesson::Offline => Les::OfflineClaim,
        }
        .get(lang)
    }

    /// Why that is so, and where it matters.
    pub fn explanation(self, lang: Lang) -> &'static str {
        match self {
            Lesson::FirstToken => Les::FirstTokenWhy,
            Lesson::Streaming => Les::StreamingWhy,
            Lesson::NotOnlyModel => Les::NotOnlyModelWhy,
            Lesson::NoSingleNumber => Les::NoSingleNumberWhy,
            Lesson::Batching => Les::BatchingWhy,
            Lesson::Tail => Les::TailWhy,
            Lesson::Concurrency => Les::ConcurrencyWhy,
            Lesson::Cold => Les::ColdWhy,
            Lesson::Unattributed => Les::UnattributedWhy,
            Lesson::Offline => Les::OfflineWhy,
        }
        .get(lang)
    }

    /// What is run and what is predicted of it.
    pub fn plan(self) -> Plan {
        plans::plan(self)
    }
}
