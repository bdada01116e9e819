//! The formats of a reply.

use crate::error::ScheduleError;

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A chat completion: server-sent events, or one JSON object.
    OpenAi,
    /// Plain text as it is made.
    Text,
    /// One JSON object that holds a single prediction.
    Prediction,
    /// A web page.
    Html,
}

impl Format {
    const ALL: [(&'static str, Format); 4] =
        [("openai", Format::OpenAi), ("text", Format::Text), ("prediction", Format::Prediction), ("html", Format::Html)];

    /// The format of a name.
    pub fn parse(value: &str) -> Result<Format, ScheduleError> {
        Format::ALL.iter().find(|(name, _)| *name == value).map(|(_, format)| *format).ok_or_else(|| ScheduleError::Choice {
            name: "format".to_owned(),
            value: value.to_owned(),
            allowed: Format::ALL.map(|(name, _)| name).join(", "),
        })
    }

    /// The answer can come in parts.
    pub(crate) fn streams(self) -> bool {
        matches!(self, Format::OpenAi | Format::Text)
    }
}
