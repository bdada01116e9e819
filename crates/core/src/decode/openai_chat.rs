//! Chat-completion chunks: which field bears answer, reasoning, tool, usage, error and end.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde_json::Value;
use sse_core::MessageEvent;

use super::{Channel, Event, error_message, shorten};
use crate::server_report::{Source, components, llama_cpp_timings};
use crate::trace::Usage;

/// The protocol's own end.
const DONE: &str = "[DONE]";

#[derive(serde::Deserialize)]
struct Chunk<'a> {
    #[serde(borrow, default)]
    choices: Option<Vec<Choice<'a>>>,
    #[serde(default)]
    usage: Option<UsageFields>,
    #[serde(default)]
    error: Option<Value>,
    #[serde(default)]
    timings: Option<Value>,
    #[serde(default)]
    server_timing: Option<Value>,
}

#[derive(serde::Deserialize)]
struct Choice<'a> {
    #[serde(default)]
    index: Option<u32>,
    #[serde(borrow, default)]
    delta: Option<Message<'a>>,
    #[serde(borrow, default)]
    message: Option<Message<'a>>,
    #[serde(borrow, default)]
    finish_reason: Option<Cow<'a, str>>,
}

/// A delta of a stream, or the message of a whole answer: the same fields.
#[derive(serde::Deserialize, Default)]
struct Message<'a> {
    #[serde(borrow, default)]
    content: Text<'a>,
    #[serde(borrow, default)]
    refusal: Text<'a>,
    #[serde(borrow, default)]
    reasoning: Text<'a>,
    #[serde(borrow, default)]
    reasoning_content: Text<'a>,
    #[serde(borrow, default)]
    tool_calls: Option<Vec<ToolCall<'a>>>,
    #[serde(borrow, default)]
    function_call: Option<Function<'a>>,
}

#[derive(serde::Deserialize)]
struct ToolCall<'a> {
    #[serde(borrow, default)]
    function: Option<Function<'a>>,
}

#[derive(serde::Deserialize)]
struct Function<'a> {
    #[serde(borrow, default)]
    name: Text<'a>,
    #[serde(borrow, default)]
    arguments: Text<'a>,
}

#[derive(serde::Deserialize)]
struct UsageFields {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    prompt_tokens_details: Option<PromptDetails>,
    completion_tokens_details: Option<CompletionDetails>,
}

#[derive(serde::Deserialize)]
struct PromptDetails {
    cached_tokens: Option<u64>,
}

#[derive(serde::Deserialize)]
struct CompletionDetails {
    reasoning_tokens: Option<u64>,
}

/// A text field: a string, null, or parts with texts in them. Anything else is empty.
#[derive(Default)]
struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }
            fn visit_borrowed_str<E>(self, s: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(s)))
            }
            fn visit_str<E>(self, s: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(s.to_owned())))
            }
            fn visit_unit<E>(self) -> Result<Text<'de>, E> {
                Ok(Text::default())
            }
            fn visit_none<E>(self) -> Result<Text<'de>, E> {
                Ok(Text::default())
            }
            fn visit_bool<E>(self, _: bool) -> Result<Text<'de>, E> {
                Ok(Text::default())
            }
            fn visit_i64<E>(self, _: i64) -> Result<Text<'de>, E> {
                Ok(Text::default())
            }
            fn visit_u64<E>(self, _: u64) -> Result<Text<'de>, E> {
                Ok(Text::default())
            }
            fn visit_f64<E>(self, _: f64) -> Result<Text<'de>, E> {
                Ok(Text::default())
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Text<'de>, A::Error> {
                let mut text = String::new();
                while let Some(part) = seq.next_element::<Value>()? {
                    text.push_str(part.get("text").and_then(Value::as_str).unwrap_or_default());
                }
                Ok(Text(Cow::Owned(text)))
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Text<'de>, A::Error> {
                // Some servers send tool arguments as an object.
                let mut object = serde_json::Map::new();
                while let Some((key, value)) = map.next_entry::<String, Value>()? {
                    object.insert(key, value);
                }
                Ok(Text(Cow::Owned(Value::Object(object).to_string())))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// One event of the stream.
pub(crate) fn decode(message: &MessageEvent, events: &mut Vec<Event>) {
    let data = message.data.trim();
    if data == DONE {
        events.push(Event::End);
        return;
    }
    if data.is_empty() {
        return;
    }
    match serde_json::from_str::<Chunk<'_>>(data) {
        Ok(chunk) => chunk.into_events(Source::UsageEvent, events),
        Err(_) if message.event == "error" => events.push(Event::Error(shorten(data))),
        Err(e) => events.push(Event::Note("unreadable_event", format!("{e}: {}", shorten(data)))),
    }
}

/// A whole chat completion. False if the body is not one.
pub(crate) fn decode_whole(body: &str, events: &mut Vec<Event>) -> bool {
    match serde_json::from_str::<Chunk<'_>>(body) {
        Ok(chunk) if chunk.choices.as_ref().is_some_and(|c| c.iter().any(|c| c.message.is_some())) => {
            chunk.into_events(Source::BodyField, events);
            true
        }
        _ => false,
    }
}

impl Chunk<'_> {
    fn into_events(self, source: Source, events: &mut Vec<Event>) {
        for choice in self.choices.into_iter().flatten() {
            let index = choice.index.unwrap_or(0);
            for message in [choice.delta, choice.message].into_iter().flatten() {
                message.into_events(index, events);
            }
            if let Some(reason) = choice.finish_reason {
                events.push(Event::Finish(reason.into_owned()));
            }
        }
        if let Some(u) = self.usage {
            events.push(Event::Usage(Usage {
                input: u.prompt_tokens,
                output: u.completion_tokens,
                reasoning: u.completion_tokens_details.and_then(|d| d.reasoning_tokens),
                cached: u.prompt_tokens_details.and_then(|d| d.cached_tokens),
            }));
        }
        let mut spans = self.timings.map(|t| llama_cpp_timings(&t, false)).unwrap_or_default();
        spans.extend(self.server_timing.map(|t| components(&t, source)).unwrap_or_default());
        if !spans.is_empty() {
            events.push(Event::Spans(spans));
        }
        if let Some(message) = self.error.as_ref().and_then(error_message) {
            events.push(Event::Error(message));
        }
    }
}

impl Message<'_> {
    fn into_events(self, choice: u32, events: &mut Vec<Event>) {
        let mut output = |channel, text: Cow<'_, str>| {
            if !text.is_empty() {
                events.push(Event::Output { channel, choice, text: text.into_owned() });
            }
        };
        // Servers name the field one way or the other; where both come, they hold the same text: it counts once.
        let both_differ = !self.reasoning.0.is_empty()
            && !self.reasoning_content.0.is_empty()
            && self.reasoning.0 != self.reasoning_content.0;
        let reasoning = if self.reasoning_content.0.is_empty() { self.reasoning.0 } else { self.reasoning_content.0 };
        output(Channel::Reasoning, reasoning);
        output(Channel::Answer, self.content.0);
        output(Channel::Answer, self.refusal.0);
        let functions = self.tool_calls.into_iter().flatten().filter_map(|t| t.function).chain(self.function_call);
        for function in functions {
            output(Channel::Tool, function.name.0);
            output(Channel::Tool, function.arguments.0);
        }
        if both_differ {
            events.push(Event::Note("two_reasonings", String::new()));
        }
    }
}
