//! Whether the page is seen.

use firstlight_core::Micros;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

use super::{non_zero, property, window};

/// The page is hidden now.
pub fn hidden() -> bool {
    window().document().is_some_and(|d| d.hidden())
}

/// The browser made this page before anybody went to it.
fn prerendering() -> bool {
    property(&document(), "prerendering").is_truthy()
}

/// The browser made this page before somebody went to it, and somebody did.
pub fn was_prerendered() -> bool {
    // Of the page itself there is one entry; only browsers that make pages in advance write when they were gone to.
    let entries = window().performance().map(|performance| performance.get_entries_by_type("navigation"));
    entries.is_some_and(|entries| non_zero(&entries.get(0), "activationStart").is_some())
}

/// The browser threw this page away while nobody looked, and made it again.
pub fn was_discarded() -> bool {
    property(&document(), "wasDiscarded").is_truthy()
}

fn document() -> JsValue {
    window().document().map_or(JsValue::UNDEFINED, JsValue::from)
}

/// Waits until somebody goes to a page that was made before.
pub async fn activated() {
    if prerendering() {
        let change = js_sys::Promise::new(&mut |resolve, _| {
            if let Some(document) = window().document() {
                let _ = document.add_event_listener_with_callback("prerenderingchange", &resolve);
            }
        });
        let _ = wasm_bindgen_futures::JsFuture::from(change).await;
    }
}

/// Listens to the document until dropped.
pub struct Watch {
    kinds: &'static [&'static str],
    listener: Closure<dyn Fn(web_sys::Event)>,
}

impl Watch {
    /// Calls back at each change of visibility with the event's own time stamp.
    pub fn new(callback: impl Fn(bool, Micros) + 'static) -> Watch {
        Watch::to(&["visibilitychange"], move |event| callback(hidden(), Micros::from_ms(event.time_stamp())))
    }

    /// Calls back with true when the page is about to be frozen, and with false when it goes on.
    pub fn freezing(callback: impl Fn(bool) + 'static) -> Watch {
        Watch::to(&["freeze", "resume"], move |event| callback(event.type_() == "freeze"))
    }

    fn to(kinds: &'static [&'static str], callback: impl Fn(web_sys::Event) + 'static) -> Watch {
        let listener = Closure::new(callback);
        if let Some(document) = window().document() {
            for kind in kinds {
                let _ = document.add_event_listener_with_callback(kind, listener.as_ref().unchecked_ref());
            }
        }
        Watch { kinds, listener }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(document) = window().document() {
            for kind in self.kinds {
                let _ = document.remove_event_listener_with_callback(kind, self.listener.as_ref().unchecked_ref());
            }
        }
    }
}
