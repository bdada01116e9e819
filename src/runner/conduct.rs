//! From a checked configuration to a run that is over: what every page does that measures, whatever it shows.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use firstlight_core::Micros;
use firstlight_core::align::Probes;
use firstlight_core::config::{RunConfig, Secrets, ThreadChoice};
use firstlight_core::race::{Pressed, caused_by};
use firstlight_core::report::{Arrival, Clock, Run};
use firstlight_core::workload::Identity;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use web_sys::Worker;

use super::asking::{self, Reading};
use super::live::Live;
use super::message::{Begin, Input};
use super::page::{Hear, Page};
use super::places::{Room, request_of_first};
use super::worker::Remote;
use crate::browser::interaction::{Content, Press};
use crate::browser::{clock, environment, frames, paint, visibility, words};

/// What a run needs.
pub struct Stage {
    /// What is asked, checked.
    pub config: RunConfig,
    /// What is sent with it and kept nowhere.
    pub secrets: Secrets,
    /// Gives the places of the answers; the page has had frames to draw them by then.
    pub rooms: Box<dyn FnOnce() -> Vec<Room>>,
    /// How many places the draw of the painted subset counts with, where they are not as many as there are: each lane of a race is
    /// used once, and never again before its answer's paint is known.
    pub places: Option<u32>,
    /// Makes the worker; its error is why there is none.
    pub worker: Box<dyn FnOnce() -> Result<Worker, JsValue>>,
    /// Gets everything that the other half tells.
    pub hear: Hear,
    /// Each finished request is told at once, with its figures.
    pub samples: bool,
    /// The press that caused it.
    pub press: Option<Rc<Press>>,
    /// Gets the run as it begins, still without requests, and says under which name these are saved as they end, if they are.
    pub keep: Option<Keep>,
}

/// What the browser told of a press, by request.
fn told(press: &Press) -> Pressed {
    let painted = press.contents().map(|all| {
        let of_request = |content: Content| Some((request_of_first(&content.identifier)?, content.presented));
        all.into_iter().filter_map(of_request).collect()
    });
    Pressed { at: press.at(), painted }
}

/// See [`Stage::keep`].
pub type Keep = Box<dyn FnOnce(&Run) -> Option<String>>;

/// Gets the run when it is over, or why there is none.
type After = Box<dyn FnOnce(Result<Run, String>)>;

/// A run under way.
pub struct UnderWay {
    page: RefCell<Option<Rc<Page>>>,
    reading: RefCell<Option<Rc<Reading>>>,
    /// It was stopped while it was still being prepared.
    stopped_early: Cell<bool>,
    /// Nobody is there any more for whom anything else might be asked.
    abandoned: Cell<bool>,
    after: Cell<Option<After>>,
}

impl UnderWay {
    /// Begins it. `after` gets it when it is over; an error says why the worker broke, and with it all that it knew is lost.
    pub fn begin(stage: Stage, after: impl FnOnce(Result<Run, String>) + 'static) -> Rc<UnderWay> {
        let (page, reading, stopped_early) = (RefCell::default(), RefCell::default(), Cell::new(false));
        let after: Cell<Option<After>> = Cell::new(Some(Box::new(after)));
        let run = Rc::new(UnderWay { page, reading, stopped_early, abandoned: Cell::new(false), after });
        spawn_local(Rc::clone(&run).conduct(stage));
        run
    }

    /// Ends everything that is under way and keeps what there is.
    pub fn stop(&self) {
        let page = self.page.borrow().clone();
        match page {
            Some(page) => page.stop(),
            None => self.stopped_early.set(true),
        }
    }

    /// The same, and nothing more is sent: the target's clock and the server's metrics are not asked again.
    pub fn abandon(&self) {
        self.abandoned.set(true);
        if let Some(reading) = &*self.reading.borrow() {
            reading.stop();
        }
        self.stop();
    }

    async fn conduct(self: Rc<Self>, stage: Stage) {
        let Stage { config, secrets, rooms, places, worker, hear, samples, press, keep } = stage;
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
            ThreadChoice::Worker => match self.remote(worker, step).await {
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
        let keep = keep.and_then(|keep| {
            keep(&Run {
                config: config.clone(),
                environment: environment.clone(),
                clock,
                created: created.clone(),
                stopped: false,
                stopped_by: None,
                page_ended: false,
                workload: None,
                probes: Probes { before: before.clone(), after: Vec::new() },
                parts: Vec::new(),
                traces: Vec::new(),
                scraped: None,
            })
        });
        // Nothing is awaited from here on: what is hidden now is told by events only from `attach` on.
        let (isolated, hidden) = (environment.isolated, visibility::hidden());
        let asked = config.clone();
        let metrics = config.server_metrics.clone().filter(|_| !self.abandoned.get()).map(Reading::begin);
        self.reading.replace(metrics.clone());
        let rooms = rooms();
        let places = places.unwrap_or(rooms.len() as u32);
        let run = Rc::clone(&self);
        let page = Page::new(rooms, &config, hear, move |mut traces, stopped, stopped_by, lag| {
            let clock = Clock { lag, ..clock };
            let workload = Identity::of(&asked);
            spawn_local(async move {
                let asks = !run.abandoned.get();
                let scraped = match metrics {
                    Some(metrics) if asks => Some(metrics.finish().await),
                    _ => None,
                };
                let after = if asks { asking::probes(&probe_urls).await } else { Vec::new() };
                let probes = Probes { before, after };
                if let Some(press) = press {
                    // The browser tells of the last paint with the frame after it, at the latest.
                    frames::wait(2).await;
                    caused_by(&mut traces, &told(&press));
                }
                let found = Run {
                    workload,
                    config: asked,
                    environment,
                    clock,
                    created,
                    stopped,
                    stopped_by,
                    page_ended: false,
                    probes,
                    parts: Vec::new(),
                    traces,
                    scraped,
                };
                run.page.take();
                run.reading.take();
                run.over(Ok(found));
            });
        });
        self.page.replace(Some(Rc::clone(&page)));
        let begin = Begin { config, secrets, places, isolated, hidden, samples, keep };
        let taking = Rc::clone(&page);
        let take = move |output| taking.take(output);
        // Stopped before anything was sent: then nothing is.
        let stopped = self.stopped_early.take();
        match remote.filter(|_| !stopped) {
            Some(remote) => page.attach(remote.begin(&begin, take)),
            None => {
                let live = Live::new(begin, take);
                let told = Rc::clone(&live);
                page.attach(Rc::new(move |input: Input| told.take(input)));
                match stopped {
                    true => page.stop(),
                    false => live.begin(),
                }
            }
        }
    }

    async fn remote(
        self: &Rc<Self>,
        worker: Box<dyn FnOnce() -> Result<Worker, JsValue>>,
        step: Micros,
    ) -> Result<Remote, String> {
        let run = Rc::downgrade(self);
        let broken = move |why: String| {
            if let Some(run) = run.upgrade() {
                run.broken(why);
            }
        };
        Remote::start(worker().map_err(|error| words(&error))?, step, broken).await
    }

    /// The worker broke: what it knew is lost.
    fn broken(&self, why: String) {
        if let Some(page) = self.page.take() {
            page.detach();
        }
        if let Some(reading) = self.reading.take() {
            reading.stop();
        }
        self.over(Err(why));
    }

    fn over(&self, found: Result<Run, String>) {
        if let Some(after) = self.after.take() {
            after(found);
        }
    }
}
