//! The verdict from pairs.

use std::sync::Arc;

use firstlight_core::race::verdict_section;
use firstlight_core::report::Run;
use firstlight_core::text::Rac;
use leptos::prelude::*;

use super::measuring_pairs;
use crate::app::state::State;
use crate::app::view::results::part;
use crate::app::view::words::quiet;
use crate::runner;

/// One part for each endpoint, or what a verdict would need.
pub fn verdict(state: State) -> AnyView {
    let hidden = Memo::new(move |_| measuring_pairs(state));
    let shown = move || {
        let (lang, margin) = (state.lang.get(), state.race.judged_by.get());
        let verdicts = state.race.verdicts.get();
        if verdicts.is_empty() {
            return vec![quiet(Rac::VerdictEmpty.get(lang).to_owned())];
        }
        let both = verdicts.len() > 1;
        let one = |(at, run): (usize, Arc<Run>)| {
            let mut section = verdict_section(&run, margin, lang);
            if at == 1 {
                // Ids are unique in a page.
                section.id = "race-verdict-second";
            }
            if both {
                let name = if at == 0 { Rac::AtFirst } else { Rac::AtSecond }.get(lang);
                section.title = format!("{name} {}", section.title);
            }
            let id = if at == 0 { "race-open" } else { "race-open-second" };
            let open = move |_| runner::open_run(state, &run);
            view! {
                {part(section)}
                <div class="buttons"><button type="button" id=id on:click=open>{Rac::OpenRun.get(lang)}</button></div>
            }
            .into_any()
        };
        verdicts.into_iter().enumerate().map(one).collect()
    };
    view! { <div id="race-verdicts" hidden=hidden>{shown}</div> }.into_any()
}
