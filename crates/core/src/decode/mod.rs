//! Bytes → events. Decoders never fail: they return events and diagnostics, and any split of a reply into reads gives
//! the same events. A reply is framed (`framing`), and its events mean what its `dialect` says.

mod decoder;
mod dialect;
mod framing;
mod opening;
mod think;
mod useful;
mod visible;
#[cfg(any(test, fuzzing))]
mod whole;

pub use decoder::{Choice, Decoder, Head};
pub(crate) use dialect::Ending;
pub use dialect::{DIALECTS, Dialect, dialect};
pub use opening::Why;
pub use useful::{Rule, Watch};
pub use visible::{drawn_tail, has_visible, is_marker};
#[cfg(fuzzing)]
pub use whole::whole;

use crate::server_report::{Span, Stages};
use crate::trace::Usage;
use firstlight_json::Tape;

/// What an output was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Channel {
    /// Shown as the answer (a refusal is shown too).
    Answer,
    /// Thinking before the answer.
    Reasoning,
    /// A tool's name and arguments.
    Tool,
}

/// One fact out of a reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A non-empty generated payload.
    Output {
        /// What it was made for.
        channel: Channel,
        /// Which of several choices.
        choice: u32,
        /// The payload.
        text: String,
    },
    /// The answer shown so far is taken back.
    Withdraw,
    /// Token counts; of each kind the last one holds. Boxed, since the size of an event is that of its largest kind.
    Usage(Box<Usage>),
    /// Spans of the server; those of one name replace earlier ones.
    Spans(Vec<Span>),
    /// When the server did what, on its own clock.
    Stages(Box<Stages>),
    /// An error object.
    Error(String),
    /// Nothing more can be read; why.
    Abort(String),
    /// A finish reason.
    Finish(String),
    /// The protocol's own end.
    End,
    /// A whole body that is one result and not a generated text.
    Prediction,
    /// How many results it holds.
    Items(u64),
    /// A note for the request.
    Note(&'static str, String),
}

/// What one push gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decoded {
    /// Facts in order.
    pub events: Vec<Event>,
    /// Framed events completed.
    pub framed: u32,
    /// Of these, events that bore output.
    pub bearing: u32,
    /// Keep-alive comments.
    pub comments: u32,
}

impl Decoded {
    fn frame(&mut self, inside: impl FnOnce(&mut Vec<Event>)) {
        let before = self.events.len();
        inside(&mut self.events);
        self.framed += 1;
        self.bearing += u32::from(self.events[before..].iter().any(|e| matches!(e, Event::Output { .. })));
    }
}

/// The message inside an error reply's body, if it is a JSON object that has one.
pub fn error_of_body(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let mut tape = Tape::default();
    let json = tape.read(text.trim()).ok()?;
    ["error", "detail", "message"].into_iter().find_map(|name| json.get(name)).and_then(dialect::said)
}

/// At most 300 characters of somebody else's text.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(300) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
