//! llama.cpp's own `/completion`.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual};
use crate::server_report::openai_like;
use crate::trace::Usage;
use firstlight_json::Json;

pub(crate) static DIALECT: Dialect = Dialect {
    code: "llama_cpp",
    name: "llama.cpp completion",
    usual: Usual::Sse,
    ending: Ending::Marker,
    free_text: false,
    fits,
    decode,
};

fn fits(frame: &Frame<'_>) -> bool {
    let Some(json) = frame.json else { return false };
    json.get("stop").and_then(Json::as_bool).is_some() && json.get("content").is_some_and(Json::is_text)
}

fn decode(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    let Some(json) = frame.json else { return };
    out.answer(json.text_at("content"));
    out.spans(openai_like(json));
    if json.get("stop").and_then(Json::as_bool) == Some(true) {
        out.usage(Usage {
            input: json.u64_at("tokens_evaluated"),
            output: json.u64_at("tokens_predicted"),
            ..Usage::default()
        });
        out.finish(json.text_at("stop_type"));
        out.end();
    }
}
