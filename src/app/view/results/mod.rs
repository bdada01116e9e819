//! The third face: a run that is over, from one sentence down to every request.

mod actions;
mod copy;
mod headline;
mod metrics;
mod outcomes;
mod pace;
mod picture;
mod requests;

pub use outcomes::shape;

use std::sync::Arc;

use firstlight_core::Micros;
use firstlight_core::report::Run;
use firstlight_core::summary::{Summary, request_to_open};
use firstlight_core::text::{Lang, Res};
use leptos::prelude::*;

use super::{legend, setup, waterfall};
use crate::app::state::State;

/// A run with what follows from it, in one language.
#[derive(Clone)]
pub struct Shown {
    /// The page's state.
    pub state: State,
    /// The run.
    pub run: Arc<Run>,
    /// Its figures.
    pub summary: Arc<Summary>,
    /// Language of every text.
    pub lang: Lang,
    /// The clock's step.
    pub step: Micros,
}

/// The face.
pub fn face(state: State) -> AnyView {
    let figures = Memo::new_with_compare(
        move |_| state.run.get().map(|run| (Arc::new(Summary::of(&run)), run)),
        |old, new| match (old, new) {
            (Some(Some(old)), Some(Some(new))) => !Arc::ptr_eq(&old.1, &new.1),
            _ => true,
        },
    );
    Effect::new(move |_| state.selected.set(state.run.get().and_then(|run| request_to_open(&run))));
    let whole = move || match figures.get() {
        None => view! { <p class="empty">{Res::Empty.get(state.lang.get())}</p> }.into_any(),
        Some((summary, run)) => {
            let step = Micros(run.clock.step_us);
            all(Shown { state, run, summary, lang: state.lang.get(), step })
        }
    };
    view! {
        {actions::actions(state)}
        {setup::problems(state, || 0)}
        {whole}
    }
    .into_any()
}

/// No measured request gave an answer: there are no figures, and advice comes first.
fn all_failed(shown: &Shown) -> bool {
    let measured = shown.summary.measured();
    measured > 0 && measured == shown.summary.failed() && shown.summary.rows.iter().all(|row| row.distribution.n() == 0)
}

fn all(shown: Shown) -> AnyView {
    let figures = if all_failed(&shown) {
        view! { {outcomes::outcomes(&shown)}{metrics::metrics(&shown)} }.into_any()
    } else {
        view! {
            {picture::picture(&shown)}
            {metrics::metrics(&shown)}
            {outcomes::outcomes(&shown)}
            {pace::pace(&shown)}
        }
        .into_any()
    };
    view! {
        <div class="results">
            {legend::hatch()}
            {headline::headline_section(&shown)}
            {figures}
            {requests::requests(&shown)}
            {waterfall::section(&shown)}
        </div>
    }
    .into_any()
}
