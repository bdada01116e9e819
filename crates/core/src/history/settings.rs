//! What a person says about keeping runs.

use serde::{Deserialize, Serialize};

use crate::typed;

/// The smallest limit, in MB.
pub const MIN_LIMIT_MB: f64 = 0.01;
/// The largest limit, in MB: a terabyte.
pub const MAX_LIMIT_MB: f64 = 1_000_000.0;

/// Whether runs are kept, and how much of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Runs are kept.
    pub keep: bool,
    /// The most bytes of them all, as run files count them.
    pub limit: u64,
}

impl Default for Settings {
    /// Some hundred ordinary runs, well below what any browser allows a site.
    fn default() -> Settings {
        Settings { keep: true, limit: 200_000_000 }
    }
}

impl Settings {
    /// From a text; of another one, the usual settings.
    pub fn read(text: &str) -> Settings {
        typed::from_str(text).unwrap_or_default()
    }

    /// The limit as a person reads and types it, in MB.
    pub fn limit_mb(&self) -> f64 {
        self.limit as f64 / 1_000_000.0
    }
}

/// The limit in bytes of what was typed, in MB; none if it is no number in its range.
pub fn limit_of(typed: &str) -> Option<u64> {
    let mb = typed.trim().replace(',', "").parse::<f64>().ok()?;
    (MIN_LIMIT_MB..=MAX_LIMIT_MB).contains(&mb).then(|| (mb * 1_000_000.0).round() as u64)
}
