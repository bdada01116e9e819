//! watsonx.ai text generation.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual};
use crate::trace::Usage;

pub(crate) static DIALECT: Dialect = Dialect {
    code: "watsonx",
    name: "watsonx.ai generation",
    usual: Usual::Sse,
    ending: Ending::Reason,
    free_text: false,
    fits: |frame| frame.json.is_some_and(|j| j.items_at("results").next().is_some_and(|r| r.get("generated_text").is_some())),
    decode,
};

fn decode(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    for result in frame.json.into_iter().flat_map(|j| j.items_at("results")) {
        out.answer(result.text_at("generated_text"));
        out.usage(Usage {
            input: result.u64_at("input_token_count").filter(|n| *n > 0),
            output: result.u64_at("generated_token_count"),
            ..Usage::default()
        });
        out.finish(result.text_at("stop_reason").filter(|r| r != "not_finished"));
    }
}
