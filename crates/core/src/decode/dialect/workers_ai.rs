//! Cloudflare Workers AI: `p` pads the event and means nothing.

use super::openai_chat::counts;
use super::{Dialect, Ending, Facts, Frame, Memory, Usual};
use firstlight_json::Json;

pub(crate) static DIALECT: Dialect = Dialect {
    code: "workers_ai",
    name: "Workers AI",
    usual: Usual::Sse,
    ending: Ending::Marker,
    free_text: false,
    fits,
    decode,
};

fn fits(frame: &Frame<'_>) -> bool {
    let text = |json: Json<'_>| json.get("response").is_some_and(Json::is_text);
    frame.json.is_some_and(|j| text(j) || j.get("result").is_some_and(text))
}

fn decode(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    let Some(json) = frame.json else { return };
    let json = json.get("result").unwrap_or(json);
    out.answer(json.text_at("response"));
    counts(json, out);
}
