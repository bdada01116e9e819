//! Keeps a run: from its beginning on, in the list once it is over, and out of what a page that ended left behind.

use std::sync::Arc;
use std::time::Duration;

use firstlight_core::history::keys::{self, ENTRIES, LIVE, RUNS, SETTINGS};
use firstlight_core::history::{
    Change, Entry, PIECE, Settings, begun, finished, head, new_id, over_limit, piece, recovered, removed,
};
use firstlight_core::report::{OpenError, Run, traces_to_json};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::state::{Phase, State};
use crate::browser::lock::{self, Held};
use crate::browser::{environment, frames, store};

/// How often it is looked whether a run is over, while something waits for that.
const POLL: Duration = Duration::from_millis(500);
/// A page that is just ending may still hold the lock of its run for a moment.
const ENDING: Duration = Duration::from_secs(1);
/// A run that has a page after so many looks surely has one.
const LOOKS: usize = 3;

/// A run that is kept.
pub(super) struct Keeping {
    state: State,
    id: String,
    /// For as long as it has a page.
    _lock: Option<Held>,
}

impl Keeping {
    /// A run begins, still without requests. It is written before anything is sent, and nothing waits for the end of that.
    pub fn begin(state: State, run: &Run) -> Keeping {
        let id = new_id(&run.created, environment::seed());
        let lock = lock::hold(&keys::lock(&id));
        store::write_at_once(vec![begun(&id, run.to_json())], move |done| {
            if let Err(why) = done {
                not_kept(state, why);
            }
        });
        Keeping { state, id, _lock: lock }
    }

    /// Its name in the store.
    pub fn id(&self) -> String {
        self.id.clone()
    }

    /// It is over: it goes into the list, in the page's idle time.
    pub fn finish(self, run: Arc<Run>) {
        spawn_local(async move {
            let kept = match run.traces.is_empty() {
                // It was stopped before anything was sent.
                true => store::write(removed(&self.id)).await,
                false => keep(self.state, &self.id, &run).await.map(drop),
            };
            match kept {
                // What could not be saved while it went on is there now.
                Ok(()) if self.state.history.notice.with_untracked(Option::is_some) => self.state.history.notice.set(None),
                Ok(()) => {}
                Err(why) => {
                    // Else the next page would take it for one whose page ended. If this fails too, there is nothing more to say.
                    let _ = store::write(removed(&self.id)).await;
                    not_kept(self.state, why);
                }
            }
        });
    }

    /// What sent its requests broke: what was saved of it is offered.
    pub fn broken(self) {
        let state = self.state;
        drop(self);
        spawn_local(async move { take_up(state, left_behind().await).await });
    }
}

/// Says that a run is not kept.
pub(super) fn not_kept(state: State, why: String) {
    state.history.notice.set(Some(why));
}

/// Waits for a time in which nothing is measured and the page has nothing else to do.
async fn quiet(state: State) {
    while state.phase.get_untracked() == Phase::Running {
        frames::pause(POLL).await;
    }
    environment::idle().await;
}

/// Puts a run that is over into the list, piece by piece: until the last one is there, what was saved of it as it went on stays.
async fn keep(state: State, id: &str, run: &Run) -> Result<Entry, String> {
    quiet(state).await;
    // Pieces of an attempt that did not come to its end.
    store::write(vec![Change::Remove(keys::of(RUNS, id))]).await?;
    let head = head(run);
    let mut bytes = head.len();
    for (number, traces) in (0..).zip(run.traces.chunks(PIECE)) {
        quiet(state).await;
        let text = traces_to_json(traces);
        bytes += text.len();
        write(state, id, vec![piece(id, number, text)]).await?;
    }
    quiet(state).await;
    let entry = Entry::of(id, run, bytes);
    write(state, id, finished(&entry, head)).await?;
    quiet(state).await;
    // It is kept, whatever comes of this; the next run that is kept tries again.
    let _ = make_room(state, Some(id)).await;
    Ok(entry)
}

/// Where the browser has no room left, the oldest run without notes goes, and it is tried again.
async fn write(state: State, id: &str, changes: Vec<Change>) -> Result<(), String> {
    loop {
        match store::write(changes.clone()).await {
            Err(why) if why.contains("QuotaExceeded") => {
                quiet(state).await;
                load(state).await?;
                let over = state.history.entries.with_untracked(|all| over_limit(all, 0, Some(id)));
                let Some(oldest) = over.first() else { return Err(why) };
                store::write(removed(oldest)).await?;
            }
            other => return other,
        }
    }
}

/// Reads the list, and drops what is over the limit: not by what this tab knew of notes before.
pub(super) async fn make_room(state: State, newest: Option<&str>) -> Result<(), String> {
    load(state).await?;
    let Some(settings) = state.history.settings.get_untracked() else { return Ok(()) };
    let over = state.history.entries.with_untracked(|all| over_limit(all, settings.limit, newest));
    if !over.is_empty() {
        store::write(over.iter().flat_map(|id| removed(id)).collect()).await?;
        load(state).await?;
    }
    Ok(())
}

/// Reads the list: other tabs change it too.
pub(super) async fn load(state: State) -> Result<(), String> {
    let texts = store::read(ENTRIES).await?;
    let entries: Vec<Entry> = texts.iter().filter_map(|text| Entry::read(text)).collect();
    // What is shown stays as it is, where nothing is new.
    if state.history.entries.with_untracked(|old| *old != entries) {
        state.history.entries.set(entries);
    }
    Ok(())
}

/// Opens the store, and looks for what pages that ended have left in it.
pub fn start_history(state: State) {
    spawn_local(async move {
        let texts = match store::read(SETTINGS).await {
            Ok(texts) => texts,
            Err(why) => return state.history.refused.set(Some(why)),
        };
        // Before a run of this page can be among them.
        let left = left_behind().await;
        state.history.settings.set(Some(texts.first().map(|text| Settings::read(text)).unwrap_or_default()));
        if let Err(why) = load(state).await {
            return state.history.refused.set(Some(why));
        }
        take_up(state, left).await;
    });
}

/// Runs under way.
#[derive(Default)]
struct Left {
    /// Those that have no page any more.
    orphans: Vec<String>,
    /// There are others.
    more: bool,
}

async fn left_behind() -> Left {
    let ids = keys::under_way(&store::keys(LIVE).await.unwrap_or_default());
    if ids.is_empty() {
        return Left::default();
    }
    // Where there are no locks, nothing tells whether a run goes on in another tab.
    let held = lock::held().await.unwrap_or_default();
    let (with_page, orphans): (Vec<String>, Vec<String>) = ids.into_iter().partition(|id| held.contains(&keys::lock(id)));
    Left { orphans, more: !with_page.is_empty() }
}

/// Puts together what was left, and looks again while that may become more.
async fn take_up(state: State, mut left: Left) {
    for _ in 0..LOOKS {
        for id in &left.orphans {
            if let Err(why) = recover(state, id).await {
                not_kept(state, why);
            }
        }
        if !left.more {
            return;
        }
        frames::pause(ENDING).await;
        quiet(state).await;
        left = left_behind().await;
    }
}

async fn recover(state: State, id: &str) -> Result<(), String> {
    // Two tabs that are opened at once, as after a crash, find the same.
    let _lock = lock::wait_for(&keys::lock(id)).await;
    quiet(state).await;
    let texts = store::read(&keys::of(LIVE, id)).await?;
    // Put together in another tab meanwhile.
    let Some((head, pieces)) = texts.split_first() else { return load(state).await };
    match recovered(head, pieces.iter().map(String::as_str)) {
        Ok(run) if !run.traces.is_empty() => {
            let entry = keep(state, id, &run).await?;
            state.history.offered.update(|offered| offered.push(entry));
            Ok(())
        }
        // That is for a newer Firstlight to put together.
        Err(OpenError::Newer { .. }) => Ok(()),
        // Nothing was over, or its head is not there: there is nothing to show of it. What was put together of it before stays.
        _ => store::write(vec![Change::Remove(keys::of(LIVE, id))]).await,
    }
}
