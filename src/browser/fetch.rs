//! `fetch()` with the default reader, directly: the stamp is the first statement of the read promise's own callback, and a
//! read is always pending.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{AbortController, Headers, ReadableStreamDefaultReader, RequestCache, RequestCredentials, RequestInit, Response};

use super::{clock, global, property, words};

/// What happened to a request, each with the stamp in milliseconds.
pub enum Happened {
    /// The promise resolved.
    Headers(Response),
    /// A read gave bytes.
    Read(Vec<u8>),
    /// The body ended.
    End,
    /// `fetch()` or a read rejected, in the browser's words.
    Failed(String),
}

type Sink = Rc<dyn Fn(f64, Happened)>;

/// A request under way.
pub struct Fetch {
    abort: AbortController,
}

impl Fetch {
    /// Ends it; a rejection follows.
    pub fn abort(&self) {
        self.abort.abort();
    }
}

/// A request that is made, but not sent.
pub struct Prepared {
    url: String,
    init: RequestInit,
    abort: AbortController,
}

/// Makes a POST request.
pub fn prepare(url: &str, headers: &[(String, String)], body: &str) -> Result<Prepared, String> {
    let abort = AbortController::new().map_err(|e| words(&e))?;
    let list = Headers::new().map_err(|e| words(&e))?;
    for (name, value) in headers {
        list.set(name, value).map_err(|e| words(&e))?;
    }
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_headers(&list);
    init.set_body(&JsValue::from_str(body));
    // The cache is left as it is: no browser keeps replies to POST in it, and with any other mode Chromium and Firefox ask for
    // permission again before every request to another origin, however long the target said that it holds.
    init.set_signal(Some(&abort.signal()));
    Ok(Prepared { url: url.to_owned(), init, abort })
}

impl Prepared {
    /// Calls `fetch()`. Every event goes to `sink` from a promise's own callback.
    pub fn send(self, sink: impl Fn(f64, Happened) + 'static) -> Fetch {
        let sink: Sink = Rc::new(sink);
        let promise = global::fetch(&self.url, &self.init);
        let on_response = {
            let sink = sink.clone();
            Closure::once_into_js(move |value: JsValue| {
                let at = clock::now_ms();
                let response: Response = value.unchecked_into();
                let body = response.body();
                sink(at, Happened::Headers(response));
                match body {
                    Some(body) => read_all(body.get_reader().unchecked_into(), sink),
                    None => sink(at, Happened::End),
                }
            })
        };
        let on_failure = Closure::once_into_js(move |error: JsValue| {
            let at = clock::now_ms();
            sink(at, Happened::Failed(words(&error)));
        });
        then(&promise, &on_response, &on_failure);
        Fetch { abort: self.abort }
    }
}

type Callback = Closure<dyn Fn(JsValue)>;

/// The callbacks of one reader; they live until the last of them has run.
struct Reading {
    reader: ReadableStreamDefaultReader,
    callbacks: RefCell<Option<(Callback, Callback)>>,
}

impl Reading {
    fn next(&self) {
        if let Some((on_read, on_failure)) = &*self.callbacks.borrow() {
            then(&self.reader.read(), on_read.as_ref(), on_failure.as_ref());
        }
    }

    /// Frees the callbacks once the one that runs now is over.
    fn close(self: Rc<Self>) {
        wasm_bindgen_futures::spawn_local(async move {
            self.callbacks.borrow_mut().take();
        });
    }
}

fn read_all(reader: ReadableStreamDefaultReader, sink: Sink) {
    let reading = Rc::new(Reading { reader, callbacks: RefCell::new(None) });
    let on_read = {
        let (reading, sink) = (reading.clone(), sink.clone());
        Closure::new(move |result: JsValue| {
            let at = clock::now_ms();
            if property(&result, "done").is_truthy() {
                sink(at, Happened::End);
                return reading.clone().close();
            }
            reading.next();
            let bytes: js_sys::Uint8Array = property(&result, "value").unchecked_into();
            sink(at, Happened::Read(bytes.to_vec()));
        })
    };
    let on_failure = {
        let reading = reading.clone();
        Closure::new(move |error: JsValue| {
            let at = clock::now_ms();
            sink(at, Happened::Failed(words(&error)));
            reading.clone().close();
        })
    };
    *reading.callbacks.borrow_mut() = Some((on_read, on_failure));
    reading.next();
}

/// `promise.then(on_ok, on_error)` with functions as they are.
fn then(promise: &JsValue, on_ok: &JsValue, on_error: &JsValue) {
    let function: js_sys::Function = property(promise, "then").unchecked_into();
    // A promise's `then` does not throw.
    let _ = function.call2(promise, on_ok, on_error);
}

/// Every response header that the page may read.
pub fn headers(response: &Response) -> Vec<(String, String)> {
    let Ok(Some(entries)) = js_sys::try_iter(&response.headers()) else { return Vec::new() };
    let text = |pair: &js_sys::Array, at| pair.get(at).as_string();
    let pair = |entry: Result<JsValue, JsValue>| {
        let pair: js_sys::Array = entry.ok()?.unchecked_into();
        Some((text(&pair, 0)?, text(&pair, 1)?))
    };
    entries.filter_map(pair).collect()
}

/// GET of the page's own server, as text. For jobs and clock probes, never for what is measured.
pub async fn get(path: &str) -> Result<String, String> {
    let init = RequestInit::new();
    init.set_cache(RequestCache::NoStore);
    text_of(path, &init).await
}

/// POST of JSON to the page's own server.
pub async fn post(path: &str, json: &str) -> Result<String, String> {
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_body(&JsValue::from_str(json));
    let headers = Headers::new().map_err(|e| words(&e))?;
    headers.set("Content-Type", "application/json").map_err(|e| words(&e))?;
    init.set_headers(&headers);
    text_of(path, &init).await
}

/// GET from any server, without keys and headers of its own, so that no preflight is sent: status and text.
pub async fn ask(url: &str, limit: std::time::Duration) -> Result<(u16, String), String> {
    let init = RequestInit::new();
    init.set_cache(RequestCache::NoStore);
    init.set_credentials(RequestCredentials::Omit);
    init.set_signal(Some(&web_sys::AbortSignal::timeout_with_u32(limit.as_millis() as u32)));
    reply(url, &init).await
}

async fn text_of(path: &str, init: &RequestInit) -> Result<String, String> {
    let (status, text) = reply(path, init).await?;
    if (200..300).contains(&status) { Ok(text) } else { Err(format!("HTTP {status}")) }
}

async fn reply(url: &str, init: &RequestInit) -> Result<(u16, String), String> {
    let future =
        |promise: js_sys::Promise| async { wasm_bindgen_futures::JsFuture::from(promise).await.map_err(|e| words(&e)) };
    let response: Response = future(global::fetch(url, init)).await?.unchecked_into();
    let text = future(response.text().map_err(|e| words(&e))?.unchecked_into()).await?;
    Ok((response.status(), text.as_string().unwrap_or_default()))
}
