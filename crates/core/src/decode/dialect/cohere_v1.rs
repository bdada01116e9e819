//! Cohere v1 chat: one object per line.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual};
use crate::trace::Usage;
use firstlight_json::Json;

pub(crate) static DIALECT: Dialect = Dialect {
    code: "cohere_v1",
    name: "Cohere v1 chat",
    usual: Usual::Values,
    ending: Ending::Marker,
    free_text: false,
    fits,
    decode,
};

fn fits(frame: &Frame<'_>) -> bool {
    frame.has("event_type") && frame.has("is_finished") || frame.has("generation_id") && frame.has("text")
}

fn decode(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    let Some(json) = frame.json else { return };
    match frame.text("event_type").as_deref() {
        None => {
            out.answer(json.text_at("text"));
            close(json, json, out);
        }
        Some("text-generation") => out.answer(json.text_at("text")),
        Some("tool-calls-chunk") => {
            out.tool(0, json.path(&["tool_call_delta", "name"]).and_then(Json::as_text));
            out.tool(0, json.path(&["tool_call_delta", "parameters"]).and_then(Json::as_text));
        }
        Some("stream-end") => {
            close(json, json.get("response").unwrap_or(json), out);
            out.end();
        }
        Some(_) => {}
    }
}

fn close(end: Json<'_>, response: Json<'_>, out: &mut Facts<'_>) {
    out.finish(end.text_at("finish_reason"));
    let count = |name: &str| {
        let of = |kind: &str| response.path(&["meta", kind, name]).and_then(Json::as_f64);
        of("tokens").or_else(|| of("billed_units")).map(|n| n as u64)
    };
    out.usage(Usage { input: count("input_tokens"), output: count("output_tokens"), ..Usage::default() });
}
