//! What can be done with a run.

use firstlight_core::text::Ui;
use leptos::prelude::*;

use crate::app::state::{Phase, State};
use crate::app::view::words::ui;
use crate::runner;

/// The buttons.
pub fn actions(state: State) -> AnyView {
    view! {
        <div class="buttons actions">
            <button type="button" id="again" class="primary" on:click=move |_| runner::begin(state)>{ui(state, Ui::RunAgain)}</button>
            <button type="button" id="change" on:click=move |_| state.phase.set(Phase::Setup)>{ui(state, Ui::NewRun)}</button>
            <a id="save" class="button" href=move || state.file_url.get() download=move || state.file_name.get()>
                {ui(state, Ui::SaveRun)}
            </a>
        </div>
    }
    .into_any()
}
