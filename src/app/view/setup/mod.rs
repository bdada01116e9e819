//! The first face: what to measure, and the question.

mod decision;
mod fold;
mod link;
mod load;
mod more;
mod question;
mod start;
mod target;
mod workload;

use firstlight_core::config::Field;
use firstlight_core::text::Ui;
use leptos::prelude::*;

use super::control::Control;
use crate::app::state::State;

pub use start::problems;

/// The form and what is wrong with it.
#[derive(Clone, Copy)]
struct Setup {
    state: State,
    invalid: RwSignal<Vec<Field>>,
    /// Which folds are open, by [`fold::Fold`].
    folds: [RwSignal<bool>; 4],
}

impl Setup {
    fn control(self, id: &'static str, label: Ui, hint: Ui) -> Control {
        Control { state: self.state, invalid: self.invalid, id, label, hint, field: None }
    }

    fn field(self, id: &'static str, label: Ui, hint: Ui, field: Field) -> Control {
        Control { field: Some(field), ..self.control(id, label, hint) }
    }
}

/// The parts that a race has too: whose endpoint, the prompt, and how it is asked.
pub fn parts_of_race(state: State) -> AnyView {
    let setup = Setup { state, invalid: state.race.invalid, folds: [false; 4].map(RwSignal::new) };
    let prompt = setup.field("prompt", Ui::Prompt, Ui::PromptHint, Field::Prompt).text(state.form.prompt, 2);
    // A fold that holds what is wrong opens.
    Effect::new(move |_| setup.unfold(&state.race.invalid.get()));
    view! { {target::target(setup)}<div class="fields">{prompt}</div>{more::asking(setup)} }.into_any()
}

/// The face.
pub fn face(state: State) -> AnyView {
    let setup = Setup { state, invalid: RwSignal::new(Vec::new()), folds: [false; 4].map(RwSignal::new) };
    view! {
        {link::opened(state)}
        <form class="setup" autocomplete="off" novalidate on:input=move |_| state.links.typed() on:submit=move |e| {
            e.prevent_default();
            start::begin(setup);
        }>
            {target::target(setup)}
            {question::question(setup)}
            {load::load(setup)}
            {workload::workload(setup)}
            {workload::versus(setup)}
            {decision::decision(setup)}
            {more::more(setup)}
            {start::start(setup)}
        </form>
    }
    .into_any()
}
