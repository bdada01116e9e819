//! Events of a protocol that is not known: a JSON pointer tells where the text is. Without one, nothing is guessed.

use super::{Dialect, Ending, Facts, Frame, Memory, Usual};
use crate::decode::Event;
use firstlight_json::Json;

const fn dialect(code: &'static str, name: &'static str, usual: Usual, decode: Decode) -> Dialect {
    Dialect { code, name, usual, ending: Ending::Body, free_text: false, fits: |_| false, decode }
}

type Decode = fn(&Frame<'_>, &mut Memory, &mut Facts<'_>);

/// Server-sent events.
pub(crate) static SSE: Dialect = dialect("sse", "Server-sent events, text by pointer", Usual::Sse, pointed);
/// JSON values.
pub(crate) static NDJSON: Dialect = dialect("ndjson", "JSON lines, text by pointer", Usual::Values, pointed);
/// Text as it comes.
pub(crate) static TEXT: Dialect = Dialect { free_text: true, ..dialect("plain_text", "Plain text", Usual::Text, text) };
/// One JSON body.
pub(crate) static BODY: Dialect = dialect("json_body", "One JSON body", Usual::Whole, body);
/// None of these.
pub(crate) static UNKNOWN: Dialect = dialect("unknown", "Not understood", Usual::Whole, |_, _, _| {});

fn text(frame: &Frame<'_>, _: &mut Memory, out: &mut Facts<'_>) {
    out.answer(Some(frame.data.into()));
}

fn pointed(frame: &Frame<'_>, memory: &mut Memory, out: &mut Facts<'_>) {
    match (memory.text.as_deref(), frame.json) {
        // The pointer to the whole: the data are the text, JSON or not.
        (Some(""), Some(json)) if json.is_text() => out.answer(json.as_text()),
        (Some(""), _) => out.answer(Some(frame.data.into())),
        (Some(pointer), Some(json)) => out.answer(json.pointer(pointer).and_then(Json::as_text)),
        (Some(_), None) => out.note("unreadable_event", frame.data),
        (None, _) => out.note("no_text_found", frame.data),
    }
}

/// A result that is no generated text.
fn body(frame: &Frame<'_>, memory: &mut Memory, out: &mut Facts<'_>) {
    let Some(json) = frame.json else { return };
    out.0.push(Event::Prediction);
    let result = match memory.text.as_deref() {
        Some(pointer) => json.pointer(pointer),
        None => Some(json),
    };
    match result {
        Some(result) => out.answer(Some(result.as_text().unwrap_or(result.raw().into()))),
        None => out.note("no_text_found", frame.data),
    }
    let list = match memory.items.as_deref() {
        Some(pointer) => json.pointer(pointer).filter(|l| l.is_list()),
        None => known_items(json),
    };
    out.0.extend(list.map(|l| Event::Items(l.items().count() as u64)));
}

/// The list of results of embeddings (OpenAI, Cohere, Ollama), of predictions (TensorFlow Serving, KServe v1, Vertex) and
/// of a reply that is a list itself.
fn known_items(json: Json<'_>) -> Option<Json<'_>> {
    if json.is_list() {
        return Some(json);
    }
    ["data", "embeddings", "predictions"].into_iter().find_map(|name| json.get(name)).filter(|l| l.is_list())
}
