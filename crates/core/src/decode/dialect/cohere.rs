//! Cohere v2 chat.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual};
use crate::trace::Usage;
use firstlight_json::Json;

pub(crate) static DIALECT: Dialect = Dialect {
    code: "cohere_v2",
    name: "Cohere v2 chat",
    usual: Usual::Sse,
    ending: Ending::Marker,
    free_text: false,
    fits,
    decode,
};

const EVENTS: [&str; 10] = [
    "message-start",
    "content-start",
    "content-delta",
    "content-end",
    "tool-plan-delta",
    "tool-call-start",
    "tool-call-delta",
    "tool-call-end",
    "citation-start",
    "message-end",
];

fn fits(frame: &Frame<'_>) -> bool {
    let streamed = frame.text("type").is_some_and(|t| EVENTS.contains(&&*t));
    // A whole answer: a message with a list as its content, and no choices around it.
    streamed || frame.json.and_then(|j| j.path(&["message", "content"])).is_some_and(Json::is_list)
}

fn decode(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    let Some(json) = frame.json else { return };
    if !frame.has("type") {
        if let Some(message) = json.get("message") {
            say(message, out);
        }
        return close(json, out);
    }
    let delta = json.get("delta");
    if let Some(message) = delta.and_then(|d| d.get("message")) {
        say(message, out);
    }
    if frame.text("type").is_some_and(|t| t == "message-end")
        && let Some(delta) = delta
    {
        close(delta, out);
    }
}

fn say(message: Json<'_>, out: &mut Facts<'_>) {
    let mut part = |part: Json<'_>| {
        out.reasoning(0, part.text_at("thinking"));
        out.answer(part.text_at("text"));
    };
    match message.get("content") {
        Some(content) if content.is_list() => content.items().for_each(part),
        Some(content) => part(content),
        None => {}
    }
    // The plan before a tool is called is shown as text.
    out.answer(message.text_at("tool_plan"));
    let calls = message.get("tool_calls");
    for call in calls.into_iter().flat_map(Json::items).chain(calls) {
        out.tool(0, call.path(&["function", "name"]).and_then(Json::as_text));
        out.tool(0, call.path(&["function", "arguments"]).and_then(Json::as_text));
    }
}

fn close(end: Json<'_>, out: &mut Facts<'_>) {
    out.finish(end.text_at("finish_reason"));
    let count = |name: &str| {
        let of = |kind: &str| end.path(&["usage", kind, name]).and_then(Json::as_f64);
        // Counts come as numbers with a fraction part of zero.
        of("tokens").or_else(|| of("billed_units")).map(|n| n as u64)
    };
    out.usage(Usage { input: count("input_tokens"), output: count("output_tokens"), ..Usage::default() });
}
