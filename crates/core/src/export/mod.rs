//! A run in the formats of others: pure functions from a run to a text, so that the page and the command line give the same
//! bytes. What people asked and were answered is in none of them.

mod csv;
mod jsonl;
mod samples;

use crate::report::Run;
use crate::text::Lang;

/// What a run can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// A row for each request.
    Csv,
    /// An object for each request.
    Jsonl,
}

/// What a text depends on beside the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// The language of formats that people read.
    pub lang: Lang,
    /// Of formats that hold one series: which one, by its name; the first that has samples if none.
    pub series: Option<&'a str>,
}

/// Why a run can't be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// No request gave a time.
    #[error("no request of this run gave a time, so there is no histogram to write")]
    NoSamples,
    /// There is no such series.
    #[error("this run has no series “{asked}”; it has {}", known.join(", "))]
    Series {
        /// As asked.
        asked: String,
        /// Those there are.
        known: Vec<String>,
    },
}

impl Format {
    /// Every format, in the order of the menu.
    pub const ALL: [Format; 2] = [Format::Csv, Format::Jsonl];

    /// The stable name used on the command line and in the page.
    pub fn code(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Jsonl => "jsonl",
        }
    }

    /// The format of a stable name.
    pub fn from_code(code: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.code() == code)
    }

    /// What the file's name ends with, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Csv | Format::Jsonl => self.code(),
        }
    }

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Format::Csv => "text/csv;charset=utf-8",
            Format::Jsonl => "application/x-ndjson",
        }
    }

    /// The text.
    pub fn write(self, run: &Run, options: Options<'_>) -> Result<String, ExportError> {
        // Not every format has words or series.
        let Options { lang: _, series: _ } = options;
        Ok(match self {
            Format::Csv => csv::write(run),
            Format::Jsonl => jsonl::write(run),
        })
    }

    /// The name of the file beside a run file's: `run.json` → `run.csv`.
    pub fn file_name(self, run_file: &str) -> String {
        format!("{}.{}", run_file.trim_end_matches(".json"), self.extension())
    }
}

#[cfg(test)]
mod tests;
