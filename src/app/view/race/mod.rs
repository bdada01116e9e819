//! The race page: lanes at the same moment to watch, pairs for a verdict, and the set-up with its link.

mod keys;
mod lanes;
mod setup;
mod verdict;

use firstlight_core::text::{Lang, Rac, link_error};
use leptos::html::Section;
use leptos::prelude::*;

use crate::app::race::Doing;
use crate::app::state::{Phase, State};
use crate::browser::fullscreen;
use crate::runner;

/// A text that follows the language.
fn rac(state: State, key: Rac) -> impl Fn() -> &'static str + Copy + Send + Sync + 'static {
    move || key.get(state.lang.get())
}

/// The page's stage, which may fill the screen.
type Stage = NodeRef<Section>;

/// The page.
pub fn face(state: State) -> AnyView {
    let stage = Stage::new();
    keys::listen(state, stage);
    let lanes_wanted = move || state.race.lanes.with(Vec::len).to_string();
    view! {
        <div class="race">
            <section id="race" aria-labelledby="race-title" node_ref=stage data-lanes=lanes_wanted>
                <div class="race-head">
                    <h2 id="race-title">{rac(state, Rac::Title)}</h2>
                    {buttons(state, stage)}
                </div>
                {refused(state)}
                {super::setup::problems(state, || 0)}
                {pairs_under_way(state)}
                {lanes::lanes(state)}
                {lanes::showed(state)}
                {verdict::verdict(state)}
            </section>
            {setup::setup(state)}
        </div>
    }
    .into_any()
}

fn running(state: State) -> Memo<bool> {
    Memo::new(move |_| state.phase.get() == Phase::Running)
}

/// Pairs are measured now.
fn measuring_pairs(state: State) -> bool {
    state.phase.get() == Phase::Running && state.race.doing.get() == Some(Doing::Pairs)
}

fn buttons(state: State, stage: Stage) -> AnyView {
    let running = running(state);
    let start = move |event: web_sys::MouseEvent| runner::race(state, press_of(&event));
    let full = move |_| fill_screen(stage);
    let allowed = fullscreen::allowed();
    view! {
        <div class="buttons">
            <button type="button" id="race-start" class="primary" hidden=running aria-keyshortcuts="Space Enter" on:click=start>
                {rac(state, Rac::Start)}<kbd aria-hidden="true">{rac(state, Rac::KeyStart)}</kbd>
            </button>
            <button type="button" id="race-pairs" hidden=running aria-keyshortcuts="V" on:click=move |_| runner::pairs(state)>
                {rac(state, Rac::Pairs)}<kbd aria-hidden="true">"V"</kbd>
            </button>
            <button type="button" id="race-stop" hidden=move || !running.get() aria-keyshortcuts="Escape S"
                on:click=move |_| runner::stop(state)>
                {rac(state, Rac::Stop)}<kbd aria-hidden="true">{rac(state, Rac::KeyStop)}</kbd>
            </button>
            <button type="button" id="race-full" hidden=!allowed aria-keyshortcuts="F" on:click=full>
                {rac(state, Rac::FullScreen)}<kbd aria-hidden="true">"F"</kbd>
            </button>
        </div>
    }
    .into_any()
}

/// The time stamp of an event, if it is a person's own.
fn press_of(event: &web_sys::Event) -> Option<f64> {
    event.is_trusted().then(|| event.time_stamp())
}

fn fill_screen(stage: Stage) {
    if let Some(stage) = stage.get_untracked() {
        fullscreen::toggle(&stage);
    }
}

/// Why a link was not opened.
fn refused(state: State) -> AnyView {
    let words = move || state.race.link_wrong.get().map(|wrong| link_error(state.lang.get(), &wrong));
    let line = move || words().map(|words| view! { <p class="notice warn-edge">"▲ "{words}</p> });
    view! { <div id="race-link-wrong" role="alert">{line}</div> }.into_any()
}

/// Pairs look like any other run while they are measured.
fn pairs_under_way(state: State) -> AnyView {
    let shown = Memo::new(move |_| measuring_pairs(state));
    (move || shown.get().then(|| super::running::progress_and_answers(state))).into_any()
}

/// What a screen reader is told when something begins or is over.
pub fn said(state: State, phase: Phase) -> &'static str {
    let lang: Lang = state.lang.get();
    match (phase, state.race.doing.get()) {
        (Phase::Running, Some(Doing::Lanes)) => Rac::SaidRace.get(lang),
        (Phase::Running, _) => Rac::SaidPairs.get(lang),
        (_, Some(_)) => Rac::SaidDone.get(lang),
        _ => "",
    }
}

/// The page's state in one word, as the measuring page has one.
pub fn code(state: State, phase: Phase) -> &'static str {
    let any = state.race.run.with(Option::is_some) || state.race.verdicts.with(|v| !v.is_empty());
    match phase {
        Phase::Running => Phase::Running,
        _ if any => Phase::Done,
        _ => Phase::Setup,
    }
    .code()
}
