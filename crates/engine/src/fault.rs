//! What can go wrong, on request.

use crate::error::ScheduleError;

/// A fault of the endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An error status with a JSON body; 429 comes with `Retry-After`.
    Status(u16),
    /// The request is taken and no response ever begins.
    Hang,
    /// An error object inside a stream, after half of the output.
    ErrorInside,
    /// A clean end of the body after half of the output.
    Truncate,
    /// The connection is cut after half of the output.
    Reset,
    /// Nothing more comes after half of the output, and the body stays open.
    Stall,
    /// Tokens come for ever.
    NeverEnds,
    /// A web page with status 200.
    Html,
    /// One whole JSON answer although a stream was asked for.
    Json,
    /// The reply comes a byte at a time, slowly.
    Trickle,
    /// The reply is right and its `Content-Type` is not.
    WrongContentType,
    /// The stream ends without the dialect's own end.
    MissingTerminator,
    /// The reply is compressed, and everything written is flushed.
    Gzip,
    /// The reply is compressed and never flushed: what is written stays in the compressor.
    GzipNoFlush,
    /// The server reports times that are longer than any client waits.
    LyingServerTiming,
}

impl Fault {
    /// Every fault with its name.
    pub const ALL: [(&'static str, Fault); 20] = [
        ("status-401", Fault::Status(401)),
        ("status-404", Fault::Status(404)),
        ("status-429", Fault::Status(429)),
        ("status-500", Fault::Status(500)),
        ("status-503", Fault::Status(503)),
        ("status-529", Fault::Status(529)),
        ("hang", Fault::Hang),
        ("error-inside", Fault::ErrorInside),
        ("truncate", Fault::Truncate),
        ("reset", Fault::Reset),
        ("stall", Fault::Stall),
        ("never-ends", Fault::NeverEnds),
        ("html", Fault::Html),
        ("json", Fault::Json),
        ("trickle", Fault::Trickle),
        ("wrong-content-type", Fault::WrongContentType),
        ("missing-terminator", Fault::MissingTerminator),
        ("gzip", Fault::Gzip),
        ("gzip-no-flush", Fault::GzipNoFlush),
        ("lying-server-timing", Fault::LyingServerTiming),
    ];

    /// The fault of a name.
    pub fn parse(value: &str) -> Result<Fault, ScheduleError> {
        Fault::ALL.iter().find(|(name, _)| *name == value).map(|(_, fault)| *fault).ok_or_else(|| ScheduleError::Choice {
            name: "fault".to_owned(),
            value: value.to_owned(),
            allowed: Fault::ALL.map(|(name, _)| name).join(", "),
        })
    }

    /// Only the first half of the output is sent.
    pub(crate) fn halves(self) -> bool {
        matches!(self, Fault::ErrorInside | Fault::Truncate | Fault::Reset | Fault::Stall)
    }

    /// What an error inside a reply says.
    pub(crate) const INSIDE: &str =
        "The model failed while it was answering. (This is the built-in endpoint: the fault was asked for.)";

    /// What an error status says in its body.
    pub(crate) fn message(status: u16) -> &'static str {
        match status {
            401 => "No valid key was given. (This is the built-in endpoint: the fault was asked for.)",
            404 => "There is no such model. (This is the built-in endpoint: the fault was asked for.)",
            429 => "Too many requests; try again in 7 seconds. (This is the built-in endpoint: the fault was asked for.)",
            529 => "The server is overloaded. (This is the built-in endpoint: the fault was asked for.)",
            _ => "The server failed. (This is the built-in endpoint: the fault was asked for.)",
        }
    }
}
