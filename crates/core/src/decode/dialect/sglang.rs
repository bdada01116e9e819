//! SGLang's own `/generate`: every event repeats the whole text, unless the server runs with `--incremental-streaming-output`.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual};
use crate::server_report::sglang;
use crate::trace::Usage;
use firstlight_json::Json;

pub(crate) static DIALECT: Dialect = Dialect {
    code: "sglang_generate",
    name: "SGLang generate",
    usual: Usual::Sse,
    ending: Ending::Marker,
    free_text: false,
    fits,
    decode,
};

fn fits(frame: &Frame<'_>) -> bool {
    frame.has("meta_info") && frame.json.and_then(|j| j.get("text")).is_some_and(Json::is_text)
}

fn decode(frame: &Frame<'_>, memory: &mut Memory, out: &mut Facts<'_>) {
    let Some(json) = frame.json else { return };
    let text = json.get("text").and_then(Json::as_text).unwrap_or_default();
    let Some(meta) = json.get("meta_info") else { return };
    out.repeated(memory, &text);
    out.usage(Usage {
        input: meta.u64_at("prompt_tokens"),
        output: meta.u64_at("completion_tokens"),
        reasoning: None,
        cached: meta.u64_at("cached_tokens"),
    });
    out.spans(sglang(meta));
    if let Some(reason) = meta.get("finish_reason") {
        out.finish(reason.as_text().or_else(|| reason.text_at("type")).or(Some("finished".into())));
    }
}
