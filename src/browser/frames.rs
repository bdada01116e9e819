//! `requestAnimationFrame`.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

use super::{clock, global, window};

/// Calls back in the next animation frame, with the clock read inside the callback.
pub fn next(callback: impl FnOnce(f64) + 'static) {
    let function = Closure::once_into_js(move |_frame_time: JsValue| callback(clock::now_ms()));
    // Only a document without a window refuses; then there is no frame to wait for.
    let _ = window().request_animation_frame(function.unchecked_ref());
}

/// Calls back once the next frame has been drawn.
pub fn after_next(callback: impl FnOnce() + 'static) {
    next(move |_| {
        global::after(Duration::ZERO, callback);
    });
}

/// Calls back once so many frames have been drawn.
pub fn after(count: usize, callback: Box<dyn FnOnce()>) {
    match count.checked_sub(1) {
        None => callback(),
        Some(left) => after_next(move || after(left, callback)),
    }
}

/// Waits for a time.
pub async fn pause(time: Duration) {
    let over = js_sys::Promise::new(&mut |resolve, _| {
        global::after(time, move || {
            let _ = resolve.call0(&JsValue::UNDEFINED);
        });
    });
    let _ = wasm_bindgen_futures::JsFuture::from(over).await;
}

/// No frame comes as late as this while the page is seen.
const LATEST: Duration = Duration::from_millis(1_000);

/// Waits for a number of frames and gives the clock at each; fewer where none comes, as on a page that is being hidden.
pub async fn wait(count: usize) -> Vec<f64> {
    let stamps = Rc::new(RefCell::new(Vec::new()));
    for had in 0..count {
        let mut limit = None;
        let frame = js_sys::Promise::new(&mut |resolve, _| {
            let (stamps, late) = (stamps.clone(), resolve.clone());
            next(move |at| {
                stamps.borrow_mut().push(at);
                let _ = resolve.call0(&JsValue::UNDEFINED);
            });
            limit = Some(global::after(LATEST, move || drop(late.call0(&JsValue::UNDEFINED))));
        });
        let _ = wasm_bindgen_futures::JsFuture::from(frame).await;
        if let Some(limit) = limit {
            limit.clear();
        }
        if stamps.borrow().len() == had {
            break;
        }
    }
    stamps.take()
}

/// The median interval of some frames, in µs.
pub async fn interval_us() -> Option<i64> {
    let stamps = wait(12).await;
    let mut gaps: Vec<i64> = stamps.windows(2).map(|w| ((w[1] - w[0]) * 1000.0).round() as i64).collect();
    gaps.sort_unstable();
    gaps.get(gaps.len() / 2).copied()
}
