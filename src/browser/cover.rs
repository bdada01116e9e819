//! Whether something lies over an element: by asking what is on top, and by the browser's own word where it gives one.
//!
//! The browser is asked with a frame that draws something anyway. Whoever lets it watch all the time gets a frame of its own
//! for each word, and what is to be drawn within the three display ticks after that waits for another tick (Chromium).

use std::cell::Cell;
use std::rc::Rc;

use firstlight_core::Micros;
use firstlight_core::trace::Covered;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{Element, IntersectionObserver};

use super::{class_has, clock, environment, property};

/// A word is as good as new for so long; browsers give none oftener.
const FRESH: Micros = Micros(100_000);

type Callback = Closure<dyn Fn(js_sys::Array, IntersectionObserver)>;
type Observed = (IntersectionObserver, Callback);

/// Watches one element until dropped.
pub struct Cover {
    element: Element,
    /// What the browser said last.
    said: Rc<Cell<Covered>>,
    /// When it was asked last.
    asked: Cell<Option<Micros>>,
    word: Option<Observed>,
    /// In a frame: the page around does not show it.
    outside: Rc<Cell<bool>>,
    around: Option<Observed>,
}

impl Cover {
    /// Begins to watch.
    pub fn watch(element: &Element) -> Cover {
        let said = Rc::new(Cell::new(Covered::Unknown));
        let outside = Rc::new(Cell::new(false));
        let word = class_has("IntersectionObserverEntry", "isVisible").then(|| giving_word(Rc::clone(&said))).flatten();
        let around = environment::is_framed().then(|| observe_around(element, Rc::clone(&outside))).flatten();
        Cover { element: element.clone(), said, asked: Cell::new(None), word, outside, around }
    }

    /// Something of the element is to be drawn: with that frame the browser is asked, unless its last word is fresh.
    pub fn look(&self) {
        let now = clock::now();
        if let Some((observer, _)) = &self.word
            && self.asked.get().is_none_or(|asked| now - asked >= FRESH)
        {
            self.asked.set(Some(now));
            observer.observe(&self.element);
        }
    }

    /// The page around does not show it, as far as the browser has said. What is inside a frame does not know by itself.
    pub fn is_outside(&self) -> bool {
        self.outside.get()
    }

    /// Whether something lies over a part of the element. The browser's word is that of the frame in which it was asked last.
    pub fn of(&self, part: &Element) -> Covered {
        let area = part.get_bounding_client_rect();
        let place = self.element.get_bounding_client_rect();
        let middle = |from: f64, to: f64| (from + to) / 2.0;
        let x = middle(area.left().max(place.left()), area.right().min(place.right()));
        let y = middle(area.top().max(place.top()), area.bottom().min(place.bottom()));
        // Of a shadow tree the document only finds the host.
        let root = self.element.get_root_node();
        let find = property(&root, "elementFromPoint").dyn_into::<js_sys::Function>().ok();
        let top = find
            .and_then(|find| find.call2(&root, &JsValue::from_f64(x), &JsValue::from_f64(y)).ok()?.dyn_into::<Element>().ok());
        if top.is_some_and(|top| !self.element.contains(Some(&top))) {
            return Covered::Yes;
        }
        // What lets clicks through is not found, so that nothing found proves nothing.
        self.said.get()
    }
}

impl Drop for Cover {
    fn drop(&mut self) {
        [&self.word, &self.around].into_iter().flatten().for_each(|(observer, _)| observer.disconnect());
    }
}

/// Without a root of its own, an observer looks through every frame up to the outermost page.
fn observe_around(element: &Element, outside: Rc<Cell<bool>>) -> Option<Observed> {
    let callback = Callback::new(move |entries: js_sys::Array, _: IntersectionObserver| {
        for entry in entries.iter() {
            outside.set(!property(&entry, "isIntersecting").is_truthy());
        }
    });
    let observer = IntersectionObserver::new(callback.as_ref().unchecked_ref()).ok()?;
    observer.observe(element);
    Some((observer, callback))
}

/// An observer that gives one word after it was told to observe, and then observes nothing.
fn giving_word(said: Rc<Cell<Covered>>) -> Option<Observed> {
    let callback = Callback::new(move |entries: js_sys::Array, observer: IntersectionObserver| {
        observer.disconnect();
        for entry in entries.iter() {
            let seen = |name: &str| property(&entry, name).is_truthy();
            // Outside the viewport it is another thing than covered, and "not visible" only means that the browser does not vouch for it.
            said.set(if seen("isIntersecting") && seen("isVisible") { Covered::No } else { Covered::Unknown });
        }
    });
    let options = js_sys::Object::new();
    let set = |name: &str, value: JsValue| js_sys::Reflect::set(&options, &JsValue::from_str(name), &value);
    set("trackVisibility", JsValue::TRUE).ok()?;
    // The least that browsers allow.
    set("delay", JsValue::from_f64(100.0)).ok()?;
    let observer = IntersectionObserver::new_with_options(callback.as_ref().unchecked_ref(), options.unchecked_ref()).ok()?;
    Some((observer, callback))
}
