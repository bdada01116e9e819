//! What every rule looks at: the measured requests of a run, what was under way beside each, and how figures are said.

use std::collections::BTreeMap;

use super::ENOUGH;
use crate::Micros;
use crate::format::{count, millis, signed_millis};
use crate::mark::Mark;
use crate::network::NetworkTiming;
use crate::report::Run;
use crate::server_report::ALLOW_TIMING;
use crate::stats::{Interval, P50};
use crate::summary::Summary;
use crate::text::{Dia, Lang, fill};
use crate::trace::Trace;

/// How many connections browsers open to one origin over HTTP/1.1 (Chromium, Firefox and WebKit alike).
pub(super) const SIX: u32 = 6;

/// A run as rules see it.
pub(super) struct Case<'a> {
    pub run: &'a Run,
    pub summary: &'a Summary,
    pub lang: Lang,
    /// Measured requests of the present one, where two are compared.
    pub measured: Vec<&'a Trace>,
    /// Those of them whose times enter the distributions.
    pub entering: Vec<&'a Trace>,
    beside: BTreeMap<u32, u32>,
}

impl<'a> Case<'a> {
    pub fn new(run: &'a Run, summary: &'a Summary, lang: Lang) -> Case<'a> {
        let measured: Vec<&Trace> = run.traces.iter().filter(|t| !t.planned.warmup && t.planned.arm == 0).collect();
        let entering = measured.iter().copied().filter(|t| t.outcome.enters_distributions()).collect();
        Case { run, summary, lang, measured, entering, beside: under_way(&run.traces) }
    }

    /// How many other requests were under way when this one was sent; those of the same instant count in their order.
    pub fn beside(&self, trace: &Trace) -> u32 {
        self.beside.get(&trace.planned.id).copied().unwrap_or(0)
    }

    /// Streamed replies.
    pub fn streams(&self) -> Vec<&'a Trace> {
        self.entering.iter().copied().filter(|t| t.streamed()).collect()
    }

    /// Requests whose way to the wire can be read, and is a way over the network.
    pub fn timings(&self) -> Result<Vec<(&'a Trace, &'a NetworkTiming)>, String> {
        let read = |t: &&'a Trace| t.network.as_ref().ok().map(|n| (*t, n));
        let readable = |(_, n): &(&Trace, &NetworkTiming)| n.queued().is_some() && !n.from_cache && !n.service_worker;
        let found: Vec<_> = self.entering.iter().filter_map(read).filter(readable).collect();
        if found.len() < ENOUGH && self.measured.iter().any(|t| hides_timing(t)) {
            return Err(self.say(Dia::NoTiming, &[ALLOW_TIMING]));
        }
        self.enough(found.len(), ENOUGH, Dia::OfTimings)?;
        Ok(found)
    }

    /// Why a rule can't speak of so few.
    pub fn enough(&self, n: usize, least: usize, what: Dia) -> Result<(), String> {
        if n >= least { Ok(()) } else { Err(self.needs(n, least, what)) }
    }

    /// What a rule needs and has.
    pub fn needs(&self, has: usize, least: usize, what: Dia) -> String {
        self.say(Dia::Needs, &[&count(least), what.get(self.lang), &count(has)])
    }

    pub fn say(&self, key: Dia, values: &[&str]) -> String {
        fill(key.get(self.lang), values)
    }

    /// Milliseconds without their unit.
    pub fn ms(&self, time: Micros) -> String {
        millis(time.0, Micros(self.run.clock.step_us))
    }

    /// The same with its sign.
    pub fn signed(&self, time: i64) -> String {
        signed_millis(time, Micros(self.run.clock.step_us))
    }

    /// An interval of differences of times, with its unit.
    pub fn between(&self, interval: Interval<Option<i64>>) -> String {
        match interval {
            Interval::Between { lower, upper } => {
                let end = |end: Option<i64>| end.map_or("…".to_owned(), |end| self.signed(end));
                format!("{} … {} ms", end(lower), end(upper))
            }
            Interval::Needs { at_least, has } => self.needs(has, at_least, Dia::OfRequests),
        }
    }
}

/// The server hides this request's network timing from the page.
pub(super) fn hides_timing(trace: &Trace) -> bool {
    trace.network.as_ref().is_ok_and(|n| n.hidden().is_some())
}

/// From `sent` to the first of the answer, as far as it is known; none of what took no time.
pub(super) fn wait_of(trace: &Trace) -> Option<Micros> {
    trace.first_wait().map(|(sent, end)| end - sent).filter(|wait| *wait > Micros::ZERO)
}

/// Which share of the waits these times are, of requests that have both.
pub(super) fn share_of<'t>(costs: impl IntoIterator<Item = (&'t Trace, Micros)>) -> Option<f64> {
    let both: Vec<(Micros, Micros)> = costs.into_iter().filter_map(|(t, cost)| Some((cost, wait_of(t)?))).collect();
    let (cost, wait) = both.iter().fold((Micros::ZERO, Micros::ZERO), |(c, w), (cost, wait)| (c + *cost, w + *wait));
    (wait > Micros::ZERO).then(|| (cost.0 as f64 / wait.0 as f64).clamp(0.0, 1.0))
}

/// The median; zero of nothing, where nothing is said anyway.
pub(super) fn middle(times: impl IntoIterator<Item = Micros>) -> Micros {
    let mut values: Vec<Micros> = times.into_iter().collect();
    if values.is_empty() {
        return Micros::ZERO;
    }
    let rank = P50.rank(values.len());
    *values.select_nth_unstable(rank - 1).1
}

pub(super) fn ids<'t>(traces: impl IntoIterator<Item = &'t Trace>) -> Vec<u32> {
    traces.into_iter().map(|t| t.planned.id).collect()
}

/// At least this many and at least this share.
pub(super) fn reaches(hits: usize, of: usize, share: f64, least: usize) -> bool {
    hits >= least && hits as f64 >= share * of as f64
}

/// Of each request that was sent, how many others were sent before it and not over.
pub(super) fn under_way(traces: &[Trace]) -> BTreeMap<u32, u32> {
    let mut sent: Vec<(Micros, u32)> =
        traces.iter().filter_map(|t| Some((t.marks.get(Mark::Sent).ok()?, t.planned.id))).collect();
    sent.sort_unstable();
    let mut ends: Vec<Micros> =
        traces.iter().filter_map(|t| Some(t.last_known.max(t.marks.get(Mark::Sent).ok()? + Micros(1)))).collect();
    ends.sort_unstable();
    let over = |at: Micros| ends.partition_point(|end| *end <= at);
    sent.iter().enumerate().map(|(before, (at, id))| (*id, before.saturating_sub(over(*at)) as u32)).collect()
}

/// The same of one request alone.
pub(super) fn beside(traces: &[Trace], trace: &Trace) -> u32 {
    let Ok(at) = trace.marks.get(Mark::Sent) else { return 0 };
    let sent = |t: &Trace| t.marks.get(Mark::Sent).ok().map(|at| (at, t.planned.id));
    let before = traces.iter().filter_map(sent).filter(|other| *other < (at, trace.planned.id)).count();
    let ended = |t: &&Trace| t.marks.get(Mark::Sent).is_ok_and(|sent| t.last_known.max(sent + Micros(1)) <= at);
    before.saturating_sub(traces.iter().filter(ended).count()) as u32
}
