//! The series of a run that have a histogram, by name.

use super::ExportError;
use crate::stats::Histogram;
use crate::summary::{Row, Summary};

/// One series.
pub(super) struct Series<'a> {
    pub(super) name: String,
    pub(super) row: &'a Row,
    pub(super) histogram: Histogram,
}

impl Series<'_> {
    /// What a histogram can't say, in words that a comment can hold.
    pub(super) fn remarks(&self) -> String {
        let Histogram { clamped_high, clamped_low, negative, .. } = &self.histogram;
        let censored = self.row.distribution.censored();
        format!("clamped_high={clamped_high} clamped_low={clamped_low} negative={negative} censored={censored}")
    }
}

/// Every series, in the order of the table.
pub(super) fn all(summary: &Summary) -> Result<Vec<Series<'_>>, ExportError> {
    let of = |row| Some(Series { name: Row::series(row), row, histogram: Histogram::of(&row.distribution)? });
    let all: Vec<Series<'_>> = summary.rows.iter().filter(|row| row.has_times()).filter_map(of).collect();
    if all.is_empty() { Err(ExportError::NoSamples) } else { Ok(all) }
}

/// The named series, or the first.
pub(super) fn one<'a>(summary: &'a Summary, name: Option<&str>) -> Result<Series<'a>, ExportError> {
    let mut all = all(summary)?;
    let at = match name {
        None => Some(0),
        Some(name) => all.iter().position(|series| series.name == name),
    };
    match at {
        Some(at) => Ok(all.swap_remove(at)),
        None => Err(ExportError::Series {
            asked: name.unwrap_or_default().to_owned(),
            known: all.into_iter().map(|series| series.name).collect(),
        }),
    }
}

/// The names of a run's series; none if no request gave a time.
pub fn series_names(summary: &Summary) -> Vec<String> {
    summary.rows.iter().filter(|row| row.has_times()).map(Row::series).collect()
}
