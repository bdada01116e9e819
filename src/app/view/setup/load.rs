//! How many requests, and how many at once.

use firstlight_core::config::Field;
use firstlight_core::text::Ui;
use leptos::prelude::*;

use super::Setup;
use crate::app::view::words::ui;

/// The load's controls.
pub fn load(setup: Setup) -> AnyView {
    let form = setup.state.form;
    let requests = setup.field("requests", Ui::Requests, Ui::RequestsHint, Field::Requests).number(form.requests);
    let at_once = setup.field("concurrency", Ui::Concurrency, Ui::ConcurrencyHint, Field::Concurrency).number(form.concurrency);
    let warmup = setup.field("warmup", Ui::WarmUp, Ui::WarmUpHint, Field::WarmUp).number(form.warmup);
    view! {
        <fieldset>
            <legend>{ui(setup.state, Ui::Load)}</legend>
            <div class="fields numbers">{requests}{at_once}{warmup}</div>
        </fieldset>
    }
    .into_any()
}
