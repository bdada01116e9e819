//! One delivery: `{"firstlight": 1, "dropped": n, "reports": […]}`.

use serde_json::Value;

use super::{Report, Why};

/// The version of the envelope.
const VERSION: u64 = 1;

/// A delivery, each report read or refused.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Reports that the page dropped since its last delivery.
    pub dropped: u64,
    /// Those that can be passed on.
    pub reports: Vec<Report>,
    /// Those that can't.
    pub refused: Vec<Refused>,
}

/// A report that is not passed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its place in the delivery, from 0.
    pub at: usize,
    /// Why.
    pub why: Why,
}

/// Why a delivery can't be read as a whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BatchError {
    /// Not JSON.
    #[error("the body is not JSON ({0})")]
    NotJson(String),
    /// JSON of something else.
    #[error("the body is neither {{\"firstlight\": 1, \"reports\": […]}} nor a run file: send what firstlight/deliver sends")]
    NotOurs,
    /// Written by a newer package.
    #[error("the delivery has version {0}, this collector reads version 1: use a newer collector")]
    Newer(u64),
    /// Too many.
    #[error("{found} reports in one delivery, at most {most} are taken: send fewer at once (maxBytes of deliver)")]
    TooMany {
        /// How many it holds.
        found: usize,
        /// How many are taken.
        most: usize,
    },
}

impl Batch {
    /// Reads a delivery of at most so many reports.
    pub fn of(delivery: &Value, most: usize) -> Result<Batch, BatchError> {
        let version = delivery.get("firstlight").and_then(Value::as_u64).ok_or(BatchError::NotOurs)?;
        if version != VERSION {
            return Err(BatchError::Newer(version));
        }
        let reports = delivery.get("reports").and_then(Value::as_array).ok_or(BatchError::NotOurs)?;
        if reports.len() > most {
            return Err(BatchError::TooMany { found: reports.len(), most });
        }
        let mut batch = Batch { dropped: delivery.get("dropped").and_then(Value::as_u64).unwrap_or(0), ..Batch::default() };
        for (at, report) in reports.iter().enumerate() {
            match Report::of(report) {
                Ok(report) => batch.reports.push(report),
                Err(why) => batch.refused.push(Refused { at, why }),
            }
        }
        Ok(batch)
    }
}
