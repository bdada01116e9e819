//! The third face: a run that is over, from one sentence down to every request.

mod actions;
mod compare;
mod copy;
mod diagnosis;
mod export;
mod headline;
mod metrics;
mod outcomes;
mod pace;
mod picture;
mod requests;
mod section;

pub use copy::copyable;
pub use outcomes::shape;
pub use section::{section as part, table as part_table};

use std::sync::Arc;

use firstlight_core::Micros;
use firstlight_core::report::Run;
use firstlight_core::sections::sections_beside_diagnosis;
use firstlight_core::summary::{Summary, request_to_open};
use firstlight_core::text::{Lang, Res};
use leptos::prelude::*;

use super::{charts, legend, setup, waterfall};
use crate::app::state::State;
use crate::browser::frames;

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
    Effect::new(move |_| {
        state.selected.set(figures.with(|shown| shown.as_ref().and_then(|(summary, run)| request_to_open(run, summary))));
    });
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

/// From this number of requests on, sentence and picture stand there before the table and the rest are worked out.
const MANY: usize = 5_000;

fn all(shown: Shown) -> AnyView {
    let step = Step(RwSignal::new(if shown.run.traces.len() < MANY { u32::MAX } else { 0 }));
    step.go_on();
    let figures = if all_failed(&shown) {
        view! { {outcomes::outcomes(&shown)}{metrics::metrics(&shown)}{step.later(1, &shown, parts)} }.into_any()
    } else {
        view! {
            {picture::picture(&shown)}
            {step.later(2, &shown, diagnosis::diagnosis)}
            {step.later(2, &shown, charts::charts)}
            {step.later(1, &shown, metrics::metrics)}
            {step.later(3, &shown, parts)}
            {step.later(1, &shown, outcomes::outcomes)}
            {step.later(1, &shown, pace::pace)}
        }
        .into_any()
    };
    view! {
        <div class="results">
            {legend::hatch()}
            {headline::headline_section(&shown)}
            {export::menu(&shown)}
            {compare::compare(&shown)}
            {figures}
            {step.later(1, &shown, requests::requests)}
            {step.later(3, &shown, waterfall::section)}
        </div>
    }
    .into_any()
}

/// How far a long result has got: a step a frame, so that the page answers in between.
#[derive(Clone, Copy)]
struct Step(RwSignal<u32>);

/// The last step.
const LAST: u32 = 3;

impl Step {
    fn go_on(self) {
        if self.0.get_untracked() < LAST {
            frames::after_next(move || {
                // The result may be gone by then.
                if let Some(now) = self.0.try_get_untracked() {
                    self.0.set(now + 1);
                    self.go_on();
                }
            });
        }
    }

    /// A part that stands there from this step on.
    fn later(self, step: u32, shown: &Shown, part: fn(&Shown) -> AnyView) -> AnyView {
        let shown = shown.clone();
        let due = Memo::new(move |_| self.0.get() >= step);
        (move || due.get().then(|| part(&shown))).into_any()
    }
}

/// What follows from limits, loads and groups.
fn parts(shown: &Shown) -> AnyView {
    sections_beside_diagnosis(&shown.run, shown.lang).into_iter().map(section::section).collect::<Vec<_>>().into_any()
}
