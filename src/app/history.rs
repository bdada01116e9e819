//! What the page knows of kept runs, as signals.

use firstlight_core::history::{Entry, Settings};
use leptos::prelude::*;

/// The address of the list, within the page's own.
pub const FRAGMENT: &str = "#history";

/// Kept runs. `Copy`.
#[derive(Clone, Copy, Default)]
pub struct History {
    /// The list, in no order.
    pub entries: RwSignal<Vec<Entry>>,
    /// What a person says about keeping runs; none before it was read, and where nothing can be kept.
    pub settings: RwSignal<Option<Settings>>,
    /// Why nothing can be kept.
    pub refused: RwSignal<Option<String>>,
    /// Why the last run is not kept, or not whole.
    pub notice: RwSignal<Option<String>>,
    /// Runs that a page that ended left behind, and that nobody has looked at yet.
    pub offered: RwSignal<Vec<Entry>>,
    /// What is searched for.
    pub search: RwSignal<String>,
}

impl History {
    /// Runs are kept.
    pub fn is_on(&self) -> bool {
        self.settings.get_untracked().is_some_and(|settings| settings.keep)
    }
}
