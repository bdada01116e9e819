//! What is asked: of the measurement, and of the endpoint.

use firstlight_core::config::{Field, ModeChoice};
use firstlight_core::text::Ui;
use leptos::prelude::*;

use super::Setup;
use crate::app::view::words::ui;

const QUESTIONS: [(&str, Ui); 3] =
    [("streaming", Ui::QuestionFirst), ("non-streaming", Ui::QuestionWhole), ("both", Ui::QuestionBoth)];
const MODES: [ModeChoice; 3] = [ModeChoice::Streaming, ModeChoice::NonStreaming, ModeChoice::Both];

/// The question, which decides how answers are asked for, and the prompt.
pub fn question(setup: Setup) -> AnyView {
    let form = setup.state.form;
    let code = |mode: ModeChoice| MODES.iter().position(|m| *m == mode).map_or("", |at| QUESTIONS[at].0);
    let mode = setup.control("mode", Ui::QuestionLabel, Ui::QuestionHint).choice(
        &QUESTIONS,
        move || code(form.mode.get()).to_owned(),
        move |value| {
            let at = QUESTIONS.iter().position(|(code, _)| *code == value).unwrap_or(0);
            form.mode.set(MODES[at]);
        },
    );
    let prompt = setup.field("prompt", Ui::Prompt, Ui::PromptHint, Field::Prompt).text(form.prompt, 2);
    view! {
        <fieldset>
            <legend>{ui(setup.state, Ui::Question)}</legend>
            <div class="fields">{mode}{prompt}</div>
        </fieldset>
    }
    .into_any()
}
