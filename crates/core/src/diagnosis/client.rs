//! Client-limited: did the client itself keep up with the load, and with what arrived?

use super::case::Case;
use super::{ENOUGH, Told};
use crate::Micros;
use crate::format::count;
use crate::load::{ClientLimit, LATE, client_limited};
use crate::mark::Mark;
use crate::text::{Dia, client_limit};
use crate::trace::Trace;

/// Requests of an open loop, before their p95 of lateness is more than the largest of them.
const SCHEDULE: usize = 20;

pub(super) fn check(case: &Case<'_>) -> Result<Told, String> {
    // The client sends the requests of both arms.
    let set: Vec<&Trace> = case.run.traces.iter().filter(|t| !t.planned.warmup).collect();
    case.enough(set.len(), ENOUGH, Dia::OfRequests)?;
    let open = case.run.config.load.shape.is_open();
    let through_main = !case.run.environment.arrival.is_protected();
    let stamping = case.run.clock.lag.and_then(|lag| lag.p99());
    let limits = client_limited(&set, case.run.config.load.in_flight(), through_main, stamping);
    let enough = set.len() >= SCHEDULE;
    let counts = |limit: &ClientLimit| enough || matches!(limit, ClientLimit::MainThread(_) | ClientLimit::Stamping(_));
    let limits: Vec<ClientLimit> = limits.into_iter().filter(counts).collect();
    if limits.is_empty() {
        if open {
            case.enough(set.len(), SCHEDULE, Dia::OfDue)?;
        }
        return Ok(Told::not_found(case.say(Dia::ClientNot, &[&count(set.len())])));
    }
    let said: Vec<String> = limits.iter().map(|limit| client_limit(case.lang, *limit)).collect();
    let share = limits.iter().find_map(|limit| match limit {
        ClientLimit::MainThread(share) => Some(share.min(1.0)),
        _ => None,
    });
    let evidence = case.say(Dia::ClientFound, &[&said.join("; "), &count(set.len())]);
    let late = |t: &&Trace| t.marks.between(Mark::Intended, Mark::Sent).is_ok_and(|late| late > LATE);
    let shown = set.into_iter().filter(|t| late(t) || (share.is_some() && t.flags.blocked > Micros::ZERO));
    Ok(Told::found(evidence, Dia::ClientDo.get(case.lang).to_owned(), super::case::ids(shown), share))
}
