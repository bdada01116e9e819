//! Bodies that come in one: completions, predictions, errors, a web page.

use serde_json::{Map, Value, json};

use crate::ask::Ask;
use crate::chunk::ID;
use crate::words;

/// A whole chat completion.
pub(crate) fn completion(
    ask: &Ask,
    reasoning: u64,
    answer: u64,
    finish_reason: Option<&str>,
    fields: Vec<(&str, Value)>,
) -> Vec<u8> {
    let mut message = Map::new();
    message.insert("role".to_owned(), json!("assistant"));
    if reasoning > 0 {
        message.insert("reasoning_content".to_owned(), json!((0..reasoning).map(words::reasoning).collect::<String>()));
    }
    message.insert("content".to_owned(), json!(text(answer)));
    let mut body = Map::new();
    body.insert("id".to_owned(), json!(ID));
    body.insert("object".to_owned(), json!("chat.completion"));
    body.insert("created".to_owned(), json!(ask.created_s));
    body.insert("model".to_owned(), json!(ask.model()));
    body.insert("choices".to_owned(), json!([{"index": 0, "message": message, "finish_reason": finish_reason}]));
    body.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
    Value::from(body).to_string().into_bytes()
}

/// A whole answer as text.
pub(crate) fn text(tokens: u64) -> String {
    (0..tokens).map(words::answer).collect()
}

/// A single prediction.
pub(crate) fn prediction(fields: Vec<(&str, Value)>) -> Vec<u8> {
    let mut body = Map::new();
    body.insert("object".to_owned(), json!("prediction"));
    body.insert("label".to_owned(), json!("not_fraud"));
    body.insert("score".to_owned(), json!(0.93));
    body.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
    Value::from(body).to_string().into_bytes()
}

/// An error object as a body.
pub(crate) fn error(message: &str) -> Vec<u8> {
    json!({"error": {"message": message, "type": "server_error"}}).to_string().into_bytes()
}

/// A web page, as a wrong address or a login wall would give.
pub(crate) fn page() -> Vec<u8> {
    "<!doctype html>\n<html lang=\"en\"><head><title>Welcome</title></head><body><p>Please sign in.</p></body></html>\n"
        .as_bytes()
        .to_vec()
}
