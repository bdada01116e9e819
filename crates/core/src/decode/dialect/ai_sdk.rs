//! The UI message stream of the Vercel AI SDK (v5 and later).

use super::{Dialect, Ending, Facts, Frame, Memory, Usual};
use crate::decode::Event;
use firstlight_json::Json;

pub(crate) static DIALECT: Dialect = Dialect {
    code: "ai_sdk_ui",
    name: "AI SDK UI message stream",
    usual: Usual::Sse,
    ending: Ending::Marker,
    free_text: false,
    fits,
    decode,
};

const EVENTS: [&str; 9] = [
    "start",
    "start-step",
    "text-start",
    "text-delta",
    "reasoning-start",
    "reasoning-delta",
    "tool-input-start",
    "finish-step",
    "reset-step",
];

fn fits(frame: &Frame<'_>) -> bool {
    frame.text("type").is_some_and(|t| EVENTS.contains(&&*t))
}

fn decode(frame: &Frame<'_>, memory: &mut Memory, out: &mut Facts<'_>) {
    let (Some(json), Some(kind)) = (frame.json, frame.text("type")) else { return };
    let id = || json.text_at("toolCallId").unwrap_or_default().into_owned();
    match &*kind {
        "text-delta" => out.answer(json.text_at("delta")),
        "reasoning-delta" => out.reasoning(0, json.text_at("delta")),
        "tool-input-start" => {
            memory.tool = id();
            out.tool(0, json.text_at("toolName"));
        }
        "tool-input-delta" => out.tool(0, json.text_at("inputTextDelta")),
        // Arguments come again whole once they are complete; they count where they did not come in pieces.
        "tool-input-available" if memory.tool != id() => {
            out.tool(0, json.text_at("toolName"));
            out.arguments(0, json.get("input"));
        }
        "reset-step" => out.0.push(Event::Withdraw),
        "error" => out.error(&json.text_at("errorText").unwrap_or_default()),
        "abort" => out.error(&format!("aborted: {}", json.get("reason").and_then(Json::as_text).unwrap_or_default())),
        "finish" => out.finish(json.text_at("finishReason").or(Some("finish".into()))),
        _ => {}
    }
}
