//! One reply, whole: status, headers, timed pieces, ending, and what a perfect observer would measure.

use crate::ask::Ask;
use crate::dialect::{self, Said};
use crate::error::ScheduleError;
use crate::fault::Fault;
use crate::format::Format;
use crate::limit::Service;
use crate::piece::{Ending, Kind, Piece};
use crate::plan::{Plan, ServerTiming};
use crate::reply::Reply;
use crate::report::{self, Measured};
use crate::timeline::Timeline;
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

/// How a body is compressed on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// gzip; each piece is flushed.
    GzipFlushed,
    /// gzip; nothing is flushed before the end.
    GzipHeld,
}

/// What is sent and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The HTTP status.
    pub status: u16,
    /// In which format.
    pub format: Format,
    /// `Content-Type`.
    pub content_type: &'static str,
    /// `Content-Encoding`; the pieces are as they are before it.
    pub encoding: Option<Encoding>,
    /// `Retry-After`, in seconds.
    pub retry_after_s: Option<u32>,
    /// Held before everything, in µs: in the queue before the slots, and for `queue_ms`.
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
    /// What is said.
    pub said: Said,
    pub(crate) server_timing: ServerTiming,
}

impl Schedule {
    /// The schedule of parameters and one question.
    pub fn parse<N: AsRef<str>, V: AsRef<str>>(pairs: &[(N, V)], ask: &Ask) -> Result<Schedule, ScheduleError> {
        Plan::parse(pairs)?.schedule(ask)
    }

    /// What comes later because the server stands still.
    fn frozen(mut self, service: Service) -> Schedule {
        let comes = |at_us: &mut u64| *at_us = service.comes(*at_us);
        comes(&mut self.queue_us);
        self.head_at_us.iter_mut().for_each(comes);
        self.pieces.iter_mut().for_each(|piece| comes(&mut piece.at_us));
        self.expected.first_output_us.iter_mut().for_each(comes);
        self.expected.last_output_us.iter_mut().for_each(comes);
        match &mut self.ending {
            Ending::Reset(at_us) => comes(at_us),
            // Endless pieces know of it.
            Ending::Clean | Ending::Open | Ending::Endless(_) => {}
        }
        self
    }

    /// The text of the `Server-Timing` header; none if it is not sent.
    pub fn server_timing(&self, measured: Measured) -> Option<String> {
        report::header(&self.server_timing, self.streamed, measured)
    }
}

impl Plan {
    /// The reply to one question that is served at once.
    pub fn schedule(&self, ask: &Ask) -> Result<Schedule, ScheduleError> {
        self.schedule_served(ask, Service::default())
    }

    /// The reply to one question, everything in it as late as it was served.
    pub fn schedule_served(&self, ask: &Ask, service: Service) -> Result<Schedule, ScheduleError> {
        self.build(ask, service, None)
    }

    /// The reply to one question, at the times of a timeline where there is one.
    pub(crate) fn build(&self, ask: &Ask, service: Service, timeline: Option<&Timeline>) -> Result<Schedule, ScheduleError> {
        let mut reply = Reply::new(self, ask, service);
        reply.timeline = timeline;
        let streams = ask.stream && self.format.streams() && self.fault != Some(Fault::Json);
        let mut schedule = match self.fault {
            Some(Fault::Status(status)) => self.failed(status, service),
            Some(Fault::Html) => self.page(service),
            Some(Fault::NeverEnds) if !streams => return Err(ScheduleError::NeverEndsWhole),
            _ if self.format == Format::Html => self.page(service),
            _ if streams => reply.streamed(),
            _ => reply.whole(),
        };
        match self.fault {
            Some(Fault::WrongContentType) => schedule.content_type = wrong(schedule.content_type),
            Some(Fault::Gzip) => schedule.encoding = Some(Encoding::GzipFlushed),
            Some(Fault::GzipNoFlush) => schedule.encoding = Some(Encoding::GzipHeld),
            Some(Fault::LyingServerTiming) => schedule.server_timing = ServerTiming::Lying,
            _ => {}
        }
        Ok(schedule.frozen(service))
    }

    fn failed(&self, status: u16, service: Service) -> Schedule {
        let at_us = self.start_us(service);
        let piece = Piece { at_us, bytes: dialect::failure(self.format, status, Fault::message(status)), kind: Kind::Error };
        let retry_after_s = (status == 429).then_some(7);
        Schedule { status, retry_after_s, ..self.one(service, "application/json", piece) }
    }

    fn page(&self, service: Service) -> Schedule {
        let at_us = self.start_us(service) + self.ttft_ms * 1000;
        self.one(service, "text/html; charset=utf-8", Piece { at_us, bytes: whole::page(), kind: Kind::Page })
    }

    /// A body of one piece, whose headers leave with it.
    pub(crate) fn one(&self, service: Service, content_type: &'static str, piece: Piece) -> Schedule {
        let at_us = piece.at_us;
        let pieces = if piece.bytes.is_empty() { Vec::new() } else { written(self, vec![piece]) };
        Schedule {
            status: 200,
            format: self.format,
            content_type,
            encoding: None,
            retry_after_s: None,
            queue_us: self.start_us(service),
            head_at_us: (self.fault != Some(Fault::Hang)).then_some(at_us),
            streamed: false,
            pieces,
            ending: Ending::Clean,
            expected: Expected::default(),
            said: Said::default(),
            server_timing: self.server_timing.clone(),
        }
    }
}

/// What a careless server says instead.
fn wrong(content_type: &str) -> &'static str {
    match content_type {
        "application/x-ndjson" => "application/json",
        "application/json" | "text/plain; charset=utf-8" => "application/octet-stream",
        _ => "text/plain; charset=utf-8",
    }
}

/// Cut no sooner than planned, and not before the last piece is on its way.
pub(crate) fn reset_after(pieces: &[Piece], planned_us: u64) -> Ending {
    Ending::Reset(pieces.last().map_or(planned_us, |p| planned_us.max(p.at_us + RESET_AFTER_US)))
}

#[cfg(test)]
mod tests;
