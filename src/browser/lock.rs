//! Web Locks: whether something goes on in any tab of this origin.

use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::{property, window};

/// A lock that is held until it is dropped, or its page ends.
pub struct Held(Function);

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.0.call0(&JsValue::UNDEFINED);
    }
}

fn locks() -> JsValue {
    property(&window().navigator(), "locks")
}

fn method(of: &JsValue, name: &str) -> Option<Function> {
    property(of, name).dyn_into().ok()
}

/// Asks for a lock, and tells when it is given; none where the browser has no locks.
fn ask(name: &str, given: impl FnOnce() + 'static) -> Option<Held> {
    let locks = locks();
    let request = method(&locks, "request")?;
    let mut release = None;
    let until: Promise = Promise::new(&mut |resolve, _| release = Some(Held(resolve)));
    let callback = Closure::once_into_js(move |_lock: JsValue| {
        given();
        until
    });
    let asked: Promise = request.call2(&locks, &name.into(), &callback).ok()?.dyn_into().ok()?;
    // A page that is about to end gets no lock; nobody is left to tell.
    wasm_bindgen_futures::spawn_local(async move { drop(JsFuture::from(asked).await) });
    release
}

/// Holds a lock that nobody else asks for; none where the browser has no locks.
pub fn hold(name: &str) -> Option<Held> {
    ask(name, || {})
}

/// Waits until nobody else holds a lock, and holds it; none, at once, where the browser has no locks.
pub async fn wait_for(name: &str) -> Option<Held> {
    let mut held = None;
    let given: Promise = Promise::new(&mut |resolve, _| {
        held = ask(name, move || drop(resolve.call0(&JsValue::UNDEFINED)));
    });
    if held.is_some() {
        let _ = JsFuture::from(given).await;
    }
    held
}

/// The names of all that are held, by any tab; none where the browser does not say.
pub async fn held() -> Option<Vec<String>> {
    let locks = locks();
    let asked: Promise = method(&locks, "query")?.call0(&locks).ok()?.dyn_into().ok()?;
    let found = JsFuture::from(asked).await.ok()?;
    let names = Array::from(&property(&found, "held"));
    Some(names.iter().filter_map(|lock| property(&lock, "name").as_string()).collect())
}
