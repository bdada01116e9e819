//! The decoder as the page runs it, alone in a module: `cargo xtask bench decode` holds it against what a page in
//! JavaScript would do. Built with the page's own profile, and bytes come in as they do there.

use firstlight_core::decode::{Choice, Decoder, Head};
use wasm_bindgen::prelude::wasm_bindgen;

/// One reply that is being decoded.
#[wasm_bindgen]
pub struct Reply {
    decoder: Decoder,
    text: String,
    events: u32,
}

#[wasm_bindgen]
impl Reply {
    /// Begins a reply of server-sent events, of which the dialect is not known.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "called from JavaScript")]
    pub fn new() -> Reply {
        let head = Head { content_type: Some("text/event-stream"), headers: &[] };
        Reply { decoder: Decoder::new(&Choice::default(), &head), text: String::new(), events: 0 }
    }

    /// Takes one read, copied as `src/browser/fetch.rs` copies it.
    pub fn read(&mut self, bytes: &js_sys::Uint8Array) {
        let decoded = self.decoder.push(&bytes.to_vec());
        self.events += decoded.framed;
        decoded.events.iter().filter_map(|event| event.shown()).for_each(|text| self.text.push_str(text));
    }

    /// The answer so far.
    pub fn text(&self) -> String {
        self.text.clone()
    }

    /// Events so far.
    pub fn events(&self) -> u32 {
        self.events
    }
}
