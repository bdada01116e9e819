//! OpenAI Responses: named events; the last of them holds the whole response again.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual, said};
use crate::server_report::openai_like;
use crate::trace::Usage;
use firstlight_json::Json;

pub(crate) static DIALECT: Dialect = Dialect {
    code: "openai_responses",
    name: "OpenAI Responses",
    usual: Usual::Sse,
    ending: Ending::Marker,
    free_text: false,
    fits,
    decode,
};

fn fits(frame: &Frame<'_>) -> bool {
    frame.type_starts("response.") || frame.text("object").is_some_and(|o| o == "response")
}

fn decode(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    let Some(json) = frame.json else { return };
    let Some(kind) = frame.text("type") else { return whole(json, out) };
    let delta = || json.get("delta").and_then(Json::as_text);
    match &*kind {
        "response.output_text.delta" | "response.refusal.delta" => out.answer(delta()),
        "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => out.reasoning(0, delta()),
        "response.output_item.added" => out.tool(0, json.path(&["item", "name"]).and_then(Json::as_text)),
        "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
            if let Some(response) = json.get("response") {
                close(response, out);
            }
            out.spans(openai_like(json));
            out.end();
        }
        // Audio is no text; every other delta is what a tool is called with or makes.
        kind if kind.ends_with(".delta") && !kind.contains("audio") => out.tool(0, delta()),
        _ => {}
    }
}

/// A response that comes at once.
fn whole(response: Json<'_>, out: &mut Facts<'_>) {
    for item in response.items_at("output") {
        item.items_at("summary").for_each(|part| out.reasoning(0, part.text_at("text")));
        let reasoning = item.get("type").is_some_and(|t| t.is("reasoning"));
        for part in item.items_at("content") {
            match reasoning {
                true => out.reasoning(0, part.text_at("text")),
                false => out.answer(part.text_at("text").or_else(|| part.text_at("refusal"))),
            }
        }
        out.tool(0, item.text_at("name"));
        out.arguments(0, item.get("arguments"));
    }
    close(response, out);
}

fn close(response: Json<'_>, out: &mut Facts<'_>) {
    match response.get("error").and_then(said) {
        Some(words) => out.error(&words),
        None if response.get("status").is_some_and(|s| s.is("failed")) => out.error("the response failed"),
        None => {}
    }
    let why = response.path(&["incomplete_details", "reason"]).and_then(Json::as_text);
    out.finish(why.or_else(|| response.text_at("status")));
    if let Some(usage) = response.get("usage") {
        let inside = |object: &str, name: &str| usage.path(&[object, name]).and_then(Json::as_u64);
        out.usage(Usage {
            input: usage.u64_at("input_tokens"),
            output: usage.u64_at("output_tokens"),
            reasoning: inside("output_tokens_details", "reasoning_tokens"),
            cached: inside("input_tokens_details", "cached_tokens"),
        });
    }
    out.spans(openai_like(response));
}
