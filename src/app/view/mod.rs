//! The views: the measuring page with its three faces, the race page, the lessons, and the history.

mod charts;
mod control;
mod header;
mod history;
mod legend;
mod lessons;
mod race;
mod results;
mod running;
mod setup;
mod waterfall;
mod words;

use firstlight_core::text::Ui;
use leptos::prelude::*;

use super::pages::Page;
use super::state::{Phase, State};
use words::ui;

/// The whole page.
pub fn page(state: State) -> impl IntoView {
    let phase = Memo::new(move |_| state.phase.get());
    Effect::new(move |_| mirror(state, phase.get()));
    Effect::new(move |before: Option<Phase>| {
        let now = phase.get();
        // The button that had the focus is gone with its face. The other pages look after the focus themselves.
        if before.is_some_and(|before| before != now) && state.page.get_untracked() == Page::Measuring {
            waterfall::focus_if_lost("main".to_owned());
        }
        now
    });
    let shown = Memo::new(move |_| state.page.get());
    let face = move || match phase.get() {
        Phase::Setup => setup::face(state),
        Phase::Running => running::face(state),
        Phase::Done => results::face(state),
    };
    let whole = move || match shown.get() {
        Page::Lessons => lessons::face(state),
        Page::Race => race::face(state),
        Page::History => history::face(state),
        Page::Measuring => face.into_any(),
    };
    view! {
        <a class="skip" href="#main">{ui(state, Ui::SkipToMain)}</a>
        {header::header(state)}
        {history::offer(state)}
        <main id="main" tabindex="-1">{whole}</main>
        <p class="sr" role="status">{move || said(state, phase.get())}</p>
        <footer><p>{ui(state, Ui::Footer)}</p></footer>
        <div id="drop" aria-hidden="true" hidden=move || !state.dropping.get()><p>{ui(state, Ui::DropRun)}</p></div>
    }
}

/// Carries what the document itself must know: the face, and the language.
fn mirror(state: State, phase: Phase) {
    let document = document();
    let code = match state.page.get() {
        Page::Lessons => lessons::code(phase),
        Page::Race => race::code(state, phase),
        Page::History => "history",
        Page::Measuring => phase.code(),
    };
    let _ = document.body().map(|body| body.set_attribute("data-state", code));
    let _ = document.document_element().map(|root| root.set_attribute("lang", state.lang.get().code()));
}

/// What a screen reader is told when the face changes.
fn said(state: State, phase: Phase) -> &'static str {
    let lang = state.lang.get();
    match (state.page.get(), phase) {
        (Page::Lessons, _) => lessons::said(state, phase),
        (Page::Race, _) => race::said(state, phase),
        (Page::History, _) => "",
        (Page::Measuring, Phase::Setup) => "",
        (Page::Measuring, Phase::Running) => Ui::SaidRunning.get(lang),
        (Page::Measuring, Phase::Done) => Ui::SaidDone.get(lang),
    }
}
