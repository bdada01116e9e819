//! How are chat completions of OpenAI written?

use serde_json::{Map, Value, json};

use super::{Closing, Counts, Finish, Output, Said, call, data, extend};
use crate::ask::Ask;
use crate::piece::Kind;

/// Every reply has the same id: nothing in it is random.
const ID: &str = "chatcmpl-built-in";

/// The chunk that names the role.
pub(super) fn role(ask: &Ask) -> Vec<u8> {
    delta(ask, json!({"role": "assistant", "content": ""}), None)
}

pub(super) fn output(ask: &Ask, output: &Output<'_>) -> Vec<u8> {
    match output {
        Output::Reasoning(text) => delta(ask, json!({"reasoning_content": text}), None),
        Output::Answer(text) => delta(ask, json!({"content": text}), None),
        Output::Call { nth, name, arguments } => {
            let call = match name {
                Some(name) => json!({
                    "index": nth, "id": call::id(*nth), "type": "function",
                    "function": {"name": name, "arguments": arguments},
                }),
                None => json!({"index": nth, "function": {"arguments": arguments}}),
            };
            delta(ask, json!({"tool_calls": [call]}), None)
        }
    }
}

/// The finish reason, the chunk without a choice that reports, `[DONE]`.
pub(super) fn close(ask: &Ask, closing: &Closing) -> Vec<(Kind, Vec<u8>)> {
    let finish = closing.finish.map(|finish| (Kind::Finish, delta(ask, json!({}), Some(reason(finish)))));
    let fields = fields(closing);
    let report = (!fields.is_empty()).then(|| {
        let mut chunk = chunk(ask, json!([]));
        extend(&mut chunk, &fields);
        (Kind::Closing, data(&chunk))
    });
    let done = closing.done.then(|| (Kind::Done, b"data: [DONE]\n\n".to_vec()));
    finish.into_iter().chain(report).chain(done).collect()
}

/// A whole chat completion.
pub(super) fn completion(ask: &Ask, said: &Said, closing: &Closing) -> Value {
    let mut message = Map::new();
    message.insert("role".to_owned(), json!("assistant"));
    if !said.reasoning.is_empty() {
        message.insert("reasoning_content".to_owned(), json!(said.reasoning));
    }
    message.insert("content".to_owned(), json!(said.answer));
    if said.calls > 0 {
        let call = |nth: u64| {
            let function = json!({"name": call::NAME, "arguments": call::arguments(nth)});
            json!({"id": call::id(nth), "type": "function", "function": function})
        };
        message.insert("tool_calls".to_owned(), (0..said.calls).map(call).collect());
    }
    let finish = closing.finish.map(reason);
    let mut body = json!({
        "id": ID, "object": "chat.completion", "created": ask.created_s, "model": ask.model(),
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    });
    extend(&mut body, &fields(closing));
    body
}

fn fields(closing: &Closing) -> Vec<(&'static str, Value)> {
    let usage = closing.counts.map(|counts| ("usage", usage(counts)));
    usage.into_iter().chain(closing.reports.iter().cloned()).collect()
}

fn usage(counts: Counts) -> Value {
    let mut usage = json!({
        "prompt_tokens": counts.input,
        "completion_tokens": counts.output,
        "total_tokens": counts.input + counts.output,
        "completion_tokens_details": {"reasoning_tokens": counts.reasoning},
    });
    if let Some(cached) = counts.cached {
        extend(&mut usage, &[("prompt_tokens_details", json!({"cached_tokens": cached}))]);
    }
    usage
}

fn reason(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop => "stop",
        Finish::Length => "length",
        Finish::Tools => "tool_calls",
    }
}

/// A chunk with one choice.
fn delta(ask: &Ask, delta: Value, finish_reason: Option<&str>) -> Vec<u8> {
    data(&chunk(ask, json!([{"index": 0, "delta": delta, "finish_reason": finish_reason}])))
}

fn chunk(ask: &Ask, choices: Value) -> Value {
    json!({
        "id": ID, "object": "chat.completion.chunk", "created": ask.created_s, "model": ask.model(), "choices": choices,
    })
}
