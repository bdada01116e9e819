//! A request's body: what is asked of the endpoint, in whichever dialect.

use firstlight_engine::Ask;
use serde_json::Value;

use super::path::Expected;

/// Why a body can't be answered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum QuestionError {
    #[error("the body is not JSON ({0}); send a request such as {EXAMPLE}")]
    NotJson(serde_json::Error),
    #[error("the body is not a JSON object; send a request such as {EXAMPLE}")]
    NotObject,
    #[error("{name} is {value}, but it must be {allowed}")]
    Field { name: &'static str, value: String, allowed: &'static str },
}

const EXAMPLE: &str = r#"{"messages": [{"role": "user", "content": "Hello"}], "stream": true}"#;

/// Where the dialects say how long an answer may be.
const LIMITS: [&str; 5] = [
    "/max_completion_tokens",
    "/max_tokens",
    "/max_output_tokens",
    "/generationConfig/maxOutputTokens",
    "/options/num_predict",
];

/// Where they say what is asked.
const PROMPTS: [&str; 7] =
    ["messages", "input", "contents", "system", "instructions", "systemInstruction", "system_instruction"];

/// Reads a body. Only what changes the reply is looked at; everything else may be as it likes. `unasked`: a question that does
/// not say so wants a stream.
pub(crate) fn parse(body: &[u8], expected: &Expected, unasked: bool, created_s: u64) -> Result<Ask, QuestionError> {
    let body: Value = serde_json::from_slice(body).map_err(QuestionError::NotJson)?;
    let Value::Object(fields) = &body else { return Err(QuestionError::NotObject) };
    let wrong = |name, value: &Value, allowed| QuestionError::Field { name, value: value.to_string(), allowed };
    let stream = match fields.get("stream") {
        None | Some(Value::Null) => unasked,
        Some(Value::Bool(stream)) => *stream,
        Some(other) => return Err(wrong("stream", other, "true or false")),
    };
    let limit = LIMITS.iter().find_map(|pointer| Some((*pointer, body.pointer(pointer).filter(|value| !value.is_null())?)));
    let max_tokens = match limit {
        None => None,
        // Ollama: below 0 is no limit.
        Some(("/options/num_predict", value)) if value.as_i64().is_some_and(|n| n < 0) => None,
        Some((_, value)) => {
            let limit =
                value.as_u64().filter(|n| *n > 0).ok_or_else(|| wrong("max_tokens", value, "a whole number above 0"))?;
            Some(u32::try_from(limit).unwrap_or(u32::MAX))
        }
    };
    let prompt_tokens = PROMPTS.iter().filter_map(|name| fields.get(*name)).map(words).sum();
    let model = fields.get("model").and_then(Value::as_str).map(str::to_owned);
    let (stream, model) = (expected.stream.unwrap_or(stream), model.or_else(|| expected.model.clone()));
    Ok(Ask { stream, model, max_tokens, prompt_tokens, items: fields.get("input").map_or(1, items), created_s })
}

/// Inputs of a batch: a list of texts, or of lists of tokens; a list of numbers is one input.
fn items(input: &Value) -> u32 {
    match input {
        Value::Array(list) if !list.iter().all(Value::is_number) => u32::try_from(list.len()).unwrap_or(u32::MAX),
        _ => 1,
    }
}

/// Words of every content, however it is nested: one token a word, as in the answers.
fn words(value: &Value) -> u32 {
    match value {
        Value::Array(list) => list.iter().map(words).sum(),
        Value::Object(map) => ["content", "text", "parts"].iter().filter_map(|name| map.get(*name)).map(words).sum(),
        // An input that is tokens already.
        Value::Number(_) => 1,
        Value::String(text) => u32::try_from(text.split_whitespace().count()).unwrap_or(u32::MAX),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(body: &[u8], created_s: u64) -> Result<Ask, QuestionError> {
        super::parse(body, &Expected::default(), false, created_s)
    }

    #[test]
    fn what_changes_the_reply() {
        let body = br#"{"model":"m","stream":true,"max_tokens":7,"temperature":0,
            "messages":[{"role":"user","content":"a b"},{"role":"user","content":[{"type":"text","text":"c d e"}]}]}"#;
        let ask = parse(body, 9).expect("a question");
        let want = Ask { stream: true, model: Some("m".into()), max_tokens: Some(7), prompt_tokens: 5, items: 1, created_s: 9 };
        assert_eq!(ask, want);
        assert!(!parse(b"{}", 0).expect("a question").stream);
    }

    #[test]
    fn every_dialect_asks_in_its_own_way() {
        let read =
            |body: &str| parse(body.as_bytes(), 0).map(|ask| (ask.max_tokens, ask.prompt_tokens, ask.items)).expect("asked");
        assert_eq!(read(r#"{"input":"a b","instructions":"c","max_output_tokens":5}"#), (Some(5), 3, 1));
        assert_eq!(read(r#"{"system":"a","messages":[{"role":"user","content":"b c"}],"max_tokens":6}"#), (Some(6), 3, 1));
        let gemini = r#"{"contents":[{"parts":[{"text":"a b"}]}],"generationConfig":{"maxOutputTokens":7}}"#;
        assert_eq!(read(gemini), (Some(7), 2, 1));
        assert_eq!(read(r#"{"messages":[],"options":{"num_predict":8}}"#), (Some(8), 0, 1));
        assert_eq!(read(r#"{"messages":[],"options":{"num_predict":-1}}"#), (None, 0, 1));
        assert_eq!(read(r#"{"input":["a b","c"]}"#), (None, 3, 2));
        assert_eq!(read(r#"{"input":[5,6,7]}"#), (None, 3, 1));
        assert_eq!(read(r#"{"input":[[5,6],[7]]}"#), (None, 3, 2));
        let expected = Expected::of("/v1beta/models/g:streamGenerateContent").expect("a path");
        let ask = super::parse(b"{}", &expected, false, 0).expect("asked");
        assert_eq!((ask.stream, ask.model.as_deref()), (true, Some("g")));
        assert!(super::parse(b"{}", &Expected::default(), true, 0).expect("asked").stream);
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
