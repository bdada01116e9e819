//! A run against a simulated server, in virtual time: what the runner does, without a browser.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::Cases;
use crate::Micros;
use crate::config::RunConfig;
use crate::metrics::tests::{SSE, head, token};
use crate::session::Session;
use crate::trace::Trace;
use crate::workload::{Case, Source, Turn, Workload};

/// Serves so many requests at once, the others first in, first out.
pub(crate) struct Server {
    /// When each of its places is free.
    free: BinaryHeap<Reverse<Micros>>,
    service: Box<dyn FnMut(u32) -> Micros>,
    /// It does nothing from one instant to another.
    freeze: Option<(Micros, Micros)>,
}

impl Server {
    pub fn new(places: usize, service: impl FnMut(u32) -> Micros + 'static) -> Server {
        Server { free: vec![Reverse(Micros::ZERO); places].into(), service: Box::new(service), freeze: None }
    }

    pub fn freezing(self, from: Micros, to: Micros) -> Server {
        Server { freeze: Some((from, to)), ..self }
    }

    /// When the first words and the end of an answer come.
    fn answer(&mut self, id: u32, now: Micros) -> (Micros, Micros) {
        let Reverse(free) = self.free.pop().expect("a server with a place");
        let start = free.max(now);
        let mut end = start + (self.service)(id);
        if let Some((from, to)) = self.freeze.filter(|(from, to)| *from < end && start < *to) {
            end += to - start.max(from);
        }
        self.free.push(Reverse(end));
        (Micros((start.0 + end.0) / 2), end)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    First(u32),
    End(u32),
    Settle(u32),
    Limit,
    Hidden(bool),
}

/// What was seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub at: Micros,
    pub id: u32,
    pub stage: u32,
    /// Under way, this one among them.
    pub in_flight: usize,
}

pub(crate) struct Outcome {
    pub traces: Vec<Trace>,
    pub sent: Vec<Sent>,
    pub paused: Micros,
}

/// Until its evidence is in, a request is not settled.
const EVIDENCE: Micros = Micros(100_000);

/// As many cases, in conversations of the same lengths.
fn workload_of(cases: &Cases<'_>) -> Workload {
    let mut index = 0;
    let case = |at: u32| {
        index = if cases.follows.get(at as usize).copied().unwrap_or(false) { index + 1 } else { 1 };
        let turn = Turn { conversation: format!("conversation {}", at + 1 - index), index };
        Case { turn: Some(turn), ..Case::of_prompt(format!("case {at}"), "Hi") }
    };
    Workload { source: Source::Cases((0..cases.count).map(case).collect()), ..Workload::default() }
}

/// Runs a plan; the page is hidden in these spans of time.
pub(crate) fn simulate(mut config: RunConfig, cases: &Cases<'_>, mut server: Server, hidden: &[(Micros, Micros)]) -> Outcome {
    let timeout = Micros::ms(config.timeout_ms.into());
    if cases.count > 1 {
        config.workload = workload_of(cases);
    }
    let mut session = Session::new(config, 8, true, false);
    let mut now = Micros::ZERO;
    let mut events = BinaryHeap::new();
    for (from, to) in hidden {
        events.push(Reverse((*from, Event::Hidden(true))));
        events.push(Reverse((*to, Event::Hidden(false))));
    }
    let mut under_way = BTreeSet::new();
    let mut sent = Vec::new();
    loop {
        while let Some(dispatch) = session.dispatch(now) {
            let id = dispatch.planned.id;
            assert!(under_way.insert(id), "request {id} is sent once");
            session.sent(id, now);
            sent.push(Sent { at: now, id, stage: dispatch.planned.stage, in_flight: under_way.len() });
            let (first, end) = server.answer(id, now);
            events.push(Reverse((first, Event::First(id))));
            events.push(Reverse((end, Event::End(id))));
            events.push(Reverse((now + timeout, Event::Limit)));
        }
        let mut aborted = session.overdue(now);
        aborted.extend(session.expired(now));
        for id in &aborted {
            assert!(under_way.remove(id), "{id} is aborted while it is under way");
            events.push(Reverse((now + EVIDENCE, Event::Settle(*id))));
        }
        if !aborted.is_empty() {
            continue;
        }
        if session.is_done() {
            break;
        }
        let due = session.next_due();
        assert!(due.is_none_or(|at| at > now), "what is due now was done now: {due:?} at {now:?}");
        let next = events.peek().map(|Reverse((at, _))| *at);
        let Some(then) = due.into_iter().chain(next).min() else {
            panic!("the run is stuck at {now}: {} under way", under_way.len());
        };
        now = then;
        while let Some(Reverse((_, event))) = events.peek().copied().filter(|Reverse((at, _))| *at <= now) {
            events.pop();
            match event {
                Event::First(id) if under_way.contains(&id) => {
                    session.headers(id, now, head(200, SSE), Vec::new());
                    session.read(id, now, &token("Hi "));
                }
                Event::End(id) if under_way.remove(&id) => {
                    session.read(id, now, &token("there"));
                    session.read(id, now, b"data: [DONE]\n\n");
                    session.body_end(id, now);
                    events.push(Reverse((now + EVIDENCE, Event::Settle(id))));
                }
                Event::First(_) | Event::End(_) | Event::Limit => {}
                Event::Settle(id) => session.settle(id),
                Event::Hidden(is) => session.visibility(is, now),
            }
        }
    }
    let paused = session.paused();
    Outcome { traces: session.traces(), sent, paused }
}
