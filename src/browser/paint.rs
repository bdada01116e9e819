//! Element Timing, where the browser has it; web-sys does not know its entries, so they are read by name.

use firstlight_core::Micros;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{PerformanceObserver, PerformanceObserverEntryList};

use super::{class_has, non_zero, property};

/// The attribute that names an element whose paint is to be reported.
pub const IDENTIFIER: &str = "elementtiming";

/// One element that was painted.
pub struct Painted {
    /// The value of its `elementtiming` attribute.
    pub identifier: String,
    /// When its frame was presented.
    pub presented: Micros,
    /// Some of it was inside the viewport.
    pub in_view: bool,
}

/// The browser reports element timing.
pub fn supported() -> bool {
    observes("element")
}

/// The browser reports entries of a type.
pub fn observes(kind: &str) -> bool {
    let observer = property(&js_sys::global(), "PerformanceObserver");
    let types: js_sys::Array = property(&observer, "supportedEntryTypes").unchecked_into();
    !types.is_undefined() && types.includes(&JsValue::from_str(kind), 0)
}

/// Replies reach a worker although the page's main thread is blocked, in this engine as it was measured to.
pub fn arrivals_are_protected() -> bool {
    supported() || frames_are_bounds()
}

/// Frame callbacks bound a paint in this engine as they were measured to: one that reports `paintTime` of paint entries, and
/// no presentation time.
pub fn frames_are_bounds() -> bool {
    class_has("PerformancePaintTiming", "paintTime")
}

/// Observes until dropped.
pub struct Observer {
    observer: PerformanceObserver,
    _callback: Closure<dyn Fn(PerformanceObserverEntryList)>,
}

impl Observer {
    /// Observes one type of entries.
    pub fn new(kind: &str, callback: impl Fn(js_sys::Array) + 'static) -> Option<Observer> {
        Observer::with(kind, &[], callback)
    }

    /// The same, with more options.
    pub fn with(kind: &str, more: &[(&str, JsValue)], callback: impl Fn(js_sys::Array) + 'static) -> Option<Observer> {
        let callback = Closure::new(move |list: PerformanceObserverEntryList| callback(list.get_entries().unchecked_into()));
        let observer = PerformanceObserver::new(callback.as_ref().unchecked_ref()).ok()?;
        // Not `entryTypes`: only `type` is refused, and not ignored, where the browser lacks it.
        let options = js_sys::Object::new();
        js_sys::Reflect::set(&options, &JsValue::from_str("type"), &JsValue::from_str(kind)).ok()?;
        for (name, value) in more {
            js_sys::Reflect::set(&options, &JsValue::from_str(name), value).ok()?;
        }
        let observe: js_sys::Function = property(&observer, "observe").unchecked_into();
        observe.call1(&observer, &options).ok()?;
        Some(Observer { observer, _callback: callback })
    }
}

impl Drop for Observer {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Observes painted elements.
pub fn observe(callback: impl Fn(Painted) + 'static) -> Option<Observer> {
    Observer::new("element", move |entries| {
        for entry in entries.iter() {
            let Some(presented) = non_zero(&entry, "presentationTime").or_else(|| non_zero(&entry, "renderTime")) else {
                continue;
            };
            let area = property(&entry, "intersectionRect");
            callback(Painted {
                identifier: property(&entry, "identifier").as_string().unwrap_or_default(),
                presented: Micros::from_ms(presented),
                in_view: non_zero(&area, "width").is_some() && non_zero(&area, "height").is_some(),
            });
        }
    })
}
