//! What a person does on the page: starts a run, stops it, opens a saved one.

use std::sync::Arc;

use firstlight_core::report::{OpenError, Run};
use firstlight_core::text::{Lang, Ui, fill, problem};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::FileList;

use super::LIVE;
use super::begin::{self, Beside};
use crate::app::pages::Page;
use crate::app::state::{Phase, State};
use crate::browser::{address, clock, environment, file, frames, visibility};

/// Starts what the form asks for, or says everything that is wrong with it.
pub fn begin(state: State) {
    let lang = state.lang.get_untracked();
    match state.form.read(&environment::page_url(), environment::seed()) {
        Err(problems) => state.problems.set(problems.iter().map(|p| problem(lang, p)).collect()),
        Ok(_) if is_hidden(state) => {}
        Ok((config, secrets)) => begin::start(state, config, secrets, Beside::default(), move |run| {
            show(state, Arc::clone(run));
        }),
    }
}

/// Nobody sees the page: then nothing is started, and it says so.
pub(super) fn is_hidden(state: State) -> bool {
    let hidden = visibility::hidden();
    if hidden {
        state.problems.set(vec![Ui::ProblemHidden.get(state.lang.get_untracked()).to_owned()]);
    }
    hidden
}

/// Opens a run of another page in the measuring page; run again there, it asks the same.
pub fn open_run(state: State, run: &Arc<Run>) {
    state.form.show(&run.config);
    show(state, Arc::clone(run));
    address::go("");
}

/// Stops the run under way; what was measured is kept.
pub fn stop(_state: State) {
    if let Some(run) = LIVE.with_borrow(Clone::clone) {
        run.stop();
    }
}

/// Shows a saved run. A file that can't be read changes nothing but the message.
pub fn open_text(state: State, text: String) {
    // Files take time to read: a run may have begun meanwhile.
    if state.phase.get_untracked() == Phase::Running {
        return;
    }
    match Run::from_json(&text) {
        Ok(run) => {
            state.problems.set(Vec::new());
            state.form.show(&run.config);
            show(state, Arc::new(run));
        }
        Err(error) => state.problems.set(vec![open_error(state.lang.get_untracked(), &error)]),
    }
}

/// Shows the saved run that was dropped on any of the pages.
pub fn open_dropped(state: State, files: &FileList) {
    let one = files.get(0).filter(|_| files.length() == 1);
    spawn_local(async move {
        let text = match &one {
            Some(file) => file::text(file).await,
            None => None,
        };
        match text {
            Some(text) => {
                open_text(state, text);
                // What is wrong with it is said by every page.
                if state.problems.with_untracked(Vec::is_empty) && state.page.get_untracked() != Page::Measuring {
                    address::go("");
                }
            }
            None => state.problems.set(vec![Ui::DropWrong.get(state.lang.get_untracked()).to_owned()]),
        }
    });
}

/// Compares the run that is shown with a saved one. A file that can't be read changes nothing but the message.
pub fn open_baseline(state: State, text: String) {
    match Run::from_json(&text) {
        Ok(run) => {
            state.problems.set(Vec::new());
            state.baseline.set(Some(Arc::new(run)));
        }
        Err(error) => state.problems.set(vec![open_error(state.lang.get_untracked(), &error)]),
    }
}

pub(super) fn open_error(lang: Lang, error: &OpenError) -> String {
    let why = match error {
        OpenError::Truncated => Ui::OpenTruncated.get(lang).to_owned(),
        OpenError::NotJson(e) => fill(Ui::OpenNotJson.get(lang), &[e]),
        OpenError::NotOurs => Ui::OpenNotOurs.get(lang).to_owned(),
        OpenError::Newer { found, known } => fill(Ui::OpenNewer.get(lang), &[&found.to_string(), &known.to_string()]),
        OpenError::Damaged(what) => fill(Ui::OpenDamaged.get(lang), &[what]),
    };
    format!("{} {}", fill(Ui::OpenFailed.get(lang), &[&why]), Ui::Kept.get(lang))
}

/// How a run's file is called.
pub(super) fn file_name(run: &Run) -> String {
    let stamp: String = run.created.chars().filter(|c| c.is_ascii_alphanumeric()).take(15).collect();
    format!("firstlight-{stamp}.json")
}

/// Shows a run that is over.
pub(super) fn show(state: State, run: Arc<Run>) {
    let begun = clock::now_ms();
    state.links.forget();
    file::release(&state.file_url.get_untracked());
    state.file_url.set(String::new());
    state.file_name.set(file_name(&run));
    state.selected.set(None);
    state.chosen.set(Arc::default());
    state.run.set(Some(run));
    state.phase.set(Phase::Done);
    frames::after_next(move || clock::measure("firstlight:results", begun));
}
