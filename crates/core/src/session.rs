//! A run under way: takes what the browser reports, says what to do next. It reads no clock and calls nothing.

use crate::config::RunConfig;
use crate::load::closed_loop;
use crate::mark::{Absence, Mark};
use crate::network::{NetworkTiming, Waiting, owners};
use crate::outcome::{Outcome, Stop};
use crate::paint::Probe;
use crate::record::{Reaction, Recorder};
use crate::server_report::Entry;
use crate::stats::{P50, P95, nearest_rank};
use crate::trace::{Mode, Planned, ResponseFacts, Trace};
use crate::{ById, Micros};

/// A request to send now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// Its place in the plan.
    pub planned: Planned,
    /// The place on the page where its answer is shown, if it is in the painted subset.
    pub slot: Option<u32>,
}

/// Running figures, as text on the page at most once a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Warm-up requests that are over, and of how many.
    pub warmup: (u32, u32),
    /// Measured requests that are over, and of how many.
    pub measured: (u32, u32),
    /// Measured requests that failed.
    pub failed: u32,
    /// Requests under way.
    pub in_flight: u32,
    /// Time left at the pace so far; none before there is a pace.
    pub time_left: Option<Micros>,
    /// First output that a user could see: p50, p95 of what was received.
    pub first: Option<(Micros, Micros)>,
    /// Completion: p50, p95.
    pub complete: Option<(Micros, Micros)>,
    /// The page is hidden: nothing is sent.
    pub paused: bool,
}

/// One run.
pub struct Session {
    config: RunConfig,
    plan: Vec<Planned>,
    next: usize,
    active: ById<Recorder>,
    slots: Vec<Option<u32>>,
    settled: Vec<Trace>,
    hidden: bool,
    isolated: bool,
    stopped: bool,
    first_sent: Option<Micros>,
    /// When the page's main thread was blocked.
    blocks: Vec<(Micros, Micros)>,
    /// Network timing entries that no request has taken yet.
    entries: Vec<(String, NetworkTiming, Vec<Entry>)>,
}

impl Session {
    /// A run that has not begun. `slots` is how many answers the page can show at once.
    pub fn new(config: RunConfig, slots: u32, isolated: bool, hidden: bool) -> Session {
        // A place is taken a while longer than its request runs (its paint is still to come), so half of them are drawn for.
        let plan = closed_loop(&config, slots.div_ceil(2));
        let slots = vec![None; slots as usize];
        Session {
            config,
            plan,
            next: 0,
            active: ById::default(),
            slots,
            settled: Vec::new(),
            hidden,
            isolated,
            stopped: false,
            first_sent: None,
            blocks: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// What is asked.
    pub fn config(&self) -> &RunConfig {
        &self.config
    }

    /// The next request, if one may start now.
    pub fn dispatch(&mut self, now: Micros) -> Option<Dispatch> {
        let under_way: Vec<&Recorder> = self.active.iter().map(|(_, r)| r).filter(|r| !r.is_over()).collect();
        let mut planned = *self.plan.get(self.next)?;
        let warming = under_way.iter().any(|r| r.planned().warmup);
        let full = under_way.len() >= self.config.concurrency as usize;
        if self.stopped || self.hidden || full || (warming && !planned.warmup) {
            return None;
        }
        self.next += 1;
        let slot = self.slots.iter().position(Option::is_none).filter(|_| planned.painted);
        // Drawn, but every place is still taken: said like any request outside the subset.
        planned.painted = slot.is_some();
        if let Some(place) = slot {
            self.slots[place] = Some(planned.id);
        }
        let choice = self.config.reading.choice();
        self.active.insert(planned.id, Recorder::new(planned, (&self.config.useful).into(), choice, now));
        Some(Dispatch { planned, slot: slot.map(|s| s as u32) })
    }

    /// Just before `fetch()`.
    pub fn sent(&mut self, id: u32, now: Micros) {
        self.with(id, |r| r.sent(now));
        if self.active.get(id).is_some_and(|r| !r.planned().warmup) {
            self.first_sent.get_or_insert(now);
        }
    }

    /// The head of the response came; `headers` are all that can be read.
    pub fn headers(&mut self, id: u32, now: Micros, facts: ResponseFacts, headers: Vec<(String, String)>) {
        self.with(id, |r| r.headers(now, facts, headers));
    }

    /// A read gave bytes.
    pub fn read(&mut self, id: u32, now: Micros, bytes: &[u8]) -> Reaction {
        self.active.get_mut(id).map(|r| r.read(now, bytes)).unwrap_or_default()
    }

    /// The body ended.
    pub fn body_end(&mut self, id: u32, now: Micros) -> Reaction {
        self.active.get_mut(id).map(|r| r.body_end(now)).unwrap_or_default()
    }

    /// `fetch()` or a read rejected.
    pub fn failed(&mut self, id: u32, now: Micros, detail: &str) {
        self.with(id, |r| r.stopped(now, Stop::Failed, detail));
    }

    /// Requests whose limit has run out; the runner aborts them.
    pub fn expired(&mut self, now: Micros) -> Vec<u32> {
        let limit = Micros::ms(self.config.timeout_ms.into());
        let late = |r: &Recorder| !r.is_over() && r.sent_at().is_some_and(|sent| now - sent >= limit);
        let ids: Vec<u32> = self.active.iter().filter(|(_, r)| late(r)).map(|(id, _)| id).collect();
        for id in &ids {
            self.with(*id, |r| r.stopped(now, Stop::TimedOut, ""));
        }
        ids
    }

    /// The user stops the run: nothing more is sent, what is under way is cancelled and kept. Returns what to abort.
    pub fn stop(&mut self, now: Micros) -> Vec<u32> {
        self.stopped = true;
        let ids: Vec<u32> = self.active.iter().filter(|(_, r)| !r.is_over()).map(|(id, _)| id).collect();
        for id in &ids {
            self.with(*id, |r| r.stopped(now, Stop::Cancelled, ""));
        }
        ids
    }

    /// The page was hidden or shown.
    pub fn visibility(&mut self, hidden: bool, now: Micros) {
        self.hidden = hidden;
        self.active.values_mut().for_each(|r| if hidden { r.hidden(now) } else { r.shown() });
    }

    /// The page's main thread was blocked from one instant to another.
    pub fn blocked(&mut self, from: Micros, to: Micros) {
        self.blocks.push((from, to));
    }

    /// The page was frozen or the machine slept between two instants. Returns what to abort; none of it is sent again.
    pub fn stood_still(&mut self, from: Micros, to: Micros, stop: Stop) -> Vec<u32> {
        // What was closed in the meantime, before the news came, as well.
        let hit = |t: &&mut Trace| t.last_known >= from && t.marks.get(Mark::Sent).is_ok_and(|sent| sent <= to);
        for trace in self.settled.iter_mut().filter(hit) {
            trace.outcome = if stop == Stop::Slept { Outcome::Slept } else { Outcome::Frozen };
            trace.last_known = from;
        }
        let hit = |(id, r): (u32, &mut Recorder)| r.stood_still(from, to, stop).then_some(id);
        self.active.iter_mut().filter_map(hit).collect()
    }

    /// A network timing entry of the browser. It is kept until [`Self::match_entries`] finds its request.
    pub fn entry(&mut self, url: String, timing: NetworkTiming, server_timing: Vec<Entry>) {
        if self.active.iter().any(|(_, r)| r.waits_for_network()) {
            self.entries.push((url, timing, server_timing));
        }
    }

    /// Gives the entries that have come to their requests, and returns these. `asked` is the address of the requests of a
    /// mode, as the browser writes it. An entry that may be of several requests is not given before `patient` is false: it
    /// may be nearer to another request than that one's own, until its own has come.
    pub fn match_entries<'a>(&mut self, patient: bool, asked: impl Fn(Mode) -> &'a str) -> Vec<u32> {
        let open: Vec<(u32, &Recorder)> = self.active.iter().filter(|(_, r)| r.waits_for_network()).collect();
        let sent_by = |end: Micros| open.iter().filter(|(_, r)| r.sent_at().is_some_and(|sent| sent <= end)).count();
        let clear = |timing: &NetworkTiming| !patient || sent_by(timing.response_end) <= 1;
        let waits = |(id, r): &(u32, &Recorder)| {
            Some(Waiting { id: *id, url: asked(r.planned().mode), sent: r.sent_at()?, ended: r.ended_at()? })
        };
        let waiting: Vec<Waiting<'_>> = open.iter().filter_map(waits).collect();
        let (places, entries): (Vec<usize>, Vec<_>) =
            self.entries.iter().enumerate().filter(|(_, e)| clear(&e.1)).map(|(at, e)| (at, (e.0.as_str(), &e.1))).unzip();
        let found = owners(entries.into_iter(), &waiting);
        let mut given: Vec<(usize, u32)> = found.into_iter().map(|(entry, at)| (places[entry], waiting[at].id)).collect();
        // From the back, so that the places before stay as they are.
        given.sort_unstable_by(|a, b| b.cmp(a));
        for (entry, id) in &given {
            let (_, timing, server_timing) = self.entries.remove(*entry);
            self.with(*id, |r| r.network(Ok(timing), server_timing));
        }
        given.into_iter().map(|(_, id)| id).collect()
    }

    /// No network timing came within the wait.
    pub fn no_entry(&mut self, id: u32) {
        self.with(id, |r| r.network(Err(Absence::NoResourceTiming), Vec::new()));
    }

    /// How the first piece of an answer appeared.
    pub fn paint_first(&mut self, id: u32, probe: Probe) {
        let isolated = self.isolated;
        self.with(id, |r| r.paint_first(probe, isolated));
    }

    /// How the last piece of an answer appeared.
    pub fn paint_complete(&mut self, id: u32, probe: Probe) {
        let isolated = self.isolated;
        self.with(id, |r| r.paint_complete(probe, isolated));
    }

    /// The body was still open a while after the protocol's end.
    pub fn left_open(&mut self, id: u32) {
        self.with(id, Recorder::left_open);
    }

    /// `fetch` is not the browser's own.
    pub fn patched_fetch(&mut self, id: u32) {
        self.with(id, Recorder::patched_fetch);
    }

    /// Its paint is known, or will not be: its place on the page is free.
    pub fn release(&mut self, id: u32) {
        self.slots.iter_mut().filter(|s| **s == Some(id)).for_each(|s| *s = None);
    }

    /// Nothing more is waited for: the request's trace is closed.
    pub fn settle(&mut self, id: u32) {
        if let Some(recorder) = self.active.remove(id) {
            self.release(id);
            // In the order of the plan; most end in about that order.
            let at = self.settled.partition_point(|t| t.planned.id < id);
            self.settled.insert(at, recorder.finish());
        }
    }

    /// Nothing is under way and nothing will be sent.
    pub fn is_done(&self) -> bool {
        self.active.is_empty() && (self.stopped || self.next >= self.plan.len())
    }

    /// The run was stopped by hand.
    pub fn was_stopped(&self) -> bool {
        self.stopped
    }

    /// Running figures.
    pub fn progress(&self, now: Micros) -> Progress {
        let count = |warmup: bool| self.plan.iter().filter(|p| p.warmup == warmup).count() as u32;
        let over = |warmup: bool| {
            let settled = self.settled.iter().filter(|t| t.planned.warmup == warmup).count();
            let ending = self.active.iter().map(|(_, r)| r).filter(|r| r.is_over() && r.planned().warmup == warmup).count();
            (settled + ending) as u32
        };
        let measured: Vec<&Trace> = self.settled.iter().filter(|t| !t.planned.warmup).collect();
        let figures = |span: &dyn Fn(&Trace) -> Option<Micros>| {
            let mut values: Vec<i64> = measured.iter().filter_map(|t| Some(span(t)?.0)).collect();
            values.sort_unstable();
            Some((Micros(nearest_rank(&values, P50)?), Micros(nearest_rank(&values, P95)?)))
        };
        let since = |t: &Trace, mark| t.marks.between(Mark::Sent, mark).ok().filter(|_| t.outcome.enters_distributions());
        let (done, total) = (over(false), count(false));
        let time_left = self.first_sent.filter(|_| done >= 2).map(|first| {
            let per_request = (now - first).0 / i64::from(done);
            Micros(per_request * i64::from(total - done))
        });
        Progress {
            warmup: (over(true), count(true)),
            measured: (done, total),
            failed: measured.iter().filter(|t| t.outcome.is_failure()).count() as u32,
            in_flight: self.active.iter().map(|(_, r)| r).filter(|r| !r.is_over()).count() as u32,
            time_left,
            first: figures(&|t| since(t, Mark::FirstAnswer)),
            complete: figures(&|t| since(t, Mark::LastOutput).filter(|_| t.outcome.ended())),
            paused: self.hidden,
        }
    }

    /// The traces so far, in the order of the plan.
    pub fn traces(mut self) -> Vec<Trace> {
        let left: Vec<u32> = self.active.iter().map(|(id, _)| id).collect();
        left.into_iter().for_each(|id| self.settle(id));
        for trace in &mut self.settled {
            trace.flags.blocked_first = blocked_within(&self.blocks, trace.first_wait());
            trace.flags.blocked = blocked_within(&self.blocks, trace.whole_wait());
        }
        self.settled
    }

    fn with(&mut self, id: u32, change: impl FnOnce(&mut Recorder)) {
        if let Some(recorder) = self.active.get_mut(id) {
            change(recorder);
        }
    }
}

/// How much of a wait the blocks take; they don't overlap each other.
fn blocked_within(blocks: &[(Micros, Micros)], wait: Option<(Micros, Micros)>) -> Micros {
    let Some((begin, end)) = wait else { return Micros::ZERO };
    blocks.iter().map(|(from, to)| (end.min(*to) - begin.max(*from)).max(Micros::ZERO)).sum()
}

#[cfg(test)]
mod tests;
