//! What the server said about itself: named spans, each with its unit, source and boundary.

mod body;
mod headers;
mod mapping;
mod server_timing;
mod stages;

pub(crate) use body::{bedrock, ollama, openai_like, sglang};
pub use headers::{TIMING_HEADERS, spans_from_headers};
pub(crate) use mapping::mapped;
pub use mapping::{From, Mapping};
pub use server_timing::{Entry, parse_server_timing, spans_from_entries, spans_from_header};
pub use stages::{STAGES, Stage, Stages, stages_of_entries};
pub(crate) use stages::{sound_clock, stages_of_json, time};

use crate::Micros;

/// What a span starts and ends at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Boundary {
    /// From somewhere in the server to the sending of the headers. Never compared with an end-to-end time.
    ToHeaders,
    /// Waiting for a place.
    Queue,
    /// Tokenising, templating, routing.
    Preprocessing,
    /// Reading the prompt: from the slot's start to the first token.
    Prefill,
    /// The server's own time to first token.
    TimeToFirstToken,
    /// From the first token to the last.
    Decode,
    /// Prefill and decode together; waiting for a place is left out.
    PrefillDecode,
    /// The whole request as the server saw it.
    Total,
    /// A named part that lies somewhere inside the request; its position is not known.
    Component,
    /// What Firstlight's own forwarder measured of itself and of its way to the server: no report of the server.
    Forwarder,
}

impl Boundary {
    /// Every boundary.
    pub const ALL: [Boundary; 10] = [
        Boundary::ToHeaders,
        Boundary::Queue,
        Boundary::Preprocessing,
        Boundary::Prefill,
        Boundary::TimeToFirstToken,
        Boundary::Decode,
        Boundary::PrefillDecode,
        Boundary::Total,
        Boundary::Component,
        Boundary::Forwarder,
    ];

    /// The stable name used in run files.
    pub fn code(self) -> &'static str {
        match self {
            Boundary::ToHeaders => "to_headers",
            Boundary::Queue => "queue",
            Boundary::Preprocessing => "preprocessing",
            Boundary::Prefill => "prefill",
            Boundary::TimeToFirstToken => "time_to_first_token",
            Boundary::Decode => "decode",
            Boundary::PrefillDecode => "prefill_decode",
            Boundary::Total => "total",
            Boundary::Component => "component",
            Boundary::Forwarder => "forwarder",
        }
    }

    /// The boundary of a stable name.
    pub fn from_code(code: &str) -> Option<Boundary> {
        Boundary::ALL.into_iter().find(|b| b.code() == code)
    }
}

/// Where a span was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// A response header other than `Server-Timing`.
    Header,
    /// The `Server-Timing` response header.
    ServerTimingHeader,
    /// `serverTiming` of the browser's resource timing entry.
    ServerTimingEntry,
    /// A `Server-Timing` trailer: sent behind the body, so it can know all of it.
    Trailer,
    /// A field of the body.
    BodyField,
    /// A field of the final usage event.
    UsageEvent,
}

impl Source {
    /// Every source.
    pub const ALL: [Source; 6] = [
        Source::Header,
        Source::ServerTimingHeader,
        Source::ServerTimingEntry,
        Source::Trailer,
        Source::BodyField,
        Source::UsageEvent,
    ];

    /// The stable name used in run files.
    pub fn code(self) -> &'static str {
        match self {
            Source::Header => "header",
            Source::ServerTimingHeader => "server_timing_header",
            Source::ServerTimingEntry => "server_timing_entry",
            Source::Trailer => "trailer",
            Source::BodyField => "body_field",
            Source::UsageEvent => "usage_event",
        }
    }

    /// The source of a stable name.
    pub fn from_code(code: &str) -> Option<Source> {
        Source::ALL.into_iter().find(|s| s.code() == code)
    }
}

/// The unit a value was sent in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Seconds.
    S,
    /// Milliseconds.
    Ms,
    /// Microseconds.
    Us,
    /// Nanoseconds.
    Ns,
}

impl Unit {
    /// Every unit.
    pub const ALL: [Unit; 4] = [Unit::S, Unit::Ms, Unit::Us, Unit::Ns];

    /// As written beside a number.
    pub fn code(self) -> &'static str {
        match self {
            Unit::S => "s",
            Unit::Ms => "ms",
            Unit::Us => "us",
            Unit::Ns => "ns",
        }
    }

    /// The unit of a code.
    pub fn from_code(code: &str) -> Option<Unit> {
        Unit::ALL.into_iter().find(|u| u.code() == code)
    }

    /// The duration that a number in this unit is; none for what can't be a duration.
    pub fn duration(self, value: f64) -> Option<Micros> {
        duration_from_ms(match self {
            Unit::S => value * 1e3,
            Unit::Ms => value,
            Unit::Us => value / 1e3,
            Unit::Ns => value / 1e6,
        })
    }
}

/// One reported span.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Its name at the server.
    pub name: String,
    /// The server's own description of it, if it gives one.
    pub description: Option<String>,
    /// The value as sent.
    pub raw: String,
    /// The unit it was sent in (Server-Timing: milliseconds by convention).
    pub unit: Unit,
    /// Normalised.
    pub value: Micros,
    /// Where it was read.
    pub source: Source,
    /// What it starts and ends at.
    pub boundary: Boundary,
    /// It could be known before the stream ended.
    pub before_end: bool,
}

/// Whether `Server-Timing` could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Read, from the header or from the browser's entry.
    Read,
    /// The target is of the page's own origin and sent none.
    NotSent,
    /// The target is of another origin and exposes none: it may have been sent. The remedy is a response header.
    HiddenOrNotSent,
    /// No response came.
    NoResponse,
}

impl Access {
    /// The stable name used in run files.
    pub fn code(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::NotSent => "not_sent",
            Access::HiddenOrNotSent => "hidden_or_not_sent",
            Access::NoResponse => "no_response",
        }
    }

    /// The access of a stable name.
    pub fn from_code(code: &str) -> Option<Access> {
        [Access::Read, Access::NotSent, Access::HiddenOrNotSent, Access::NoResponse].into_iter().find(|a| a.code() == code)
    }
}

/// How the descriptions of the forwarder's own spans begin.
pub const FORWARDER: &str = "firstlight forwarder: ";

/// The response header that makes the browser's network timing readable for a page of another origin.
pub const ALLOW_TIMING: &str = "Timing-Allow-Origin: *";

/// From milliseconds as a server sent them; none for what can't be a duration.
fn duration_from_ms(ms: f64) -> Option<Micros> {
    (ms.is_finite() && (0.0..=86_400_000.0).contains(&ms)).then(|| Micros::from_ms(ms))
}
