//! What `serde_json` reads: the peer of tests and of fuzzing.

use serde_json::Value;

use super::{Json, NotJson, Tape};

/// The same value as `serde_json` reads it.
fn value(json: Json<'_>) -> Value {
    if json.is_object() {
        return json
            .members()
            .map(|member| (member.name().into_owned(), value(member)))
            .collect::<serde_json::Map<_, _>>()
            .into();
    }
    if json.is_list() {
        return json.items().map(value).collect();
    }
    if let Some(text) = json.as_text() {
        return Value::String(text.into_owned());
    }
    if let Some(yes) = json.as_bool() {
        return Value::Bool(yes);
    }
    if json.is_null() {
        return Value::Null;
    }
    serde_json::from_str(json.raw()).unwrap_or(Value::Null)
}

/// Panics where `serde_json` reads the text otherwise.
pub fn agrees(text: &str) {
    let mut tape = Tape::default();
    let ours = tape.read(text).map(value);
    let theirs = serde_json::from_str::<Value>(text);
    // Where only `serde_json` refuses: a number beyond f64, half of a surrogate pair, a depth that would be too much for its stack.
    let beyond = |e: &serde_json::Error| {
        let words = e.to_string();
        ["number out of range", "surrogate", "hex escape", "recursion limit"].iter().any(|why| words.contains(why))
    };
    match (&ours, &theirs) {
        (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs, "{text}"),
        (_, Err(e)) if beyond(e) => {}
        (Err(NotJson::Cut), Err(e)) => assert!(e.is_eof(), "{text}: {e}"),
        (Err(NotJson::At(_)), Err(_)) => {}
        _ => panic!("{text}: {ours:?} and {theirs:?}"),
    }
}
