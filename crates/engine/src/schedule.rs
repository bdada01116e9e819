//! One reply, whole: status, headers, timed pieces, ending, and what a perfect observer would measure.

use crate::ask::Ask;
use crate::error::ScheduleError;
use crate::fault::Fault;
use crate::format::Format;
use crate::piece::{Ending, Kind, Piece};
use crate::plan::{Plan, ServerTiming};
use crate::reply::Reply;
use crate::report::{self, Measured};
use crate::whole;
use crate::writes::written;

/// A connection is cut no sooner than this after the last piece, so that the piece is on its way.
const RESET_AFTER_US: u64 = 5_000;

/// What a perfect observer at the server would measure, in µs since the request was received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// The first output of a stream.
    pub first_output_us: Option<u64>,
    /// The last output; none where it never ends or there is no output.
    pub last_output_us: Option<u64>,
    /// Output tokens that are sent.
    pub tokens: u64,
}

/// What is sent and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The HTTP status.
    pub status: u16,
    /// `Content-Type`.
    pub content_type: &'static str,
    /// `Retry-After`, in seconds.
    pub retry_after_s: Option<u32>,
    /// Held before everything, in µs.
    pub queue_us: u64,
    /// When the headers leave, in µs since the request was received; none if they never do.
    pub head_at_us: Option<u64>,
    /// The body comes in parts.
    pub streamed: bool,
    /// The body, in order of time.
    pub pieces: Vec<Piece>,
    /// How it ends.
    pub ending: Ending,
    /// What a perfect observer would measure.
    pub expected: Expected,
    pub(crate) server_timing: ServerTiming,
}

impl Schedule {
    /// The schedule of parameters and one question.
    pub fn parse<N: AsRef<str>, V: AsRef<str>>(pairs: &[(N, V)], ask: &Ask) -> Result<Schedule, ScheduleError> {
        Plan::parse(pairs)?.schedule(ask)
    }

    /// The text of the `Server-Timing` header; none if it is not sent.
    pub fn server_timing(&self, measured: Measured) -> Option<String> {
        report::header(&self.server_timing, self.streamed, measured)
    }
}

impl Plan {
    /// The reply to one question.
    pub fn schedule(&self, ask: &Ask) -> Result<Schedule, ScheduleError> {
        let streams = ask.stream && self.format.streams() && self.fault != Some(Fault::Json);
        match self.fault {
            Some(Fault::Status(status)) => Ok(self.failed(status)),
            Some(Fault::Html) => Ok(self.page()),
            Some(Fault::NeverEnds) if !streams => Err(ScheduleError::NeverEndsWhole),
            _ if self.format == Format::Html => Ok(self.page()),
            _ if streams => Ok(Reply::new(self, ask).streamed()),
            _ => Ok(Reply::new(self, ask).whole()),
        }
    }

    fn failed(&self, status: u16) -> Schedule {
        let at_us = self.queue_ms * 1000;
        let piece = Piece { at_us, bytes: whole::error(Fault::message(status)), kind: Kind::Error };
        let retry_after_s = (status == 429).then_some(7);
        Schedule { status, retry_after_s, ..self.one("application/json", piece) }
    }

    fn page(&self) -> Schedule {
        let at_us = (self.queue_ms + self.ttft_ms) * 1000;
        self.one("text/html; charset=utf-8", Piece { at_us, bytes: whole::page(), kind: Kind::Page })
    }

    /// A body of one piece, whose headers leave with it.
    pub(crate) fn one(&self, content_type: &'static str, piece: Piece) -> Schedule {
        let at_us = piece.at_us;
        let pieces = if piece.bytes.is_empty() { Vec::new() } else { written(self, vec![piece]) };
        Schedule {
            status: 200,
            content_type,
            retry_after_s: None,
            queue_us: self.queue_ms * 1000,
            head_at_us: (self.fault != Some(Fault::Hang)).then_some(at_us),
            streamed: false,
            pieces,
            ending: Ending::Clean,
            expected: Expected::default(),
            server_timing: self.server_timing.clone(),
        }
    }
}

/// Cut no sooner than planned, and not before the last piece is on its way.
pub(crate) fn reset_after(pieces: &[Piece], planned_us: u64) -> Ending {
    Ending::Reset(pieces.last().map_or(planned_us, |p| planned_us.max(p.at_us + RESET_AFTER_US)))
}

#[cfg(test)]
mod tests;
