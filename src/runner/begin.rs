//! From a checked configuration to a run under way.

use std::rc::Rc;
use std::sync::Arc;

use firstlight_core::Micros;
use firstlight_core::align::Probes;
use firstlight_core::config::{MAX_CONCURRENCY, RunConfig, Secrets, ThreadChoice};
use firstlight_core::load::Shape;
use firstlight_core::race::caused_by;
use firstlight_core::report::{Arrival, Clock, Run};
use firstlight_core::text::{Ui, fill};
use firstlight_core::workload::Identity;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::asking::{self, Reading};
use super::live::Live;
use super::message::{Begin, Input};
use super::page::Page;
use super::worker::Remote;
use super::{LIVE, READING, STOPPED_EARLY};
use crate::app::state::{Phase, State};
use crate::browser::{clock, environment, frames, paint, visibility, window};

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
#[derive(Clone, Copy, Default)]
pub(super) struct Beside {
    /// How many answers the page can show at once, where that is not for the width to say.
    pub places: Option<u32>,
    /// The press that caused it.
    pub press: Option<Micros>,
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
    STOPPED_EARLY.set(false);
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
        // Before there is a worker, which might break meanwhile and find nobody to tell.
        let probe_urls = config.probe_urls();
        let before = asking::probes(&probe_urls).await;
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
        let clock = Clock { step_us: step.0, joint_us: remote.as_ref().map(|r| r.joint.error.0), lag: None };
        // Nothing is awaited from here on: what is hidden now is told by events only from `attach` on.
        let (isolated, hidden) = (environment.isolated, visibility::hidden());
        let asked = config.clone();
        let metrics = config.server_metrics.clone().map(Reading::begin);
        READING.set(metrics.clone());
        let page = Page::new(state, places, config.rendering, move |mut traces, stopped, stopped_by, lag| {
            if let Some(press) = beside.press {
                caused_by(&mut traces, press);
            }
            let clock = Clock { lag, ..clock };
            let workload = Identity::of(&asked);
            spawn_local(async move {
                let scraped = match metrics {
                    Some(metrics) => Some(metrics.finish().await),
                    None => None,
                };
                let probes = Probes { before, after: asking::probes(&probe_urls).await };
                let (config, parts) = (asked, Vec::new());
                let run =
                    Run { workload, config, environment, clock, created, stopped, stopped_by, probes, parts, traces, scraped };
                LIVE.set(None);
                READING.set(None);
                // Shared: a long one is not copied.
                after(&Arc::new(run));
            });
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
        if STOPPED_EARLY.take() {
            super::stop(state);
        }
    });
}

/// The worker broke in the middle of a run: what it knew is lost.
fn broken(state: State, why: &str) {
    let Some(page) = LIVE.take() else { return };
    page.detach();
    if let Some(reading) = READING.take() {
        reading.stop();
    }
    state.problems.set(vec![fill(Ui::WorkerBroke.get(state.lang.get_untracked()), &[why])]);
    state.phase.set(Phase::Setup);
}
