//! Text Generation Inference, `/generate_stream` and `/generate`.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual};
use crate::trace::Usage;
use firstlight_json::Json;

pub(crate) static DIALECT: Dialect =
    Dialect { code: "tgi", name: "TGI generate", usual: Usual::Sse, ending: Ending::Marker, free_text: false, fits, decode };

fn fits(frame: &Frame<'_>) -> bool {
    let Some(json) = frame.json else { return false };
    json.path(&["token", "text"]).is_some() || json.get("generated_text").is_some_and(Json::is_text)
}

fn decode(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    let Some(json) = frame.json else { return };
    let streamed = json.get("token");
    if let Some(token) = streamed.filter(|t| t.get("special").and_then(Json::as_bool) != Some(true)) {
        out.answer(token.text_at("text"));
    }
    let Some(whole) = json.get("generated_text") else { return };
    if streamed.is_none() {
        out.answer(whole.as_text());
    }
    if let Some(details) = json.get("details") {
        out.usage(Usage {
            input: details.u64_at("input_length"),
            output: details.u64_at("generated_tokens"),
            ..Usage::default()
        });
        out.finish(details.text_at("finish_reason"));
    }
    out.end();
}
