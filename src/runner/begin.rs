//! From a checked configuration to a run under way.

use std::rc::Rc;

use firstlight_core::config::{RunConfig, Secrets, ThreadChoice};
use firstlight_core::report::{Arrival, Clock, Run};
use firstlight_core::text::{Ui, fill};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::live::Live;
use super::message::{Begin, Input};
use super::page::Page;
use super::worker::Remote;
use super::{LIVE, show};
use crate::app::state::{Phase, State};
use crate::browser::{clock, environment, frames, paint, visibility, window};

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
        let mut environment = environment::environment(frame_interval_us);
        let created = clock::wall_time();
        let step = clock::step();
        let remote = match config.thread {
            ThreadChoice::Main => {
                environment.arrival = Arrival::Main;
                None
            }
            ThreadChoice::Worker => match Remote::start(step, move |why| broken(state, &why)).await {
                Ok(remote) => {
                    let through_main = !paint::arrivals_are_protected();
                    environment.arrival = if through_main { Arrival::WorkerThroughMain } else { Arrival::Worker };
                    Some(remote)
                }
                Err(why) => {
                    environment.arrival = Arrival::NoWorker;
                    environment.worker_refused = why;
                    None
                }
            },
        };
        let clock = Clock { step_us: step.0, joint_us: remote.as_ref().map(|r| r.joint.error.0) };
        let (isolated, hidden) = (environment.isolated, visibility::hidden());
        let asked = config.clone();
        let page = Page::new(state, places, move |traces, stopped| {
            let run = Run { config: asked, environment, clock, created, stopped, traces };
            LIVE.set(None);
            show(state, run.clone());
            after(&run);
        });
        LIVE.set(Some(Rc::clone(&page)));
        let begin = Begin { config, secrets, places, isolated, hidden };
        let taking = Rc::clone(&page);
        let take = move |output| taking.take(output);
        match remote {
            Some(remote) => page.attach(remote.begin(&begin, take)),
            None => {
                let live = Live::new(begin, take);
                let told = Rc::clone(&live);
                page.attach(Rc::new(move |input: Input| told.take(input)));
                live.begin();
            }
        }
    });
}

/// The worker broke in the middle of a run: what it knew is lost.
fn broken(state: State, why: &str) {
    let Some(page) = LIVE.take() else { return };
    page.detach();
    state.problems.set(vec![fill(Ui::WorkerBroke.get(state.lang.get_untracked()), &[why])]);
    state.phase.set(Phase::Setup);
}
