//! One Web API a file, thin. Nothing here decides what a figure means.

pub mod address;
pub mod clipboard;
pub mod clock;
pub mod cover;
pub mod drop;
pub mod environment;
pub mod fetch;
pub mod file;
pub mod frames;
pub mod fullscreen;
pub mod global;
pub mod interaction;
pub mod lock;
pub mod near;
pub mod paint;
pub mod resource_timing;
pub mod store;
pub mod visibility;
pub mod worker;

use wasm_bindgen::{JsCast, JsValue};

/// The window; a worker has none.
pub fn window() -> web_sys::Window {
    // Of a page, the global object is the window.
    js_sys::global().unchecked_into()
}

/// The words of a rejected promise or a thrown value.
pub fn words(error: &JsValue) -> String {
    let name_and_message = error.dyn_ref_error().map(|e| format!("{}: {}", String::from(e.name()), String::from(e.message())));
    name_and_message.or_else(|| error.as_string()).unwrap_or_else(|| format!("{error:?}"))
}

trait AsError {
    fn dyn_ref_error(&self) -> Option<&js_sys::Error>;
}

impl AsError for JsValue {
    fn dyn_ref_error(&self) -> Option<&js_sys::Error> {
        wasm_bindgen::JsCast::dyn_ref(self)
    }
}

/// The person asked for little motion.
pub fn prefers_little_motion() -> bool {
    window().match_media("(prefers-reduced-motion: reduce)").ok().flatten().is_some_and(|query| query.matches())
}

/// A property of a JavaScript object; undefined if it has none.
pub fn property(object: &JsValue, name: &str) -> JsValue {
    js_sys::Reflect::get(object, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}

/// Objects of a class have a member, in this browser.
pub fn class_has(class: &str, member: &str) -> bool {
    let prototype = property(&property(&js_sys::global(), class), "prototype");
    !prototype.is_undefined() && js_sys::Reflect::has(&prototype, &JsValue::from_str(member)).unwrap_or(false)
}

/// A number that is there and is not 0: browsers write 0 for "hidden" and "did not happen".
pub fn non_zero(object: &JsValue, name: &str) -> Option<f64> {
    property(object, name).as_f64().filter(|n| *n > 0.0)
}
