//! Legacy completions: the first chunk bears text.

use super::openai_chat::counts;
use super::{Dialect, Ending, Facts, Frame, Memory, Usual};

pub(crate) static DIALECT: Dialect = Dialect {
    code: "openai_completions",
    name: "OpenAI completions (legacy)",
    usual: Usual::Sse,
    ending: Ending::Marker,
    free_text: false,
    fits,
    decode,
};

fn fits(frame: &Frame<'_>) -> bool {
    let Some(choices) = frame.json.and_then(|j| j.get("choices")).filter(|c| c.is_list()) else { return false };
    choices
        .items()
        .next()
        .map_or_else(|| frame.text("object").is_some_and(|o| o == "text_completion"), |c| c.get("text").is_some())
}

fn decode(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    let Some(json) = frame.json else { return };
    for choice in json.items_at("choices") {
        out.answer_of(choice.u64_at("index").unwrap_or(0) as u32, choice.text_at("text"));
        out.finish(choice.text_at("finish_reason"));
    }
    counts(json, out);
}
