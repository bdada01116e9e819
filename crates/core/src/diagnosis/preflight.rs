//! Preflight paid each time: does every request to another origin spend the time of one before it goes out?

use super::browser_queue::{is_one_at_a_time, protocol};
use super::case::{Case, SIX, ids, middle, reaches, share_of};
use super::{ENOUGH, MATTERS, TYPICAL, Told};
use crate::Micros;
use crate::format::{count, percent};
use crate::network::NetworkTiming;
use crate::text::Dia;
use crate::trace::Trace;

/// A request with a connection and no preflight goes out within a millisecond or two, from a busy machine within ten. What takes
/// less than a frame can't be told from that, and nobody sees it.
const ORDINARY: Micros = Micros(16_000);

pub(super) fn check(case: &Case<'_>) -> Result<Told, String> {
    let replied = || case.entering.iter().filter_map(|t| Some(t.response.as_ref()?.cross_origin));
    case.enough(replied().count(), ENOUGH, Dia::OfReplies)?;
    if replied().all(|cross_origin| !cross_origin) {
        return Ok(Told::not_found(Dia::PreflightOwn.get(case.lang).to_owned()));
    }
    // With six others under way it may have waited for a connection.
    let free = |t: &Trace| case.beside(t) < SIX || protocol(t).is_some_and(|p| !is_one_at_a_time(p));
    let crossed = |t: &Trace| t.response.as_ref().is_some_and(|r| r.cross_origin);
    let timings = case.timings()?;
    let judged: Vec<(&Trace, Micros)> =
        timings.iter().filter(|(t, _)| crossed(t) && free(t)).map(|(t, n)| (*t, before(t, n))).collect();
    case.enough(judged.len(), ENOUGH, Dia::OfTimings)?;
    let hits: Vec<(&Trace, Micros)> = judged.iter().copied().filter(|(_, cost)| *cost >= ORDINARY).collect();
    let share = share_of(hits.iter().copied());
    let (n, of) = (count(hits.len()), count(judged.len()));
    if !reaches(hits.len(), judged.len(), TYPICAL, ENOUGH / 2) || share.is_none_or(|share| share < MATTERS) {
        return Ok(Told::not_found(case.say(Dia::PreflightNot, &[&n, &of])));
    }
    let share = share_of(judged.iter().map(|(t, cost)| (*t, if *cost >= ORDINARY { *cost } else { Micros::ZERO })));
    let typical = case.ms(middle(hits.iter().map(|(_, cost)| *cost)));
    let evidence = case.say(Dia::PreflightFound, &[&n, &of, &typical, &percent(share.unwrap_or(0.0))]);
    Ok(Told::found(evidence, Dia::PreflightDo.get(case.lang).to_owned(), ids(hits.iter().map(|(t, _)| *t)), share))
}

/// The time before the request in which no connection was made. One engine's entry begins only after the preflight: there it
/// lies between `sent` and the entry's start, which a busy main thread may move as well.
fn before(trace: &Trace, network: &NetworkTiming) -> Micros {
    let sent = trace.marks.get(crate::mark::Mark::Sent).ok().filter(|_| trace.flags.blocked == Micros::ZERO);
    let hidden = sent.map_or(Micros::ZERO, |sent| (network.start - sent).max(Micros::ZERO));
    network.queued().unwrap_or(Micros::ZERO) + hidden
}
