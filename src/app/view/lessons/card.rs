//! One lesson: its claim, what is run, the button, and the verdict.

use std::sync::Arc;

use firstlight_core::lesson::{
    Judgement, Lesson, Step, Verdict, finding_lines, levels_table, step_line, verdict_sentence, verdict_word,
};
use firstlight_core::report::Run;
use firstlight_core::text::{Lang, Les};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::findings;
use crate::app::state::State;
use crate::app::view::results::part_table;
use crate::runner;

/// Where the verdict of a lesson stands.
pub fn result_id(lesson: Lesson) -> String {
    format!("lesson-result-{}", lesson.code())
}

/// A lesson, folded or not.
pub fn card(state: State, lesson: Lesson, lang: Lang) -> AnyView {
    let lessons = state.lessons;
    let runs = Memo::new_with_compare(move |_| lessons.runs_of(lesson), |old, new| !same(slice(old), slice(new)));
    // What they say: worked out when the list is built, for the folded ones too.
    let judged = Memo::new(move |_| runs.with(|runs| (!runs.is_empty()).then(|| lesson.judge(&references(runs)))));
    let open = Memo::new(move |_| lessons.unfolded.get() == Some(lesson));
    let toggled = move |event: web_sys::Event| {
        let details = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
        lessons.toggled(lesson, details.is_some_and(|d| d.has_attribute("open")));
    };
    let word = move || judged.with(|judged| judged.as_ref().map(|judgement| verdict(judgement.verdict, lang)));
    let body = move || {
        let of = |judged: &Option<Judgement>| body(state, lesson, lang, &runs.get(), judged.as_ref());
        open.get().then(|| judged.with(of))
    };
    view! {
        <li>
            <details id=format!("lesson-{}", lesson.code()) prop:open=open on:toggle=toggled>
                <summary>
                    <h3><span class="quiet">{lesson.number()}</span>{lesson.claim(lang)}</h3>
                    {word}
                </summary>
                {body}
            </details>
        </li>
    }
    .into_any()
}

fn slice(runs: Option<&Vec<Arc<Run>>>) -> &[Arc<Run>] {
    runs.map(Vec::as_slice).unwrap_or_default()
}

fn same(old: &[Arc<Run>], new: &[Arc<Run>]) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|(old, new)| Arc::ptr_eq(old, new))
}

fn references(runs: &[Arc<Run>]) -> Vec<&Run> {
    runs.iter().map(Arc::as_ref).collect()
}

/// The verdict in a word, with a shape beside it.
fn verdict(verdict: Verdict, lang: Lang) -> AnyView {
    let (class, mark) = match verdict {
        Verdict::BorneOut => ("verdict", "● "),
        Verdict::NotBorneOut => ("verdict warn", "▲ "),
        Verdict::CantTell(_) => ("verdict quiet", "○ "),
    };
    view! {
        <span class=class data-verdict=verdict.code()><span aria-hidden="true">{mark}</span>{verdict_word(verdict, lang)}</span>
    }
    .into_any()
}

fn body(state: State, lesson: Lesson, lang: Lang, runs: &[Arc<Run>], judgement: Option<&Judgement>) -> AnyView {
    let plan = lesson.plan();
    let steps: Vec<AnyView> =
        plan.steps.into_iter().enumerate().map(|(at, one)| step(state, one, runs.get(at), lang)).collect();
    let references = references(runs);
    let lines = finding_lines(lesson, judgement.map(|judgement| (judgement, &references[..])), lang);
    let result = judgement
        .map(|judgement| view! { <p>{verdict(judgement.verdict, lang)}" "{verdict_sentence(judgement, lang)}</p> }.into_any());
    let levels = levels_table(lesson, &references, lang).map(part_table);
    let word = if runs.is_empty() { Les::Run } else { Les::RunAgain }.get(lang);
    view! {
        <div class="lesson">
            <p>{lesson.explanation(lang)}</p>
            <h4>{Les::WhatIsRun.get(lang)}</h4>
            <ul class="steps">{steps}</ul>
            {change(state, lesson, lang)}
            <div class="buttons">
                <button type="button" class="primary" id=format!("run-{}", lesson.code())
                    on:click=move |_| runner::lesson(state, lesson)>{word}</button>
            </div>
            <div id=result_id(lesson) class="result" tabindex="-1">{result}</div>
            <h4>{Les::Findings.get(lang)}</h4>
            {findings::table(lines, lang)}
            {levels}
        </div>
    }
    .into_any()
}

/// One run: how the endpoint is asked to behave, and the ways to the measuring page.
fn step(state: State, step: Step, run: Option<&Arc<Run>>, lang: Lang) -> AnyView {
    let name = step.name.get(lang);
    let named = |key: Les| format!("{}: {name}", key.get(lang));
    let results = run.cloned().map(|run| {
        view! {
            <button type="button" class="to-results" aria-label=named(Les::Results)
                on:click=move |_| runner::open_run(state, &run)>{Les::Results.get(lang)}</button>
        }
    });
    let line = step_line(&step, lang);
    let code = step.endpoint.stated();
    let label = named(Les::OpenRun);
    view! {
        <li>
            <div><p>{line}</p><code>{code}</code></div>
            <div class="buttons small">
                <button type="button" class="to-form" aria-label=label
                    on:click=move |_| runner::open_step(state, &step)>{Les::OpenRun.get(lang)}</button>
                {results}
            </div>
        </li>
    }
    .into_any()
}

/// The field that makes the endpoint behave otherwise.
fn change(state: State, lesson: Lesson, lang: Lang) -> AnyView {
    let typed = state.lessons.typed;
    let (id, hint) = (format!("change-{}", lesson.code()), format!("change-hint-{}", lesson.code()));
    view! {
        <div class="field">
            <label for=id.clone()>{Les::Change.get(lang)}</label>
            <input id=id type="text" autocomplete="off" spellcheck="false" aria-describedby=hint.clone()
                prop:value=typed on:input=move |e| typed.set(event_target_value(&e)) />
            <p class="hint" id=hint>{Les::ChangeHint.get(lang)}</p>
        </div>
    }
    .into_any()
}
