//! Which load does a person ask for? The shapes, their limits, and what can be wrong with them.

use serde::{Deserialize, Serialize};

use crate::Micros;
use crate::config::{MAX_CONCURRENCY, RunConfig};
use crate::workload::Source;

/// The highest rate, in requests per second.
pub const MAX_RATE: f64 = 10_000.0;
/// The most requests of a run, warm-up among them.
pub const MAX_PLANNED: u64 = 1_000_000;
/// Where no grace is given, it is longer than a request's own limit by this: what runs into its limit is a timeout, not cut.
const OWN_LIMIT_FIRST: Micros = Micros(1_000_000);
/// The longest time of a load, in milliseconds: a day.
pub const MAX_TIME_MS: u32 = 86_400_000;

/// How requests are started, and when that ends. The run's `requests` limits the measured requests of every shape (of each
/// level, in a sweep); its `concurrency` is that of a closed loop.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// The shape.
    #[serde(default)]
    pub shape: Shape,
    /// No request starts later than this after the measured part began (each level, in a sweep), in ms, pauses left out.
    /// With the limit by number, whichever comes first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u32>,
    /// The warm-up's limit in time. With the limit by number, whichever comes first; no number is no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warmup_ms: Option<u32>,
    /// Requests of an open loop under way at once; the others wait in the client's own queue, and none is dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_in_flight: Option<u32>,
    /// What is still under way so long after the end of the load is cut, in ms. If not given, a second
    /// more than a request's own limit, which so comes first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drain_ms: Option<u32>,
    /// Requests that a user gives up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancel: Option<Cancel>,
    /// In a closed loop: the interval at which requests would have come, in ms. What would have been measured of those that
    /// were never sent is then invented and shown beside what was measured. Off if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_interval_ms: Option<u32>,
}

/// The shape of a load.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// Closed loop: the next request starts when one ends, with the run's concurrency.
    #[default]
    Closed,
    /// Open loop: requests start at a rate, whatever became of those before.
    Open {
        /// Requests per second.
        per_second: f64,
        /// How they are spaced.
        #[serde(default)]
        spacing: Spacing,
    },
    /// Open loop whose rate changes in a straight line, and then stays.
    Ramp {
        /// Requests per second at the beginning.
        from: f64,
        /// Requests per second at the end.
        to: f64,
        /// How long the change takes.
        over_ms: u32,
        /// How requests are spaced.
        #[serde(default)]
        spacing: Spacing,
    },
    /// One level after another, without a pause.
    Steps {
        /// What is stepped.
        over: Over,
        /// The steps.
        steps: Vec<Step>,
        /// How requests are spaced (rates only).
        #[serde(default)]
        spacing: Spacing,
    },
    /// Levels with the run's `requests` each, until one is saturated. Each begins when the one before is over.
    Sweep {
        /// What is swept.
        over: Over,
        /// The levels, rising.
        levels: Vec<f64>,
        /// Pause between the end of one level and the next.
        settle_ms: u32,
        /// How requests are spaced (rates only).
        #[serde(default)]
        spacing: Spacing,
    },
    /// Requests start at the times of a trace.
    Replay {
        /// Offsets from the beginning, in ms, in order.
        at_ms: Vec<f64>,
        /// 2 replays twice as fast.
        speed: f64,
    },
}

/// How the requests of an open loop are spaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spacing {
    /// Equal intervals.
    #[default]
    Even,
    /// Exponential intervals: independent users.
    Poisson,
    /// Gamma-distributed intervals.
    Gamma {
        /// The distribution's shape parameter, as in vLLM's bench: the squared coefficient of variation of intervals is
        /// 1 / burstiness. 1 is Poisson; less is burstier.
        burstiness: f64,
    },
}

/// What levels are levels of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// Requests under way at once, in a closed loop.
    Concurrency,
    /// Requests per second, in an open loop.
    Rate,
}

/// One step: it ends after a time or a number of requests, whichever comes first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The rate or the concurrency.
    pub level: f64,
    /// Its time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub for_ms: Option<u32>,
    /// Its number of requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests: Option<u32>,
}

/// A share of the measured requests is cancelled after a random time from `sent`, evenly drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cancel {
    /// The share, 0 to 1.
    pub share: f64,
    /// Not earlier.
    pub from_ms: u32,
    /// Not later.
    pub to_ms: u32,
}

/// What is wrong with a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// A rate that can't be.
    #[error("a rate must be above 0 and at most 10,000 requests per second")]
    Rate,
    /// A concurrency that can't be.
    #[error("the concurrency of a step must be a whole number from 1 to 256")]
    Concurrency,
    /// Not a burstiness.
    #[error("the burstiness must be from 0.01 to 100; 1 is Poisson")]
    Burstiness,
    /// A time that is too long or nothing.
    #[error("a time of the load must be above 0 and at most a day")]
    Time,
    /// A list without entries, or with too many.
    #[error("give from 1 to 1,000 steps or levels, and from 1 to 100,000 times of a trace")]
    Length,
    /// A step that would never end.
    #[error("each step needs a time or a number of requests")]
    EndlessStep,
    /// Levels out of order.
    #[error("the levels of a sweep must rise: it stops at the first that is saturated")]
    NotRising,
    /// Times out of order.
    #[error("the times of a trace must be in order and not negative")]
    TraceOrder,
    /// Not a speed.
    #[error("the speed of a replay must be from 0.001 to 1,000")]
    Speed,
    /// Not a share.
    #[error("the share of cancelled requests must be from 0 to 1, and its times in order")]
    Cancel,
    /// Not a number in flight.
    #[error("the most requests under way at once must be from 1 to 256")]
    InFlight,
    /// Two comparisons in one run.
    #[error("compare streaming with not, or two endpoints, or cache on with off: one at a time")]
    TwoComparisons,
    /// More requests than a page can hold.
    #[error("this load may send more than a million requests: ask for fewer, or for fewer levels")]
    TooMany,
    /// An interval for what has one.
    #[error("an expected interval must be above 0 and is for closed loops: an open loop keeps its own")]
    ExpectedInterval,
    /// Turns of conversations in an open loop.
    #[error("turns of a conversation wait for answers, which an open loop does not: choose a closed loop")]
    Turns,
    /// Not a share of the candidate.
    #[error("the candidate gets one request in 2 to 1,000")]
    Candidate,
}

impl Shape {
    /// Requests start at their own times, whatever became of others.
    pub fn is_open(&self) -> bool {
        match self {
            Shape::Closed => false,
            Shape::Open { .. } | Shape::Ramp { .. } | Shape::Replay { .. } => true,
            Shape::Steps { over, .. } | Shape::Sweep { over, .. } => *over == Over::Rate,
        }
    }

    fn spacing(&self) -> Option<Spacing> {
        match self {
            Shape::Closed | Shape::Replay { .. } => None,
            Shape::Open { spacing, .. }
            | Shape::Ramp { spacing, .. }
            | Shape::Steps { spacing, .. }
            | Shape::Sweep { spacing, .. } => Some(*spacing),
        }
    }

    fn wrong(&self) -> Option<Wrong> {
        let rate = |r: f64| (!(r > 0.0 && r <= MAX_RATE)).then_some(Wrong::Rate);
        let time = |ms: u32| (!(1..=MAX_TIME_MS).contains(&ms)).then_some(Wrong::Time);
        let level = |over: Over, level: f64| match over {
            Over::Rate => rate(level),
            Over::Concurrency => {
                let whole = level.fract() == 0.0 && (1.0..=f64::from(MAX_CONCURRENCY)).contains(&level);
                (!whole).then_some(Wrong::Concurrency)
            }
        };
        let length = |n: usize, max| (!(1..=max).contains(&n)).then_some(Wrong::Length);
        let burstiness = match self.spacing() {
            Some(Spacing::Gamma { burstiness }) if !(0.01..=100.0).contains(&burstiness) => Some(Wrong::Burstiness),
            _ => None,
        };
        let own = match self {
            Shape::Closed => None,
            Shape::Open { per_second, .. } => rate(*per_second),
            Shape::Ramp { from, to, over_ms, .. } => rate(*from).or(rate(*to)).or(time(*over_ms)),
            Shape::Steps { over, steps, .. } => length(steps.len(), 1000).or(steps.iter().find_map(|step| {
                let endless = step.for_ms.is_none() && step.requests.is_none();
                let none = step.requests == Some(0);
                let wrong = endless.then_some(Wrong::EndlessStep).or(none.then_some(Wrong::Length));
                level(*over, step.level).or(wrong).or(step.for_ms.and_then(time))
            })),
            Shape::Sweep { over, levels, .. } => length(levels.len(), 1000)
                .or(levels.iter().find_map(|l| level(*over, *l)))
                .or(levels.windows(2).any(|w| w[0] >= w[1]).then_some(Wrong::NotRising)),
            Shape::Replay { at_ms, speed } => {
                let ordered = at_ms.windows(2).all(|w| w[0] <= w[1]) && at_ms.iter().all(|t| *t >= 0.0 && t.is_finite());
                let speed = (!(0.001..=1000.0).contains(speed)).then_some(Wrong::Speed);
                length(at_ms.len(), 100_000).or((!ordered).then_some(Wrong::TraceOrder)).or(speed)
            }
        };
        own.or(burstiness)
    }
}

impl Load {
    /// The most requests of an open loop under way at once.
    pub fn in_flight(&self) -> u32 {
        self.max_in_flight.unwrap_or(MAX_CONCURRENCY).max(1)
    }

    /// The grace period after the end of the load.
    pub fn drain(&self, timeout_ms: u32) -> Micros {
        self.drain_ms.map_or(Micros::ms(i64::from(timeout_ms)) + OWN_LIMIT_FIRST, |ms| Micros::ms(ms.into()))
    }

    /// What is wrong with it, one thing for each part.
    pub fn wrong(&self) -> Vec<Wrong> {
        let time = |ms: Option<u32>| ms.filter(|ms| !(1..=MAX_TIME_MS).contains(ms)).map(|_| Wrong::Time);
        let cancel = self.cancel.filter(|c| !(0.0..=1.0).contains(&c.share) || c.from_ms > c.to_ms);
        let in_flight = self.max_in_flight.filter(|n| !(1..=MAX_CONCURRENCY).contains(n));
        [
            self.shape.wrong(),
            time(self.duration_ms)
                .or(time(self.warmup_ms))
                .or(self.drain_ms.filter(|ms| *ms > MAX_TIME_MS).map(|_| Wrong::Time)),
            cancel.map(|_| Wrong::Cancel),
            in_flight.map(|_| Wrong::InFlight),
            self.expected_interval_ms
                .filter(|ms| self.shape.is_open() || !(1..=MAX_TIME_MS).contains(ms))
                .map(|_| Wrong::ExpectedInterval),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

impl RunConfig {
    /// What is wrong with the load and the comparison.
    pub fn load_wrong(&self) -> Vec<Wrong> {
        let mut wrong = self.load.wrong();
        wrong.extend((super::total_of(self) > MAX_PLANNED).then_some(Wrong::TooMany));
        let turns = matches!(&self.workload.source, Source::Cases(cases) if cases.iter().any(|c| c.turn_index() > 1));
        wrong.extend((turns && self.load.shape.is_open()).then_some(Wrong::Turns));
        if let Some(versus) = &self.versus {
            wrong.extend((self.modes().len() > 1).then_some(Wrong::TwoComparisons));
            wrong.extend((!(2..=1000).contains(&versus.one_in)).then_some(Wrong::Candidate));
        }
        wrong
    }
}
