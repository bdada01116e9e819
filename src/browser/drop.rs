//! Files that are dragged over the page: the Drag and Drop API of HTML.

use js_sys::{Array, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{Event, FileList, HtmlInputElement};

use super::{property, window};

/// Tells, for as long as the page lives, whether files are held over it, and which were dropped. While they may not be dropped they are
/// refused all the same: a browser would leave the page for them.
pub fn listen(may: impl Fn() -> bool + 'static, over: impl Fn(bool) + 'static, dropped: impl Fn(FileList) + 'static) {
    let heard = move |event: Event| {
        let data = property(&event, "dataTransfer");
        let files = property(&data, "types").dyn_into::<Array>().is_ok_and(|types| types.includes(&"Files".into(), 0));
        // What else is dragged, such as a text, is no matter of ours.
        if !files {
            return;
        }
        // Fields for files take them by themselves.
        if is_field(&event) {
            return over(false);
        }
        event.prevent_default();
        match event.type_().as_str() {
            "dragover" => {
                let effect = if may() { "copy" } else { "none" };
                let _ = Reflect::set(&data, &"dropEffect".into(), &effect.into());
                over(may());
            }
            "drop" => {
                over(false);
                if may() {
                    dropped(property(&data, "files").unchecked_into());
                }
            }
            // They left the window; from one element to another there is a related one.
            _ if property(&event, "relatedTarget").is_null() => over(false),
            _ => {}
        }
    };
    let listener = Closure::<dyn Fn(Event)>::new(heard);
    for kind in ["dragover", "dragleave", "drop"] {
        let _ = window().add_event_listener_with_callback(kind, listener.as_ref().unchecked_ref());
    }
    listener.forget();
}

fn is_field(event: &Event) -> bool {
    event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()).is_some_and(|input| input.type_() == "file")
}
