//! What races, how many pairs judge it, and the link to all of it.

use firstlight_core::config::Field;
use firstlight_core::text::{Rac, fill};
use leptos::prelude::*;

use super::{rac, running};
use crate::app::race::{Race, link};
use crate::app::state::State;
use crate::app::view::results::copyable;
use crate::app::view::setup::parts_of_race;
use crate::app::view::words::quiet;
use crate::browser::address;

/// A line of text with its label and hint.
fn line(state: State, id: &'static str, [label, hint]: [Rac; 2], value: RwSignal<String>, field: Field) -> AnyView {
    let hint_id = format!("{id}-hint");
    let wrong = move || state.race.invalid.with(|wrong| wrong.contains(&field)).then_some("true");
    view! {
        <div class="field">
            <label for=id>{rac(state, label)}</label>
            <input id=id type="text" autocomplete="off" spellcheck="false" aria-describedby=hint_id.clone() aria-invalid=wrong
                prop:value=value on:input=move |e| value.set(event_target_value(&e)) />
            <p class="hint" id=hint_id>{rac(state, hint)}</p>
        </div>
    }
    .into_any()
}

/// The set-up; not there while something runs.
pub fn setup(state: State) -> AnyView {
    let Race { pairs, margin, second, .. } = state.race;
    let running = running(state);
    let versus = state.form.versus;
    let others = move || {
        second.get().then(|| {
            let url = line(state, "second-url", [Rac::SecondUrl, Rac::SecondUrlHint], versus.url, Field::Versus);
            let model = line(state, "second-model", [Rac::SecondModel, Rac::SecondModelHint], versus.model, Field::Versus);
            view! { {url}{model} }
        })
    };
    let spend = move || {
        let lanes = if second.get() { 4 } else { 2 };
        // Each endpoint has its pairs, and one more pair as a warm-up.
        let all = pairs.get().trim().parse::<u32>().ok().map(|n| n.saturating_add(1).saturating_mul(lanes));
        let all = all.map_or("…".to_owned(), |n| firstlight_core::format::count(n as usize));
        fill(Rac::Spend.get(state.lang.get()), &[&lanes.to_string(), &all])
    };
    view! {
        <section id="race-setup" class="race-setup" aria-labelledby="race-setup-title" hidden=running>
            <h2 id="race-setup-title">{rac(state, Rac::SetupTitle)}</h2>
            {parts_of_race(state)}
            <div class="fields">
                {line(state, "race-count", [Rac::PairCount, Rac::PairCountHint], pairs, Field::Requests)}
                {line(state, "race-margin", [Rac::Margin, Rac::MarginHint], margin, Field::Thresholds)}
                <div class="field wide">
                    <label class="check">
                        <input type="checkbox" id="second" aria-describedby="second-hint" prop:checked=second
                            on:change=move |e| second.set(event_target_checked(&e)) />
                        <span>{rac(state, Rac::Second)}</span>
                    </label>
                    <p class="hint" id="second-hint">{rac(state, Rac::SecondHint)}</p>
                </div>
                {others}
            </div>
            <p class="quiet" id="race-spend">{spend}</p>
            {shared(state)}
        </section>
    }
    .into_any()
}

/// The link, as it stands for what is typed now.
fn shared(state: State) -> AnyView {
    let link = Memo::new(move |_| link(state));
    let shown = move || match link.get() {
        Ok(fragment) => copyable(state, address::with_fragment(&fragment)),
        Err(why) => quiet(why.get(state.lang.get()).to_owned()),
    };
    view! {
        <div id="race-link">
            <h3>{rac(state, Rac::LinkTitle)}</h3>
            <p class="quiet">{rac(state, Rac::LinkHint)}</p>
            {shown}
        </div>
    }
    .into_any()
}
