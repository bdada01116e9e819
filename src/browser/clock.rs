//! `performance.now()`: the only clock of a measurement.

use std::cell::Cell;

use firstlight_core::Micros;
use wasm_bindgen::JsCast;
use web_sys::Performance;

thread_local! {
    static PERFORMANCE: Performance = super::property(&js_sys::global(), "performance").unchecked_into();
    /// What is added to this thread's stamps to get the page's: nothing on the page itself.
    static OFFSET: Cell<Micros> = const { Cell::new(Micros::ZERO) };
}

/// This thread's clock, in milliseconds as the browser gives them: what a stamp calls first.
pub fn now_ms() -> f64 {
    PERFORMANCE.with(Performance::now)
}

/// The wall time at which this thread's clock was 0, in milliseconds.
pub fn origin_ms() -> f64 {
    PERFORMANCE.with(Performance::time_origin)
}

/// The page's clock.
pub fn now() -> Micros {
    page_time(now_ms())
}

/// Notes in the browser's own timeline how long something took that began at a reading of [`now_ms`].
pub fn measure(name: &str, begun_ms: f64) {
    let options = js_sys::Object::new();
    // Neither can fail: the object is a plain one, and the times are this clock's own.
    let _ = js_sys::Reflect::set(&options, &"start".into(), &begun_ms.into());
    let own = js_sys::Reflect::get(&PERFORMANCE.with(Clone::clone), &"measure".into());
    let function = own.ok().and_then(|own| own.dyn_into::<js_sys::Function>().ok());
    let _ = function.map(|function| PERFORMANCE.with(|p| function.call2(p, &name.into(), &options)));
}

/// A stamp of this thread's clock on the page's clock.
pub fn page_time(ms: f64) -> Micros {
    Micros::from_ms(ms) + OFFSET.get()
}

/// Joins this thread's clock to the page's.
pub fn join(offset: Micros) {
    OFFSET.set(offset);
}

/// The wall clock, in milliseconds: only ever compared with itself.
pub fn wall_ms() -> f64 {
    js_sys::Date::now()
}

/// The smallest step that the clock takes: the least difference between two readings that differ, of many.
pub fn step() -> Micros {
    let mut least = f64::INFINITY;
    let begin = now_ms();
    let mut last = begin;
    let mut seen = 0;
    // Long enough for a clock of 1 ms, short enough not to be noticed; a clock of 100 ms is found on its first step.
    while (seen < 30 || last - begin < 20.0) && last - begin < 400.0 {
        let next = now_ms();
        if next > last {
            least = least.min(next - last);
            last = next;
            seen += 1;
        }
    }
    Micros((least * 1000.0).round().clamp(1.0, 1_000_000.0) as i64)
}

/// Wall time for display only, in RFC 3339.
pub fn wall_time() -> String {
    String::from(js_sys::Date::new_0().to_iso_string())
}

/// A wall time as people of a language write it, in this computer's zone; as it stands, if it is none.
pub fn local_time(rfc3339: &str, lang: &str) -> String {
    let date = js_sys::Date::new(&wasm_bindgen::JsValue::from_str(rfc3339));
    if date.get_time().is_nan() {
        return rfc3339.to_owned();
    }
    date.to_locale_string(lang, &wasm_bindgen::JsValue::UNDEFINED).into()
}
