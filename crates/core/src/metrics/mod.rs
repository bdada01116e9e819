//! One definition each, one file each: what is subtracted from what, and when there is no figure.
//!
//! `t0` is `sent` (service time). Every metric of a request is a pure function of its one trace.

mod complete_visible;
mod counts;
mod e2e;
mod first_answer;
mod first_event;
mod first_useful;
mod first_visible;
mod generation;
mod inter_chunk;
mod last_answer;
mod output_rate;
mod render_gap;
mod response;
mod steady;
mod throughput;
mod tokens;
mod tpot;
mod ttfb;
mod ttft;

pub use inter_chunk::gaps;
pub use response::response_of;
pub use steady::steady_state;
pub use throughput::{Throughput, throughput, throughput_until};
pub use tokens::{Tokens, output_tokens};

use crate::Micros;
use crate::mark::{Absence, Mark};
use crate::paint::Paint;
use crate::trace::{Shape, Trace};

/// A figure of one request: one value, or the bounds of a value that is not known more closely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// The value.
    Exact(i64),
    /// Not less than the first, not more than the second where that is known.
    Bounds(i64, Option<i64>),
}

/// What a metric's integers count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// µs.
    Time,
    /// Thousandths of a count.
    Count,
    /// Thousandths of tokens per second.
    TokenRate,
}

/// The metrics of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// Time to first byte.
    Ttfb,
    /// Time to first event.
    FirstEvent,
    /// Time to first token on any channel.
    Ttft,
    /// Time to first answer token.
    FirstAnswer,
    /// Time to first useful output.
    FirstUseful,
    /// Time to first visible output.
    FirstVisible,
    /// End-to-end latency.
    EndToEnd,
    /// Time to last answer token.
    LastAnswer,
    /// Time to complete, visible.
    CompleteVisible,
    /// Generation time.
    Generation,
    /// Mean inter-token latency.
    Tpot,
    /// Inter-chunk gap (pooled over requests).
    InterChunk,
    /// Longest stall.
    LongestStall,
    /// First render gap.
    RenderGapFirst,
    /// Last render gap.
    RenderGapLast,
    /// Output rate per request.
    OutputRate,
    /// Tokens per chunk.
    TokensPerChunk,
    /// Events per read.
    EventsPerRead,
}

impl Metric {
    /// Every metric in the order of the table.
    pub const ALL: [Metric; 18] = [
        Metric::FirstVisible,
        Metric::CompleteVisible,
        Metric::Ttft,
        Metric::FirstAnswer,
        Metric::FirstUseful,
        Metric::EndToEnd,
        Metric::LastAnswer,
        Metric::Ttfb,
        Metric::FirstEvent,
        Metric::Generation,
        Metric::Tpot,
        Metric::OutputRate,
        Metric::InterChunk,
        Metric::LongestStall,
        Metric::RenderGapFirst,
        Metric::RenderGapLast,
        Metric::TokensPerChunk,
        Metric::EventsPerRead,
    ];

    /// The stable name used in exports.
    pub fn code(self) -> &'static str {
        match self {
            Metric::Ttfb => "ttfb",
            Metric::FirstEvent => "time_to_first_event",
            Metric::Ttft => "ttft",
            Metric::FirstAnswer => "time_to_first_answer",
            Metric::FirstUseful => "time_to_first_useful",
            Metric::FirstVisible => "ttfv",
            Metric::EndToEnd => "e2e",
            Metric::LastAnswer => "time_to_last_answer",
            Metric::CompleteVisible => "complete_visible",
            Metric::Generation => "generation",
            Metric::Tpot => "tpot",
            Metric::InterChunk => "inter_chunk_gap",
            Metric::LongestStall => "longest_stall",
            Metric::RenderGapFirst => "render_gap_first",
            Metric::RenderGapLast => "render_gap_last",
            Metric::OutputRate => "output_rate",
            Metric::TokensPerChunk => "tokens_per_chunk",
            Metric::EventsPerRead => "events_per_read",
        }
    }

    /// What its integers count.
    pub fn unit(self) -> Unit {
        match self {
            Metric::TokensPerChunk | Metric::EventsPerRead => Unit::Count,
            Metric::OutputRate => Unit::TokenRate,
            _ => Unit::Time,
        }
    }

    /// The marks between which it runs, where it is a plain difference.
    pub fn boundary(self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Metric::Ttfb => ("sent", "first_byte"),
            Metric::FirstEvent => ("sent", "first_event"),
            Metric::Ttft => ("sent", "first_output"),
            Metric::FirstAnswer => ("sent", "first_answer"),
            Metric::FirstUseful => ("sent", "first_useful"),
            Metric::FirstVisible => ("sent", "first_visible"),
            Metric::EndToEnd => ("sent", "last_output"),
            Metric::LastAnswer => ("sent", "last_answer"),
            Metric::CompleteVisible => ("sent", "complete_visible"),
            Metric::Generation => ("first_output", "last_output"),
            Metric::RenderGapFirst => ("first_answer", "first_visible"),
            Metric::RenderGapLast => ("last_answer", "complete_visible"),
            _ => return None,
        })
    }

    /// It ends on the screen: only requests of the painted subset have it.
    pub fn is_seen(self) -> bool {
        matches!(self, Metric::FirstVisible | Metric::CompleteVisible | Metric::RenderGapFirst | Metric::RenderGapLast)
    }

    /// It depends on a number of tokens, which may be an estimate.
    pub fn uses_tokens(self) -> bool {
        matches!(self, Metric::Tpot | Metric::OutputRate | Metric::TokensPerChunk)
    }

    /// Differences that may be negative within clock error.
    pub fn may_be_negative(self) -> bool {
        matches!(self, Metric::RenderGapFirst | Metric::RenderGapLast)
    }

    /// The figure of one request; for [`Metric::InterChunk`], whose values are pooled, see [`gaps`].
    pub fn of(self, trace: &Trace) -> Result<Figure, Absence> {
        match self {
            Metric::Ttfb => ttfb::of(trace),
            Metric::FirstEvent => first_event::of(trace),
            Metric::Ttft => ttft::of(trace),
            Metric::FirstAnswer => first_answer::of(trace),
            Metric::FirstUseful => first_useful::of(trace),
            Metric::FirstVisible => first_visible::of(trace),
            Metric::EndToEnd => e2e::of(trace),
            Metric::LastAnswer => last_answer::of(trace),
            Metric::CompleteVisible => complete_visible::of(trace),
            Metric::Generation => generation::of(trace),
            Metric::Tpot => tpot::of(trace),
            Metric::InterChunk => Err(Absence::TooFew),
            Metric::LongestStall => inter_chunk::longest_stall(trace),
            Metric::RenderGapFirst => render_gap::first(trace),
            Metric::RenderGapLast => render_gap::last(trace),
            Metric::OutputRate => output_rate::of(trace),
            Metric::TokensPerChunk => counts::tokens_per_chunk(trace),
            Metric::EventsPerRead => counts::events_per_read(trace),
        }
    }
}

/// The time from one mark to another.
fn between(trace: &Trace, from: Mark, to: Mark) -> Result<Figure, Absence> {
    trace.marks.between(from, to).map(|span| Figure::Exact(span.0))
}

/// The time from a mark to a paint.
fn until_seen(trace: &Trace, from: Mark, paint: Paint) -> Result<Figure, Absence> {
    let (from, seen) = (trace.marks.get(from)?, paint?);
    Ok(match seen.value {
        Some(value) => Figure::Exact((value - from).0),
        None => Figure::Bounds((seen.earliest - from).0, seen.latest.map(|l| (l - from).0)),
    })
}

/// A reply that came in parts of a generated text; else why first-token metrics do not apply.
fn streamed(trace: &Trace) -> Result<(), Absence> {
    match trace.shape {
        Some(Shape::Stream) => Ok(()),
        Some(Shape::Whole) => Err(Absence::NonStreaming),
        Some(Shape::Prediction) => Err(Absence::SinglePrediction),
        None => Err(Absence::NotReached),
    }
}

/// A span in µs, for sums of exact figures.
fn exact(figure: Figure) -> Result<Micros, Absence> {
    match figure {
        Figure::Exact(value) => Ok(Micros(value)),
        Figure::Bounds(..) => Err(Absence::BoundsOnly),
    }
}

#[cfg(test)]
pub(crate) mod tests;
