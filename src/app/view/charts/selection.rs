//! The requests that are selected in one chart are marked in all, and in the list.

use std::sync::Arc;

use firstlight_core::chart::{Chart, selected_line};
use leptos::prelude::*;

use crate::app::view::results::Shown;
use crate::browser::frames;
use firstlight_core::text::Cht;

/// The frame after which the parts that follow the charts show another selection.
pub const AFTER_CHARTS: usize = Chart::ALL.len() + 1;

/// Selected requests, by number.
#[derive(Clone, Copy)]
pub struct Selection(RwSignal<Arc<Vec<u32>>>);

impl Selection {
    /// Kept where every part of the page finds it.
    pub fn new(kept: RwSignal<Arc<Vec<u32>>>) -> Selection {
        Selection(kept)
    }

    /// These and no others.
    pub fn set(self, mut ids: Vec<u32>) {
        // In order, so that one is found quickly among thousands.
        ids.sort_unstable();
        ids.dedup();
        self.0.set(Arc::new(ids));
    }

    /// What a part of the page shows of it: the same at once where that part is in the window, elsewhere so many frames later.
    /// All at once would hold up the frame in which the brush ends.
    pub fn following(self, turn: usize, in_window: impl Fn() -> bool + 'static) -> RwSignal<Arc<Vec<u32>>> {
        let shown = RwSignal::new(self.0.get_untracked());
        Effect::new(move |_| {
            let wanted = self.0.get();
            if shown.with_untracked(|shown| Arc::ptr_eq(shown, &wanted)) {
                return;
            }
            let show = move || {
                // Another selection may have come since; and the part may be gone with its run.
                if self.0.try_with_untracked(|now| Arc::ptr_eq(now, &wanted)) == Some(true) {
                    let _ = shown.try_set(wanted);
                }
            };
            if in_window() { show() } else { frames::after(turn, Box::new(show)) }
        });
        shown
    }

    /// Which.
    pub fn get(self) -> Arc<Vec<u32>> {
        self.0.get()
    }
}

/// What is selected, in words, and the way out of it.
pub fn line(shown: &Shown, selection: Selection) -> AnyView {
    let shown = shown.clone();
    let text = {
        let shown = shown.clone();
        move || selected_line(&shown.run, &selection.get(), shown.lang)
    };
    let clear = move |_| selection.set(Vec::new());
    view! {
        <div class="selected">
            <p role="status">{text}</p>
            <button type="button" id="selection-clear" hidden=move || selection.get().is_empty() on:click=clear>
                {Cht::Clear.get(shown.lang)}
            </button>
        </div>
    }
    .into_any()
}
