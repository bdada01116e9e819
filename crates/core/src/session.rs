//! A run under way: takes what the browser reports, says what to do next. It reads no clock and calls nothing.

mod asking;
mod blocks;
mod saving;
mod schedule;

use asking::Asking;
use blocks::flag_blocks;
use schedule::Schedule;

use crate::config::RunConfig;
use crate::load::plan::in_parts;
use crate::load::{Lag, Lags, levels, saturation};
use crate::mark::{Absence, Mark};
use crate::network::{NetworkTiming, Waiting, owners};
use crate::order::by_key;
use crate::outcome::{Outcome, Stop};
use crate::paint::Probe;
use crate::record::{Reaction, Recorder};
use crate::server_report::Entry;
use crate::stats::{P50, P95, nearest_rank};
use crate::stop_rule::{Broken, Watch};
use crate::trace::{Planned, ResponseFacts, Trace};
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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
    /// Step or level, from 1, of how many.
    pub stage: Option<(u32, u32)>,
    /// Requests per second in this part of an open loop: wanted, and achieved.
    pub rates: Option<(f64, f64)>,
    /// Requests of an open loop that are due and have no place yet.
    pub queued: u32,
}

/// One run.
pub struct Session {
    config: RunConfig,
    schedule: Schedule,
    asking: Asking,
    watch: Watch,
    active: ById<Recorder>,
    slots: Vec<Option<u32>>,
    settled: Vec<Trace>,
    /// Settled requests of which something is not saved.
    unsaved: Vec<u32>,
    hidden: bool,
    hidden_since: Option<Micros>,
    isolated: bool,
    stopped: bool,
    first_sent: Option<Micros>,
    /// When the page's main thread was blocked.
    blocks: Vec<(Micros, Micros)>,
    /// How late timers of this thread fired.
    lags: Lags,
    /// Network timing entries that no request has taken yet.
    entries: Vec<(String, NetworkTiming, Vec<Entry>)>,
}

impl Session {
    /// A run that has not begun. `slots` is how many answers the page can show at once.
    pub fn new(config: RunConfig, slots: u32, isolated: bool, hidden: bool) -> Session {
        let asking = Asking::new(&config);
        // A place is taken a while longer than its request runs (its paint is still to come), so half of them are drawn for.
        let schedule = Schedule::new(in_parts(&config, &asking.cases(), slots.div_ceil(2)), &config);
        let slots = vec![None; slots as usize];
        Session {
            watch: Watch::new(&config.stop_rules, config.prices.clone()).among(config.modes().len()),
            config,
            schedule,
            asking,
            active: ById::default(),
            slots,
            settled: Vec::new(),
            unsaved: Vec::new(),
            hidden,
            hidden_since: None,
            isolated,
            stopped: false,
            first_sent: None,
            blocks: Vec::new(),
            lags: Lags::default(),
            entries: Vec::new(),
        }
    }

    /// What is asked.
    pub fn config(&self) -> &RunConfig {
        &self.config
    }

    /// The next request, if one may start now.
    pub fn dispatch(&mut self, now: Micros) -> Option<Dispatch> {
        if self.stopped || self.hidden {
            return None;
        }
        self.charge();
        let in_flight = self.in_flight();
        if self.schedule.is_given_out() && in_flight == 0 {
            self.part_over();
        }
        let active = &self.active;
        let over = |id: u32| active.get(id).is_none_or(Recorder::is_over);
        let (mut planned, intended) = self.schedule.take(now, in_flight, over)?;
        self.asking.begin(&mut planned);
        let slot = self.slots.iter().position(Option::is_none).filter(|_| planned.painted);
        // Drawn, but every place is still taken: said like any request outside the subset.
        planned.painted = slot.is_some();
        if let Some(place) = slot {
            self.slots[place] = Some(planned.id);
        }
        let mut recorder = self.recorder(planned, now);
        if let Some(at) = intended {
            recorder.intended(at);
        }
        self.active.insert(planned.id, recorder);
        Some(Dispatch { planned, slot: slot.map(|s| s as u32) })
    }

    /// Counts the cost of requests that have ended since: a limit on spend must not wait for what a paint or a network entry
    /// still has to tell, while the next requests are sent.
    fn charge(&mut self) {
        for recorder in self.active.values_mut() {
            if let Some(trace) = recorder.charge() {
                self.watch.spent(trace);
            }
        }
        if self.watch.broken().is_some() {
            self.schedule.stop();
        }
    }

    fn recorder(&self, planned: Planned, now: Micros) -> Recorder {
        Recorder::new(planned, (&self.config.useful).into(), self.config.reading.choice(), now)
    }

    /// Nothing of the present part is under way any more. A level of a sweep is judged once all that is known of it is in.
    fn part_over(&mut self) {
        match self.schedule.level() {
            Some(_) if !self.active.is_empty() => {}
            Some(level) if !self.schedule.is_over() => {
                let judged = saturation(&self.config.load.shape, &levels(&self.config), &self.settled);
                let saturated = judged.iter().any(|l| l.stage <= level && l.saturated.is_some());
                if saturated { self.schedule.stop() } else { self.schedule.next_part() }
            }
            None if !self.schedule.is_over() => self.schedule.next_part(),
            _ => {}
        }
    }

    /// When [`Self::dispatch`] and [`Self::overdue`] are to be asked again, whatever else happens before; none while the page is
    /// hidden, for what is due then comes later.
    pub fn next_due(&self) -> Option<Micros> {
        if self.stopped || self.hidden {
            return None;
        }
        let cancels = self.active.iter().filter_map(|(_, r)| r.cancel_at());
        cancels.chain(self.schedule.due(self.in_flight())).min()
    }

    /// Requests that the plan ends now: those that a user gives up, and, when the grace period after the end of the load is
    /// over, all that are still under way. The runner aborts them.
    pub fn overdue(&mut self, now: Micros) -> Vec<u32> {
        let given_up = |(id, r): (u32, &Recorder)| r.cancel_at().filter(|at| *at <= now).map(|_| id);
        let mut ids: Vec<u32> = self.active.iter().filter_map(given_up).collect();
        ids.iter().for_each(|id| self.with(*id, |r| r.stopped(now, Stop::Cancelled, "")));
        if !self.hidden && !self.stopped && self.schedule.deadline().is_some_and(|end| now >= end) {
            let left: Vec<u32> = self.active.iter().filter(|(_, r)| !r.is_over()).map(|(id, _)| id).collect();
            left.iter().for_each(|id| self.with(*id, |r| r.stopped(now, Stop::Cut, "")));
            ids.extend(left);
            for (planned, intended) in self.schedule.take_unsent() {
                let mut recorder = self.recorder(Planned { painted: false, ..planned }, now);
                recorder.never_sent(intended);
                self.keep(recorder.finish());
            }
        }
        ids
    }

    fn in_flight(&self) -> usize {
        self.active.iter().filter(|(_, r)| !r.is_over()).count()
    }

    /// How long schedules stood still, because the page was hidden, frozen or the machine slept.
    pub fn paused(&self) -> Micros {
        self.schedule.paused()
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
        let reaction = self.active.get_mut(id).map(|r| r.read(now, bytes)).unwrap_or_default();
        self.asking.take(id, bytes, &reaction);
        reaction
    }

    /// The body ended.
    pub fn body_end(&mut self, id: u32, now: Micros) -> Reaction {
        let reaction = self.active.get_mut(id).map(|r| r.body_end(now)).unwrap_or_default();
        self.asking.take(id, &[], &reaction);
        reaction
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
        if hidden {
            self.hidden_since.get_or_insert(now);
        } else if let Some(since) = self.hidden_since.take() {
            self.schedule.pause(since, now);
        }
        self.active.values_mut().for_each(|r| if hidden { r.hidden(now) } else { r.shown() });
    }

    /// The page's main thread was blocked from one instant to another.
    pub fn blocked(&mut self, from: Micros, to: Micros) {
        self.blocks.push((from, to));
    }

    /// A timer of the thread that stamps fired so late. Those of a hidden page are throttled by the browser, and tell nothing.
    pub fn late(&mut self, late: Micros) {
        if !self.hidden {
            self.lags.add(late);
        }
    }

    /// How late its timers fired.
    pub fn lag(&self) -> Option<Lag> {
        self.lags.seen()
    }

    /// The page was frozen or the machine slept between two instants. Returns what to abort; none of it is sent again.
    pub fn stood_still(&mut self, from: Micros, to: Micros, stop: Stop) -> Vec<u32> {
        // The time since the page was hidden is accounted for when it is shown.
        self.schedule.pause(from, self.hidden_since.map_or(to, |since| since.min(to)));
        // What was closed in the meantime, before the news came, as well.
        let hit = |t: &&mut Trace| t.last_known >= from && t.marks.get(Mark::Sent).is_ok_and(|sent| sent <= to);
        for trace in self.settled.iter_mut().filter(hit) {
            trace.outcome = if stop == Stop::Slept { Outcome::Slept } else { Outcome::Frozen };
            trace.last_known = from;
            self.unsaved.push(trace.planned.id);
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

    /// Gives the entries that have come to their requests, and returns these. `asked` is the address of a request's kind,
    /// as the browser writes it. An entry that may be of several requests is given to none but the one that has waited for
    /// long enough, `waited`: it may be nearer to another request than that one's own, until its own has come.
    pub fn match_entries<'a>(&mut self, waited: Option<u32>, asked: impl Fn(Planned) -> &'a str) -> Vec<u32> {
        let open: Vec<(u32, &Recorder)> = self.active.iter().filter(|(_, r)| r.waits_for_network()).collect();
        let sent_by = |end: Micros| open.iter().filter(|(_, r)| r.sent_at().is_some_and(|sent| sent <= end)).count();
        let clear: Vec<bool> = self.entries.iter().map(|(_, timing, _)| sent_by(timing.response_end) <= 1).collect();
        let waits = |(id, r): &(u32, &Recorder)| {
            Some(Waiting {
                id: *id,
                url: asked(r.planned()),
                sent: r.sent_at()?,
                headers: r.headers_at(),
                ended: r.ended_at()?,
            })
        };
        let waiting: Vec<Waiting<'_>> = open.iter().filter_map(waits).collect();
        let looked_at = |at: &usize| waited.is_some() || clear[*at];
        let places: Vec<usize> = (0..self.entries.len()).filter(looked_at).collect();
        let entries = places.iter().map(|at| (self.entries[*at].0.as_str(), &self.entries[*at].1));
        let found = owners(entries, &waiting).into_iter().map(|(entry, at)| (places[entry], waiting[at].id));
        let mut given: Vec<(usize, u32)> = found.filter(|(entry, id)| clear[*entry] || waited == Some(*id)).collect();
        // From the back, so that the places before stay as they are.
        by_key(&mut given, |place| std::cmp::Reverse(*place));
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
        self.charge();
        if let Some(recorder) = self.active.remove(id) {
            self.release(id);
            self.keep(recorder.finish());
        }
    }

    /// What is known of a request that is closed. Blocks of the main thread are told to requests at the end of the run only.
    pub fn settled(&self, id: u32) -> Option<&Trace> {
        let at = self.settled.binary_search_by_key(&id, |t| t.planned.id).ok()?;
        self.settled.get(at)
    }

    /// In the order of the plan; most end in about that order.
    fn keep(&mut self, mut trace: Trace) {
        self.asking.close(&mut trace);
        if self.watch.judge(&trace, trace.passed()).is_some() {
            self.schedule.stop();
        }
        self.unsaved.push(trace.planned.id);
        let at = self.settled.partition_point(|t| t.planned.id < trace.planned.id);
        self.settled.insert(at, trace);
    }

    /// Nothing is under way and nothing will be sent.
    pub fn is_done(&self) -> bool {
        self.active.is_empty() && (self.stopped || self.schedule.is_over())
    }

    /// The run was stopped by hand.
    pub fn was_stopped(&self) -> bool {
        self.stopped
    }

    /// The rule that ended the run early, if one did.
    pub fn stopped_by(&self) -> Option<Broken> {
        self.watch.broken().copied()
    }

    /// The body of a request.
    pub fn body(&self, planned: &Planned) -> serde_json::Value {
        self.asking.body(planned)
    }

    /// Running figures.
    pub fn progress(&self, now: Micros) -> Progress {
        let count = |warmup: bool| self.schedule.plan().iter().filter(|p| p.warmup == warmup).count() as u32;
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
        let time_left = match (time_left, self.schedule.time_left(now)) {
            (Some(pace), Some(time)) => Some(pace.min(time)),
            (pace, time) => pace.or(time),
        };
        let kept_up = self.schedule.kept_up(now);
        let per_second = |count: usize, time: Micros| count as f64 / time.as_secs();
        Progress {
            warmup: (over(true), count(true)),
            measured: (done, total),
            failed: measured.iter().filter(|t| t.outcome.is_failure()).count() as u32,
            in_flight: self.in_flight() as u32,
            time_left,
            first: figures(&|t| since(t, Mark::FirstAnswer)),
            complete: figures(&|t| since(t, Mark::LastOutput).filter(|_| t.outcome.ended())),
            paused: self.hidden,
            stage: self.schedule.stage(),
            rates: kept_up
                .filter(|(.., time)| *time > Micros::ZERO)
                .map(|(due, given, time)| (per_second(due, time), per_second(given, time))),
            queued: kept_up.map_or(0, |(due, given, _)| due.saturating_sub(given) as u32),
        }
    }

    /// The traces so far, in the order of the plan.
    pub fn traces(mut self) -> Vec<Trace> {
        let left: Vec<u32> = self.active.iter().map(|(id, _)| id).collect();
        left.into_iter().for_each(|id| self.settle(id));
        self.settled.iter_mut().for_each(|trace| flag_blocks(trace, &self.blocks));
        self.settled
    }

    fn with(&mut self, id: u32, change: impl FnOnce(&mut Recorder)) {
        if let Some(recorder) = self.active.get_mut(id) {
            change(recorder);
        }
    }
}

#[cfg(test)]
mod tests;
