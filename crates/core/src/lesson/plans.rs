//! What does each lesson run, and what follows from the endpoint's parameters? One file a lesson or two of a kind.

mod loads;
mod parts;
mod sizes;

use super::check::Check;
use super::endpoint::{Endpoint, changed};
use super::figure::Figure;
use super::{Lesson, PerSecond};
use crate::config::{ModeChoice, RunConfig};
use crate::metrics::Metric;
use crate::stats::{P, P50};
use crate::text::Les;
use crate::trace::Mode;

/// One run of a lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What it is.
    pub name: Les,
    /// How the endpoint behaves.
    pub endpoint: Endpoint,
    /// All but the address.
    settings: RunConfig,
}

/// The runs of a lesson and what is predicted of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The runs, one after another. One that a stop rule ends is the last.
    pub steps: Vec<Step>,
    /// The predictions.
    pub checks: Vec<Check>,
}

impl Step {
    fn new(name: Les, endpoint: Endpoint, requests: u32, concurrency: u32) -> Step {
        let settings = RunConfig {
            prompt: "Why is the sky blue?".to_owned(),
            requests,
            concurrency,
            // Opens connections and asks for permission once, so that no measured request does.
            warmup: 1,
            timeout_ms: 30_000,
            ..RunConfig::of("")
        };
        Step { name, endpoint, settings }
    }

    fn with(mut self, change: impl FnOnce(&mut RunConfig)) -> Step {
        change(&mut self.settings);
        self
    }

    fn both(self) -> Step {
        self.with(|config| config.mode = ModeChoice::Both)
    }

    /// What is asked for, at the built-in endpoint's address without a query. `typed`: parameters with which a person wants the
    /// endpoint to behave otherwise. `seed`: the same for all runs of one time, and another each time.
    pub fn config(&self, address: &str, typed: &str, seed: u64) -> RunConfig {
        let query = changed(&self.endpoint, typed).query(seed);
        RunConfig { url: format!("{address}?{query}"), seed, ..self.settings.clone() }
    }

    /// Measured requests, of each mode where both are asked for.
    pub fn requests(&self) -> u32 {
        self.settings.requests
    }

    /// Requests under way at once.
    pub fn concurrency(&self) -> u32 {
        self.settings.concurrency
    }
}

/// The preset of the modelled server that parameters are laid over.
const ENGINE: &str = "interactive-small";

/// A percentile of streamed answers.
fn figure(run: usize, metric: Metric, p: P) -> Figure {
    Figure::Percentile { run, mode: Mode::Streaming, metric, p }
}

/// The median of a time of streamed answers, in ms.
fn median(says: Les, run: usize, metric: Metric, ms: i64) -> Check {
    Check::time(says, figure(run, metric, P50), ms)
}

/// How much later the median of a metric is in run `b` than in run `a`, in ms.
fn later(says: Les, (a, b): (usize, usize), metric: Metric, ms: i64) -> Check {
    Check::difference(says, Figure::Runs { a, b, metric, p: P50 }, ms)
}

/// A throughput: what the browser and the way add to each request takes a part of it away.
fn throughput(says: Les, run: usize, of: PerSecond, per_second: f64) -> Check {
    Check::rate(says, Figure::Rate { run, of }, per_second, 65, 103)
}

pub(super) fn plan(lesson: Lesson) -> Plan {
    match lesson {
        Lesson::FirstToken => parts::first_token(),
        Lesson::Streaming => parts::streaming(),
        Lesson::NotOnlyModel => parts::not_only_model(),
        Lesson::NoSingleNumber => sizes::no_single_number(),
        Lesson::Batching => loads::batching(),
        Lesson::Tail => sizes::tail(),
        Lesson::Concurrency => loads::concurrency(),
        Lesson::Cold => loads::cold(),
        Lesson::Unattributed => parts::unattributed(),
        Lesson::Offline => loads::offline(),
    }
}
