//! A lesson: its runs one after another, each an ordinary run.

use std::sync::Arc;

use firstlight_core::config::{RunConfig, Secrets};
use firstlight_core::lesson::{Lesson, Step};
use firstlight_core::text::problem;
use leptos::prelude::*;

use super::begin::{self, Beside};
use super::hand::is_hidden;
use crate::app::state::{Phase, State};
use crate::browser::{address, environment};

/// Runs a lesson from its first run to its last, or to one that is stopped.
pub fn lesson(state: State, lesson: Lesson) {
    if state.phase.get_untracked() == Phase::Running || is_hidden(state) {
        return;
    }
    state.lessons.forget(lesson);
    step(state, lesson, environment::seed(), 0);
}

fn step(state: State, lesson: Lesson, seed: u64, at: usize) {
    let plan = lesson.plan();
    let Some(one) = plan.steps.get(at) else { return };
    let config = config(state, one, seed);
    let problems = config.problems(&Secrets::default(), &environment::page_url());
    if !problems.is_empty() {
        let lang = state.lang.get_untracked();
        return state.problems.set(problems.iter().map(|p| problem(lang, p)).collect());
    }
    let before = state.phase.get_untracked();
    state.lessons.under_way.set(Some((lesson, at)));
    // A key that was typed is for another endpoint.
    begin::start(state, config, Secrets::default(), Beside::default(), move |run| {
        state.lessons.keep(lesson, Arc::clone(run));
        state.phase.set(before);
        if run.stopped || run.stopped_by.is_some() || at + 1 == plan.steps.len() {
            state.lessons.under_way.set(None);
        } else {
            step(state, lesson, seed, at + 1);
        }
    });
}

fn config(state: State, step: &Step, seed: u64) -> RunConfig {
    step.config(&state.form.built_in_address(), &state.lessons.typed.get_untracked(), seed)
}

/// Fills the form of the measuring page in with what a lesson runs.
pub fn open_step(state: State, step: &Step) {
    state.form.show(&config(state, step, environment::seed()));
    state.phase.set(Phase::Setup);
    address::go("");
}
