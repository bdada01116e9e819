//! IndexedDB as texts under keys, in one store; on the page and in a worker. Own lines instead of a crate: it is five calls, and
//! every request is turned into a promise in one place.

use std::cell::RefCell;
use std::task::{Context, Poll, Waker};

use firstlight_core::history::Change;
use js_sys::{Array, Object, Promise, Reflect};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

use super::{property, words};

#[wasm_bindgen]
extern "C" {
    type Factory;
    #[wasm_bindgen(method, catch)]
    fn open(this: &Factory, name: &str, version: u32) -> Result<Request, JsValue>;

    type Request;
    #[wasm_bindgen(method, getter)]
    fn result(this: &Request) -> JsValue;
    #[wasm_bindgen(method, setter)]
    fn set_onsuccess(this: &Request, callback: &JsValue);
    #[wasm_bindgen(method, setter)]
    fn set_onerror(this: &Request, callback: &JsValue);
    #[wasm_bindgen(method, setter)]
    fn set_onupgradeneeded(this: &Request, callback: &JsValue);

    #[derive(Clone)]
    type Database;
    #[wasm_bindgen(method, catch, js_name = createObjectStore)]
    fn create_object_store(this: &Database, name: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn transaction(this: &Database, store: &str, mode: &str, options: &JsValue) -> Result<Transaction, JsValue>;
    #[wasm_bindgen(method, setter)]
    fn set_onversionchange(this: &Database, callback: &JsValue);
    #[wasm_bindgen(method, setter)]
    fn set_onclose(this: &Database, callback: &JsValue);
    #[wasm_bindgen(method)]
    fn close(this: &Database);

    type Transaction;
    #[wasm_bindgen(method, catch, js_name = objectStore)]
    fn object_store(this: &Transaction, name: &str) -> Result<ObjectStore, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn commit(this: &Transaction) -> Result<(), JsValue>;
    #[wasm_bindgen(method, setter)]
    fn set_oncomplete(this: &Transaction, callback: &JsValue);
    #[wasm_bindgen(method, setter)]
    fn set_onabort(this: &Transaction, callback: &JsValue);

    type ObjectStore;
    #[wasm_bindgen(method, catch)]
    fn put(this: &ObjectStore, value: &str, key: &str) -> Result<Request, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn delete(this: &ObjectStore, range: &JsValue) -> Result<Request, JsValue>;
    #[wasm_bindgen(method, catch, js_name = getAll)]
    fn get_all(this: &ObjectStore, range: &JsValue) -> Result<Request, JsValue>;
    #[wasm_bindgen(method, catch, js_name = getAllKeys)]
    fn get_all_keys(this: &ObjectStore, range: &JsValue) -> Result<Request, JsValue>;

    #[wasm_bindgen(js_name = IDBKeyRange)]
    type KeyRange;
    #[wasm_bindgen(static_method_of = KeyRange, js_class = "IDBKeyRange")]
    fn bound(lower: &str, upper: &str) -> JsValue;
}

const NAME: &str = "firstlight";
const STORE: &str = "kept";

thread_local! {
    static OPEN: RefCell<Option<Database>> = const { RefCell::new(None) };
}

/// Opens the database, once a thread; an error says why there is none.
async fn database() -> Result<Database, String> {
    if let Some(open) = OPEN.with_borrow(Clone::clone) {
        return Ok(open);
    }
    let factory = property(&js_sys::global(), "indexedDB");
    if !factory.is_object() {
        return Err("no IndexedDB".to_owned());
    }
    let request = factory.unchecked_ref::<Factory>().open(NAME, 1).map_err(|e| words(&e))?;
    let upgrade = Closure::once_into_js(|event: JsValue| {
        let database: Database = property(&property(&event, "target"), "result").unchecked_into();
        // If it fails, so does the opening, which tells.
        let _ = database.create_object_store(STORE);
    });
    request.set_onupgradeneeded(&upgrade);
    let database: Database = result(&request).await?.unchecked_into();
    // A page of another version waits for this, or the person cleared what sites store: the next use opens it again.
    let let_go = |event: JsValue| {
        property(&event, "target").unchecked_ref::<Database>().close();
        drop(OPEN.take());
    };
    database.set_onversionchange(&Closure::once_into_js(let_go));
    database.set_onclose(&Closure::once_into_js(let_go));
    OPEN.set(Some(database.clone()));
    Ok(database)
}

/// The words of an error event.
fn why(event: &JsValue) -> String {
    words(&property(&property(event, "target"), "error"))
}

async fn result(request: &Request) -> Result<JsValue, String> {
    let settled: Promise = Promise::new(&mut |resolve, reject| {
        request.set_onsuccess(&resolve);
        request.set_onerror(&reject);
    });
    JsFuture::from(settled).await.map(|_| request.result()).map_err(|event| why(&event))
}

async fn begin(mode: &str) -> Result<(Transaction, ObjectStore), String> {
    let database = database().await?;
    let options = Object::new();
    // What the system has not put on its disk yet is safe from a crash of the page or of the browser.
    let _ = Reflect::set(&options, &"durability".into(), &"relaxed".into());
    let transaction = database.transaction(STORE, mode, &options).map_err(|e| {
        drop(OPEN.take());
        words(&e)
    })?;
    let store = transaction.object_store(STORE).map_err(|e| words(&e))?;
    Ok((transaction, store))
}

/// A key and all that begin with it and `/`.
fn under(key: &str) -> JsValue {
    KeyRange::bound(key, &format!("{key}/\u{ffff}"))
}

/// Makes changes, all of them or none.
pub async fn write(changes: Vec<Change>) -> Result<(), String> {
    let (transaction, store) = begin("readwrite").await?;
    for change in &changes {
        let asked = match change {
            Change::Put(key, text) => store.put(text, key),
            Change::Remove(key) => store.delete(&under(key)),
        };
        asked.map_err(|e| words(&e))?;
    }
    let done: Promise = Promise::new(&mut |resolve, reject| {
        transaction.set_oncomplete(&resolve);
        transaction.set_onabort(&reject);
    });
    // So that it does not wait for this thread, which may be gone by then; an older browser waits.
    if commits() {
        let _ = transaction.commit();
    }
    JsFuture::from(done).await.map(drop).map_err(|event| why(&event))
}

/// In WebKit a transaction of a worker that is committed by hand now and then never ends, and none after it begins.
fn commits() -> bool {
    let agent = property(&property(&js_sys::global(), "navigator"), "userAgent").as_string().unwrap_or_default();
    ["Chrome/", "Firefox/"].iter().any(|engine| agent.contains(engine))
}

/// The same, begun before this returns: once the database is open, nothing of it is left to this thread's next moments. `then`
/// hears how it ended.
pub fn write_at_once(changes: Vec<Change>, then: impl FnOnce(Result<(), String>) + 'static) {
    let mut writing = Box::pin(write(changes));
    match writing.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => then(done),
        Poll::Pending => spawn_local(async move { then(writing.await) }),
    }
}

fn texts(list: JsValue) -> Vec<String> {
    Array::from(&list).iter().filter_map(|text| text.as_string()).collect()
}

/// The texts under a key and under all that begin with it and `/`, in the order of their keys.
pub async fn read(key: &str) -> Result<Vec<String>, String> {
    let (_transaction, store) = begin("readonly").await?;
    let request = store.get_all(&under(key)).map_err(|e| words(&e))?;
    result(&request).await.map(texts)
}

/// These keys.
pub async fn keys(key: &str) -> Result<Vec<String>, String> {
    let (_transaction, store) = begin("readonly").await?;
    let request = store.get_all_keys(&under(key)).map_err(|e| words(&e))?;
    result(&request).await.map(texts)
}
