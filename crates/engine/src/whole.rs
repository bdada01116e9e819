//! Bodies that are no generated text: predictions, a web page.

use serde_json::{Map, Value, json};

/// A single prediction.
pub(crate) fn prediction(fields: Vec<(&'static str, Value)>) -> Vec<u8> {
    let mut body = Map::new();
    body.insert("object".to_owned(), json!("prediction"));
    body.insert("label".to_owned(), json!("not_fraud"));
    body.insert("score".to_owned(), json!(0.93));
    body.extend(fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
    Value::from(body).to_string().into_bytes()
}

/// A web page, as a wrong address or a login wall would give.
pub(crate) fn page() -> Vec<u8> {
    "<!doctype html>\n<html lang=\"en\"><head><title>Welcome</title></head><body><p>Please sign in.</p></body></html>\n"
        .as_bytes()
        .to_vec()
}
