//! Which framing a reply has: by its head, else by its first bytes.

use super::dialect::{Dialect, Usual};

/// Why a format was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The content type says it.
    ContentType,
    /// There is no content type; it is read as text.
    NoContentType,
    /// The content type is that of an HTML page.
    HtmlPage,
    /// A response header says it.
    Header,
    /// The first bytes of the body say it.
    FirstBytes,
    /// An event that only this dialect sends.
    Event,
    /// A person chose it.
    Chosen,
}

impl Why {
    /// Every reason.
    pub const ALL: [Why; 7] =
        [Why::ContentType, Why::NoContentType, Why::HtmlPage, Why::Header, Why::FirstBytes, Why::Event, Why::Chosen];

    /// The stable name used in run files.
    pub fn code(self) -> &'static str {
        match self {
            Why::ContentType => "content_type",
            Why::NoContentType => "no_content_type",
            Why::HtmlPage => "html_page",
            Why::Header => "header",
            Why::FirstBytes => "first_bytes",
            Why::Event => "event",
            Why::Chosen => "chosen",
        }
    }

    /// The reason of a stable name.
    pub fn from_code(code: &str) -> Option<Why> {
        Why::ALL.into_iter().find(|w| w.code() == code)
    }
}

/// What the head tells of the framing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// This framing.
    Framing(Usual, Why),
    /// JSON: one body, or values in pieces.
    Json,
    /// Text, or something that is sent as text or without a type of its own.
    Text(Why, bool),
    /// None of these.
    Nothing(Why),
}

/// Reads the content type; a format that was chosen has its own framing wherever the type leaves it open.
pub(super) fn told(content_type: Option<&str>, chosen: Option<&Dialect>) -> Told {
    let essence = content_type.unwrap_or("").split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    let usual = chosen.map(|d| d.usual);
    match essence.as_str() {
        "text/event-stream" => return Told::Framing(Usual::Sse, Why::ContentType),
        "application/vnd.amazon.eventstream" => return Told::Framing(Usual::Aws, Why::ContentType),
        "application/x-ndjson"
        | "application/ndjson"
        | "application/jsonl"
        | "application/x-jsonlines"
        | "application/json-lines"
        | "application/stream+json"
        | "application/json-seq" => {
            return Told::Framing(Usual::Values, Why::ContentType);
        }
        _ => {}
    }
    let json = essence == "application/json" || essence == "text/json" || essence.ends_with("+json");
    match usual {
        Some(Usual::Values) if !json || chosen.is_some_and(|d| d.code == "ndjson") => Told::Framing(Usual::Values, Why::Chosen),
        Some(usual @ (Usual::Lines | Usual::Text)) => Told::Framing(usual, Why::Chosen),
        Some(Usual::Whole) if !json => Told::Framing(Usual::Whole, Why::Chosen),
        _ if json => Told::Json,
        Some(usual) => Told::Framing(usual, Why::Chosen),
        None => match essence.as_str() {
            "text/html" | "application/xhtml+xml" => Told::Nothing(Why::HtmlPage),
            "" => Told::Text(Why::NoContentType, true),
            "application/octet-stream" => Told::Text(Why::ContentType, true),
            e if e.starts_with("text/") => Told::Text(Why::ContentType, false),
            _ => Told::Nothing(Why::ContentType),
        },
    }
}

/// What the first bytes begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begun {
    /// Server-sent events.
    Sse,
    /// JSON: one body, or values in pieces.
    Json,
    /// An AWS event stream.
    Aws,
    /// Text.
    Text,
}

/// What is sent as text or without a type, by its first bytes; none if more of them are needed. Under `text/…` JSON is text.
///
/// Text is held back only while it could still become one of a few words, so that the time of its first piece holds.
pub(super) fn begun(bytes: &[u8], typeless: bool) -> Option<Begun> {
    const FIELDS: [&[u8]; 6] = [b"data:", b"event:", b"id:", b"retry:", b": ", b":\n"];
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if FIELDS.iter().any(|field| bytes.starts_with(field)) {
        return Some(Begun::Sse);
    }
    let open = FIELDS.iter().any(|field| field.starts_with(bytes)) || b"\xEF\xBB\xBF".starts_with(bytes);
    match bytes.trim_ascii_start().first() {
        Some(b'{' | b'[') if typeless => Some(Begun::Json),
        // No text begins with NUL; the length of a message does.
        Some(0) if typeless => Some(Begun::Aws),
        None if typeless => None,
        _ if open => None,
        _ => Some(Begun::Text),
    }
}
