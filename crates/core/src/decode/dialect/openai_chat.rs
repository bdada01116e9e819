//! Chat completions of OpenAI and of everybody who speaks like it.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual};
use crate::server_report::openai_like;
use crate::trace::Usage;
use firstlight_json::Json;

pub(crate) static DIALECT: Dialect = Dialect {
    code: "openai_chat",
    name: "OpenAI chat completions",
    usual: Usual::Sse,
    ending: Ending::Marker,
    free_text: false,
    fits,
    decode,
};

fn fits(frame: &Frame<'_>) -> bool {
    let Some(choices) = frame.json.and_then(|j| j.get("choices")).filter(|c| c.is_list()) else { return false };
    match choices.items().next() {
        Some(choice) => choice.get("delta").is_some() || choice.get("message").is_some(),
        // Azure begins with a chunk without choices; legacy completions say what they are.
        None => frame.text("object").is_none_or(|o| o != "text_completion"),
    }
}

fn decode(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    let Some(json) = frame.json else { return };
    for choice in json.items_at("choices") {
        let [index, delta, message, finish] = choice.all(["index", "delta", "message", "finish_reason"]);
        let index = index.and_then(Json::as_u64).unwrap_or(0) as u32;
        for message in [delta, message].into_iter().flatten() {
            say(message, index, out);
        }
        out.finish(finish.and_then(Json::filled));
    }
    counts(json, out);
}

/// A delta of a stream, or the message of a whole answer: the same fields.
fn say(message: Json<'_>, choice: u32, out: &mut Facts<'_>) {
    // Servers name the field one way or the other; where both come, they hold the same text: it counts once.
    let [thought, reasoning, content, refusal] = message.all(["reasoning_content", "reasoning", "content", "refusal"]);
    let (thought, reasoning) = (thought.and_then(Json::filled), reasoning.and_then(Json::filled));
    if thought.is_some() && reasoning.is_some() && thought != reasoning {
        out.note("two_reasonings", "");
    }
    out.reasoning(choice, thought.or(reasoning));
    match content {
        Some(parts) if parts.is_list() => parts.items().for_each(|part| say_part(part, choice, out)),
        content => out.answer_of(choice, content.and_then(Json::as_text)),
    }
    out.answer_of(choice, refusal.and_then(Json::as_text));
    let called = message.items_at("tool_calls").filter_map(|call| call.get("function"));
    for function in called.chain(message.get("function_call")) {
        out.tool(choice, function.text_at("name"));
        out.arguments(choice, function.get("arguments"));
    }
}

/// Content that is a list of parts.
fn say_part(part: Json<'_>, choice: u32, out: &mut Facts<'_>) {
    match part.get("thinking") {
        Some(thinking) if thinking.is_list() => thinking.items().for_each(|p| out.reasoning(choice, p.text_at("text"))),
        Some(thinking) => out.reasoning(choice, thinking.as_text()),
        None => out.answer_of(choice, part.text_at("text").or_else(|| part.as_text().filter(|_| part.is_text()))),
    }
}

/// Token counts and timings, as chat and legacy completions carry them.
pub(super) fn counts(json: Json<'_>, out: &mut Facts<'_>) {
    // Each stands in an object or a list of its own, which nearly every chunk has not: one look instead of many.
    if !json.members().any(|value| value.is_nested() && value.name() != "choices") {
        return;
    }
    if let Some(usage) = json.get("usage").or_else(|| json.path(&["x_groq", "usage"])) {
        out.usage(usage_of(usage));
    }
    out.spans(openai_like(json));
}

fn usage_of(usage: Json<'_>) -> Usage {
    let inside = |object: &str, name: &str| usage.path(&[object, name]).and_then(Json::as_u64);
    let (input, output) = (usage.u64_at("prompt_tokens"), usage.u64_at("completion_tokens"));
    let reasoning = inside("completion_tokens_details", "reasoning_tokens").or_else(|| usage.u64_at("reasoning_tokens"));
    // Where the total says that reasoning was counted beside the output, it is added: `output` is always everything.
    let beside = match (input, output, reasoning, usage.u64_at("total_tokens")) {
        (Some(i), Some(o), Some(r), Some(total)) if r > 0 && total == i + o + r => r,
        _ => 0,
    };
    Usage { input, output: output.map(|o| o + beside), reasoning, cached: inside("prompt_tokens_details", "cached_tokens") }
}
