//! Render-bound: had the words arrived long before they were on the screen?

use super::case::{Case, ids, middle, reaches, share_of};
use super::{ENOUGH, MATTERS, NOT_ALONE, Told};
use crate::Micros;
use crate::format::{count, percent};
use crate::metrics::{Figure, Metric};
use crate::text::Dia;
use crate::trace::Trace;

/// Three frames at 60 Hz: insertion, layout and presentation of an idle page take no longer.
const ORDINARY: Micros = Micros(50_000);
/// One request in so many: more than the accidents of a page that is otherwise idle.
const ONE_IN: f64 = 0.2;

struct Judged<'a> {
    trace: &'a Trace,
    at_least: Micros,
    slow: bool,
    perhaps: bool,
}

pub(super) fn check(case: &Case<'_>) -> Result<Told, String> {
    let judged: Vec<Judged<'_>> = case.entering.iter().filter_map(|t| judge(t)).collect();
    case.enough(judged.len(), ENOUGH, Dia::OfPainted)?;
    let hits: Vec<&Judged<'_>> = judged.iter().filter(|j| j.slow).collect();
    let perhaps = judged.iter().filter(|j| j.perhaps).count();
    let (n, of) = (count(hits.len()), count(judged.len()));
    let many = |hits: usize| reaches(hits, judged.len(), ONE_IN, NOT_ALONE);
    if !many(perhaps) {
        return Ok(Told::not_found(case.say(Dia::RenderNot, &[&n, &of])));
    }
    if !many(hits.len()) {
        return Err(case.say(Dia::RenderBounds, &[&n, &count(perhaps), &of]));
    }
    let typical = case.ms(middle(hits.iter().map(|j| j.at_least)));
    let share = share_of(hits.iter().map(|j| (j.trace, j.at_least)));
    let mut evidence = case.say(Dia::RenderFound, &[&n, &of, &typical, &percent(share.unwrap_or(0.0))]);
    let blocked = hits.iter().filter(|j| j.trace.flags.blocked_first > Micros::ZERO).count();
    if blocked > 0 {
        evidence = format!("{evidence} {}", case.say(Dia::RenderBlocked, &[&count(blocked)]));
    }
    let of_all = share_of(judged.iter().map(|j| (j.trace, if j.slow { j.at_least } else { Micros::ZERO })));
    Ok(Told::found(evidence, Dia::RenderDo.get(case.lang).to_owned(), ids(hits.iter().map(|j| j.trace)), of_all))
}

/// Slow for sure, or perhaps: where a paint is known by bounds, its way to the screen is too.
fn judge(trace: &Trace) -> Option<Judged<'_>> {
    let ends = |figure| match figure {
        Figure::Exact(value) => (value, Some(value)),
        Figure::Bounds(low, high) => (low, high),
    };
    let (gap, gap_most) = ends(Metric::RenderGapFirst.of(trace).ok()?);
    let (wait, wait_most) = ends(Metric::FirstVisible.of(trace).ok()?);
    let slow = |gap: i64, wait: i64| gap >= ORDINARY.0 && gap as f64 >= MATTERS * wait as f64;
    Some(Judged {
        trace,
        at_least: Micros(gap.max(0)),
        slow: slow(gap, wait_most.unwrap_or(wait)),
        perhaps: gap_most.is_none_or(|most| slow(most, wait)),
    })
}
