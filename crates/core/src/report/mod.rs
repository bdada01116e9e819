//! A run as it is kept: versioned JSON that holds the raw evidence, so that every figure can be computed again.

mod auto;
mod convert;
mod figures;
mod grid;
mod labels;
mod merge;
mod origin;
mod scraped;
mod upgrade;
mod wire;

pub use auto::{AutoJob, AutoReport, ClockProbe};
pub use figures::{figures, sample};
pub use grid::{Grid, Lost, LostBrowser, Session, Stretch, overlap};
pub use labels::{Label, Labels};
pub use merge::{Apart, MergeError, merge};
pub use origin::Origin;
pub use scraped::ScrapedFile;
pub use wire::{Arrival, Clock, Embedded, Environment, Part, RunFile};

use serde::Deserialize;

use crate::align::Probes;
use crate::config::RunConfig;
use crate::scrape::Scraped;
use crate::stop_rule::Broken;
use crate::summary::Summary;
use crate::trace::Trace;
use crate::typed;
use crate::workload::Identity;

/// The format's name.
pub const FORMAT: &str = "firstlight-run";
/// The format's version. A change that a reader of it would trip over raises it; older files are brought up by a step in
/// `upgrade.rs`.
pub const VERSION: u32 = upgrade::NEWEST;

/// A run: what was asked, where, and what happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// What was asked.
    pub config: RunConfig,
    /// Where it was measured.
    pub environment: Environment,
    /// The clock it was measured with.
    pub clock: Clock,
    /// When it was begun, in RFC 3339 (for display only).
    pub created: String,
    /// It was stopped by hand, or ended with its page.
    pub stopped: bool,
    /// The rule that ended it early.
    pub stopped_by: Option<Broken>,
    /// Its page ended in the middle: these are the requests that were saved until then.
    pub page_ended: bool,
    /// What its workload is called by; none where it can't be resolved.
    pub workload: Option<Identity>,
    /// What the server's clock said before and after, where it was asked.
    pub probes: Probes,
    /// The runs that it was merged of; empty if it is one run.
    pub parts: Vec<Part>,
    /// Every request, in the order of the plan.
    pub traces: Vec<Trace>,
    /// What was read of the server's own metrics; none if they were not asked for.
    pub scraped: Option<Scraped>,
}

/// What is read of any file first.
#[derive(Deserialize)]
struct Head {
    format: Option<String>,
    version: Option<u64>,
}

/// Why a file can't be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The text ends in the middle.
    #[error("the file is cut off: it ends in the middle of its JSON. Save or copy it again; nothing was changed")]
    Truncated,
    /// Not JSON.
    #[error("the file is not JSON ({0}). Choose a file that Firstlight saved")]
    NotJson(String),
    /// JSON, but not a run.
    #[error("the file is JSON, but not a Firstlight run. Choose a file that Firstlight saved")]
    NotOurs,
    /// Written by a newer version.
    #[error("the file has version {found} of the run format, this page reads up to {known}. Open it with a newer Firstlight")]
    Newer {
        /// The file's.
        found: u64,
        /// The newest that is read here.
        known: u32,
    },
    /// A run with something missing or wrong inside.
    #[error("the file is a Firstlight run, but a part of it can't be read: {0}")]
    Damaged(String),
}

impl Run {
    /// The request of this number in the plan.
    pub fn request(&self, id: u32) -> Option<&Trace> {
        // Most plans are run from the first to the last.
        let guess = self.traces.get(id as usize).filter(|t| t.planned.id == id);
        guess.or_else(|| self.traces.iter().find(|t| t.planned.id == id))
    }

    /// Writes the file's text.
    pub fn to_json(&self) -> String {
        self.to_json_with(&Summary::of(self))
    }

    /// The same, where the run's summary is there already.
    pub fn to_json_with(&self, summary: &Summary) -> String {
        serde_json::to_string(&convert::to_wire(self, summary)).unwrap_or_default()
    }

    /// Reads a file's text.
    pub fn from_json(text: &str) -> Result<Run, OpenError> {
        let head: Head = serde_json::from_str(text).map_err(|e| match e.classify() {
            serde_json::error::Category::Eof if !text.trim().is_empty() => OpenError::Truncated,
            // JSON as far as it was read, but no object, or a format or version of another kind.
            serde_json::error::Category::Data => OpenError::NotOurs,
            _ => OpenError::NotJson(e.to_string()),
        })?;
        if head.format.as_deref() != Some(FORMAT) {
            return Err(OpenError::NotOurs);
        }
        let version = head.version.ok_or_else(|| OpenError::Damaged("its version is missing".to_owned()))?;
        let damaged = |e: serde_json::Error| OpenError::Damaged(e.to_string());
        // From its text again, so that there is one reader of the format.
        let upgraded = match upgrade::is_older(version)? {
            false => None,
            true => Some(upgrade::upgraded(serde_json::from_str(text).map_err(damaged)?, version)?.to_string()),
        };
        let file: RunFile =
            typed::from_str(upgraded.as_deref().unwrap_or(text)).map_err(|e| OpenError::Damaged(e.to_string()))?;
        convert::from_wire(file).map_err(OpenError::Damaged)
    }
}

/// The rule that ended a run as text, for another thread of the same page.
pub fn broken_to_json(broken: Broken) -> String {
    serde_json::to_string(&convert::broken_to_wire(broken)).unwrap_or_default()
}

/// The rule from that text; none of any other.
pub fn broken_from_json(text: &str) -> Option<Broken> {
    typed::from_str(text).ok().map(convert::broken_from_wire)
}

/// Requests as text, for another thread of the same page.
pub fn traces_to_json(traces: &[Trace]) -> String {
    serde_json::to_string(&convert::traces_to_wire(traces)).unwrap_or_default()
}

/// Requests from that text.
pub fn traces_from_json(text: &str) -> Result<Vec<Trace>, String> {
    convert::traces_from_wire(typed::from_str(text).map_err(|e| e.to_string())?)
}

#[cfg(test)]
mod schema_tests;
#[cfg(test)]
pub(crate) mod tests;
