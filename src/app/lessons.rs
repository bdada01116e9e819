//! What the page of lessons knows, as signals.

use std::sync::Arc;

use firstlight_core::lesson::Lesson;
use firstlight_core::report::Run;
use leptos::prelude::*;

/// The address of the page, within the page's own.
pub const FRAGMENT: &str = "#lessons";

/// The state of the page of lessons. `Copy`.
#[derive(Clone, Copy, Default)]
pub struct Lessons {
    /// The lesson that is unfolded.
    pub unfolded: RwSignal<Option<Lesson>>,
    /// What is typed to make the endpoint behave otherwise, of the unfolded lesson.
    pub typed: RwSignal<String>,
    /// The lesson that is run now, and which of its runs, from 0.
    pub under_way: RwSignal<Option<(Lesson, usize)>>,
    /// What was measured, in order.
    runs: RwSignal<Vec<(Lesson, Arc<Run>)>>,
}

impl Lessons {
    /// The runs of a lesson, in order; none before it was run.
    pub fn runs_of(&self, lesson: Lesson) -> Vec<Arc<Run>> {
        self.runs.with(|runs| runs.iter().filter(|(of, _)| *of == lesson).map(|(_, run)| Arc::clone(run)).collect())
    }

    /// One more run of a lesson.
    pub fn keep(&self, lesson: Lesson, run: Arc<Run>) {
        self.runs.update(|runs| runs.push((lesson, run)));
    }

    /// A lesson begins afresh.
    pub fn forget(&self, lesson: Lesson) {
        self.runs.update(|runs| runs.retain(|(of, _)| *of != lesson));
    }

    /// Unfolds the lesson that the rest of the address asks for, if it asks for one.
    pub fn open(&self, rest: &str) {
        if let Some(lesson) = Lesson::from_code(rest.trim_start_matches('/')) {
            self.toggled(lesson, true);
        }
    }

    /// A lesson is unfolded or folded.
    pub fn toggled(&self, lesson: Lesson, open: bool) {
        let now = self.unfolded.get_untracked();
        let next = if open { Some(lesson) } else { now.filter(|of| *of != lesson) };
        if next != now {
            self.unfolded.set(next);
            self.typed.set(String::new());
        }
    }
}
