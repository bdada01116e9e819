//! Bytes → events. Decoders never fail: they return events and diagnostics, and any split of a reply into reads gives
//! the same events.

mod json_body;
mod openai_chat;
mod plain;
mod sse;
mod useful;
mod visible;

pub use useful::{Rule, Watch};
pub use visible::{has_visible, is_marker};

use crate::server_report::Span;
use crate::trace::{Shape, Usage};

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
        /// Which of several choices; 0 is the one shown.
        choice: u32,
        /// The payload.
        text: String,
    },
    /// Token counts; the last ones hold.
    Usage(Usage),
    /// Spans of the server; those of one name replace earlier ones.
    Spans(Vec<Span>),
    /// An error object.
    Error(String),
    /// A finish reason.
    Finish(String),
    /// The protocol's own end.
    End,
    /// A whole body that is one result and not a generated text.
    Prediction,
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

/// The formats that are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Server-sent events with chat-completion chunks.
    OpenAiChat,
    /// Plain text, as it comes.
    PlainText,
    /// One JSON body.
    JsonBody,
    /// A body that is none of these: an HTML page, most often.
    Unknown,
}

impl Format {
    /// The stable name used in run files.
    pub fn code(self) -> &'static str {
        match self {
            Format::OpenAiChat => "openai_chat",
            Format::PlainText => "plain_text",
            Format::JsonBody => "json_body",
            Format::Unknown => "unknown",
        }
    }

    /// By content type, and the reason in a word.
    pub fn detect(content_type: Option<&str>) -> (Format, &'static str) {
        let essence = content_type.unwrap_or("").split(';').next().unwrap_or("").trim().to_ascii_lowercase();
        match essence.as_str() {
            "text/event-stream" => (Format::OpenAiChat, "content_type"),
            "application/json" => (Format::JsonBody, "content_type"),
            e if e.ends_with("+json") => (Format::JsonBody, "content_type"),
            "text/html" | "application/xhtml+xml" => (Format::Unknown, "html_page"),
            e if e.starts_with("text/") => (Format::PlainText, "content_type"),
            "" => (Format::PlainText, "no_content_type"),
            _ => (Format::Unknown, "content_type"),
        }
    }

    /// The pair of stable names that a run file holds, if both are known.
    pub fn from_codes(format: &str, why: &str) -> Option<(&'static str, &'static str)> {
        let formats = [Format::OpenAiChat, Format::PlainText, Format::JsonBody, Format::Unknown];
        let format = formats.into_iter().find(|f| f.code() == format)?;
        let why = ["content_type", "no_content_type", "html_page"].into_iter().find(|w| *w == why)?;
        Some((format.code(), why))
    }

    /// The format has an end marker of its own.
    pub fn has_terminator(self) -> bool {
        self == Format::OpenAiChat
    }

    /// What a reply in this format is, before its body is read.
    pub fn shape(self, stream_asked: bool) -> Shape {
        match self {
            Format::OpenAiChat => Shape::Stream,
            Format::PlainText if stream_asked => Shape::Stream,
            Format::PlainText | Format::JsonBody | Format::Unknown => Shape::Whole,
        }
    }
}

/// One reply's decoder.
pub struct Decoder(Kind);

enum Kind {
    OpenAiChat(sse::Framing),
    Plain(plain::Utf8),
    Json(json_body::Body),
    Unknown,
}

impl Decoder {
    /// A decoder for a format.
    pub fn new(format: Format) -> Decoder {
        Decoder(match format {
            Format::OpenAiChat => Kind::OpenAiChat(sse::Framing::default()),
            Format::PlainText => Kind::Plain(plain::Utf8::default()),
            Format::JsonBody => Kind::Json(json_body::Body::default()),
            Format::Unknown => Kind::Unknown,
        })
    }

    /// Takes the bytes of one read.
    pub fn push(&mut self, bytes: &[u8]) -> Decoded {
        let mut out = Decoded::default();
        match &mut self.0 {
            Kind::OpenAiChat(framing) => framing.push(bytes, &mut out, openai_chat::decode),
            Kind::Plain(utf8) => utf8.push(bytes, &mut out),
            Kind::Json(body) => body.push(bytes),
            Kind::Unknown => {}
        }
        out
    }

    /// The body ended: gives what was held back.
    pub fn end(&mut self) -> Decoded {
        let mut out = Decoded::default();
        match &mut self.0 {
            Kind::OpenAiChat(framing) => framing.end(&mut out, openai_chat::decode),
            Kind::Plain(utf8) => utf8.end(&mut out),
            Kind::Json(body) => body.end(&mut out),
            Kind::Unknown => {}
        }
        out
    }
}

/// The message of an error value: a string, or an object with a `message`, or the value itself.
fn error_message(error: &serde_json::Value) -> Option<String> {
    let text = match error {
        serde_json::Value::Null => return None,
        serde_json::Value::String(s) => s.clone(),
        other => match other.get("message").and_then(|m| m.as_str()) {
            Some(message) => message.to_owned(),
            None => other.to_string(),
        },
    };
    Some(shorten(&text))
}

/// The message inside an error reply's body, if it is a JSON object that has one.
pub fn error_of_body(body: &[u8]) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(body).ok()?;
    let error = value.get("error").or_else(|| value.get("detail")).or_else(|| value.get("message"))?;
    error_message(error)
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
