//! Which request of the plan may start now, and when is the next question? Time is data, pauses are taken out of it.

use crate::Micros;
use crate::config::RunConfig;
use crate::load::plan::{Part, Plan};
use crate::load::{Over, Shape, Step};
use crate::trace::Planned;

/// The plan as it is worked through.
pub(super) struct Schedule {
    plan: Plan,
    open: bool,
    /// Requests under way at once, where neither steps nor a sweep say it.
    most: u32,
    /// The levels of a sweep over concurrency.
    levels: Vec<u32>,
    /// Steps over concurrency.
    steps: Vec<Step>,
    drain: Micros,
    part: usize,
    /// When the present part may begin.
    ready_at: Option<Micros>,
    /// When it began, moved by every pause since.
    origin: Option<Micros>,
    /// In a closed loop: when the last of the part was given out or its time was over.
    closed_at: Option<Micros>,
    next: usize,
    /// Given to nobody yet, since they wait for another request's end.
    held: Vec<usize>,
    step: usize,
    step_from: Micros,
    step_given: u32,
    stopped: bool,
    /// Pauses up to here are accounted for.
    accounted: Option<Micros>,
    paused: Micros,
}

impl Schedule {
    pub fn new(plan: Plan, config: &RunConfig) -> Schedule {
        let shape = &config.load.shape;
        let open = shape.is_open();
        let levels = match shape {
            Shape::Sweep { over: Over::Concurrency, levels, .. } => levels.iter().map(|l| *l as u32).collect(),
            _ => Vec::new(),
        };
        let steps = match shape {
            Shape::Steps { over: Over::Concurrency, steps, .. } => steps.clone(),
            _ => Vec::new(),
        };
        Schedule {
            open,
            most: if open { config.load.in_flight() } else { config.concurrency },
            levels,
            steps,
            drain: config.load.drain(config.timeout_ms),
            part: 0,
            ready_at: None,
            origin: None,
            closed_at: None,
            next: 0,
            held: Vec::new(),
            step: 0,
            step_from: Micros::ZERO,
            step_given: 0,
            stopped: false,
            accounted: None,
            paused: Micros::ZERO,
            plan,
        }
    }

    pub fn plan(&self) -> &[Planned] {
        &self.plan.requests
    }

    pub fn paused(&self) -> Micros {
        self.paused
    }

    fn current(&self) -> Option<Part> {
        self.plan.parts.get(self.part).copied().filter(|_| !self.stopped)
    }

    /// The level of a sweep that is under way.
    pub fn level(&self) -> Option<u32> {
        self.current()?.level
    }

    /// All of the present part was given out, or its time is over.
    pub fn is_given_out(&self) -> bool {
        self.current().is_none_or(|part| self.origin.is_some() && self.next >= part.to && self.held.is_empty())
    }

    /// All of the plan was given out.
    pub fn is_over(&self) -> bool {
        self.current().is_none() || self.part + 1 >= self.plan.parts.len() && self.is_given_out()
    }

    /// Nothing more is given out.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// The present part is over: the next one may begin.
    pub fn next_part(&mut self) {
        self.part += 1;
        self.ready_at = None;
        self.origin = None;
        self.closed_at = None;
        self.next = self.current().map_or(self.next, |part| part.from);
        (self.step, self.step_from, self.step_given) = (0, Micros::ZERO, 0);
    }

    /// Schedules stood still from one instant to another: what was to come after comes so much later.
    pub fn pause(&mut self, from: Micros, to: Micros) {
        let from = self.accounted.map_or(from, |known| from.max(known));
        if to <= from {
            return;
        }
        self.accounted = Some(to);
        // What began within the pause has lost only what was left of it.
        let shift = |at: &mut Option<Micros>| {
            if let Some(at) = at {
                *at += to - from.max((*at).min(to));
            }
        };
        let later = |at: &mut Option<Micros>| {
            if let Some(at) = at {
                *at += to - from;
            }
        };
        if self.origin.is_some() || self.ready_at.is_some() {
            self.paused += to - from;
        }
        if self.origin.is_some() {
            shift(&mut self.origin);
        } else {
            later(&mut self.ready_at);
        }
        shift(&mut self.closed_at);
    }

    /// Begins the present part when it may, and ends it when its time is over.
    fn advance(&mut self, now: Micros, in_flight: usize) {
        let Some(part) = self.current() else { return };
        let Some(origin) = self.origin else {
            if in_flight == 0 {
                let ready = *self.ready_at.get_or_insert(now + part.settle);
                self.origin = (now >= ready).then_some(now);
            }
            return;
        };
        if self.open || self.is_given_out() {
            return;
        }
        while let Some(step) = self.steps.get(self.step).filter(|_| !part.warmup) {
            let full = step.requests.is_some_and(|n| self.step_given >= n);
            let time = step.for_ms.map(|ms| self.step_from + Micros::ms(ms.into())).filter(|end| now - origin >= *end);
            if !full && time.is_none() {
                break;
            }
            self.step_from = time.unwrap_or(now - origin);
            self.step_given = 0;
            self.step += 1;
        }
        let steps_over = (!self.steps.is_empty() && self.step >= self.steps.len()).then_some(origin + self.step_from);
        let time_over = part.limit.map(|limit| origin + limit).filter(|end| now >= *end);
        if let Some(end) = time_over.or(steps_over) {
            self.next = part.to;
            self.held.clear();
            self.closed_at = Some(end);
        }
    }

    /// So many may be under way at once.
    fn capacity(&self) -> usize {
        // A warm-up is as gentle as the beginning of the load.
        let level = self.levels.get(self.level().unwrap_or(0) as usize).copied();
        let step = self.steps.get(self.step).map(|s| s.level as u32);
        level.or(step).unwrap_or(self.most).max(1) as usize
    }

    /// The next request and the instant at which it was to start, if it may start now.
    pub fn take(&mut self, now: Micros, in_flight: usize, over: impl Fn(u32) -> bool) -> Option<(Planned, Option<Micros>)> {
        self.advance(now, in_flight);
        let (part, origin) = (self.current()?, self.origin?);
        if in_flight >= self.capacity() || self.deadline().is_some_and(|end| now >= end) {
            return None;
        }
        let waits = |plan: &Plan, held: &[usize], at: usize| {
            let before = plan.requests[at].after;
            before.is_some_and(|id| held.contains(&(id as usize)) || !over(id))
        };
        let free = (0..self.held.len()).find(|nth| !waits(&self.plan, &self.held, self.held[*nth]));
        let at = match free {
            Some(nth) => self.held.remove(nth),
            None => loop {
                let at = self.next;
                let due = |p: &Planned| p.intended.is_none_or(|offset| origin + offset <= now);
                if at >= part.to || !due(&self.plan.requests[at]) {
                    return None;
                }
                self.next += 1;
                if !waits(&self.plan, &self.held, at) {
                    break at;
                }
                self.held.push(at);
            },
        };
        let mut planned = self.plan.requests[at];
        if !self.steps.is_empty() && !planned.warmup {
            planned.stage = self.step as u32;
        }
        self.step_given += u32::from(!planned.warmup);
        if !self.open && self.is_given_out() {
            self.closed_at = Some(now);
        }
        Some((planned, planned.intended.map(|offset| origin + offset)))
    }

    /// When what is still under way is cut.
    pub fn deadline(&self) -> Option<Micros> {
        let part = self.current()?;
        let end = if self.open { self.origin? + part.last? } else { self.closed_at? };
        Some(end + self.drain)
    }

    /// Requests that were due and never got a place before the end, with the instants at which they were to start.
    pub fn take_unsent(&mut self) -> Vec<(Planned, Micros)> {
        let (Some(part), Some(origin)) = (self.current().filter(|_| self.open), self.origin) else { return Vec::new() };
        let left = &self.plan.requests[self.next..part.to];
        let left: Vec<_> = left.iter().filter_map(|p| Some((*p, origin + p.intended?))).collect();
        self.next = part.to;
        left
    }

    /// When there is something to be done again; what happens to requests is not awaited here.
    pub fn due(&self, in_flight: usize) -> Option<Micros> {
        let part = self.current()?;
        let Some(origin) = self.origin else { return self.ready_at };
        let given_out = self.is_given_out();
        let arrival = self.plan.requests.get(self.next).filter(|_| self.open && !given_out && in_flight < self.capacity());
        let arrival = arrival.and_then(|p| Some(origin + p.intended?));
        let limit = part.limit.filter(|_| !self.open && !given_out).map(|limit| origin + limit);
        let step = self.steps.get(self.step).filter(|_| !given_out && !part.warmup).and_then(|s| s.for_ms);
        let step = step.map(|ms| origin + self.step_from + Micros::ms(ms.into()));
        let deadline = self.deadline().filter(|_| in_flight > 0 || !given_out);
        [arrival, limit, step, deadline].into_iter().flatten().min()
    }

    /// Which step or level, from 1, of how many.
    pub fn stage(&self) -> Option<(u32, u32)> {
        if !self.steps.is_empty() {
            let n = self.steps.len();
            return Some(((self.step + 1).min(n) as u32, n as u32));
        }
        let last = self.plan.requests.last()?.stage;
        let now = self.plan.requests.get(self.next.saturating_sub(1))?.stage;
        (last > 0).then_some((now + 1, last + 1))
    }

    /// Of an open loop: requests of the present part that were due by now, that were given out, and the time since its origin.
    pub fn kept_up(&self, now: Micros) -> Option<(usize, usize, Micros)> {
        let (part, origin) = (self.current().filter(|_| self.open)?, self.origin?);
        let due = self.plan.requests[part.from..part.to].partition_point(|p| p.intended.is_some_and(|at| origin + at <= now));
        Some((due, self.next - part.from, now - origin))
    }

    /// How much of the present part's time is left, where it has one.
    pub fn time_left(&self, now: Micros) -> Option<Micros> {
        let part = self.current()?;
        Some((self.origin? + part.last.or(part.limit)? - now).max(Micros::ZERO))
    }
}
