//! The page's head: its name, the language, and the way in for saved runs.

use firstlight_core::text::{Lang, Ui};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Event, HtmlInputElement};

use super::words::ui;
use crate::app::state::{Phase, State};
use crate::runner;

/// The head.
pub fn header(state: State) -> AnyView {
    view! {
        <header class="top">
            <div class="name">
                <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
                    <path d="M3 23a13 13 0 0 1 26 0" />
                    <circle cx="16" cy="16" r="2.5" />
                </svg>
                <h1>"Firstlight"</h1>
                <p>{ui(state, Ui::Tagline)}</p>
            </div>
            {open(state)}
            {language(state)}
        </header>
    }
    .into_any()
}

fn open(state: State) -> AnyView {
    let running = move || state.phase.get() == Phase::Running;
    let read = move |event: Event| {
        let Some(input) = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok()) else { return };
        let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
        spawn_local(async move {
            if let Ok(text) = JsFuture::from(file.text()).await {
                runner::open_text(state, text.as_string().unwrap_or_default());
            }
            // So that choosing the same file again is a change.
            input.set_value("");
        });
    };
    view! {
        <div class="open" hidden=running>
            <input id="open" type="file" accept=".json,application/json" disabled=running on:change=read />
            <label for="open">{ui(state, Ui::OpenRun)}</label>
        </div>
    }
    .into_any()
}

fn language(state: State) -> AnyView {
    let choose = move |event| {
        let code = event_target_value(&event);
        if let Some(lang) = Lang::ALL.into_iter().find(|lang| lang.code() == code) {
            state.lang.set(lang);
        }
    };
    let option = |lang: Lang| {
        view! { <option value=lang.code() lang=lang.code() prop:selected=move || state.lang.get() == lang>{lang.name()}</option> }
    };
    view! {
        <div class="language">
            <label for="language" class="sr">{ui(state, Ui::Language)}</label>
            <select id="language" on:change=choose>{Lang::ALL.map(option).collect_view()}</select>
        </div>
    }
    .into_any()
}
