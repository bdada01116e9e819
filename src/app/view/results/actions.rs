//! What can be done with a run.

use firstlight_core::text::Ui;
use leptos::html::A;
use leptos::prelude::*;

use crate::app::state::{Phase, State};
use crate::app::view::words::ui;
use crate::browser::file;
use crate::runner;

/// The buttons.
pub fn actions(state: State) -> AnyView {
    let link = NodeRef::<A>::new();
    // The file is made when somebody wants it: that of a long run takes seconds, and most are never saved.
    let ready = move || {
        let (Some(link), Some(run)) = (link.get_untracked(), state.run.get_untracked()) else { return };
        if state.file_url.get_untracked().is_empty() {
            let url = file::blob_url(&run.to_json()).unwrap_or_default();
            // At once: what the click does next looks at it.
            link.set_href(&url);
            state.file_url.set(url);
        }
    };
    let href = move || Some(state.file_url.get()).filter(|url| !url.is_empty()).unwrap_or("#".to_owned());
    view! {
        <div class="buttons actions">
            <button type="button" id="again" class="primary" on:click=move |_| runner::begin(state)>{ui(state, Ui::RunAgain)}</button>
            <button type="button" id="change" on:click=move |_| state.phase.set(Phase::Setup)>{ui(state, Ui::NewRun)}</button>
            <a id="save" class="button" node_ref=link href=href download=move || state.file_name.get()
                on:click=move |_| ready() on:contextmenu=move |_| ready()>
                {ui(state, Ui::SaveRun)}
            </a>
        </div>
    }
    .into_any()
}
