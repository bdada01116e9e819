//! A request's body: what is asked of the endpoint.

use firstlight_engine::Ask;
use serde_json::Value;

/// Why a body can't be answered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum QuestionError {
    #[error("the body is not JSON ({0}); send a chat completion request such as {EXAMPLE}")]
    NotJson(serde_json::Error),
    #[error("the body is not a JSON object; send a chat completion request such as {EXAMPLE}")]
    NotObject,
    #[error("{name} is {value}, but it must be {allowed}")]
    Field { name: &'static str, value: String, allowed: &'static str },
}

const EXAMPLE: &str = r#"{"messages": [{"role": "user", "content": "Hello"}], "stream": true}"#;

/// Reads a body. Only what changes the reply is looked at; everything else may be as it likes.
pub(crate) fn parse(body: &[u8], created_s: u64) -> Result<Ask, QuestionError> {
    let body: Value = serde_json::from_slice(body).map_err(QuestionError::NotJson)?;
    let Value::Object(fields) = &body else { return Err(QuestionError::NotObject) };
    let wrong = |name, value: &Value, allowed| QuestionError::Field { name, value: value.to_string(), allowed };
    let stream = match fields.get("stream") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(stream)) => *stream,
        Some(other) => return Err(wrong("stream", other, "true or false")),
    };
    let max_tokens = match fields.get("max_completion_tokens").or_else(|| fields.get("max_tokens")) {
        None | Some(Value::Null) => None,
        Some(value) => {
            let limit =
                value.as_u64().filter(|n| *n > 0).ok_or_else(|| wrong("max_tokens", value, "a whole number above 0"))?;
            Some(u32::try_from(limit).unwrap_or(u32::MAX))
        }
    };
    let prompt_tokens = fields.get("messages").map_or(0, words);
    let model = fields.get("model").and_then(Value::as_str).map(str::to_owned);
    Ok(Ask { stream, model, max_tokens, prompt_tokens, created_s })
}

/// Words of every content, however it is nested: one token a word, as in the answers.
fn words(value: &Value) -> u32 {
    match value {
        Value::Array(list) => list.iter().map(words).sum(),
        Value::Object(map) => ["content", "text"].iter().filter_map(|name| map.get(*name)).map(words).sum(),
        Value::String(text) => u32::try_from(text.split_whitespace().count()).unwrap_or(u32::MAX),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_the_reply() {
        let body = br#"{"model":"m","stream":true,"max_tokens":7,"temperature":0,
            "messages":[{"role":"user","content":"a b"},{"role":"user","content":[{"type":"text","text":"c d e"}]}]}"#;
        let ask = parse(body, 9).expect("a question");
        assert_eq!(ask, Ask { stream: true, model: Some("m".into()), max_tokens: Some(7), prompt_tokens: 5, created_s: 9 });
        assert!(!parse(b"{}", 0).expect("a question").stream);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let refused = |body: &[u8]| parse(body, 0).map(|a| format!("{a:?}")).expect_err("refused").to_string();
        assert!(refused(b"{\"stream\":").contains("not JSON (EOF while parsing"));
        assert!(refused(b"[]").contains("not a JSON object"));
        assert_eq!(refused(br#"{"stream":"yes"}"#), r#"stream is "yes", but it must be true or false"#);
        assert!(refused(br#"{"max_tokens":0}"#).contains("above 0"));
    }
}
