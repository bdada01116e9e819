//! Coalesced reads: how many of the gaps between outputs lie inside a read, where nothing is known of them?

use super::case::{Case, ids};
use super::{ENOUGH, Told};
use crate::delivery::is_coalesced;
use crate::format::{count, percent};
use crate::text::Dia;

/// With a tenth of the gaps unknown, their p90 may be one that is not known.
const UNKNOWN: f64 = 0.1;

pub(super) fn check(case: &Case<'_>) -> Result<Told, String> {
    let judged: Vec<_> =
        case.streams().into_iter().filter(|t| t.output_reads().map(|r| u64::from(r.output_events)).sum::<u64>() > 1).collect();
    case.enough(judged.len(), ENOUGH, Dia::OfStreams)?;
    let reads = || judged.iter().flat_map(|t| t.output_reads());
    let outputs: u64 = reads().map(|r| u64::from(r.output_events)).sum();
    let gaps = outputs.saturating_sub(judged.len() as u64);
    let unknown: u64 = reads().map(|r| u64::from(r.output_events.saturating_sub(1))).sum();
    let share = unknown as f64 / gaps.max(1) as f64;
    let (n, shown) = (count(judged.len()), percent(share));
    if share < UNKNOWN {
        return Ok(Told::not_found(case.say(Dia::CoalescedNot, &[&shown, &n])));
    }
    let evidence = case.say(Dia::CoalescedFound, &[&shown, &n, &count(outputs as usize)]);
    let hits = judged.into_iter().filter(|t| is_coalesced(t));
    Ok(Told::found(evidence, Dia::CoalescedDo.get(case.lang).to_owned(), ids(hits), None))
}
