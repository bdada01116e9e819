//! The fragment of the page's address.

use wasm_bindgen::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

use super::{property, window};

/// With its `#`; empty if there is none.
pub fn fragment() -> String {
    window().location().hash().unwrap_or_default()
}

/// The page's address without a fragment, and with this one, given without its `#`.
pub fn with_fragment(fragment: &str) -> String {
    let href = window().location().href().unwrap_or_default();
    format!("{}#{fragment}", href.split('#').next().unwrap_or_default())
}

/// Goes to another fragment, as a link would.
pub fn go(fragment: &str) {
    // An address that only differs by its fragment loads nothing.
    let _ = window().location().set_hash(fragment);
}

/// Puts another fragment in the present one's place; nobody is told.
pub fn replace(fragment: &str) {
    let history = property(&window(), "history");
    let function: js_sys::Function = property(&history, "replaceState").unchecked_into();
    let address = JsValue::from_str(&with_fragment(fragment));
    // A browser that keeps no history keeps the old address: nothing depends on it.
    let _ = function.call3(&history, &JsValue::NULL, &JsValue::from_str(""), &address);
}

/// Calls back whenever the fragment changes, for as long as the page lives.
pub fn on_change(callback: impl Fn() + 'static) {
    let listener = Closure::<dyn Fn()>::new(callback);
    let _ = window().add_event_listener_with_callback("hashchange", listener.as_ref().unchecked_ref());
    listener.forget();
}
