//! What a person does with kept runs.

use std::sync::Arc;

use firstlight_core::history::keys::{self, ENTRIES, RUNS};
use firstlight_core::history::{Change, Settings, assembled, limit_of, removed};
use firstlight_core::report::Run;
use firstlight_core::text::His;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::hand::{file_name, open_error, open_run};
use super::keeping::{load, make_room};
use crate::app::state::{Phase, State};
use crate::browser::{file, store};

/// The list is about to be looked at.
pub fn look_at(state: State) {
    attempt(state, async move {
        if state.history.settings.get_untracked().is_some() {
            load(state).await?;
        }
        Ok(())
    });
}

/// Does something with the store, and says if that fails.
fn attempt(state: State, what: impl Future<Output = Result<(), String>> + 'static) {
    spawn_local(async move {
        if let Err(why) = what.await {
            state.problems.set(vec![why]);
        }
    });
}

/// A kept run, or why there is none.
async fn run_of(state: State, id: &str) -> Result<Arc<Run>, String> {
    let lang = state.lang.get_untracked();
    let texts = store::read(&keys::of(RUNS, id)).await?;
    let Some((head, pieces)) = texts.split_first() else {
        load(state).await?;
        return Err(His::Gone.get(lang).to_owned());
    };
    assembled(head, pieces.iter().map(String::as_str)).map(Arc::new).map_err(|error| open_error(lang, &error))
}

/// Shows a kept run in the measuring page.
pub fn open_kept(state: State, id: String) {
    attempt(state, async move {
        let run = run_of(state, &id).await?;
        if state.phase.get_untracked() == Phase::Running {
            return Ok(());
        }
        state.problems.set(Vec::new());
        state.history.offered.update(|offered| offered.retain(|entry| entry.id != id));
        open_run(state, &run);
        Ok(())
    });
}

/// Saves a kept run as a file.
pub fn save_kept(state: State, id: String) {
    attempt(state, async move {
        let run = run_of(state, &id).await?;
        file::download(&file_name(&run), &run.to_json(), "application/json");
        Ok(())
    });
}

/// Writes down what a person notes about a run.
pub fn note(state: State, id: String, text: String) {
    // The list stays as it is shown: the focus is in it.
    let change = state.history.entries.try_update_untracked(|all| {
        let entry = all.iter_mut().find(|entry| entry.id == id)?;
        entry.note = text;
        Some(entry.put())
    });
    let Some(change) = change.flatten() else { return };
    attempt(state, async move {
        if store::keys(&keys::of(ENTRIES, &id)).await?.is_empty() {
            load(state).await?;
            return Err(His::Gone.get(state.lang.get_untracked()).to_owned());
        }
        store::write(vec![change]).await
    });
}

/// Deletes a kept run.
pub fn delete_one(state: State, id: String) {
    state.history.offered.update(|offered| offered.retain(|entry| entry.id != id));
    attempt(state, async move {
        store::write(removed(&id)).await?;
        load(state).await
    });
}

/// Deletes all kept runs. One that goes on is none of them yet.
pub fn delete_all(state: State) {
    state.history.offered.set(Vec::new());
    attempt(state, async move {
        store::write([ENTRIES, RUNS].map(|place| Change::Remove(place.to_owned())).into()).await?;
        load(state).await
    });
}

/// Runs are kept from now on, or not.
pub fn set_keep(state: State, keep: bool) {
    set(state, |settings| settings.keep = keep);
}

/// No more than this is kept; false if it is no limit.
pub fn set_limit(state: State, typed: &str) -> bool {
    let limit = limit_of(typed);
    if let Some(limit) = limit {
        set(state, |settings| settings.limit = limit);
    }
    limit.is_some()
}

fn set(state: State, change: impl FnOnce(&mut Settings)) {
    let Some(mut settings) = state.history.settings.get_untracked() else { return };
    change(&mut settings);
    state.history.settings.set(Some(settings));
    attempt(state, async move {
        store::write(vec![settings.put()]).await?;
        make_room(state, None).await
    });
}
