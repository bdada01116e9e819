//! One request over time, and everything that is known of it.

mod lanes;
mod tables;
mod walk;

use std::sync::Arc;

use firstlight_core::diagnosis::Walks;
use firstlight_core::text::{Res, fill};
use leptos::prelude::*;
use web_sys::KeyboardEvent;

use super::results::Shown;

/// The section of the chosen request; empty while none is.
pub fn section(shown: &Shown) -> AnyView {
    let state = shown.state;
    let shown = shown.clone();
    let chosen = Memo::new(move |_| state.selected.get());
    // What requests are compared with is worked out for the first that is opened.
    let walks = StoredValue::new(Walks::new(Arc::clone(&shown.run)));
    let body = move || {
        let id = chosen.get()?;
        let trace = shown.run.request(id)?;
        let lang = shown.lang;
        Some(view! {
            <div class="bar">
                <h2 id="waterfall-title" tabindex="-1">{fill(Res::WaterfallTitle.get(lang), &[&id.to_string()])}</h2>
                <button type="button" id="waterfall-close" on:click=move |_| close(state)>{Res::Close.get(lang)}</button>
            </div>
            {tables::outcome_line(&shown, trace)}
            {walks.try_update_value(|walks| walk::walk_back(&shown, walks.walk(id, lang)))}
            {lanes::chart(&shown, trace)}
            {tables::tables(&shown, trace)}
        })
    };
    let escape = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            close(state);
        }
    };
    view! { <section id="waterfall" hidden=move || chosen.get().is_none() on:keydown=escape>{body}</section> }.into_any()
}

/// Closes it; the focus goes back to the button that opened it, before the one that has it is gone.
fn close(state: crate::app::state::State) {
    if let Some(id) = state.selected.get_untracked() {
        focus_now(&format!("open-{id}"));
        state.selected.set(None);
    }
}

/// Moves the focus to its title once it is there.
pub fn focus() {
    focus_on("waterfall-title".to_owned());
}

/// Moves the focus to an element in the next frame, when what was just changed is there.
pub fn focus_on(id: String) {
    request_animation_frame(move || focus_now(&id));
}

/// The same, unless something else has the focus by then: nobody's typing is cut off.
pub fn focus_if_lost(id: String) {
    request_animation_frame(move || {
        let lost = document().active_element().is_none_or(|element| element.tag_name() == "BODY");
        if lost {
            focus_now(&id);
        }
    });
}

fn focus_now(id: &str) {
    use wasm_bindgen::JsCast;
    let element = document().get_element_by_id(id);
    if let Some(element) = element.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
        // An element that can't have the focus leaves it where it is.
        let _ = element.focus();
    }
}
