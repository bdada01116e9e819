//! Ollama chat and generate: one object per line.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual};
use crate::server_report::ollama;
use crate::trace::Usage;
use firstlight_json::Json;

pub(crate) static DIALECT: Dialect = Dialect {
    code: "ollama",
    name: "Ollama chat and generate",
    usual: Usual::Values,
    ending: Ending::Marker,
    free_text: false,
    fits,
    decode,
};

fn fits(frame: &Frame<'_>) -> bool {
    let done = frame.json.and_then(|j| j.get("done")).and_then(Json::as_bool).is_some();
    done && (frame.has("message") || frame.has("response") || frame.has("model"))
}

fn decode(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    let Some(json) = frame.json else { return };
    for part in [Some(json), json.get("message")].into_iter().flatten() {
        // Some relays name the field as OpenAI's do.
        out.reasoning(0, part.text_at("thinking").or_else(|| part.text_at("reasoning_content")));
        out.answer(part.text_at("content").or_else(|| part.text_at("response")));
        for function in part.items_at("tool_calls").filter_map(|call| call.get("function")) {
            out.tool(0, function.text_at("name"));
            out.arguments(0, function.get("arguments"));
        }
    }
    if json.get("done").and_then(Json::as_bool) == Some(true) {
        out.usage(Usage { input: json.u64_at("prompt_eval_count"), output: json.u64_at("eval_count"), ..Usage::default() });
        out.spans(ollama(json));
        out.finish(json.text_at("done_reason"));
        out.end();
    }
}
