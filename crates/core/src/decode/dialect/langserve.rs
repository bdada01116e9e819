//! LangServe `/stream`: the data are the chunks of whatever runs.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual};
use crate::trace::Usage;
use firstlight_json::Json;

pub(crate) static DIALECT: Dialect = Dialect {
    code: "langserve",
    name: "LangServe stream",
    usual: Usual::Sse,
    ending: Ending::Marker,
    free_text: false,
    fits: |frame| frame.name == "data" || frame.name == "metadata" && frame.has("run_id"),
    decode,
};

fn decode(frame: &Frame<'_>, memory: &mut Memory, out: &mut Facts<'_>) {
    match (frame.name, frame.json) {
        ("end", _) => {
            out.finish(Some("end".into()));
            out.end();
        }
        ("data", Some(json)) if json.is_text() => out.answer(json.as_text()),
        ("data", Some(json)) => message(json, memory, out),
        _ => {}
    }
}

/// A message chunk of LangChain, or an object of which only a pointer can tell where its text is.
fn message(json: Json<'_>, memory: &Memory, out: &mut Facts<'_>) {
    if let Some(pointer) = &memory.text {
        return out.answer(json.pointer(pointer).and_then(Json::as_text));
    }
    match json.get("content") {
        Some(content) if content.is_text() => out.answer(content.as_text()),
        Some(content) => content.items().for_each(|part| out.answer(part.text_at("text").or_else(|| part.as_text()))),
        None => out.note("no_text_found", json.raw()),
    }
    out.reasoning(0, json.path(&["additional_kwargs", "reasoning_content"]).and_then(Json::as_text));
    for call in json.items_at("tool_call_chunks") {
        out.tool(0, call.text_at("name"));
        out.tool(0, call.text_at("args"));
    }
    if let Some(usage) = json.get("usage_metadata") {
        out.usage(Usage {
            input: usage.u64_at("input_tokens"),
            output: usage.u64_at("output_tokens"),
            reasoning: usage.path(&["output_token_details", "reasoning"]).and_then(Json::as_u64),
            cached: usage.path(&["input_token_details", "cache_read"]).and_then(Json::as_u64),
        });
    }
}
