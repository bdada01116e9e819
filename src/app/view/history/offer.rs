//! What is said on every page: runs that a page that ended left behind, and that one is not kept.

use firstlight_core::format::count;
use firstlight_core::history::Entry;
use firstlight_core::text::{His, fill};
use leptos::prelude::*;

use super::his;
use crate::app::state::{Phase, State};
use crate::browser::clock;
use crate::runner;

/// Offers what was left behind. Not while something runs: nothing changes then.
pub fn offer(state: State) -> AnyView {
    let running = Memo::new(move |_| state.phase.get() == Phase::Running);
    let shown = move || {
        if running.get() {
            return None;
        }
        let (notice, offered) = (state.history.notice.get(), state.history.offered.get());
        let lang = state.lang.get();
        let notice = notice.map(|why| view! { <p class="notice warn-edge">"▲ "{fill(His::NotKept.get(lang), &[&why])}</p> });
        let title = (!offered.is_empty()).then(|| view! { <h2>{His::OfferTitle.get(lang)}</h2> });
        let offered: Vec<AnyView> = offered.into_iter().map(|entry| one(state, entry)).collect();
        Some(view! { {notice}{title}{offered} })
    };
    view! { <div id="offered" role="status">{shown}</div> }.into_any()
}

fn one(state: State, entry: Entry) -> AnyView {
    let lang = state.lang.get_untracked();
    let when = clock::local_time(&entry.created, lang.code());
    let text = fill(His::Offer.get(lang), &[&when, &entry.host, &count(entry.requests)]);
    let (id, other) = (entry.id.clone(), entry.id.clone());
    let leave = move |_| state.history.offered.update(|offered| offered.retain(|entry| entry.id != other));
    view! {
        <div class="notice" data-id=entry.id>
            <p>{text}</p>
            <div class="buttons small">
                <button type="button" class="open-kept" on:click=move |_| runner::open_kept(state, id.clone())>{his(state, His::Open)}</button>
                <button type="button" class="leave-kept" on:click=leave>{his(state, His::OfferKeep)}</button>
            </div>
        </div>
    }
    .into_any()
}
