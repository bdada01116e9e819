//! The thin glue over the browser, in a real browser.
#![cfg(target_arch = "wasm32")]

use std::cell::RefCell;
use std::rc::Rc;

use firstlight_core::Micros;
use firstlight_core::history::Change;
use firstlight_web::browser::{clock, environment, fetch, frames, lock, paint, property, store, visibility, window};
use wasm_bindgen_test::*;

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn the_clock_moves_in_steps_that_are_measured_and_not_assumed() {
    let step = clock::step();
    assert!(step > Micros::ZERO && step <= Micros::ms(100), "{step}");
    let first = clock::now();
    while clock::now() == first {}
    assert!(clock::now() - first + Micros(1) >= step);
}

#[wasm_bindgen_test]
fn the_environment_is_the_browsers_own() {
    let env = environment::environment(Some(16_667));
    assert!(env.user_agent.contains("Mozilla"));
    assert!(env.viewport.0 > 0 && env.viewport.1 > 0);
    assert!(!env.page.contains('?'));
    assert!(env.native_fetch);
    assert!(!visibility::hidden());
}

#[wasm_bindgen_test]
fn a_fetch_that_was_put_in_place_of_the_browsers_is_noticed() {
    let native = property(&window(), "fetch");
    let set = |value: &wasm_bindgen::JsValue| js_sys::Reflect::set(&window(), &"fetch".into(), value).expect("set");
    // Its own toString lies.
    let patched = js_sys::Function::new_no_args("return 1");
    let lie = js_sys::Function::new_no_args("return 'function fetch() { [native code] }'");
    js_sys::Reflect::set(&patched, &"toString".into(), &lie).expect("set");
    set(&patched);
    let noticed = !environment::native_fetch();
    set(&native);
    assert!(noticed && environment::native_fetch());
}

#[wasm_bindgen_test]
fn addresses_are_written_as_the_browser_writes_them() {
    assert_eq!(environment::resolved("HTTP://LocalHost:80/a b?x=1#top"), "http://localhost/a%20b?x=1");
    assert_eq!(environment::resolved("nonsense"), "nonsense");
}

#[wasm_bindgen_test]
async fn frames_come_in_order_and_have_an_interval() {
    let stamps = frames::wait(4).await;
    assert_eq!(stamps.len(), 4);
    assert!(stamps.windows(2).all(|w| w[0] <= w[1]), "{stamps:?}");
    assert!(frames::interval_us().await.is_some_and(|us| us > 1_000));
}

#[wasm_bindgen_test]
fn what_the_engine_reports_is_asked_and_not_guessed() {
    // Chromium runs these tests: it has element timing, and frame callbacks are not needed as bounds.
    assert!(paint::supported());
    assert!(paint::observe(|_| {}).is_some());
}

#[wasm_bindgen_test]
async fn a_request_reports_headers_reads_and_its_end_with_stamps_in_order() {
    let happened: Rc<RefCell<Vec<(f64, String)>>> = Rc::default();
    let (done, finished) = futures_channel();
    let prepared = fetch::prepare("data:text/plain,hello", &[("X-A".into(), "1".into())], "").err();
    assert!(prepared.is_none(), "{prepared:?}");
    let get_only = fetch::prepare("/no-such-path-of-the-test-server", &[], "{}").expect("prepared");
    let log = Rc::clone(&happened);
    let before = clock::now_ms();
    get_only.send(move |at, event| {
        let (name, over) = match event {
            fetch::Happened::Headers(_) => ("headers", false),
            fetch::Happened::Read(_) => ("read", false),
            fetch::Happened::End => ("end", true),
            fetch::Happened::Failed(_) => ("failed", true),
        };
        log.borrow_mut().push((at, name.to_owned()));
        if over {
            done();
        }
    });
    finished.await;
    let log = happened.borrow();
    assert_eq!(log.first().map(|(_, n)| n.as_str()), Some("headers"), "{log:?}");
    assert_eq!(log.last().map(|(_, n)| n.as_str()), Some("end"), "{log:?}");
    assert!(log.first().is_some_and(|(at, _)| *at >= before));
    assert!(log.windows(2).all(|w| w[0].0 <= w[1].0), "{log:?}");
}

#[wasm_bindgen_test]
fn a_header_that_can_not_be_sent_is_an_error_in_words() {
    let error = fetch::prepare("/x", &[("bad name".into(), "1".into())], "").err().expect("refused");
    assert!(error.contains("TypeError"), "{error}");
}

#[wasm_bindgen_test]
async fn what_is_kept_is_read_in_order_and_removed_with_all_under_it() {
    let put = |key: &str, text: &str| Change::Put(key.to_owned(), text.to_owned());
    let texts = |all: &[&str]| Ok::<_, String>(all.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>());
    assert_eq!(store::read("run/a").await, texts(&[]));
    let all = [("run/a/2", "second"), ("run/a", "head"), ("run/ab", "other"), ("run/a/1", "first"), ("settings", "{}")];
    store::write(all.map(|(key, text)| put(key, text)).into()).await.expect("written");
    assert_eq!(store::read("run/a").await, texts(&["head", "first", "second"]));
    assert_eq!(store::keys("run").await, texts(&["run/a", "run/a/1", "run/a/2", "run/ab"]));
    store::write(vec![Change::Remove("run/a".to_owned()), put("run/ab", "newer")]).await.expect("written");
    assert_eq!((store::read("run").await, store::read("settings").await), (texts(&["newer"]), texts(&["{}"])));
}

#[wasm_bindgen_test]
async fn a_lock_is_held_until_it_is_dropped() {
    let name = "a-lock-of-the-tests".to_owned();
    let held = lock::hold(&name).expect("Chromium has locks");
    // Given from elsewhere, a little later.
    while !lock::held().await.expect("names").contains(&name) {}
    drop(held);
    while lock::held().await.expect("names").contains(&name) {}
    // Who waits gets it once it is free.
    drop(lock::hold(&name));
    let given = lock::wait_for(&name).await;
    assert!(given.is_some() && lock::held().await.expect("names").contains(&name));
}

/// A callback, and a future that is ready once it was called.
fn futures_channel() -> (impl Fn() + 'static, impl std::future::Future<Output = ()>) {
    let resolve: Rc<RefCell<Option<js_sys::Function>>> = Rc::default();
    let keep = Rc::clone(&resolve);
    let promise = js_sys::Promise::new(&mut |yes, _| *keep.borrow_mut() = Some(yes));
    let call = move || {
        if let Some(resolve) = &*resolve.borrow() {
            resolve.call0(&wasm_bindgen::JsValue::UNDEFINED).expect("resolved");
        }
    };
    (call, async move {
        wasm_bindgen_futures::JsFuture::from(promise).await.expect("resolved");
    })
}
