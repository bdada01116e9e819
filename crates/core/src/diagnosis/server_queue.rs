//! A queue outside the server's number: does the unreported time grow with what was under way, while the reported does not?

use super::case::{Case, SIX, ids, middle, share_of};
use super::rank::{correlation, slope};
use super::{MATTERS, Told};
use crate::Micros;
use crate::align::Alignment;
use crate::format::{count, percent, significant};
use crate::gap::{Part, PartKind, Wait, split_aligned};
use crate::mark::Mark;
use crate::server_report::ALLOW_TIMING;
use crate::summary::clock_error;
use crate::text::Dia;
use crate::trace::Trace;

/// The smallest sample in which a perfect rank correlation is [`CLEAR`].
const LEAST: usize = 8;
/// Standard errors of a rank correlation that chance exceeds in one run of two hundred.
const CLEAR: f64 = 2.58;
/// Requests that met another number under way than the most frequent one; fewer decide nothing.
const VARIED: usize = 3;

struct Judged<'a> {
    trace: &'a Trace,
    beside: i64,
    outside: Micros,
    reported: Micros,
    total: Micros,
}

pub(super) fn check(case: &Case<'_>) -> Result<Told, String> {
    let (error, alignment) = (clock_error(case.run), Alignment::of(case.run));
    let mut queue_hidden = false;
    let mut judged = Vec::new();
    for trace in &case.entering {
        let wait = if trace.streamed() { Wait::FirstOutput } else { Wait::LastOutput };
        let Some(split) = split_aligned(trace, wait, error, &alignment).ok().filter(|s| s.has_report) else { continue };
        let beside = case.beside(trace);
        // Without the instant at which it went out, a wait for one of the browser's connections would look the same.
        if beside >= SIX && trace.marks.get(Mark::RequestStart).is_err() && !many_at_once(trace) {
            queue_hidden = true;
            continue;
        }
        // On joined clocks nothing is left unattributed; what the server does not count as its work is outside all the same.
        let is_outside = |part: &&Part| {
            let kinds = [PartKind::Unattributed, PartKind::Ingress, PartKind::Return];
            kinds.contains(&part.kind) || matches!(part.kind, PartKind::Outbound { .. })
        };
        let outside = split.parts.iter().filter(is_outside).map(|part| part.value).sum();
        let reported = split.reported();
        judged.push(Judged { trace, beside: i64::from(beside), outside, reported, total: split.total });
    }
    if judged.len() < LEAST && queue_hidden {
        return Err(case.say(Dia::NoTiming, &[ALLOW_TIMING]));
    }
    case.enough(judged.len(), LEAST, Dia::OfReports)?;
    let n = count(judged.len());
    let sum = |of: fn(&Judged<'_>) -> Micros| judged.iter().map(of).sum::<Micros>().as_secs();
    let share = sum(|j| j.outside) / sum(|j| j.total).max(f64::MIN_POSITIVE);
    if share < MATTERS {
        return Ok(Told::not_found(case.say(Dia::ServerQueueSmall, &[&percent(share.max(0.0)), &n])));
    }
    if varied(&judged) < VARIED {
        return Err(Dia::ServerQueueFlat.get(case.lang).to_owned());
    }
    let pairs = |of: fn(&Judged<'_>) -> Micros| judged.iter().map(|j| (j.beside, of(j).0)).collect::<Vec<_>>();
    let (outside, reported) = (pairs(|j| j.outside), pairs(|j| j.reported));
    let rises = correlation(&outside).filter(|(_, z)| *z >= CLEAR);
    let slopes = slope(&outside).zip(slope(&reported));
    if let (Some((rho, _)), Some((grows, with))) = (rises, slopes) {
        let grown = |j: &Judged<'_>| Micros((grows * j.beside as f64).round() as i64).min(j.outside).max(Micros::ZERO);
        let share = share_of(judged.iter().map(|j| (j.trace, grown(j))));
        // The report does not show it: it grows by less than half as much.
        if grows > 0.0 && with < grows / 2.0 && share.is_some_and(|share| share >= MATTERS) {
            let [grows, with] = [grows, with].map(|us| case.ms(Micros(us.round() as i64)));
            let evidence = case.say(Dia::ServerQueueFound, &[&grows, &with, &n, &significant(rho, 2)]);
            let shown = judged.iter().filter(|j| 2 * grown(j).0 >= j.outside.0 && j.beside > 0).map(|j| j.trace);
            return Ok(Told::found(evidence, Dia::ServerQueueDo.get(case.lang).to_owned(), ids(shown), share));
        }
    }
    let typical = case.ms(middle(judged.iter().map(|j| j.outside)));
    Ok(Told::not_found(case.say(Dia::ServerQueueNot, &[&typical, &n])))
}

/// The protocol carries many requests over one connection.
fn many_at_once(trace: &Trace) -> bool {
    super::browser_queue::protocol(trace).is_some_and(|p| !super::browser_queue::is_one_at_a_time(p))
}

/// How many requests met another number than the most frequent one.
fn varied(judged: &[Judged<'_>]) -> usize {
    let mut counts = std::collections::BTreeMap::new();
    judged.iter().for_each(|j| *counts.entry(j.beside).or_insert(0usize) += 1);
    judged.len() - counts.values().max().copied().unwrap_or(0)
}
