//! Elements that are drawn when they come near the window, at the width they have.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, IntersectionObserver, IntersectionObserverInit, ResizeObserver};

use super::window;

/// So far outside the window it counts as near.
const MARGIN: &str = "800px 0px";

/// A part of the element is in the window now.
pub fn in_window(element: &Element) -> bool {
    let edge = element.get_bounding_client_rect();
    let height = window().inner_height().ok().and_then(|height| height.as_f64());
    edge.bottom() > 0.0 && height.is_some_and(|height| edge.top() < height)
}

/// Looks after one element until dropped.
pub struct Near {
    begun: Rc<Begun>,
    observer: Option<IntersectionObserver>,
    printed: Closure<dyn Fn()>,
    _near: Closure<dyn Fn(js_sys::Array)>,
}

/// Tells of a new size; the closure lives as long as the observer.
type Sizes = (ResizeObserver, Closure<dyn Fn()>);

struct Begun {
    element: Element,
    callback: Box<dyn Fn(f64)>,
    last: Cell<f64>,
    following: RefCell<Option<Sizes>>,
}

impl Near {
    /// Calls back with the width of an element's inside once it is near the window or the page is printed, and whenever it
    /// changes after that.
    pub fn watch_width(element: &Element, callback: impl Fn(f64) + 'static) -> Near {
        let (callback, last) = (Box::new(callback), Cell::new(f64::NAN));
        let begun = Rc::new(Begun { element: element.clone(), callback, last, following: RefCell::new(None) });
        let near = {
            let begun = Rc::clone(&begun);
            Closure::<dyn Fn(js_sys::Array)>::new(move |entries: js_sys::Array| {
                let near = |entry: JsValue| super::property(&entry, "isIntersecting").is_truthy();
                if entries.iter().any(near) {
                    begun.begin();
                }
            })
        };
        let options = IntersectionObserverInit::new();
        options.set_root_margin(MARGIN);
        let observer = IntersectionObserver::new_with_options(near.as_ref().unchecked_ref(), &options).ok();
        match &observer {
            Some(observer) => observer.observe(element),
            None => begun.begin(),
        }
        let printed = {
            let begun = Rc::clone(&begun);
            Closure::<dyn Fn()>::new(move || begun.begin())
        };
        // Without this event nothing more is drawn for paper than was for the screen.
        let _ = window().add_event_listener_with_callback("beforeprint", printed.as_ref().unchecked_ref());
        Near { begun, observer, printed, _near: near }
    }
}

impl Drop for Near {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
        if let Some((observer, _)) = self.begun.following.take() {
            observer.disconnect();
        }
        let _ = window().remove_event_listener_with_callback("beforeprint", self.printed.as_ref().unchecked_ref());
    }
}

impl Begun {
    fn begin(self: &Rc<Self>) {
        if self.following.borrow().is_some() {
            return;
        }
        let weak = Rc::downgrade(self);
        let changed = Closure::<dyn Fn()>::new(move || {
            if let Some(begun) = weak.upgrade() {
                begun.tell();
            }
        });
        if let Ok(observer) = ResizeObserver::new(changed.as_ref().unchecked_ref()) {
            observer.observe(&self.element);
            *self.following.borrow_mut() = Some((observer, changed));
        }
        self.tell();
    }

    fn tell(&self) {
        let width = f64::from(self.element.client_width());
        // An element that is gone has no width.
        if width > 0.0 && self.last.replace(width) != width {
            (self.callback)(width);
        }
    }
}
