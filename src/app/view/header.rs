//! The page's head: its name, the language, and the way in for saved runs.

use firstlight_core::text::{His, Lang, Les, Rac, Ui};
use leptos::prelude::*;
use web_sys::Event;

use super::words::ui;
use crate::app::pages::Page;
use crate::app::state::{Phase, State};
use crate::app::{history, lessons};
use crate::browser::file;
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
            {way(state, "history-page", Page::History, history::FRAGMENT, |lang| His::Link.get(lang))}
            {way(state, "lessons-page", Page::Lessons, lessons::FRAGMENT, |lang| Les::Link.get(lang))}
            {way(state, "other-page", Page::Race, "#race", |lang| Rac::ToRace.get(lang))}
            {open(state)}
            {language(state)}
        </header>
    }
    .into_any()
}

/// The way to another page, and from there back.
fn way(
    state: State,
    id: &'static str,
    to: Page,
    fragment: &'static str,
    word: impl Fn(Lang) -> &'static str + Send + Sync + 'static,
) -> AnyView {
    let running = move || state.phase.get() == Phase::Running;
    let there = move || state.page.get() == to;
    let href = move || if there() { "#" } else { fragment };
    let words = move || if there() { Rac::ToMeasure.get(state.lang.get()) } else { word(state.lang.get()) };
    view! { <a id=id class="button" href=href hidden=running>{words}</a> }.into_any()
}

fn open(state: State) -> AnyView {
    // A saved run is shown by the measuring page.
    let running = move || state.phase.get() == Phase::Running || state.page.get() != Page::Measuring;
    let read = move |event: Event| file::chosen(&event, move |text| runner::open_text(state, text));
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
