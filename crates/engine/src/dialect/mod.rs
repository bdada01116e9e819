//! How is a reply written in each provider's dialect: its events in their order, its usage, its timings, its errors, its end?
//!
//! A [`Scribe`] writes one streamed reply piece after piece; what a dialect must know of the pieces before (open blocks,
//! numbers of events, counts so far) is its [`State`].

mod anthropic;
mod call;
mod embeddings;
mod failure;
mod gemini;
mod ollama;
mod openai;
mod responses;
mod said;
#[cfg(test)]
mod tests;

use std::ops::Range;

use serde_json::Value;

use crate::ask::Ask;
use crate::format::Format;
use crate::piece::Kind;
use crate::plan::Plan;
use crate::reply::Times;
use crate::words::{self, Writing};

pub(crate) use call::TOKENS as CALL_TOKENS;
pub(crate) use embeddings::body as embeddings;
pub(crate) use failure::body as failure;
pub use said::Said;

/// Why the output ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// By itself.
    Stop,
    /// The question's limit cut it.
    Length,
    /// Tools are called.
    Tools,
}

/// Tokens of a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Of the question.
    pub(crate) input: u64,
    /// Everything generated: reasoning, answer and calls.
    pub(crate) output: u64,
    /// Of these, reasoning.
    pub(crate) reasoning: u64,
    /// Of the question, those that a modelled server had read before.
    pub(crate) cached: Option<u64>,
}

/// What the end of a reply tells.
pub(crate) struct Closing {
    /// The finish reason, where it is sent.
    pub(crate) finish: Option<Finish>,
    /// The dialect's own end is sent.
    pub(crate) done: bool,
    /// Usage, where it is sent.
    pub(crate) counts: Option<Counts>,
    /// As the server reports them.
    pub(crate) times: Times,
    /// Fields for dialects that have a place for them: `timings`, `server_timing`.
    pub(crate) reports: Vec<(&'static str, Value)>,
}

/// Generated output, as a dialect writes it.
enum Output<'a> {
    Reasoning(&'a str),
    Answer(&'a str),
    /// A piece of the `nth` call: its name, if that stands in it, and some of its arguments.
    Call {
        nth: u64,
        name: Option<&'static str>,
        arguments: &'a str,
    },
}

/// A part of a message that has a beginning and an end of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Reasoning,
    Answer,
    Call(u64),
}

impl Output<'_> {
    fn block(&self) -> Block {
        match self {
            Output::Reasoning(_) => Block::Reasoning,
            Output::Answer(_) => Block::Answer,
            Output::Call { nth, .. } => Block::Call(*nth),
        }
    }
}

/// What was written so far, as far as what follows depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct State {
    /// The events before the first output are out.
    begun: bool,
    /// The block that is open now.
    block: Option<Block>,
    /// Blocks that are closed.
    closed: u64,
    /// Events that have a number.
    events: u64,
    /// Tokens so far.
    counts: Counts,
}

/// Writes one streamed reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scribe {
    ask: Ask,
    format: Format,
    writing: Writing,
    usage: bool,
    state: State,
    /// What it said so far.
    pub(crate) said: Said,
}

impl Scribe {
    pub(crate) fn new(ask: &Ask, plan: &Plan) -> Scribe {
        let counts = Counts { input: u64::from(ask.prompt_tokens), ..Counts::default() };
        Scribe {
            ask: ask.clone(),
            format: plan.format,
            writing: plan.writing,
            usage: plan.usage,
            state: State { counts, ..State::default() },
            said: Said::default(),
        }
    }

    /// What comes with the headers, in dialects that then send something.
    pub(crate) fn opening(&mut self) -> Option<Vec<u8>> {
        match self.format {
            Format::OpenAi => Some(openai::role(&self.ask)),
            Format::Responses => Some(responses::opening(self)),
            Format::Anthropic => Some(anthropic::opening(self)),
            _ => None,
        }
    }

    /// Sent while nothing else is.
    pub(crate) fn keep_alive(&self) -> Option<Vec<u8>> {
        match self.format {
            Format::Anthropic => Some(anthropic::ping()),
            format if format.is_events() => Some(b": keep-alive\n\n".to_vec()),
            _ => None,
        }
    }

    /// Tokens of some kind; text of an answer is filled up with plain words to so many bytes.
    pub(crate) fn output(&mut self, kind: Kind, tokens: Range<u64>, fill: usize) -> Vec<u8> {
        let count = tokens.end - tokens.start;
        self.state.counts.output += count;
        match kind {
            Kind::Reasoning => {
                self.state.counts.reasoning += count;
                let text: String = tokens.map(words::reasoning).collect();
                self.said.reasoning.push_str(&text);
                self.write(&Output::Reasoning(&text))
            }
            Kind::Tool => {
                let (nth, name, arguments) = call::piece(tokens);
                self.said.call(nth, name, &arguments);
                self.write(&Output::Call { nth, name, arguments: &arguments })
            }
            _ => {
                let mut text: String = tokens.map(|token| words::answer(self.writing, token)).collect();
                while text.len() < fill {
                    text.push_str(words::PLAIN);
                }
                self.said.answer.push_str(&text);
                self.write(&Output::Answer(&text))
            }
        }
    }

    fn write(&mut self, output: &Output<'_>) -> Vec<u8> {
        match (self.format, output) {
            (Format::OpenAi, _) => openai::output(&self.ask, output),
            (Format::Responses, _) => responses::output(self, output),
            (Format::Anthropic, _) => anthropic::output(self, output),
            (Format::Ollama, _) => ollama::output(&self.ask, output),
            (Format::Gemini, _) => gemini::output(self, output),
            (_, Output::Answer(text)) => text.as_bytes().to_vec(),
            _ => Vec::new(),
        }
    }

    /// What comes in the same moment as the last output.
    pub(crate) fn close(&mut self, closing: &Closing) -> Vec<(Kind, Vec<u8>)> {
        match self.format {
            Format::OpenAi => openai::close(&self.ask, closing),
            Format::Responses => responses::close(self, closing),
            Format::Anthropic => anthropic::close(self, closing),
            Format::Ollama => ollama::close(&self.ask, closing),
            Format::Gemini => gemini::close(self, closing),
            _ => Vec::new(),
        }
    }

    /// An error inside the stream; none where the dialect has no words for it.
    pub(crate) fn error(&mut self, message: &str) -> Option<Vec<u8>> {
        match self.format {
            Format::Responses => Some(responses::error(self, message)),
            Format::Anthropic => Some(anthropic::error(message)),
            Format::Ollama => Some(line(failure::value(self.format, 500, message))),
            format if format.is_events() => Some(data(&failure::value(format, 500, message))),
            _ => None,
        }
    }

    /// It goes on for ever: what it said is not kept.
    pub(crate) fn endless(mut self) -> Scribe {
        self.said = Said::default();
        self
    }

    /// As it is after so many more chunks of the answer, each of so many tokens.
    pub(crate) fn after(&self, chunks: u64, tokens: u64) -> Scribe {
        let mut scribe = self.clone();
        if chunks > 0 {
            // The first of them may begin a block; the others are an event each.
            scribe.output(Kind::Answer, 0..tokens, 0);
            scribe.state.events += chunks - 1;
            scribe.state.counts.output += (chunks - 1) * tokens;
        }
        scribe
    }
}

/// A whole answer in one JSON object.
pub(crate) fn whole(format: Format, ask: &Ask, said: &Said, closing: &Closing) -> Vec<u8> {
    let body = match format {
        Format::Responses => responses::whole(ask, said, closing, "completed"),
        Format::Anthropic => anthropic::whole(ask, said, closing),
        Format::Ollama => ollama::whole(ask, said, closing),
        Format::Gemini => gemini::whole(ask, said, closing),
        _ => openai::completion(ask, said, closing),
    };
    body.to_string().into_bytes()
}

/// A server-sent event without a name.
fn data(value: &Value) -> Vec<u8> {
    format!("data: {value}\n\n").into_bytes()
}

/// A server-sent event with a name.
fn event(name: &str, value: &Value) -> Vec<u8> {
    format!("event: {name}\ndata: {value}\n\n").into_bytes()
}

/// A line of JSON.
fn line(value: Value) -> Vec<u8> {
    format!("{value}\n").into_bytes()
}

/// Adds fields at the end of an object.
fn extend(object: &mut Value, fields: &[(&'static str, Value)]) {
    if let Value::Object(object) = object {
        object.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    }
}
