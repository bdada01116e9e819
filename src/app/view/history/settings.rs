//! What is kept at all, and how much of it.

use firstlight_core::history::taken;
use firstlight_core::text::{His, fill};
use leptos::prelude::*;

use super::{his, mb};
use crate::app::state::State;
use crate::app::view::waterfall;
use crate::browser::window;
use crate::runner;

/// The settings; none where nothing can be kept.
pub fn settings(state: State) -> AnyView {
    let able = Memo::new(move |_| state.history.settings.with(Option::is_some));
    (move || able.get().then(|| whole(state))).into_any()
}

fn whole(state: State) -> AnyView {
    let settings = state.history.settings;
    let keep = move || settings.get().is_some_and(|s| s.keep);
    let limit = move || settings.get().map(|s| s.limit_mb().to_string()).unwrap_or_default();
    let wrong = RwSignal::new(false);
    let typed = move |event| wrong.set(!runner::set_limit(state, &event_target_value(&event)));
    let says_wrong =
        move || wrong.get().then(|| view! { <span class="warn">"▲ "{His::LimitWrong.get(state.lang.get())}</span> });
    let used = move || {
        let (lang, limit) = (state.lang.get(), settings.get().map_or(0, |s| s.limit));
        let taken = state.history.entries.with(|all| taken(all));
        let words = if taken > limit { His::UsedOver } else { His::Used };
        fill(words.get(lang), &[&mb(taken as f64), &mb(limit as f64)])
    };
    let none = move || state.history.entries.with(Vec::is_empty);
    let delete = move |_| {
        let all = state.history.entries.with_untracked(Vec::len).to_string();
        if window().confirm_with_message(&fill(His::SureAll.get(state.lang.get_untracked()), &[&all])).unwrap_or(false) {
            runner::delete_all(state);
            waterfall::focus_on("history-title".to_owned());
        }
    };
    view! {
        <div class="kept-settings">
            <h3>{his(state, His::KeepTitle)}</h3>
            <p class="quiet" id="history-used">{used}</p>
            <div class="fields">
                <div class="field">
                    <label class="check">
                        <input type="checkbox" id="history-keep" aria-describedby="history-keep-hint" prop:checked=keep
                            on:change=move |e| runner::set_keep(state, event_target_checked(&e)) />
                        <span>{his(state, His::Keep)}</span>
                    </label>
                    <p class="hint" id="history-keep-hint">{his(state, His::KeepHint)}</p>
                </div>
                <div class="field number">
                    <label for="history-limit">{his(state, His::Limit)}</label>
                    <input id="history-limit" type="text" inputmode="decimal" autocomplete="off" aria-describedby="history-limit-hint"
                        aria-invalid=move || wrong.get().then_some("true") prop:value=limit on:change=typed />
                    <p class="hint" id="history-limit-hint" role="status">{his(state, His::LimitHint)}" "{says_wrong}</p>
                </div>
            </div>
            <div class="buttons">
                <button type="button" id="delete-all" disabled=none on:click=delete>{his(state, His::DeleteAll)}</button>
            </div>
        </div>
    }
    .into_any()
}
