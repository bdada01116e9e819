//! Drives a core session: browser events in, its decisions out.

mod auto;
mod begin;
mod live;
mod message;
mod page;
mod places;
mod pulse;
mod worker;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use firstlight_core::report::{OpenError, Run};
use firstlight_core::text::{Lang, Ui, fill, problem};
use leptos::prelude::*;

use crate::app::state::{Phase, State};
use crate::browser::{environment, file, visibility};

pub use auto::run_job;
pub use worker::serve;

thread_local! {
    /// The run under way. One at a time: two would measure each other.
    static LIVE: RefCell<Option<Rc<page::Page>>> = const { RefCell::new(None) };
}

/// Starts what the form asks for, or says everything that is wrong with it.
pub fn begin(state: State) {
    let lang = state.lang.get_untracked();
    match state.form.read(&environment::page_url(), environment::seed()) {
        Err(problems) => state.problems.set(problems.iter().map(|p| problem(lang, p)).collect()),
        Ok(_) if visibility::hidden() => state.problems.set(vec![Ui::ProblemHidden.get(lang).to_owned()]),
        Ok((config, secrets)) => begin::start(state, config, secrets, |_| {}),
    }
}

/// Stops the run under way; what was measured is kept.
pub fn stop(_state: State) {
    let page = LIVE.with_borrow(Clone::clone);
    if let Some(page) = page {
        page.stop();
    }
}

/// Shows a saved run. A file that can't be read changes nothing but the message.
pub fn open_text(state: State, text: String) {
    match Run::from_json(&text) {
        Ok(run) => {
            state.problems.set(Vec::new());
            state.form.show(&run.config);
            show(state, run);
        }
        Err(error) => state.problems.set(vec![open_error(state.lang.get_untracked(), &error)]),
    }
}

fn open_error(lang: Lang, error: &OpenError) -> String {
    let why = match error {
        OpenError::Truncated => Ui::OpenTruncated.get(lang).to_owned(),
        OpenError::NotJson(e) => fill(Ui::OpenNotJson.get(lang), &[e]),
        OpenError::NotOurs => Ui::OpenNotOurs.get(lang).to_owned(),
        OpenError::Newer { found, known } => fill(Ui::OpenNewer.get(lang), &[&found.to_string(), &known.to_string()]),
        OpenError::Damaged(what) => fill(Ui::OpenDamaged.get(lang), &[what]),
    };
    format!("{} {}", fill(Ui::OpenFailed.get(lang), &[&why]), Ui::Kept.get(lang))
}

/// Shows a run that is over.
fn show(state: State, run: Run) {
    file::release(&state.file_url.get_untracked());
    state.file_url.set(file::blob_url(&run.to_json()).unwrap_or_default());
    let stamp: String = run.created.chars().filter(|c| c.is_ascii_alphanumeric()).take(15).collect();
    state.file_name.set(format!("firstlight-{stamp}.json"));
    state.selected.set(None);
    state.run.set(Some(Arc::new(run)));
    state.phase.set(Phase::Done);
}
