//! The events of a chat-completion stream.

use serde_json::{Map, Value, json};

use crate::ask::Ask;

/// Every reply has the same id: nothing in it is random.
pub(crate) const ID: &str = "chatcmpl-built-in";

/// The end of the stream.
pub(crate) fn done() -> Vec<u8> {
    b"data: [DONE]\n\n".to_vec()
}

/// A comment.
pub(crate) fn keep_alive() -> Vec<u8> {
    b": keep-alive\n\n".to_vec()
}

/// An error object in the stream.
pub(crate) fn error(message: &str) -> Vec<u8> {
    event(&json!({"error": {"message": message, "type": "server_error"}}))
}

/// A chunk with one choice.
pub(crate) fn delta(ask: &Ask, delta: Value, finish_reason: Option<&str>) -> Vec<u8> {
    event(&chunk(ask, json!([{"index": 0, "delta": delta, "finish_reason": finish_reason}])).into())
}

/// The chunk without a choice that reports at the end; none without anything to report.
pub(crate) fn closing(ask: &Ask, fields: Vec<(&str, Value)>) -> Option<Vec<u8>> {
    if fields.is_empty() {
        return None;
    }
    let mut chunk = chunk(ask, json!([]));
    chunk.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
    Some(event(&chunk.into()))
}

fn chunk(ask: &Ask, choices: Value) -> Map<String, Value> {
    let mut chunk = Map::new();
    chunk.insert("id".to_owned(), json!(ID));
    chunk.insert("object".to_owned(), json!("chat.completion.chunk"));
    chunk.insert("created".to_owned(), json!(ask.created_s));
    chunk.insert("model".to_owned(), json!(ask.model()));
    chunk.insert("choices".to_owned(), choices);
    chunk
}

fn event(value: &Value) -> Vec<u8> {
    format!("data: {value}\n\n").into_bytes()
}
