//! Gemini and Vertex, as events or as one list in pieces.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual};
use crate::trace::Usage;
use firstlight_json::Json;

pub(crate) static DIALECT: Dialect = Dialect {
    code: "gemini",
    name: "Gemini generateContent",
    usual: Usual::Sse,
    ending: Ending::Reason,
    free_text: false,
    fits,
    decode,
};

fn fits(frame: &Frame<'_>) -> bool {
    frame.has("candidates") || frame.has("promptFeedback") || (frame.has("usageMetadata") && frame.has("modelVersion"))
}

fn decode(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    let Some(json) = frame.json else { return };
    for candidate in json.items_at("candidates") {
        let choice = candidate.u64_at("index").unwrap_or(0) as u32;
        for part in candidate.get("content").into_iter().flat_map(|c| c.items_at("parts")) {
            match part.get("thought").and_then(Json::as_bool) {
                Some(true) => out.reasoning(choice, part.text_at("text")),
                _ => out.answer_of(choice, part.text_at("text")),
            }
            if let Some(call) = part.get("functionCall") {
                out.tool(choice, call.text_at("name"));
                out.arguments(choice, call.get("args"));
            }
            out.tool(choice, part.path(&["executableCode", "code"]).and_then(Json::as_text));
        }
        out.finish(candidate.text_at("finishReason"));
    }
    out.finish(json.path(&["promptFeedback", "blockReason"]).and_then(Json::as_text));
    if let Some(usage) = json.get("usageMetadata") {
        // Thoughts are counted beside the candidates: `output` is always everything.
        let (seen, thoughts) = (usage.u64_at("candidatesTokenCount"), usage.u64_at("thoughtsTokenCount"));
        out.usage(Usage {
            input: usage.u64_at("promptTokenCount"),
            output: seen.or(thoughts).map(|_| seen.unwrap_or(0) + thoughts.unwrap_or(0)),
            reasoning: thoughts,
            cached: usage.u64_at("cachedContentTokenCount"),
        });
    }
}
