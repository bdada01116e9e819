//! What a page and a worker both have: `fetch`, timers, and the address they run at.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use web_sys::RequestInit;

#[wasm_bindgen]
extern "C" {
    /// `fetch()` of the thread that calls it.
    #[wasm_bindgen(js_name = fetch)]
    pub(super) fn fetch(url: &str, init: &RequestInit) -> Promise;
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, ms: i32) -> f64;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(id: f64);
    #[wasm_bindgen(thread_local_v2, js_name = location)]
    static LOCATION: JsValue;
}

/// The thread runs without a document: in a worker.
pub fn in_worker() -> bool {
    super::property(&js_sys::global(), "document").is_undefined()
}

/// The origin of the page, or of the worker's script, which is the page's own.
pub fn origin() -> String {
    LOCATION.with(|location| super::property(location, "origin")).as_string().unwrap_or_default()
}

type Callback = Rc<Cell<Option<Box<dyn FnOnce()>>>>;

/// A callback to come.
pub struct Timer {
    id: f64,
    callback: Callback,
}

impl Timer {
    /// It will not come, and what it holds is let go: the browser's own half of it lives until garbage is collected.
    pub fn clear(self) {
        clear_timeout(self.id);
        self.callback.take();
    }
}

/// Calls back once after a time.
pub fn after(time: Duration, callback: impl FnOnce() + 'static) -> Timer {
    let ms = i32::try_from(time.as_millis()).unwrap_or(i32::MAX);
    let callback: Callback = Rc::new(Cell::new(Some(Box::new(callback))));
    let due = Rc::clone(&callback);
    let function = Closure::once_into_js(move || {
        if let Some(callback) = due.take() {
            callback();
        }
    });
    Timer { id: set_timeout(function.unchecked_ref(), ms), callback }
}
