//! The custom elements of the npm package: `<firstlight-test>`, the measuring page without what a host does not need, and
//! `<firstlight-race>`. The shell (`www/npm/element.js`) is the element; a [`Face`] is what stands in its shadow tree.
//!
//! The answers are children of the host, in its own document: Chromium reports no paint of what is in a shadow tree.

mod dom;
mod face;
mod setup;
mod tell;
mod view;

use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, ShadowRoot};

use face::{Inner, Kind};

/// The whole life of a worker, which runs this same module.
#[wasm_bindgen]
pub fn serve() {
    firstlight_web::runner::serve();
}

/// The version of this module, which is the package's.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// What one element shows and does.
#[wasm_bindgen]
pub struct Face {
    inner: std::rc::Rc<Inner>,
}

#[wasm_bindgen]
impl Face {
    /// Of an element: `setup` is JSON, `worker` makes a worker, `tell` is called with the name of an event and its detail
    /// as JSON (a report's are two: its figures, and the run).
    #[wasm_bindgen(constructor)]
    pub fn new(host: HtmlElement, shadow: ShadowRoot, race: bool, setup: &str, worker: Function, tell: Function) -> Face {
        let kind = if race { Kind::Race } else { Kind::Test };
        Face { inner: Inner::new(kind, host, shadow, setup, worker, tell) }
    }

    /// Another set-up; a run under way goes on as it was begun.
    pub fn set(&self, setup: &str) {
        self.inner.set(setup);
    }

    /// Starts a run, or tells why not.
    pub fn start(&self) {
        self.inner.start(None);
    }

    /// Stops it; what was measured is kept and told.
    pub fn stop(&self) {
        self.inner.stop();
    }

    /// The element was taken out of its page: a run is stopped, and it is said why.
    pub fn leave(&self) {
        self.inner.leave();
    }

    /// A run is under way.
    pub fn running(&self) -> bool {
        self.inner.is_running()
    }
}

impl Drop for Face {
    fn drop(&mut self) {
        self.inner.close();
    }
}
