//! Kept runs: what a page that ended left behind, the list, and what is kept at all.

mod offer;
mod row;
mod settings;

pub use offer::offer;

use firstlight_core::format::{count, significant};
use firstlight_core::history::find;
use firstlight_core::text::{His, fill};
use leptos::prelude::*;

use super::setup;
use super::words::quiet;
use crate::app::state::State;
use crate::runner;

/// A text that follows the language.
fn his(state: State, key: His) -> impl Fn() -> &'static str + Copy + Send + Sync + 'static {
    move || key.get(state.lang.get())
}

/// Bytes in MB, as a person reads them.
fn mb(bytes: f64) -> String {
    significant(bytes / 1_000_000.0, 2)
}

/// The page.
pub fn face(state: State) -> AnyView {
    runner::look_at(state);
    let refused = move || {
        let why = state.history.refused.get()?;
        Some(view! { <p class="notice">{fill(His::Refused.get(state.lang.get()), &[&why])}</p> })
    };
    view! {
        <section class="history" aria-labelledby="history-title">
            <h2 id="history-title" tabindex="-1">{his(state, His::Title)}</h2>
            <p class="quiet">{his(state, His::Lead)}</p>
            {setup::problems(state, || 0)}
            {refused}
            {search(state)}
            {list(state)}
            {settings::settings(state)}
        </section>
    }
    .into_any()
}

fn search(state: State) -> AnyView {
    let searched = state.history.search;
    let found = move || {
        let (all, found) = state.history.entries.with(|all| (all.len(), find(all, &searched.get()).len()));
        fill(His::Found.get(state.lang.get()), &[&count(found), &count(all)])
    };
    view! {
        <div class="field" role="search">
            <label for="history-search">{his(state, His::Search)}</label>
            <input id="history-search" type="search" autocomplete="off" spellcheck="false" aria-describedby="history-search-hint"
                prop:value=searched on:input=move |e| searched.set(event_target_value(&e)) />
            <p class="hint" id="history-search-hint">{his(state, His::SearchHint)}</p>
            <p class="quiet" role="status">{found}</p>
        </div>
    }
    .into_any()
}

fn list(state: State) -> AnyView {
    let rows = move || {
        let lang = state.lang.get();
        let found = state.history.entries.with(|all| find(all, &state.history.search.get()));
        if found.is_empty() {
            let none = state.history.entries.with(Vec::is_empty);
            return quiet(if none { His::None } else { His::NoneFound }.get(lang).to_owned());
        }
        let rows: Vec<AnyView> = found.into_iter().map(|entry| row::row(state, entry, lang)).collect();
        view! { <ol class="kept">{rows}</ol> }.into_any()
    };
    view! { <div id="history-list">{rows}</div> }.into_any()
}
