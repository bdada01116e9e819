//! A dedicated worker that runs this same module, and the messages between it and the page.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use js_sys::Promise;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent, Worker, WorkerOptions, WorkerType};

use super::{global, property};

/// The script that starts the module in a worker.
const SCRIPT: &str = "./worker.js";
/// How long a worker may take to start.
const START_LIMIT: Duration = Duration::from_secs(10);

type OnMessage = RefCell<Box<dyn Fn(JsValue)>>;

/// The page's end. The worker ends when this is dropped.
pub struct Connection {
    worker: Worker,
    on_message: Rc<OnMessage>,
    _callbacks: [Closure<dyn Fn(JsValue)>; 2],
}

/// Starts the page's own script in a worker.
pub fn of_page() -> Result<Worker, JsValue> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    Worker::new_with_options(SCRIPT, &options)
}

impl Connection {
    /// Hands this module to a worker that has just been made and waits for its first message; an error says why there is none.
    /// `on_failure` is called when it breaks later.
    pub async fn start(worker: Worker, on_failure: impl Fn(String) + 'static) -> Result<(Connection, JsValue), String> {
        let on_message: Rc<OnMessage> = Rc::new(RefCell::new(Box::new(|_| {})));
        let message = {
            let on_message = Rc::clone(&on_message);
            Closure::<dyn Fn(JsValue)>::new(move |event: JsValue| {
                (on_message.borrow())(event.unchecked_ref::<MessageEvent>().data());
            })
        };
        // What ends the wait for the first message with an error; none once that has come.
        let refused: Rc<RefCell<Option<js_sys::Function>>> = Rc::default();
        let failure = {
            let refused = Rc::clone(&refused);
            Closure::<dyn Fn(JsValue)>::new(move |event: JsValue| {
                let said = property(&event, "message").as_string();
                let said = said.unwrap_or_else(|| "the browser refused to start the worker’s script".to_owned());
                match &*refused.borrow() {
                    Some(reject) => drop(reject.call1(&JsValue::UNDEFINED, &JsValue::from_str(&said))),
                    None => on_failure(said),
                }
            })
        };
        worker.set_onmessage(Some(message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(failure.as_ref().unchecked_ref()));
        let connection = Connection { worker, on_message, _callbacks: [message, failure] };
        let mut limit = None;
        let first = Promise::new(&mut |resolve, reject| {
            *connection.on_message.borrow_mut() = Box::new(move |data| drop(resolve.call1(&JsValue::UNDEFINED, &data)));
            *refused.borrow_mut() = Some(reject.clone());
            limit = Some(global::after(START_LIMIT, move || {
                let late = JsValue::from_str("the worker did not start in time");
                let _ = reject.call1(&JsValue::UNDEFINED, &late);
            }));
        });
        // The compiled module, so that the worker neither fetches nor compiles it again.
        connection.worker.post_message(&wasm_bindgen::module()).map_err(|e| super::words(&e))?;
        let first = JsFuture::from(first).await;
        if let Some(limit) = limit {
            limit.clear();
        }
        let first = first.map_err(|e| super::words(&e))?;
        refused.take();
        Ok((connection, first))
    }

    /// Sets what is called with each message from now on.
    pub fn on_message(&self, callback: impl Fn(JsValue) + 'static) {
        *self.on_message.borrow_mut() = Box::new(callback);
    }

    /// Sends a message.
    pub fn post(&self, message: &JsValue) {
        // One of numbers and text can always be sent.
        let _ = self.worker.post_message(message);
    }

    /// Sends a message and waits for the next that comes, with the clock as it comes.
    pub async fn ask(&self, message: &JsValue) -> (f64, JsValue) {
        let heard = Rc::new(Cell::new(0.0));
        let answer = Promise::new(&mut |resolve, _| {
            let heard = Rc::clone(&heard);
            self.on_message(move |data| {
                heard.set(super::clock::now_ms());
                let _ = resolve.call1(&JsValue::UNDEFINED, &data);
            });
        });
        self.post(message);
        let answer = JsFuture::from(answer).await.unwrap_or(JsValue::UNDEFINED);
        (heard.get(), answer)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// The worker's own end: sends a message to the page.
pub fn post_to_page(message: &JsValue) {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    // A message of numbers and text can always be sent.
    let _ = scope.post_message(message);
}

/// The worker's own end: calls back with each message of the page, for as long as the worker lives.
pub fn listen_to_page(callback: impl Fn(JsValue) + 'static) {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let listener = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| callback(event.data()));
    scope.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    listener.forget();
}
