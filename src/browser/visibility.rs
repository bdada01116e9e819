//! Whether the page is seen.

use firstlight_core::Micros;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

use super::{property, window};

/// The page is hidden now.
pub fn hidden() -> bool {
    window().document().is_some_and(|d| d.hidden())
}

/// Listens for the freezing of the page, and for its end, until dropped.
pub struct Freezing {
    listener: Closure<dyn Fn(web_sys::Event)>,
}

impl Freezing {
    /// Calls back with true when the page is about to be frozen, and with false when it goes on.
    pub fn new(callback: impl Fn(bool) + 'static) -> Freezing {
        let listener = Closure::new(move |event: web_sys::Event| callback(event.type_() == "freeze"));
        if let Some(document) = window().document() {
            for kind in ["freeze", "resume"] {
                let _ = document.add_event_listener_with_callback(kind, listener.as_ref().unchecked_ref());
            }
        }
        Freezing { listener }
    }
}

impl Drop for Freezing {
    fn drop(&mut self) {
        if let Some(document) = window().document() {
            for kind in ["freeze", "resume"] {
                let _ = document.remove_event_listener_with_callback(kind, self.listener.as_ref().unchecked_ref());
            }
        }
    }
}

/// The browser made this page before anybody went to it.
pub fn prerendering() -> bool {
    property(&document(), "prerendering").is_truthy()
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

/// Listens until dropped.
pub struct Watch {
    listener: Closure<dyn Fn(web_sys::Event)>,
}

impl Watch {
    /// Calls back at each change with the event's own time stamp.
    pub fn new(callback: impl Fn(bool, Micros) + 'static) -> Watch {
        let listener = Closure::new(move |event: web_sys::Event| callback(hidden(), Micros::from_ms(event.time_stamp())));
        if let Some(document) = window().document() {
            let _ = document.add_event_listener_with_callback("visibilitychange", listener.as_ref().unchecked_ref());
        }
        Watch { listener }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(document) = window().document() {
            let _ = document.remove_event_listener_with_callback("visibilitychange", self.listener.as_ref().unchecked_ref());
        }
    }
}
