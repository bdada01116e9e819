//! How late was the client itself, and was it what limited the run?

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Micros;
use crate::mark::Mark;
use crate::stats::{Distribution, P95};
use crate::trace::Trace;

/// A client whose p95 of `sent − intended` is above this, waits for a place left out, could not keep to its schedule.
pub const LATE: Micros = Micros(50_000);
/// A main thread that was blocked for more than this share of all waits, where replies are read through it, is what was
/// measured.
pub const MAIN_THREAD_SHARE: f64 = 0.1;
/// Stamps that are later than this (p99) are too late for what people see: a frame at 60 Hz.
pub const STAMPING_LAG: Micros = Micros(16_667);

/// How late requests of an open loop were sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lateness {
    /// `sent − intended`, µs, of every request that was sent.
    pub all: Distribution,
    /// The same without those that waited for a place: what is left is the client's own lag.
    pub client: Distribution,
    /// Requests that waited because the most that may be under way were.
    pub waited: u32,
    /// Requests that were due and never sent.
    pub unsent: u32,
}

/// Of the requests of an open loop, in the order of the plan. `most` may be under way at once ([`super::Load::in_flight`]).
///
/// A request waited for a place if, when it was due, as many as that were due before it and not over.
pub fn lateness(traces: &[&Trace], most: u32) -> Lateness {
    let (mut all, mut client) = (Vec::new(), Vec::new());
    let mut lateness = Lateness::default();
    let mut ends: BinaryHeap<Reverse<Micros>> = BinaryHeap::new();
    for trace in traces {
        let Ok(intended) = trace.marks.get(Mark::Intended) else { continue };
        while ends.peek().is_some_and(|Reverse(end)| *end <= intended) {
            ends.pop();
        }
        let waited = ends.len() >= most as usize;
        ends.push(Reverse(trace.last_known));
        lateness.waited += u32::from(waited);
        match trace.marks.get(Mark::Sent) {
            Ok(sent) => {
                all.push((sent - intended).0);
                client.extend((!waited).then_some((sent - intended).0));
            }
            Err(_) => lateness.unsent += 1,
        }
    }
    lateness.all = Distribution::new(all, Vec::new());
    lateness.client = Distribution::new(client, Vec::new());
    lateness
}

/// What of the client limited a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClientLimit {
    /// Requests were sent late: the p95.
    Schedule(Micros),
    /// Requests waited for a place, so many of so many: fewer were under way than the load wanted.
    InFlight(u32, u32),
    /// The main thread, through which replies are read, was blocked for this share of the waits.
    MainThread(f64),
    /// Stamps were late: the p99.
    Stamping(Micros),
}

/// Why a run was limited by the client, if it was. `through_main`: replies are read through the main thread. `stamping`: the
/// p99 of how late stamps are, where it was measured.
pub fn client_limited(measured: &[&Trace], most: u32, through_main: bool, stamping: Option<Micros>) -> Vec<ClientLimit> {
    let late = lateness(measured, most);
    let lag = late.client.percentile(P95).map(|q| Micros(q.value)).filter(|lag| *lag > LATE);
    let due = late.all.n() as u32 + late.unsent;
    let waits: Micros = measured.iter().filter_map(|t| t.elapsed()).sum();
    let blocked: Micros = measured.iter().map(|t| t.flags.blocked).sum();
    let share = if waits > Micros::ZERO { blocked.as_secs() / waits.as_secs() } else { 0.0 };
    [
        lag.map(ClientLimit::Schedule),
        (late.waited > 0).then_some(ClientLimit::InFlight(late.waited, due)),
        (through_main && share > MAIN_THREAD_SHARE).then_some(ClientLimit::MainThread(share)),
        stamping.filter(|lag| *lag > STAMPING_LAG).map(ClientLimit::Stamping),
    ]
    .into_iter()
    .flatten()
    .collect()
}
