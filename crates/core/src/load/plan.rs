//! Every request of a run in order, drawn before any is sent: what it asks, when, in which part of the load.
//!
//! Each kind of choice has a random stream of its own, so that one more warm-up request changes no arrival.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Over, Shape, Spacing, arrivals};
use crate::Micros;
use crate::config::RunConfig;
use crate::trace::{Mode, Planned};

/// The most warm-up requests where only their time is limited.
pub const WARMUP_CAP: u32 = 10_000;

/// The cases of a workload, as far as a plan is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cases<'a> {
    /// How many there are.
    pub count: u32,
    /// In random order, each once before any comes again; else in their own.
    pub shuffled: bool,
    /// Of each case: it is the next turn of the conversation of the case before it. Shorter than `count`: the rest are not.
    pub follows: &'a [bool],
}

impl Cases<'_> {
    /// One case.
    pub const ONE: Cases<'static> = Cases { count: 1, shuffled: false, follows: &[] };
}

/// A stretch of the plan with an origin of its own: it begins when nothing of the part before is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Its first request, as an index of the plan.
    pub from: usize,
    /// Behind its last one.
    pub to: usize,
    /// No request of it starts later.
    pub limit: Option<Micros>,
    /// In an open loop: when the last of it should start.
    pub last: Option<Micros>,
    /// A pause before it.
    pub settle: Micros,
    /// It is kept apart.
    pub warmup: bool,
    /// The level of a sweep.
    pub level: Option<u32>,
}

/// A plan and its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// In the order in which they start.
    pub requests: Vec<Planned>,
    /// Warm-up, then the measured part or the levels of a sweep.
    pub parts: Vec<Part>,
}

/// A stream of random numbers of its own, for each use of one seed.
fn stream(seed: u64, use_of: u32) -> Xoshiro256PlusPlus {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..use_of).for_each(|_| random.jump());
    random
}

/// Every request of a run, in the order in which they start: warm-up first.
///
/// With two modes or two arms of equal share, each pair of one and the other is in random order; a canary has a random place
/// in each block. Which requests get one of the page's `slots` is drawn here, before any is sent: with as many places as
/// requests may be under way every one is painted, else each has the same chance.
pub fn plan(config: &RunConfig, cases: &Cases<'_>, slots: u32) -> Vec<Planned> {
    in_parts(config, cases, slots).requests
}

pub(crate) fn in_parts(config: &RunConfig, cases: &Cases<'_>, slots: u32) -> Plan {
    let load = &config.load;
    let open = load.shape.is_open();
    let mut rows = Rows::new(config, cases, open);
    let mut painted = stream(config.seed, 1);
    let (mut measured_times, mut warmup_times) = (stream(config.seed, 2), stream(config.seed, 3));
    let mut cancels = stream(config.seed, 4);
    let limit = |ms: Option<u32>| ms.map(|ms| Micros::ms(ms.into()));
    let mut plan = Plan::default();
    let mut add = |warmup: bool, level: Option<u32>, count: u32, settle: Micros| {
        let from = plan.requests.len();
        let limit = limit(if warmup { load.warmup_ms } else { load.duration_ms });
        let mut wanted = planned_count(config, count) as usize;
        let times = if open && warmup {
            arrivals(&warmup_shape(&load.shape), 0, wanted, limit, &mut warmup_times)
        } else {
            arrivals(&load.shape, level.unwrap_or(0) as usize, wanted, limit, &mut measured_times)
        };
        if open {
            wanted = times.len();
        }
        rows.fill(&mut plan.requests, wanted, warmup);
        for (at, planned) in plan.requests[from..].iter_mut().enumerate() {
            planned.stage = level.unwrap_or(0);
            if let Some(arrival) = times.get(at) {
                planned.intended = Some(arrival.at);
                planned.stage = arrival.stage;
            }
            planned.painted = painted.random_range(0..most_at_once(config, level)) < slots;
            if let Some(cancel) = load.cancel.filter(|c| !warmup && cancels.random_bool(c.share.clamp(0.0, 1.0))) {
                let within = i64::from(cancel.from_ms) * 1000..=i64::from(cancel.to_ms.max(cancel.from_ms)) * 1000;
                planned.cancel_after = Some(Micros(cancels.random_range(within)));
            }
        }
        let to = plan.requests.len();
        let last = times.last().map(|a| a.at);
        if to > from {
            plan.parts.push(Part { from, to, limit, last, settle, warmup, level });
        }
    };
    add(true, None, warmup_count(config), Micros::ZERO);
    match &load.shape {
        Shape::Sweep { levels, settle_ms, .. } => {
            for level in 0..levels.len() as u32 {
                let settle = if level == 0 { 0 } else { *settle_ms };
                add(false, Some(level), config.requests, Micros::ms(settle.into()));
            }
        }
        shape => add(false, None, measured_count(shape, config.requests), Micros::ZERO),
    }
    plan
}

/// The measured requests of a shape that is no sweep: fewer than asked for where its own steps end first.
fn measured_count(shape: &Shape, requests: u32) -> u32 {
    match shape {
        Shape::Steps { over: Over::Concurrency, steps, .. } => {
            let all: Option<u32> = steps.iter().map(|s| s.requests).try_fold(0u32, |sum, n| Some(sum.saturating_add(n?)));
            all.map_or(requests, |all| all.min(requests))
        }
        _ => requests,
    }
}

/// So many of the plan are `count` of the configuration: of each mode, and whole blocks of a comparison.
fn planned_count(config: &RunConfig, count: u32) -> u32 {
    match &config.versus {
        Some(versus) => count.div_ceil(versus.one_in.max(1)).saturating_mul(versus.one_in.max(1)),
        None => count.saturating_mul(config.modes().len() as u32),
    }
}

/// The most requests under way at once, for the draw of those that are painted.
fn most_at_once(config: &RunConfig, level: Option<u32>) -> u32 {
    let all = levels(config);
    let most = match &config.load.shape {
        shape if shape.is_open() => config.load.in_flight(),
        Shape::Sweep { .. } => level.and_then(|l| all.get(l as usize).copied()).unwrap_or(1.0) as u32,
        Shape::Steps { .. } => all.iter().copied().fold(1.0, f64::max) as u32,
        _ => config.concurrency,
    };
    most.max(1)
}

/// The rates or concurrencies of steps or a sweep; none of other shapes.
pub fn levels(config: &RunConfig) -> Vec<f64> {
    match &config.load.shape {
        Shape::Steps { steps, .. } => steps.iter().map(|s| s.level).collect(),
        Shape::Sweep { levels, .. } => levels.clone(),
        _ => Vec::new(),
    }
}

/// A warm-up comes at the rate at which the load begins.
fn warmup_shape(shape: &Shape) -> Shape {
    let (per_second, spacing) = match shape {
        Shape::Open { per_second, spacing } => (*per_second, *spacing),
        Shape::Ramp { from, spacing, .. } => (*from, *spacing),
        Shape::Steps { steps, spacing, .. } => (steps.first().map_or(1.0, |s| s.level), *spacing),
        Shape::Sweep { levels, spacing, .. } => (levels.first().copied().unwrap_or(1.0), *spacing),
        Shape::Replay { at_ms, speed } => {
            let seconds = at_ms.last().copied().unwrap_or(0.0) / 1000.0 / speed;
            let mean = (at_ms.len() as f64 - 1.0) / seconds;
            (if mean.is_finite() && mean > 0.0 { mean } else { 1.0 }, Spacing::Even)
        }
        Shape::Closed => (1.0, Spacing::Even),
    };
    Shape::Open { per_second, spacing }
}

/// Warm-up requests of the configuration; where only their time is limited, as many as that may be.
fn warmup_count(config: &RunConfig) -> u32 {
    if config.warmup == 0 && config.load.warmup_ms.is_some() { WARMUP_CAP } else { config.warmup }
}

/// The most requests that a run may send, warm-up among them, without drawing its plan.
pub fn total_of(config: &RunConfig) -> u64 {
    let of = |count: u32| u64::from(planned_count(config, count));
    of(warmup_count(config))
        + match &config.load.shape {
            Shape::Sweep { levels, .. } => levels.len() as u64 * of(config.requests),
            Shape::Replay { at_ms, .. } => of(config.requests).min(at_ms.len() as u64),
            shape => of(measured_count(shape, config.requests)),
        }
}

/// What is asked of requests in a row: modes, arms, cases, turns.
struct Rows<'a> {
    random: Xoshiro256PlusPlus,
    /// Every case is asked in each of these ways.
    kinds: Vec<(Mode, u8)>,
    /// Each conversation is asked of one arm; the candidate's place in each block of so many is random.
    canary: Option<(u32, u32)>,
    paired: bool,
    turns_wait: bool,
    cases: Order<'a>,
    /// Conversations so far, and pairs so far.
    conversations: u32,
    pairs: u32,
    /// The last request of the present conversation, of each kind.
    before: Vec<Option<u32>>,
}

impl<'a> Rows<'a> {
    fn new(config: &RunConfig, cases: &'a Cases<'a>, open: bool) -> Self {
        let modes = config.modes();
        let one_in = config.versus.as_ref().map(|v| v.one_in);
        let kinds: Vec<(Mode, u8)> = match one_in {
            Some(2) => modes.iter().flat_map(|mode| [(*mode, 0), (*mode, 1)]).collect(),
            _ => modes.iter().map(|mode| (*mode, 0)).collect(),
        };
        Rows {
            random: stream(config.seed, 0),
            canary: one_in.filter(|k| *k > 2).map(|k| (k, 0)),
            paired: kinds.len() > 1,
            before: vec![None; kinds.len()],
            kinds,
            turns_wait: !open,
            cases: Order::new(cases, stream(config.seed, 5)),
            conversations: 0,
            pairs: 0,
        }
    }

    /// Adds `count` requests.
    fn fill(&mut self, plan: &mut Vec<Planned>, count: usize, warmup: bool) {
        let end = plan.len() + count;
        // What follows a part waits for nothing before it: it begins with a conversation, not inside one.
        self.before.fill(None);
        self.cases.turn = None;
        let first_conversation = self.conversations;
        let mut order: Vec<usize> = (0..self.kinds.len()).collect();
        plan.reserve(count);
        while plan.len() < end {
            let (case, follows) = self.cases.next();
            let mut arm_of_all = None;
            if !follows {
                self.conversations += 1;
                self.before.fill(None);
            }
            let nth = self.conversations.saturating_sub(first_conversation + 1);
            if let Some((one_in, place)) = &mut self.canary {
                if !follows && nth.is_multiple_of(*one_in) {
                    *place = self.random.random_range(0..*one_in);
                }
                arm_of_all = Some(u8::from(nth % *one_in == *place));
            }
            order.shuffle(&mut self.random);
            let block = self.canary.map(|(one_in, _)| (self.conversations - 1) / one_in);
            let pair = block.or(self.paired.then_some(self.pairs)).filter(|_| !warmup);
            for kind in &order {
                if plan.len() == end {
                    break;
                }
                let (mode, arm) = self.kinds[*kind];
                let id = plan.len() as u32;
                let after = self.before[*kind].replace(id).filter(|_| follows && self.turns_wait);
                plan.push(Planned { warmup, pair, arm: arm_of_all.unwrap_or(arm), case, after, ..Planned::measured(id, mode) });
            }
            self.pairs += u32::from(!warmup);
        }
    }
}

/// Cases one after another, without end; turns of a conversation stay together.
struct Order<'a> {
    cases: &'a Cases<'a>,
    /// The first case of each conversation.
    starts: Vec<u32>,
    at: usize,
    /// The next case, if it goes on with a conversation.
    turn: Option<u32>,
    random: Xoshiro256PlusPlus,
}

impl<'a> Order<'a> {
    fn new(cases: &'a Cases<'a>, random: Xoshiro256PlusPlus) -> Self {
        let follows = |case: u32| cases.follows.get(case as usize).copied().unwrap_or(false);
        let starts: Vec<u32> = (0..cases.count.max(1)).filter(|case| *case == 0 || !follows(*case)).collect();
        let at = starts.len();
        Order { cases, starts, at, turn: None, random }
    }

    fn next(&mut self) -> (u32, bool) {
        let follows = self.turn.is_some();
        let case = self.turn.take().unwrap_or_else(|| {
            if self.at == self.starts.len() {
                self.at = 0;
                if self.cases.shuffled {
                    self.starts.shuffle(&mut self.random);
                }
            }
            self.at += 1;
            self.starts[self.at - 1]
        });
        let next = case + 1;
        self.turn = self.cases.follows.get(next as usize).copied().unwrap_or(false).then_some(next);
        self.turn = self.turn.filter(|next| *next < self.cases.count);
        (case, follows)
    }
}
