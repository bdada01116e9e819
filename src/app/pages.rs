//! Which page is shown, as the fragment of the address says.

use firstlight_core::link::set_up;
use firstlight_core::race::RaceSetup;
use leptos::prelude::*;

use super::state::{Phase, State};
use super::{history, lessons, link, race};
use crate::browser::address;

/// A page of the application.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Page {
    /// The measuring page.
    #[default]
    Measuring,
    /// The race.
    Race,
    /// The lessons.
    Lessons,
    /// Kept runs.
    History,
}

/// Goes where the address says, now and whenever it changes.
pub fn follow_address(state: State) {
    follow(state);
    address::on_change(move || follow(state));
}

/// Not while something runs.
fn follow(state: State) {
    if state.phase.get_untracked() == Phase::Running {
        return;
    }
    let fragment = address::fragment();
    if RaceSetup::is_race(&fragment) {
        race::open(state, &fragment);
        state.page.set(Page::Race);
    } else if let Some(rest) = fragment.strip_prefix(lessons::FRAGMENT) {
        state.lessons.open(rest);
        state.page.set(Page::Lessons);
    } else if set_up::is_set_up(&fragment) {
        link::open(state, &fragment);
        state.page.set(Page::Measuring);
    } else if fragment == history::FRAGMENT {
        state.page.set(Page::History);
    } else if fragment.is_empty() {
        // Places inside a page have fragments too.
        state.page.set(Page::Measuring);
    }
}
