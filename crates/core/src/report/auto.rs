//! A run without a hand on the page: what the command line hands to the page, and what the page gives back.

use serde::{Deserialize, Serialize};

use crate::config::{RunConfig, Secrets};

/// A job for the page, fetched once from the page's own server and held in memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AutoJob {
    /// What to measure.
    pub config: RunConfig,
    /// Kept in memory only.
    #[serde(default)]
    pub secrets: Secrets,
    /// How often to ask the server for its clock, before and after the run (0: not).
    #[serde(default)]
    pub clock_probes: u32,
}

/// One question for the server's clock.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockProbe {
    /// Page clock before asking, in µs.
    pub asked: i64,
    /// The server's clock, in its own µs.
    pub server: i64,
    /// Page clock when the reply was there, in µs.
    pub answered: i64,
}

/// What the page gives back.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AutoReport {
    /// The run file; none if the run could not begin.
    pub run: Option<super::RunFile>,
    /// Why the run could not begin.
    #[serde(default)]
    pub problems: Vec<String>,
    /// The asked-for clock probes.
    #[serde(default)]
    pub clock_probes: Vec<ClockProbe>,
}
