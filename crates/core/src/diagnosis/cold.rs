//! Cold connections: how many requests opened their own, and what did it cost?

use super::case::{Case, ids, middle, reaches, share_of};
use super::{ENOUGH, MATTERS, NOT_ALONE, TAIL, Told};
use crate::Micros;
use crate::breakdown::{Connection, connection};
use crate::format::{count, percent};
use crate::network::NetworkTiming;
use crate::text::Dia;

pub(super) fn check(case: &Case<'_>) -> Result<Told, String> {
    let timings = case.timings()?;
    let known: Vec<_> = timings.into_iter().filter(|(t, _)| connection(t) != Connection::Unknown).collect();
    case.enough(known.len(), ENOUGH, Dia::OfTimings)?;
    let cost = |n: &NetworkTiming| n.connect_end.zip(n.connect_start).map_or(Micros::ZERO, |(end, start)| end - start);
    let opened: Vec<_> = known.iter().filter(|(t, _)| connection(t) == Connection::Cold).map(|(t, n)| (*t, cost(n))).collect();
    let share = share_of(opened.iter().copied());
    let values = [count(opened.len()), count(known.len()), case.ms(middle(opened.iter().map(|(_, cost)| *cost)))];
    let values = values.each_ref().map(String::as_str);
    if !reaches(opened.len(), known.len(), TAIL, NOT_ALONE) || share.is_none_or(|share| share < MATTERS) {
        return Ok(Told::not_found(case.say(Dia::ColdNot, &values)));
    }
    let evidence = case.say(Dia::ColdFound, &[values[0], values[1], values[2], &percent(share.unwrap_or(0.0))]);
    let of_all = share_of(known.iter().map(|(t, n)| (*t, cost(n))));
    Ok(Told::found(evidence, Dia::ColdDo.get(case.lang).to_owned(), ids(opened.iter().map(|(t, _)| *t)), of_all))
}
