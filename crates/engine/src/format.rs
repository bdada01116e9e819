//! The formats of a reply.

use crate::error::ScheduleError;

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// OpenAI's chat completions: server-sent events, or one JSON object.
    OpenAi,
    /// OpenAI's Responses: named events, or one JSON object.
    Responses,
    /// Anthropic's Messages: named events, or one JSON object.
    Anthropic,
    /// Ollama's chat: lines of JSON, or one object.
    Ollama,
    /// Gemini's `streamGenerateContent` with `alt=sse`, or `generateContent`.
    Gemini,
    /// Plain text as it is made.
    Text,
    /// One JSON object that holds a single prediction.
    Prediction,
    /// OpenAI's embeddings: one JSON object with a vector for each input.
    Embeddings,
    /// A web page.
    Html,
}

impl Format {
    /// Every format with its name.
    pub const ALL: [(&'static str, Format); 9] = [
        ("openai", Format::OpenAi),
        ("responses", Format::Responses),
        ("anthropic", Format::Anthropic),
        ("ollama", Format::Ollama),
        ("gemini", Format::Gemini),
        ("text", Format::Text),
        ("prediction", Format::Prediction),
        ("embeddings", Format::Embeddings),
        ("html", Format::Html),
    ];

    /// The format of a name.
    pub fn parse(value: &str) -> Result<Format, ScheduleError> {
        Format::ALL.iter().find(|(name, _)| *name == value).map(|(_, format)| *format).ok_or_else(|| ScheduleError::Choice {
            name: "format".to_owned(),
            value: value.to_owned(),
            allowed: Format::ALL.map(|(name, _)| name).join(", "),
        })
    }

    /// The answer can come in parts.
    pub fn streams(self) -> bool {
        self.is_chat() || self == Format::Text
    }

    /// It has channels for reasoning and tool calls, and lines.
    pub(crate) fn is_chat(self) -> bool {
        self.is_events() || self == Format::Ollama
    }

    /// Its streams are server-sent events.
    pub fn is_events(self) -> bool {
        matches!(self, Format::OpenAi | Format::Responses | Format::Anthropic | Format::Gemini)
    }

    /// A tool call comes in one piece, with all of its arguments.
    pub(crate) fn calls_whole(self) -> bool {
        matches!(self, Format::Ollama | Format::Gemini)
    }

    /// What a stream says that it is.
    pub(crate) fn stream_type(self) -> &'static str {
        match self {
            Format::Ollama => "application/x-ndjson",
            format if format.is_events() => "text/event-stream; charset=utf-8",
            _ => "text/plain; charset=utf-8",
        }
    }
}
