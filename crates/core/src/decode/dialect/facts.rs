//! What a dialect writes down.

use std::borrow::Cow;

use super::super::{Channel, Event, shorten};
use crate::server_report::Span;
use crate::trace::Usage;
use firstlight_json::Json;

/// What a dialect must remember from one event to the next.
#[derive(Default)]
pub(crate) struct Memory {
    /// The text so far, where every event repeats it.
    pub so_far: String,
    /// The text was seen not to repeat itself.
    pub in_parts: bool,
    /// The tool whose arguments came in pieces.
    pub tool: String,
    /// The JSON pointer to the text, where a person gave one.
    pub text: Option<String>,
    /// The JSON pointer to a list of results.
    pub items: Option<String>,
}

/// Takes the facts of one event.
pub(crate) struct Facts<'a>(pub &'a mut Vec<Event>);

impl Facts<'_> {
    fn output(&mut self, channel: Channel, choice: u32, text: Option<Cow<'_, str>>) {
        if let Some(text) = text.filter(|t| !t.is_empty()) {
            self.0.push(Event::Output { channel, choice, text: text.into_owned() });
        }
    }

    /// Text of the answer.
    pub(crate) fn answer(&mut self, text: Option<Cow<'_, str>>) {
        self.output(Channel::Answer, 0, text);
    }

    /// Text of one of several answers.
    pub(crate) fn answer_of(&mut self, choice: u32, text: Option<Cow<'_, str>>) {
        self.output(Channel::Answer, choice, text);
    }

    /// Text of reasoning.
    pub(crate) fn reasoning(&mut self, choice: u32, text: Option<Cow<'_, str>>) {
        self.output(Channel::Reasoning, choice, text);
    }

    /// A tool's name or arguments.
    pub(crate) fn tool(&mut self, choice: u32, text: Option<Cow<'_, str>>) {
        self.output(Channel::Tool, choice, text);
    }

    /// A tool's arguments, as a text or as JSON.
    pub(crate) fn arguments(&mut self, choice: u32, value: Option<Json<'_>>) {
        self.tool(choice, value.map(|v| v.as_text().unwrap_or(Cow::Borrowed(v.raw()))));
    }

    /// The text of an answer that repeats itself whole in every event: what is new of it.
    pub(crate) fn repeated(&mut self, memory: &mut Memory, text: &str) {
        match text.strip_prefix(memory.so_far.as_str()).filter(|_| !memory.in_parts) {
            Some(new) => self.answer(Some(new.into())),
            // It does not repeat itself after all: events hold what is new.
            None => {
                memory.in_parts = true;
                self.answer(Some(text.into()));
            }
        }
        memory.so_far.clear();
        memory.so_far.push_str(text);
    }

    /// Token counts; nothing if all are missing.
    pub(crate) fn usage(&mut self, usage: Usage) {
        if usage != Usage::default() {
            self.0.push(Event::Usage(Box::new(usage)));
        }
    }

    /// Reported spans.
    pub(crate) fn spans(&mut self, spans: Vec<Span>) {
        if !spans.is_empty() {
            self.0.push(Event::Spans(spans));
        }
    }

    /// A finish reason, if there is one.
    pub(crate) fn finish(&mut self, reason: Option<Cow<'_, str>>) {
        self.0.extend(reason.map(|r| Event::Finish(r.into_owned())));
    }

    /// An error in the server's words.
    pub(crate) fn error(&mut self, words: &str) {
        self.0.push(Event::Error(shorten(words)));
    }

    /// The protocol's own end.
    pub(crate) fn end(&mut self) {
        self.0.push(Event::End);
    }

    /// A note.
    pub(crate) fn note(&mut self, code: &'static str, detail: &str) {
        self.0.push(Event::Note(code, shorten(detail)));
    }
}

/// The words of an error: a text, or what an object says about itself. None if it is no error.
pub(crate) fn said(error: Json<'_>) -> Option<String> {
    if error.is_null() || error.as_bool() == Some(false) {
        return None;
    }
    if let Some(text) = error.as_text() {
        return (!text.is_empty()).then(|| shorten(&text));
    }
    let inside = ["message", "errorText", "detail", "error"].into_iter().find_map(|name| error.text_at(name));
    Some(shorten(&inside.unwrap_or(Cow::Borrowed(error.raw()))))
}
