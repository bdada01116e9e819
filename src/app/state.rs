//! What the page knows, as signals. Everything here is in memory only; what outlives the page is in `browser::store`.

use std::sync::Arc;

use firstlight_core::report::Run;
use firstlight_core::session::Progress;
use firstlight_core::text::Lang;
use leptos::prelude::*;

use super::form::Form;
use super::history::History;
use super::lessons::Lessons;
use super::link::Links;
use super::pages::Page;
use super::race::Race;

/// Which of its three faces the page shows; also `data-state` of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Choosing what to measure.
    Setup,
    /// A run is under way.
    Running,
    /// A run is over, or was opened from a file.
    Done,
}

impl Phase {
    /// The value of `data-state`.
    pub fn code(self) -> &'static str {
        match self {
            Phase::Setup => "setup",
            Phase::Running => "running",
            Phase::Done => "done",
        }
    }
}

/// The page's state. `Copy`: pass it to views as it is.
#[derive(Clone, Copy)]
pub struct State {
    /// Language of every text.
    pub lang: RwSignal<Lang>,
    /// Which page is shown.
    pub page: RwSignal<Page>,
    /// Face.
    pub phase: RwSignal<Phase>,
    /// What is typed.
    pub form: Form,
    /// Problems of the last attempt, in words; shown as an alert.
    pub problems: RwSignal<Vec<String>>,
    /// Running figures; changes at most once a second, in idle time.
    pub progress: RwSignal<Progress>,
    /// How many answers are shown at once (places `#slot-0` … inside `#slots`).
    pub slots: RwSignal<u32>,
    /// The run that the results show.
    pub run: RwSignal<Option<Arc<Run>>>,
    /// A saved run that it is compared with.
    pub baseline: RwSignal<Option<Arc<Run>>>,
    /// Its file's text as a `blob:` URL, for the download link; empty until it is wanted.
    pub file_url: RwSignal<String>,
    /// Its file's name.
    pub file_name: RwSignal<String>,
    /// Requests that are marked in every chart.
    pub chosen: RwSignal<Arc<Vec<u32>>>,
    /// The request whose waterfall is open.
    pub selected: RwSignal<Option<u32>>,
    /// Kept runs.
    pub history: History,
    /// The race page's own.
    pub race: Race,
    /// The page of lessons.
    pub lessons: Lessons,
    /// Links to set-ups.
    pub links: Links,
    /// A file is held over the page that may be dropped.
    pub dropping: RwSignal<bool>,
}

impl State {
    /// The state of a page that was just opened.
    pub fn new(lang: Lang, page_origin: &str, second_origin: &str, forwards: &[String]) -> State {
        State {
            lang: RwSignal::new(lang),
            page: RwSignal::default(),
            phase: RwSignal::new(Phase::Setup),
            form: Form::new(lang, page_origin, second_origin, forwards),
            problems: RwSignal::new(Vec::new()),
            progress: RwSignal::new(Progress::default()),
            slots: RwSignal::new(0),
            run: RwSignal::new(None),
            baseline: RwSignal::new(None),
            file_url: RwSignal::new(String::new()),
            file_name: RwSignal::new(String::new()),
            chosen: RwSignal::default(),
            selected: RwSignal::new(None),
            history: History::default(),
            race: Race::default(),
            lessons: Lessons::default(),
            links: Links::default(),
            dropping: RwSignal::new(false),
        }
    }
}
