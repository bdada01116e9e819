//! One kept run: what it is recognised by, what a person noted, and what can be done with it.

use firstlight_core::format::count;
use firstlight_core::history::Entry;
use firstlight_core::text::{His, Lang, fill};
use leptos::prelude::*;

use super::mb;
use crate::app::state::State;
use crate::app::view::waterfall;
use crate::app::view::words::{context, tag};
use crate::browser::{clock, window};
use crate::runner;

/// A button that says to a screen reader which run it is for.
fn button(class: &'static str, key: His, lang: Lang, name: &str, press: impl Fn() + 'static) -> AnyView {
    let label = fill(His::Of.get(lang), &[key.get(lang), name]);
    view! { <button type="button" class=class aria-label=label on:click=move |_| press()>{key.get(lang)}</button> }.into_any()
}

/// The row.
pub fn row(state: State, entry: Entry, lang: Lang) -> AnyView {
    let when = clock::local_time(&entry.created, lang.code());
    let name = format!("{when}, {}", entry.host);
    let facts = [
        Some(entry.model.clone()).filter(|model| !model.is_empty()),
        Some(fill(His::Requests.get(lang), &[&count(entry.requests)])),
        Some(fill(His::Size.get(lang), &[&mb(entry.bytes as f64)])),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    let lines: Vec<AnyView> = entry.lines(lang).iter().cloned().map(|(said, of)| line(said, of)).collect();
    let pinned = RwSignal::new(entry.is_pinned());
    let pin = move || pinned.get().then(|| tag(His::Pinned.get(lang)));
    let (id, note_id) = (entry.id.clone(), format!("note-{}", entry.id));
    let noted = move |event| {
        let text = event_target_value(&event);
        pinned.set(!text.trim().is_empty());
        runner::note(state, id.clone(), text);
    };
    let act = |what: fn(State, String)| {
        let id = entry.id.clone();
        move || what(state, id.clone())
    };
    let sure = fill(His::SureOne.get(lang), &[&name]);
    let delete = act(runner::delete_one);
    let delete = move || {
        if window().confirm_with_message(&sure).unwrap_or(false) {
            delete();
            // The row that had the focus goes.
            waterfall::focus_on("history-title".to_owned());
        }
    };
    view! {
        <li data-id=entry.id.clone()>
            <h3><time datetime=entry.created.clone()>{when.clone()}</time>" · "{entry.host.clone()}</h3>
            <p class="quiet">{facts.join(" · ")}" "{entry.page_ended.then(|| tag(His::Ended.get(lang)))}" "{pin}</p>
            {lines}
            <div class="field">
                <label for=note_id.clone()>{His::Notes.get(lang)}</label>
                <textarea id=note_id.clone() rows="1" prop:value=entry.note.clone() on:change=noted></textarea>
            </div>
            <div class="buttons small">
                {button("open-kept", His::Open, lang, &name, act(runner::open_kept))}
                {button("save-kept", His::Save, lang, &name, act(runner::save_kept))}
                {button("delete-kept", His::Delete, lang, &name, delete)}
            </div>
        </li>
    }
    .into_any()
}

/// The headline with its context.
#[inline(never)]
fn line(said: String, of: String) -> AnyView {
    view! { <p class="said">{said}</p>{context(of)} }.into_any()
}
