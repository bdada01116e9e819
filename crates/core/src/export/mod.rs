//! A run in the formats of others: pure functions from a run to a text, so that the page and the command line give the same
//! bytes. What people asked and were answered is in none of them.

mod content;
mod csv;
mod hgrm;
mod hlog;
mod html;
mod instant;
mod jsonl;
mod markdown;
pub mod otlp;
mod samples;
mod series;

pub use series::series_names;

use crate::report::Run;
use crate::text::{Exp, Lang};

/// What a run can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// A row for each request.
    Csv,
    /// An object for each request.
    Jsonl,
    /// A summary for a pull request.
    Markdown,
    /// The whole result with its charts in one file.
    Html,
    /// HdrHistogram's interval log.
    Hlog,
    /// HdrHistogram's percentile distribution of one series.
    Hgrm,
    /// OTLP: the document of metrics.
    OtlpMetrics,
    /// OTLP: the document of traces.
    OtlpTraces,
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
    #[error("{}", Exp::NoSamples.get(Lang::En))]
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
    pub const ALL: [Format; 8] = [
        Format::Html,
        Format::Markdown,
        Format::Csv,
        Format::Jsonl,
        Format::Hlog,
        Format::Hgrm,
        Format::OtlpMetrics,
        Format::OtlpTraces,
    ];

    /// The stable name used on the command line and in the page.
    pub fn code(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Jsonl => "jsonl",
            Format::Markdown => "markdown",
            Format::Html => "html",
            Format::Hlog => "hlog",
            Format::Hgrm => "hgrm",
            Format::OtlpMetrics => "otlp-metrics",
            Format::OtlpTraces => "otlp-traces",
        }
    }

    /// The format of a stable name.
    pub fn from_code(code: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.code() == code)
    }

    /// What the file's name ends with, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Markdown => "md",
            Format::OtlpMetrics => "otlp-metrics.json",
            Format::OtlpTraces => "otlp-traces.json",
            other => other.code(),
        }
    }

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Format::Csv => "text/csv;charset=utf-8",
            Format::Jsonl => "application/x-ndjson",
            Format::Markdown => "text/markdown;charset=utf-8",
            Format::Html => "text/html;charset=utf-8",
            Format::Hlog | Format::Hgrm => "text/plain;charset=utf-8",
            Format::OtlpMetrics | Format::OtlpTraces => "application/json",
        }
    }

    /// The text.
    pub fn write(self, run: &Run, options: Options<'_>) -> Result<String, ExportError> {
        Ok(match self {
            Format::Csv => csv::write(run),
            Format::Jsonl => jsonl::write(run),
            Format::Markdown => markdown::write(run, options.lang),
            Format::Html => html::write(run, options.lang),
            Format::Hlog => hlog::write(run)?,
            Format::Hgrm => hgrm::write(run, options.series)?,
            Format::OtlpMetrics => otlp::metrics(run),
            Format::OtlpTraces => otlp::traces(run),
        })
    }

    /// It holds one series, which can be chosen.
    pub fn has_series(self) -> bool {
        self == Format::Hgrm
    }

    /// The name of the file beside a run file's: `run.json` → `run.csv`, and of one series `run-ttft-streaming-value.hgrm`.
    pub fn file_name(self, run_file: &str, options: Options<'_>) -> String {
        let series = options.series.filter(|_| self.has_series()).map(|name| format!("-{}", name.replace('/', "-")));
        format!("{}{}.{}", run_file.trim_end_matches(".json"), series.unwrap_or_default(), self.extension())
    }
}

#[cfg(test)]
mod tests;
