//! What may a pipeline go on with? Limits on a run, and on what changed between two, each with an answer of three: it holds, it
//! does not, or nobody can tell from these samples. The interval decides, never the estimate.

mod comparison;
mod junit;
mod limits;
mod regressions;

pub use comparison::{comparison_json, comparison_markdown};
pub use junit::junit;
pub use limits::limits;
pub use regressions::regressions;

use crate::text::{GateText, Lang};

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Said {
    /// It holds, with the whole 95 % interval.
    Passed,
    /// These samples can't tell.
    Unknown,
    /// It does not hold, with the whole 95 % interval.
    Failed,
}

impl Said {
    /// The stable name used in exports.
    pub fn code(self) -> &'static str {
        match self {
            Said::Passed => "passed",
            Said::Unknown => "unknown",
            Said::Failed => "failed",
        }
    }

    /// In words.
    pub fn words(self, lang: Lang) -> &'static str {
        match self {
            Said::Passed => GateText::Passed,
            Said::Unknown => GateText::Unknown,
            Said::Failed => GateText::Failed,
        }
        .get(lang)
    }

    /// The exit status of a command that asked: 0, 1, or 4 where nobody can tell.
    pub fn exit_status(self) -> u8 {
        match self {
            Said::Passed => 0,
            Said::Failed => 1,
            Said::Unknown => 4,
        }
    }
}

/// One limit and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The limit as it was written, with the mode where there are several.
    pub name: String,
    /// The answer.
    pub said: Said,
    /// The figure, its interval and how many samples it stands on; and where nobody can tell, why.
    pub message: String,
}

/// The answer of all: one that fails fails all, one that nobody can tell leaves all open. Without any, all hold.
pub fn all(cases: &[Case]) -> Said {
    cases.iter().map(|case| case.said).max().unwrap_or(Said::Passed)
}

#[cfg(test)]
mod tests;
