//! Anthropic Messages.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual};
use crate::server_report::openai_like;
use crate::trace::Usage;
use firstlight_json::Json;

pub(crate) static DIALECT: Dialect = Dialect {
    code: "anthropic_messages",
    name: "Anthropic Messages",
    usual: Usual::Sse,
    ending: Ending::Marker,
    free_text: false,
    fits,
    decode,
};

const EVENTS: [&str; 7] = [
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "message",
];

fn fits(frame: &Frame<'_>) -> bool {
    // A whole answer says `message` and has its content beside it.
    frame.text("type").is_some_and(|t| EVENTS.contains(&&*t) && (t != "message" || frame.has("content")))
}

fn decode(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    let Some(json) = frame.json else { return };
    let [kind, delta] = json.all(["type", "delta"]);
    match &*kind.and_then(Json::as_text).unwrap_or_default() {
        "message_start" => usage(json.path(&["message", "usage"]), out),
        "content_block_start" => block(json.get("content_block"), out),
        "content_block_delta" => block(delta, out),
        "message_delta" => {
            out.finish(delta.and_then(|delta| delta.text_at("stop_reason")));
            usage(json.get("usage"), out);
        }
        "message_stop" => {
            out.spans(openai_like(json));
            out.end();
        }
        "message" => {
            json.items_at("content").for_each(|part| block(Some(part), out));
            out.finish(json.text_at("stop_reason"));
            usage(json.get("usage"), out);
            out.spans(openai_like(json));
        }
        _ => {}
    }
}

/// A block, or a piece of one: signatures and citations are nothing that a reader gets.
fn block(block: Option<Json<'_>>, out: &mut Facts<'_>) {
    for part in block.into_iter().flat_map(Json::members) {
        match &*part.name() {
            "thinking" => out.reasoning(0, part.as_text()),
            "text" => out.answer(part.as_text()),
            "name" | "partial_json" => out.tool(0, part.as_text()),
            "input" if part.members().next().is_some() => out.arguments(0, Some(part)),
            _ => {}
        }
    }
}

/// Input is counted at the start, output at the end.
fn usage(usage: Option<Json<'_>>, out: &mut Facts<'_>) {
    let Some(usage) = usage else { return };
    out.usage(Usage {
        input: usage.u64_at("input_tokens"),
        output: usage.u64_at("output_tokens"),
        reasoning: None,
        cached: usage.u64_at("cache_read_input_tokens"),
    });
}
