//! The views: one page with three faces.

mod control;
mod header;
mod legend;
mod results;
mod running;
mod setup;
mod waterfall;
mod words;

use firstlight_core::text::Ui;
use leptos::prelude::*;

use super::state::{Phase, State};
use words::ui;

/// The whole page.
pub fn page(state: State) -> impl IntoView {
    let phase = Memo::new(move |_| state.phase.get());
    Effect::new(move |_| mirror(state, phase.get()));
    Effect::new(move |before: Option<Phase>| {
        let now = phase.get();
        // The button that had the focus is gone with its face.
        if before.is_some_and(|before| before != now) {
            waterfall::focus_on("main".to_owned());
        }
        now
    });
    let face = move || match phase.get() {
        Phase::Setup => setup::face(state),
        Phase::Running => running::face(state),
        Phase::Done => results::face(state),
    };
    view! {
        <a class="skip" href="#main">{ui(state, Ui::SkipToMain)}</a>
        {header::header(state)}
        <main id="main" tabindex="-1">{face}</main>
        <p class="sr" role="status">{move || said(state, phase.get())}</p>
        <footer><p>{ui(state, Ui::Footer)}</p></footer>
    }
}

/// Carries what the document itself must know: the face, and the language.
fn mirror(state: State, phase: Phase) {
    let document = document();
    let _ = document.body().map(|body| body.set_attribute("data-state", phase.code()));
    let _ = document.document_element().map(|root| root.set_attribute("lang", state.lang.get().code()));
}

/// What a screen reader is told when the face changes.
fn said(state: State, phase: Phase) -> &'static str {
    let lang = state.lang.get();
    match phase {
        Phase::Setup => "",
        Phase::Running => Ui::SaidRunning.get(lang),
        Phase::Done => Ui::SaidDone.get(lang),
    }
}
