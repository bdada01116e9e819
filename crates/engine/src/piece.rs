//! Timed pieces of a body, and how the body ends.

use crate::dialect::Scribe;
use crate::limit::Service;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// What comes before any output, such as the chunk that only names the role.
    Role,
    /// Generated reasoning.
    Reasoning,
    /// Generated answer.
    Answer,
    /// A tool call, or a piece of one.
    Tool,
    /// A part of an event that a later piece completes.
    Fragment,
    /// The chunk with the finish reason.
    Finish,
    /// The chunk with usage and what the server reports.
    Closing,
    /// The dialect's own end, such as `[DONE]`.
    Done,
    /// A keep-alive comment, or a ping.
    KeepAlive,
    /// An error object.
    Error,
    /// A whole body, or what is sent of it.
    Whole,
    /// A web page.
    Page,
}

impl Kind {
    /// It completes some generated output.
    pub fn is_output(self) -> bool {
        matches!(self, Kind::Reasoning | Kind::Answer | Kind::Tool)
    }
}

/// Bytes and when they are due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// µs since the request was received.
    pub at_us: u64,
    /// What is written.
    pub bytes: Vec<u8>,
    /// What it is.
    pub kind: Kind,
}

/// How a body ends after its last piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// At once, in order.
    Clean,
    /// The connection is cut at this time, in µs since the request was received.
    Reset(u64),
    /// It does not: the body stays open.
    Open,
    /// It does not: more pieces follow for ever.
    Endless(Box<Endless>),
}

/// The pieces that follow for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endless {
    /// As it is before the first of them.
    pub(crate) scribe: Scribe,
    pub(crate) crlf: bool,
    pub(crate) from_us: u64,
    pub(crate) gap_us: u64,
    pub(crate) from_token: u64,
    pub(crate) tokens_per_chunk: u64,
    pub(crate) service: Service,
}

impl Endless {
    /// The `n`th of them, from 0.
    pub fn piece(&self, n: u64) -> Piece {
        let first = self.from_token + n * self.tokens_per_chunk;
        let mut scribe = self.scribe.after(n, self.tokens_per_chunk);
        let bytes = scribe.output(Kind::Answer, first..first + self.tokens_per_chunk, 0);
        let bytes = if self.crlf { crate::writes::with_crlf(&bytes) } else { bytes };
        Piece { at_us: self.service.comes(self.from_us + n * self.gap_us), bytes, kind: Kind::Answer }
    }
}
