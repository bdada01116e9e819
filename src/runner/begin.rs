//! A run of the page: its places, its running figures, and what it shows when the run is over.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use firstlight_core::config::{MAX_CONCURRENCY, RunConfig, Secrets};
use firstlight_core::load::Shape;
use firstlight_core::report::Run;
use firstlight_core::text::{Ui, fill};
use leptos::prelude::*;

use super::LIVE;
use super::conduct::{Keep, Stage, UnderWay};
use super::keeping::{self, Keeping};
use super::message::Output;
use super::places::Room;
use super::race::Clocks;
use crate::app::state::{Phase, State};
use crate::browser::interaction::Press;
use crate::browser::{clock, environment, window, worker};

/// How many answers fit on the screen at once, by its width in CSS pixels.
fn places_for(width: f64, at_once: u32) -> u32 {
    let most = match width {
        w if w >= 900.0 => 6,
        w if w >= 600.0 => 4,
        _ => 2,
    };
    // A place is taken until its paint is known, which may be after the next answers have begun.
    most.min(2 * at_once + 2)
}

/// What a run has beside its configuration.
#[derive(Clone, Default)]
pub(super) struct Beside {
    /// How many answers the page can show at once, where that is not for the width to say.
    pub places: Option<u32>,
    /// The press that caused it.
    pub press: Option<Rc<Press>>,
    /// It is no run for the history.
    pub passing: bool,
}

/// Starts a run; `after` gets it when it is over, and says what the page shows then.
pub(super) fn start(
    state: State,
    config: RunConfig,
    secrets: Secrets,
    beside: Beside,
    after: impl FnOnce(&Arc<Run>) + 'static,
) {
    if LIVE.with_borrow(Option::is_some) || state.phase.get_untracked() == Phase::Running {
        return;
    }
    let width = window().inner_width().ok().and_then(|w| w.as_f64()).unwrap_or(0.0);
    let at_once = if config.load.shape == Shape::Closed { config.concurrency } else { MAX_CONCURRENCY };
    let places = beside.places.unwrap_or_else(|| places_for(width, at_once));
    state.problems.set(Vec::new());
    state.history.notice.set(None);
    state.progress.set(Default::default());
    state.slots.set(places);
    state.phase.set(Phase::Running);
    window().scroll_to_with_x_and_y(0.0, 0.0);
    let clocks = Rc::<Clocks>::default();
    let keeping = Rc::<Cell<Option<Keeping>>>::default();
    let kept = Rc::clone(&keeping);
    let keep: Keep = Box::new(move |run| {
        let keeping = state.history.is_on().then(|| Keeping::begin(state, run));
        let id = keeping.as_ref().map(Keeping::id);
        kept.set(keeping);
        id
    });
    let stage = Stage {
        config,
        secrets,
        rooms: Box::new(move || (0..places).filter_map(room).collect()),
        places: beside.places,
        worker: Box::new(worker::of_page),
        hear: Box::new(move |output| hear(state, &clocks, output)),
        samples: false,
        press: beside.press,
        keep: Some(keep).filter(|_| !beside.passing),
    };
    let run = UnderWay::begin(stage, move |found| {
        LIVE.set(None);
        let keeping = keeping.take();
        match found {
            Ok(run) => {
                // Shared: a long one is not copied.
                let run = Arc::new(run);
                after(&run);
                if let Some(keeping) = keeping {
                    keeping.finish(run);
                }
            }
            Err(why) => {
                if let Some(keeping) = keeping {
                    keeping.broken();
                }
                state.problems.set(vec![fill(Ui::WorkerBroke.get(state.lang.get_untracked()), &[&why])]);
                state.phase.set(Phase::Setup);
            }
        }
    });
    LIVE.set(Some(run));
}

/// A place that the views have put into the document.
fn room(number: u32) -> Option<Room> {
    let answer = window().document()?.query_selector(&format!("#slot-{number} .answer")).ok()??;
    Some(Room { place: answer.parent_element()?, answer, class: "answer", piece: "piece" })
}

fn hear(state: State, clocks: &Rc<Clocks>, output: &Output) {
    clocks.note(output);
    match output {
        Output::Progress(progress) => {
            let (progress, clocks) = (*progress, Rc::clone(clocks));
            environment::when_idle(move || {
                state.progress.set(progress);
                state.race.live.set(clocks.read(clock::now()));
            });
        }
        Output::Unsaved(why) => keeping::not_kept(state, why.clone()),
        _ => {}
    }
}
