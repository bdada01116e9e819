//! What can be wrong with a configuration, and in which field of the form?

use crate::load::{ReplayError, Unspelled, Wrong};
use crate::slo::SloError;
use crate::workload::{ImportError, WorkloadProblem};

/// What is wrong with a configuration, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Not a URL.
    #[error("the address is not a complete URL: {0}")]
    Url(String),
    /// Neither http nor https.
    #[error("the address begins with {0}:, but only http: and https: can be measured")]
    Scheme(String),
    /// A user name or password inside the URL; browsers refuse it.
    #[error("the address holds a user name or password, which browsers refuse")]
    Credentials,
    /// An https page may not call an http target.
    #[error("this page is https and the address is http: browsers block that")]
    MixedContent,
    /// A header line without a colon, or with characters that a header can't have.
    #[error("header line {0} is not of the form Name: value")]
    Header(usize),
    /// A header that browsers set themselves.
    #[error("browsers don't let a page set the header {0}")]
    ForbiddenHeader(String),
    /// The key's header is not a name.
    #[error("the header for the key is not a header name")]
    KeyHeader,
    /// A key that can't stand in a header.
    #[error("the key holds a character that a header can't carry")]
    Key,
    /// Not JSON.
    #[error("the body is not JSON: {0}")]
    Body(String),
    /// JSON, but not an object.
    #[error("the body's fields must be a JSON object")]
    BodyNotObject,
    /// A number outside its range.
    #[error("{field} must be from {min} to {max}")]
    Range {
        /// Which field.
        field: Field,
        /// Smallest.
        min: u32,
        /// Largest.
        max: u32,
    },
    /// Nothing to ask.
    #[error("the prompt is empty")]
    Prompt,
    /// A format that is not known.
    #[error("there is no format {0}")]
    Format(String),
    /// Not a JSON pointer.
    #[error("a JSON pointer begins with / (or is empty, for the whole)")]
    Pointer(Field),
    /// A line that is no mapping.
    #[error("span line {0} is not of the form HEADER-OR-/POINTER = NAME UNIT BOUNDARY")]
    Span(usize),
    /// A load that can't be.
    #[error("{0}")]
    Load(Wrong),
    /// Something in the address of the target's clock.
    #[error("the clock of the target: {0}")]
    Probe(Box<Problem>),
    /// Something in the candidate's address.
    #[error("the candidate: {0}")]
    Candidate(Box<Problem>),
    /// Something in the address of the server's metrics.
    #[error("the server's metrics: {0}")]
    Metrics(Box<Problem>),
    /// A line in a notation of ours that is not understood.
    #[error("{0}: {1}")]
    Spelling(Field, Unspelled),
    /// The times of a replay.
    #[error("{0}")]
    Replay(ReplayError),
    /// A line that is no limit.
    #[error("{0}: {1}")]
    Limit(Field, SloError),
    /// Not a price.
    #[error("“{0}” is not a price: write a number from 0, such as 0.15")]
    Price(String),
    /// A decision without what must hold, or without the claim.
    #[error("a decision needs a claim and at least one line of what must hold")]
    Decision,
    /// A limit on spend without prices.
    #[error("a limit on spend needs prices")]
    SpendWithoutPrices,
    /// A line of an imported file.
    #[error("{0}")]
    Import(ImportError),
    /// Something in the workload.
    #[error("the workload: {0}")]
    Workload(WorkloadProblem),
}

/// A field of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The address.
    Url,
    /// Header lines.
    Headers,
    /// The key.
    Key,
    /// The header for the key.
    KeyHeader,
    /// The body.
    Body,
    /// The prompt.
    Prompt,
    /// Number of requests.
    Requests,
    /// Concurrency.
    Concurrency,
    /// Warm-up.
    WarmUp,
    /// Time limit.
    Timeout,
    /// Output limit.
    MaxTokens,
    /// The format.
    Format,
    /// The JSON pointer to the text.
    TextPointer,
    /// The JSON pointer to the results.
    ItemsPointer,
    /// Mapped spans.
    Spans,
    /// Where the target's clock is asked.
    Probe,
    /// The load's shape.
    Load,
    /// Users who give up.
    Cancel,
    /// The comparison inside the run.
    Versus,
    /// Limits of each request.
    Thresholds,
    /// Stop rules.
    StopRules,
    /// What a decision needs.
    Criteria,
    /// Prices.
    Prices,
    /// The workload.
    Workload,
    /// The address of the server's metrics.
    MetricsUrl,
    /// How often the server's metrics are read.
    MetricsPeriod,
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Field::Url => "the address",
            Field::Headers => "the headers",
            Field::Key => "the key",
            Field::KeyHeader => "the header for the key",
            Field::Body => "the body",
            Field::Prompt => "the prompt",
            Field::Requests => "the number of requests",
            Field::Concurrency => "the concurrency",
            Field::WarmUp => "the warm-up",
            Field::Timeout => "the time limit in seconds",
            Field::MaxTokens => "the output limit",
            Field::Format => "the format",
            Field::TextPointer => "the pointer to the text",
            Field::ItemsPointer => "the pointer to the results",
            Field::Spans => "the server's timings",
            Field::Probe => "the clock of the target",
            Field::Load => "the load",
            Field::Cancel => "the users who give up",
            Field::Versus => "the comparison",
            Field::Thresholds => "the limits for each request",
            Field::StopRules => "the stop rules",
            Field::Criteria => "the criteria",
            Field::Prices => "the prices",
            Field::Workload => "the workload",
            Field::MetricsUrl => "the address of the server's metrics",
            Field::MetricsPeriod => "the period of the server's metrics in milliseconds",
        })
    }
}

impl Problem {
    /// The field to put right.
    pub fn field(&self) -> Field {
        match self {
            Problem::Url(_) | Problem::Scheme(_) | Problem::Credentials | Problem::MixedContent => Field::Url,
            Problem::Header(_) | Problem::ForbiddenHeader(_) => Field::Headers,
            Problem::Key => Field::Key,
            Problem::KeyHeader => Field::KeyHeader,
            Problem::Body(_) | Problem::BodyNotObject => Field::Body,
            Problem::Range { field, .. } => *field,
            Problem::Prompt => Field::Prompt,
            Problem::Format(_) => Field::Format,
            Problem::Pointer(field) => *field,
            Problem::Span(_) => Field::Spans,
            Problem::Probe(_) => Field::Probe,
            Problem::Load(Wrong::TwoComparisons | Wrong::Candidate) | Problem::Candidate(_) => Field::Versus,
            Problem::Load(Wrong::Cancel) => Field::Cancel,
            Problem::Load(_) | Problem::Replay(_) => Field::Load,
            Problem::Spelling(field, _) | Problem::Limit(field, _) => *field,
            Problem::Price(_) | Problem::SpendWithoutPrices => Field::Prices,
            Problem::Decision => Field::Criteria,
            Problem::Workload(_) | Problem::Import(_) => Field::Workload,
            Problem::Metrics(_) => Field::MetricsUrl,
        }
    }
}
