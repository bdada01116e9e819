//! The older data stream of the Vercel AI SDK (v4): lines that begin with one letter.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual, said};
use crate::trace::Usage;
use firstlight_json::Json;

pub(crate) static DIALECT: Dialect = Dialect {
    code: "ai_sdk_data",
    name: "AI SDK data stream (v4)",
    usual: Usual::Lines,
    ending: Ending::Marker,
    free_text: false,
    fits: |_| false,
    decode,
};

fn decode(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    let Some(json) = frame.json else { return };
    match frame.name {
        "0" => out.answer(json.as_text()),
        "g" => out.reasoning(0, json.as_text()),
        "3" => out.error(&said(json).unwrap_or_default()),
        "b" => out.tool(0, json.text_at("toolName")),
        "c" => out.tool(0, json.text_at("argsTextDelta")),
        "9" => {
            out.tool(0, json.text_at("toolName"));
            out.arguments(0, json.get("args"));
        }
        "d" => {
            let count = |name: &str| json.path(&["usage", name]).and_then(Json::as_u64);
            out.usage(Usage { input: count("promptTokens"), output: count("completionTokens"), ..Usage::default() });
            out.finish(json.text_at("finishReason"));
            out.end();
        }
        _ => {}
    }
}
