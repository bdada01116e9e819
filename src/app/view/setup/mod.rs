//! The first face: what to measure, and the question.

mod load;
mod more;
mod question;
mod start;
mod target;

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
    /// The fold of rare settings is open.
    unfolded: RwSignal<bool>,
}

impl Setup {
    fn control(self, id: &'static str, label: Ui, hint: Ui) -> Control {
        Control { state: self.state, invalid: self.invalid, id, label, hint, field: None }
    }

    fn field(self, id: &'static str, label: Ui, hint: Ui, field: Field) -> Control {
        Control { field: Some(field), ..self.control(id, label, hint) }
    }
}

/// The face.
pub fn face(state: State) -> AnyView {
    let setup = Setup { state, invalid: RwSignal::new(Vec::new()), unfolded: RwSignal::new(false) };
    view! {
        <form class="setup" autocomplete="off" novalidate on:submit=move |e| {
            e.prevent_default();
            start::begin(setup);
        }>
            {target::target(setup)}
            {question::question(setup)}
            {load::load(setup)}
            {more::more(setup)}
            {start::start(setup)}
        </form>
    }
    .into_any()
}
