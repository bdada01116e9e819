//! A saved run as the baseline of the one that is shown.

use firstlight_core::report::Run;
use firstlight_core::sections::compared;
use firstlight_core::text::Ui;
use leptos::prelude::*;
use web_sys::Event;

use super::Shown;
use super::section::section;
use crate::app::view::words::ui;
use crate::browser::file;
use crate::runner;

/// The way in for the other run, and the comparison.
pub fn compare(shown: &Shown) -> AnyView {
    let (state, lang) = (shown.state, shown.lang);
    let run = shown.run.clone();
    let read = move |event: Event| file::chosen(&event, move |text| runner::open_baseline(state, text));
    let part = move || state.baseline.get().map(|base: std::sync::Arc<Run>| section(compared(&base, &run, lang)));
    view! {
        <div class="open baseline">
            <input id="baseline" type="file" accept=".json,application/json" on:change=read />
            <label for="baseline">{ui(state, Ui::CompareWith)}</label>
        </div>
        {part}
    }
    .into_any()
}
