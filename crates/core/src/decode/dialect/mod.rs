//! What the events of each protocol mean: one small file per dialect, which says how to know it, and which of its events
//! bears answer, reasoning, tool, usage, error and end.

mod ai_sdk;
mod ai_sdk_data;
mod anthropic;
mod bedrock;
mod cohere;
mod cohere_v1;
mod facts;
mod gemini;
mod generic;
mod langserve;
mod llama_cpp;
mod ollama;
mod openai_chat;
mod openai_completions;
mod openai_responses;
mod replicate;
mod sglang;
mod tgi;
mod triton;
mod watsonx;
mod workers_ai;
mod writer;

pub(crate) use facts::{Facts, Memory, said};

use firstlight_json::Json;

/// One event as a dialect sees it.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'a> {
    /// The framing's name of it; empty if there is none.
    pub name: &'a str,
    /// Its data.
    pub data: &'a str,
    /// The data, if they are JSON.
    pub json: Option<Json<'a>>,
}

impl<'a> Frame<'a> {
    /// The text at a name of the data.
    fn text(&self, name: &str) -> Option<std::borrow::Cow<'a, str>> {
        self.json?.text_at(name)
    }

    /// The data have that member, and it is not null.
    fn has(&self, name: &str) -> bool {
        self.json.is_some_and(|j| j.get(name).is_some())
    }

    fn type_starts(&self, start: &str) -> bool {
        self.text("type").is_some_and(|t| t.starts_with(start))
    }
}

/// How events are framed, where the reply's head does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usual {
    /// Server-sent events.
    Sse,
    /// JSON values.
    Values,
    /// Lines with a name.
    Lines,
    /// AWS event stream.
    Aws,
    /// Nothing framed.
    Text,
    /// One JSON body.
    Whole,
}

/// How the end of a reply can be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By a marker of its own (or a finish reason, if the marker is missing).
    Marker,
    /// By a finish reason only.
    Reason,
    /// By the end of the body only.
    Body,
}

/// A protocol.
pub struct Dialect {
    /// The stable name used in run files and settings.
    pub code: &'static str,
    /// Its name for people.
    pub name: &'static str,
    pub(crate) usual: Usual,
    pub(crate) ending: Ending,
    /// Its data are texts that may look like anything.
    pub(crate) free_text: bool,
    /// An event that no other dialect sends.
    pub(crate) fits: fn(&Frame<'_>) -> bool,
    /// An event's facts.
    pub(crate) decode: fn(&Frame<'_>, &mut Memory, &mut Facts<'_>),
}

impl std::fmt::Debug for Dialect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code)
    }
}

impl PartialEq for Dialect {
    fn eq(&self, other: &Dialect) -> bool {
        self.code == other.code
    }
}

/// Every dialect, in the order in which an event is tried; those that are never recognised, only chosen, are last.
pub static DIALECTS: [&Dialect; 25] = [
    &openai_chat::DIALECT,
    &openai_completions::DIALECT,
    &openai_responses::DIALECT,
    &anthropic::DIALECT,
    &gemini::DIALECT,
    &ollama::DIALECT,
    &llama_cpp::DIALECT,
    &tgi::DIALECT,
    &sglang::DIALECT,
    &cohere::DIALECT,
    &cohere_v1::DIALECT,
    &bedrock::DIALECT,
    &ai_sdk::DIALECT,
    &ai_sdk_data::DIALECT,
    &replicate::DIALECT,
    &langserve::DIALECT,
    &watsonx::DIALECT,
    &triton::DIALECT,
    &workers_ai::DIALECT,
    &writer::DIALECT,
    &generic::SSE,
    &generic::NDJSON,
    &generic::TEXT,
    &generic::BODY,
    &generic::UNKNOWN,
];

pub(crate) use ai_sdk::DIALECT as AI_SDK;
pub(crate) use ai_sdk_data::DIALECT as AI_SDK_DATA;
pub(crate) use bedrock::DIALECT as BEDROCK;
pub(crate) use generic::{BODY, NDJSON, SSE, TEXT, UNKNOWN};

/// The dialect of a stable name.
pub fn dialect(code: &str) -> Option<&'static Dialect> {
    DIALECTS.into_iter().find(|d| d.code == code)
}

/// The dialect that sends such an event.
pub(crate) fn recognise(frame: &Frame<'_>) -> Option<&'static Dialect> {
    DIALECTS.into_iter().find(|d| (d.fits)(frame))
}
