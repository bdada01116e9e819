//! From a checked configuration to a run under way.

use std::rc::Rc;

use firstlight_core::config::{RunConfig, Secrets};
use firstlight_core::report::{Clock, Run};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::live::{Live, Parts};
use super::{LIVE, show};
use crate::app::state::{Phase, State};
use crate::browser::{clock, environment, frames, visibility, window};

/// How many answers fit on the screen at once, by its width in CSS pixels.
fn places_for(width: f64, concurrency: u32) -> u32 {
    let most = match width {
        w if w >= 900.0 => 6,
        w if w >= 600.0 => 4,
        _ => 2,
    };
    // A place is taken until its paint is known, which may be after the next answers have begun.
    most.min(2 * concurrency + 2)
}

/// Starts a run; `after` gets it when it is over, once it is shown.
pub(super) fn start(state: State, config: RunConfig, secrets: Secrets, after: impl FnOnce(&Run) + 'static) {
    if LIVE.with_borrow(Option::is_some) || state.phase.get_untracked() == Phase::Running {
        return;
    }
    let width = window().inner_width().ok().and_then(|w| w.as_f64()).unwrap_or(0.0);
    let places = places_for(width, config.concurrency);
    state.problems.set(Vec::new());
    state.progress.set(Default::default());
    state.slots.set(places);
    state.phase.set(Phase::Running);
    window().scroll_to_with_x_and_y(0.0, 0.0);
    spawn_local(async move {
        // The views put the places into the document before these frames.
        let frame_interval_us = if visibility::hidden() { None } else { frames::interval_us().await };
        let environment = environment::environment(frame_interval_us);
        let created = clock::wall_time();
        let clock = Clock { step_us: clock::step().0 };
        let finish = move |traces, stopped, config| {
            let run = Run { config, environment, clock, created, stopped, traces };
            LIVE.set(None);
            show(state, run.clone());
            after(&run);
        };
        let live = Live::new(Parts { state, config, secrets, places, finish: Box::new(finish) });
        LIVE.set(Some(Rc::clone(&live)));
        live.begin();
    });
}
