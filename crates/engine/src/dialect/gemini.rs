//! How are Gemini's streams written: events with counts so far, thoughts counted beside the rest, and no end but a reason?

use serde_json::{Value, json};

use super::{Closing, Counts, Finish, Output, Said, Scribe, call, data, extend};
use crate::ask::Ask;
use crate::piece::Kind;

pub(super) fn output(s: &mut Scribe, output: &Output<'_>) -> Vec<u8> {
    let part = match output {
        Output::Reasoning(text) => json!({"text": text, "thought": true}),
        Output::Answer(text) => json!({"text": text}),
        // A call comes whole.
        Output::Call { nth, .. } => called(*nth),
    };
    data(&response(&s.ask, json!([part]), None, s.usage.then_some(s.state.counts)))
}

/// An event without text, with the reason.
pub(super) fn close(s: &mut Scribe, closing: &Closing) -> Vec<(Kind, Vec<u8>)> {
    // Its only end is the reason.
    if !closing.done {
        return Vec::new();
    }
    vec![(Kind::Finish, data(&response(&s.ask, json!([{"text": ""}]), closing.finish, closing.counts)))]
}

/// A whole response.
pub(super) fn whole(ask: &Ask, said: &Said, closing: &Closing) -> Value {
    let mut parts = Vec::new();
    if !said.reasoning.is_empty() {
        parts.push(json!({"text": said.reasoning, "thought": true}));
    }
    if !said.answer.is_empty() {
        parts.push(json!({"text": said.answer}));
    }
    parts.extend((0..said.calls).map(called));
    response(ask, parts.into(), closing.finish, closing.counts)
}

fn called(nth: u64) -> Value {
    let arguments: Value = serde_json::from_str(&call::arguments(nth)).unwrap_or_default();
    json!({"functionCall": {"name": call::NAME, "args": arguments}})
}

fn response(ask: &Ask, parts: Value, finish: Option<Finish>, counts: Option<Counts>) -> Value {
    let mut candidate = json!({"content": {"parts": parts, "role": "model"}});
    if let Some(finish) = finish {
        let reason = if finish == Finish::Length { "MAX_TOKENS" } else { "STOP" };
        extend(&mut candidate, &[("finishReason", json!(reason))]);
    }
    extend(&mut candidate, &[("index", json!(0))]);
    let mut body = json!({"candidates": [candidate]});
    if let Some(counts) = counts {
        extend(&mut body, &[("usageMetadata", usage(counts))]);
    }
    extend(&mut body, &[("modelVersion", json!(ask.model())), ("responseId", json!("built-in"))]);
    body
}

fn usage(counts: Counts) -> Value {
    let mut usage = json!({
        "promptTokenCount": counts.input, "candidatesTokenCount": counts.output - counts.reasoning,
        "totalTokenCount": counts.input + counts.output,
    });
    if counts.reasoning > 0 {
        extend(&mut usage, &[("thoughtsTokenCount", json!(counts.reasoning))]);
    }
    usage
}
