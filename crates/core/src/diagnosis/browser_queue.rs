//! Browser queueing: did requests wait for one of the six connections that browsers open to an origin over HTTP/1.1?

use super::case::{Case, SIX, ids, middle, reaches, share_of};
use super::{ENOUGH, MATTERS, NOT_ALONE, TAIL, Told};
use crate::Micros;
use crate::format::{count, percent};
use crate::network::NetworkTiming;
use crate::text::Dia;
use crate::trace::Trace;
use crate::validity::QUEUED;

pub(super) fn check(case: &Case<'_>) -> Result<Told, String> {
    case.enough(case.entering.len(), ENOUGH, Dia::OfRequests)?;
    let most = case.entering.iter().map(|t| case.beside(t)).max().unwrap_or(0);
    if most < SIX {
        return Ok(Told::not_found(case.say(Dia::BrowserQueueFew, &[&(most + 1).to_string()])));
    }
    let other = case.entering.iter().filter_map(|t| protocol(t));
    if let Some(other) = other.clone().next().filter(|_| other.clone().all(|p| !is_one_at_a_time(p))) {
        return Ok(Told::not_found(case.say(Dia::BrowserQueueOther, &[other])));
    }
    let timings = case.timings()?;
    let waited = |t: &Trace| case.beside(t) >= SIX && protocol(t).is_none_or(is_one_at_a_time);
    let cost = |t: &Trace, n: &NetworkTiming| n.queued().filter(|queued| waited(t) && *queued >= QUEUED);
    let hits: Vec<_> = timings.iter().filter_map(|(t, n)| Some((*t, cost(t, n)?))).collect();
    let of = count(timings.len());
    let matters = share_of(hits.iter().copied()).is_some_and(|share| share >= MATTERS);
    if !matters || !reaches(hits.len(), timings.len(), TAIL, NOT_ALONE) {
        return Ok(Told::not_found(case.say(Dia::BrowserQueueNot, &[&count(hits.len()), &of])));
    }
    let share = share_of(timings.iter().map(|(t, n)| (*t, cost(t, n).unwrap_or(Micros::ZERO))));
    let typical = case.ms(middle(hits.iter().map(|(_, queued)| *queued)));
    let evidence = case.say(Dia::BrowserQueueFound, &[&count(hits.len()), &of, &typical, &percent(share.unwrap_or(0.0))]);
    let advice = Dia::BrowserQueueDo.get(case.lang).to_owned();
    Ok(Told::found(evidence, advice, ids(hits.iter().map(|(t, _)| *t)), share))
}

/// The protocol of a request, where the browser tells.
pub(super) fn protocol(trace: &Trace) -> Option<&str> {
    trace.network.as_ref().ok()?.protocol.as_deref().filter(|p| !p.is_empty())
}

/// A connection of this protocol carries one request at a time.
pub(super) fn is_one_at_a_time(protocol: &str) -> bool {
    protocol.to_ascii_lowercase().starts_with("http/1")
}
