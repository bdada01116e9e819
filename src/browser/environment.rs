//! What the browser says about itself.

use firstlight_core::report::{Arrival, Embedded, Environment};
use wasm_bindgen::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

use super::{clock, property, visibility, window};

/// `crossOriginIsolated`.
pub fn isolated() -> bool {
    property(&window(), "crossOriginIsolated").as_bool().unwrap_or(false)
}

/// `fetch` prints as native code: nothing has been put in its place.
pub fn native_fetch() -> bool {
    let fetch = property(&js_sys::global(), "fetch");
    let text = js_sys::Function::prototype_to_string(&fetch);
    text.contains("[native code]")
}

trait PrototypeToString {
    fn prototype_to_string(function: &JsValue) -> String;
}

impl PrototypeToString for js_sys::Function {
    /// The text of `Function.prototype.toString`, which a replacement of `fetch` can't forge through its own `toString`.
    fn prototype_to_string(function: &JsValue) -> String {
        let prototype = property(&property(&js_sys::global(), "Function"), "prototype");
        let to_string: js_sys::Function = property(&prototype, "toString").into();
        js_sys::Reflect::apply(&to_string, function, &js_sys::Array::new()).ok().and_then(|t| t.as_string()).unwrap_or_default()
    }
}

/// Where a run is measured.
pub fn environment(frame_interval_us: Option<i64>) -> Environment {
    let window = window();
    let navigator = window.navigator();
    let size = |value: Result<JsValue, JsValue>| value.ok().and_then(|v| v.as_f64()).unwrap_or(0.0) as u32;
    let location = window.location();
    Environment {
        user_agent: navigator.user_agent().unwrap_or_default(),
        page: format!("{}{}", location.origin().unwrap_or_default(), location.pathname().unwrap_or_default()),
        isolated: isolated(),
        viewport: (size(window.inner_width()), size(window.inner_height())),
        pixel_ratio_milli: (window.device_pixel_ratio() * 1000.0).round() as u32,
        frame_interval_us,
        processors: super::non_zero(&navigator, "hardwareConcurrency").map(|n| n as u32),
        language: navigator.language().unwrap_or_default(),
        native_fetch: native_fetch(),
        service_worker: property(&property(&navigator, "serviceWorker"), "controller").is_truthy(),
        prerendered: visibility::was_prerendered(),
        arrival: Arrival::default(),
        worker_refused: String::new(),
        time_origin_us: in_us(clock::origin_ms()),
        wall_apart_us: in_us((clock::wall_ms() - clock::origin_ms() - clock::now_ms()).abs()),
        session: None,
        grid: None,
        embedded: embedded(),
    }
}

/// This page is in a frame.
pub fn is_framed() -> bool {
    let window = window();
    property(&window, "parent") != JsValue::from(window)
}

/// Whose page this one is shown in.
fn embedded() -> Embedded {
    // Told to pages of the frame's own origin only.
    let known = property(&window(), "frameElement").is_object();
    match is_framed() {
        false => Embedded::Own,
        true if known => Embedded::Frame,
        true => Embedded::ForeignFrame,
    }
}

/// None where the browser has no such time.
fn in_us(ms: f64) -> Option<i64> {
    ms.is_finite().then(|| (ms * 1000.0).round() as i64)
}

/// The page's own address.
pub fn page_url() -> String {
    window().location().href().unwrap_or_default()
}

/// A query parameter of the page's address.
pub fn query(name: &str) -> Option<String> {
    let search = window().location().search().ok()?;
    web_sys::UrlSearchParams::new_with_str(&search).ok()?.get(name)
}

/// A seed from the browser's random numbers.
pub fn seed() -> u64 {
    (js_sys::Math::random() * 9_007_199_254_740_992.0) as u64
}

/// An address as the browser writes it in its network timing: resolved, and without fragment.
pub fn resolved(url: &str) -> String {
    web_sys::Url::new(url).map_or_else(
        |_| url.to_owned(),
        |parsed| {
            parsed.set_hash("");
            parsed.href()
        },
    )
}

/// Calls back in idle time; at once where the browser has no such thing.
pub fn when_idle(callback: impl FnOnce() + 'static) {
    match property(&window(), "requestIdleCallback").dyn_into::<js_sys::Function>() {
        // The function is the browser's own: it does not throw.
        Ok(idle) => drop(idle.call1(&window(), &Closure::once_into_js(callback))),
        Err(_) => callback(),
    }
}

/// Waits for idle time.
pub async fn idle() {
    let idle: js_sys::Promise = js_sys::Promise::new(&mut |resolve, _| {
        when_idle(move || {
            let _ = resolve.call0(&JsValue::UNDEFINED);
        });
    });
    let _ = wasm_bindgen_futures::JsFuture::from(idle).await;
}
