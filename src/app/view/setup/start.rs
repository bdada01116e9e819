//! The start: what will be sent, what is wrong, and the button.

use firstlight_core::config::{Field, Problem, RunConfig, Secrets, redacted_url};
use firstlight_core::cost::{NoCost, output_limit, spend_cap};
use firstlight_core::format::{count, significant};
use firstlight_core::load::total_of;
use firstlight_core::text::{Ui, fill};
use leptos::prelude::*;

use super::{Setup, link};
use crate::app::state::{Phase, State};
use crate::app::view::words::{item, ui};
use crate::browser::environment;
use crate::runner;

/// The bar that starts a run.
pub fn start(setup: Setup) -> AnyView {
    let state = setup.state;
    let back = move || {
        state.run.with(Option::is_some).then(|| {
            view! {
                <button type="button" id="back" on:click=move |_| state.phase.set(Phase::Done)>
                    {ui(state, Ui::BackToResults)}
                </button>
            }
        })
    };
    view! {
        <div class="start">
            {problems(state, move || setup.invalid.with(Vec::len))}
            <p class="quiet" id="spend">{move || spend(state)}</p>
            <div class="buttons">
                <button type="submit" id="run" class="primary" aria-describedby="spend">{ui(state, Ui::Run)}</button>
                {link::button(setup)}
                {back}
            </div>
            {link::made(state)}
        </div>
    }
    .into_any()
}

/// Starts the run and marks the fields that keep it from starting.
pub fn begin(setup: Setup) {
    let _ = read(setup);
    runner::begin(setup.state);
}

/// What the form asks for; or what is wrong with it, whose fields are marked.
pub fn read(setup: Setup) -> Result<(RunConfig, Secrets), Vec<Problem>> {
    let read = setup.state.form.read(&environment::page_url(), 0);
    let fields: Vec<Field> = read.as_ref().err().into_iter().flatten().map(Problem::field).collect();
    setup.unfold(&fields);
    setup.invalid.set(fields);
    read
}

/// What is wrong, next to the button that found it. `of_fields`: how many of the problems are with fields of the form.
pub fn problems(state: State, of_fields: impl Fn() -> usize + Send + 'static) -> AnyView {
    let list = move || {
        let problems = state.problems.get();
        let title = (of_fields() == problems.len()).then(|| view! { <p>{Ui::ProblemsTitle.get(state.lang.get())}</p> });
        let items = problems.iter().cloned().map(item).collect_view();
        (!problems.is_empty()).then(|| view! { {title}<ul tabindex="0">{items}</ul> })
    };
    view! { <div id="problems" role="alert">{list}</div> }.into_any()
}

/// What will be sent, where, and what it may cost.
fn spend(state: State) -> String {
    let (form, lang) = (state.form, state.lang.get());
    // So that it follows every field that is typed into.
    form.track();
    let url = if form.built_in.get() { form.built_in_url(&form.preset.get()) } else { form.url.get() };
    let url = if url.trim().is_empty() { "…".to_owned() } else { redacted_url(url.trim()) };
    let Some(config) = form.asked() else { return fill(Ui::SpendNote.get(lang), &["…", &url]) };
    let requests = total_of(&config);
    let note = fill(Ui::SpendNote.get(lang), &[&count(requests as usize), &url]);
    match spend_cap(requests, output_limit(&config), None, config.prices.as_ref()) {
        Ok(cap) => {
            // How many tokens the input has, only the server knows.
            let input = config.prices.as_ref().is_some_and(|p| p.input_per_million > 0.0);
            let most = if input { Ui::SpendMostOutput } else { Ui::SpendMost };
            let currency = config.prices.map(|p| p.currency).unwrap_or_default();
            let amount = format!("{} {currency}", significant(cap.output, 6));
            format!("{note}. {}", fill(most.get(lang), &[&amount]))
        }
        Err(NoCost::NoMaxTokens) => format!("{note}. {}", Ui::SpendUnknownLimit.get(lang)),
        Err(_) => note,
    }
}
