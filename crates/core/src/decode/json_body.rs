//! One JSON body: a whole chat completion, an error, or a single prediction.

use serde_json::Value;

use super::{Channel, Decoded, Event, error_message, openai_chat, shorten};

/// The most that one body may hold.
const MAX_BODY: usize = 16 << 20;

/// The body so far.
#[derive(Default)]
pub(crate) struct Body {
    bytes: Vec<u8>,
    too_large: bool,
}

impl Body {
    /// Takes one read. Nothing is decoded before the end.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if self.bytes.len() + bytes.len() > MAX_BODY {
            self.too_large = true;
        } else {
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// The body ended.
    pub(crate) fn end(&mut self, out: &mut Decoded) {
        let bytes = std::mem::take(&mut self.bytes);
        if self.too_large {
            out.events.push(Event::Error(format!("the body is larger than {} MiB", MAX_BODY >> 20)));
            return;
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}').trim();
        out.frame(|events| decode(text, events));
    }
}

fn decode(text: &str, events: &mut Vec<Event>) {
    if openai_chat::decode_whole(text, events) {
        events.push(Event::End);
        return;
    }
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(e) if e.is_eof() => return events.push(Event::Note("json_cut", String::new())),
        Err(e) => return events.push(Event::Note("not_json", format!("{e}: {}", shorten(text)))),
    };
    if let Some(message) = value.get("error").and_then(error_message) {
        events.push(Event::Error(message));
        return;
    }
    events.push(Event::Prediction);
    let list = value.get("server_timing").map(|t| crate::server_report::components(t, crate::server_report::Source::BodyField));
    events.extend(list.filter(|spans| !spans.is_empty()).map(Event::Spans));
    events.push(Event::Output { channel: Channel::Answer, choice: 0, text: text.to_owned() });
    events.push(Event::End);
}
