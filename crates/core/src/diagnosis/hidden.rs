//! Hidden or throttled page: was the page in view, awake and drawing at full rate? One request suffices: it is no matter of
//! chance.

use super::Told;
use super::case::{Case, ids};
use crate::Micros;
use crate::format::count;
use crate::outcome::Outcome;
use crate::text::Dia;
use crate::trace::Trace;
use crate::validity::{Circumstance, of_run};

pub(super) fn check(case: &Case<'_>) -> Result<Told, String> {
    case.enough(case.measured.len(), 1, Dia::OfRequests)?;
    let stood_still = |t: &Trace| matches!(t.outcome, Outcome::Slept | Outcome::Frozen | Outcome::Backgrounded);
    let hits: Vec<&Trace> = case.measured.iter().copied().filter(|t| t.flags.hidden_during || stood_still(t)).collect();
    let whole = of_run(&case.run.environment, Micros(case.run.clock.step_us));
    let slow = whole.iter().find(|(c, _)| *c == Circumstance::SlowFrames).and_then(|(_, interval)| *interval);
    let n = count(case.measured.len());
    let mut evidence = Vec::new();
    if !hits.is_empty() {
        evidence.push(case.say(Dia::HiddenFound, &[&count(hits.len()), &n]));
    }
    evidence.extend(slow.map(|interval| case.say(Dia::HiddenFrames, &[&case.ms(interval)])));
    if !evidence.is_empty() {
        return Ok(Told::found(evidence.join(" "), Dia::HiddenDo.get(case.lang).to_owned(), ids(hits), None));
    }
    match case.run.environment.frame_interval_us {
        Some(interval) => Ok(Told::not_found(case.say(Dia::HiddenNot, &[&n, &case.ms(Micros(interval))]))),
        None => Err(case.say(Dia::HiddenNoFrames, &[&n])),
    }
}
