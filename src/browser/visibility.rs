//! Whether the page is seen.

use firstlight_core::Micros;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

use super::window;

/// The page is hidden now.
pub fn hidden() -> bool {
    window().document().is_some_and(|d| d.hidden())
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
