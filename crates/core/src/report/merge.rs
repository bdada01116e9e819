//! Several runs of one set-up as one. Every request keeps where it was measured, and every figure of requests is that of all
//! their samples together: nothing is averaged.

use super::grid::of_all;
use super::{Arrival, Clock, Environment, Part, Run};
use crate::Micros;
use crate::align::Probes;
use crate::compare::{ContextDifference, ContextItem, context_differences};
use crate::mark::Mark;
use crate::stop_rule::Broken;
use crate::summary::browser_name;
use crate::trace::Trace;
use crate::workload::Identity;

/// Between two parts, so that no request of one seems to be under way with one of the other.
const BETWEEN: Micros = Micros(1_000_000);

/// What one of the runs has that the first has not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// The name of its file.
    pub label: String,
    /// The first run's on the left.
    pub differences: Vec<ContextDifference>,
}

/// Why runs can't be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// Nothing to merge.
    #[error("one run is merged already: name two files or more")]
    TooFew,
    /// One run would count twice.
    #[error("{0} and {1} hold the same run: its requests would count twice. Leave one of them out")]
    Same(String, String),
    /// They measured something else.
    #[error("the set-ups differ")]
    SetUps(Vec<Apart>),
    /// More than a run can number.
    #[error("together they have more requests than a run file can number")]
    TooMany,
}

/// It says what was measured under which load. The other items say where, which every request keeps for itself.
fn is_set_up(item: &ContextItem) -> bool {
    !matches!(
        item,
        ContextItem::Requests
            | ContextItem::Protocol
            | ContextItem::Browser
            | ContextItem::Device
            | ContextItem::Isolation
            | ContextItem::Thread
            | ContextItem::Clock
            | ContextItem::Path
    )
}

/// What the runs have that the first has not, as far as it says what was measured under which load.
fn apart(runs: &[(String, Run)]) -> Vec<Apart> {
    let Some(((_, first), others)) = runs.split_first() else { return Vec::new() };
    let of = |(label, run): &(String, Run)| {
        let mut differences = context_differences(first, run);
        differences.retain(|d| is_set_up(&d.item));
        Apart { label: label.clone(), differences }
    };
    others.iter().map(of).filter(|apart| !apart.differences.is_empty()).collect()
}

/// Merges runs, each with the name of its file, in this order. Those of another set-up than the first's are refused, unless
/// `force` says otherwise; then what differs is returned beside the merged run.
pub fn merge(runs: Vec<(String, Run)>, force: bool) -> Result<(Run, Vec<Apart>), MergeError> {
    if runs.len() < 2 {
        return Err(MergeError::TooFew);
    }
    if let Some((a, b)) = same(&runs) {
        return Err(MergeError::Same(a, b));
    }
    let apart = apart(&runs);
    if !apart.is_empty() && !force {
        return Err(MergeError::SetUps(apart));
    }
    let grid = of_all(runs.iter().map(|(_, run)| run.environment.grid.as_deref()));
    let mut parts: Vec<Part> = Vec::new();
    let (mut traces, mut stopped_by) = (Vec::new(), None);
    let page_ended = runs.iter().any(|(_, run)| run.page_ended);
    let (mut next_id, mut next_pair, mut behind) = (0u32, 0u32, None);
    let mut config = None;
    let mut requests = 0u32;
    for (label, run) in runs {
        let shift = behind.zip(begin(&run)).map_or(Micros::ZERO, |(behind, begin): (Micros, Micros)| behind + BETWEEN - begin);
        let last = run.traces.iter().map(|t| t.planned.id).max();
        let (first, first_pair) = (next_id, next_pair);
        let add = |to: u32, what: u32| to.checked_add(what).ok_or(MergeError::TooMany);
        next_id = add(add(first, last.unwrap_or(0))?, u32::from(last.is_some()))?;
        if let Some(pair) = run.traces.iter().filter_map(|t| t.planned.pair).max() {
            next_pair = add(add(first_pair, pair)?, 1)?;
        }
        parts.extend(parts_of(label, &run, first, shift));
        stopped_by = stopped_by.or_else(|| {
            let by: Broken = run.stopped_by?;
            Some(Broken { request: by.request.checked_add(first)?, at: by.at + shift, ..by })
        });
        requests = requests.saturating_add(run.config.requests);
        config.get_or_insert(run.config);
        let of_part = run.traces.into_iter().map(|mut trace| {
            trace.planned.id += first;
            trace.planned.pair = trace.planned.pair.map(|pair| pair + first_pair);
            trace.planned.after = trace.planned.after.map(|after| after + first);
            moved(trace, shift)
        });
        traces.extend(of_part);
        behind = traces.iter().map(end).max().or(behind);
    }
    // Found by their numbers, which rise from part to part.
    traces.sort_by_key(|t: &Trace| t.planned.id);
    let mut config = config.ok_or(MergeError::TooFew)?;
    config.requests = requests;
    let run = Run {
        workload: Identity::of(&config),
        config,
        environment: Environment { grid: grid.map(Box::new), ..environment(&parts) },
        clock: clock(&parts),
        created: parts.iter().map(|part| part.created.clone()).min().unwrap_or_default(),
        stopped: parts.iter().any(|part| part.stopped),
        stopped_by,
        page_ended,
        // Each part's are on a clock of its own, and its requests' stages with them.
        probes: Probes::default(),
        parts,
        traces,
        scraped: None,
    };
    Ok((run, apart))
}

/// Two that hold the same run: both began at the same moment in the same browser, with the same requests.
fn same(runs: &[(String, Run)]) -> Option<(String, String)> {
    let all = || runs.iter().flat_map(|(label, run)| run.origins().into_iter().map(move |origin| (label, origin)));
    let own = |origin: &super::Origin<'_>| origin.traces.first().map(|t| moved(t.clone(), Micros::ZERO - origin.shift));
    all().enumerate().find_map(|(at, (label, one))| {
        let twin = |(_, other): &(&String, super::Origin<'_>)| {
            (one.seed, one.created, one.environment) == (other.seed, other.created, other.environment)
                && one.traces.len() == other.traces.len()
                && own(&one).map(|t| t.marks) == own(other).map(|t| t.marks)
        };
        all().skip(at + 1).find(twin).map(|(other, _)| (label.clone(), other.clone()))
    })
}

/// A run's own parts, if it was merged before; else it is one.
fn parts_of(label: String, run: &Run, first: u32, shift: Micros) -> Vec<Part> {
    if run.is_merged() {
        let further = |part: &Part| Part { first: part.first + first, shift_us: part.shift_us + shift.0, ..part.clone() };
        return run.parts.iter().map(further).collect();
    }
    vec![Part {
        label,
        first,
        shift_us: shift.0,
        seed: run.config.seed,
        created: run.created.clone(),
        environment: run.environment.clone(),
        clock: run.clock,
        stopped: run.stopped,
    }]
}

/// The first instant of a run's requests.
fn begin(run: &Run) -> Option<Micros> {
    let of = |t: &Trace| Mark::ALL.into_iter().filter_map(|m| t.marks.get(m).ok()).chain([t.last_known]).min();
    run.traces.iter().filter_map(of).min()
}

/// The last instant of a request.
fn end(trace: &Trace) -> Micros {
    let seen = trace.complete_visible.ok().into_iter().flat_map(|seen| [Some(seen.earliest), seen.latest, seen.value]);
    let network = trace.network.as_ref().ok().map(|n| n.response_end);
    seen.flatten().chain(network).fold(trace.last_known, Micros::max)
}

/// All its instants on the page's clock, later by as much. What the server said of its own clock stays as it is.
fn moved(mut trace: Trace, shift: Micros) -> Trace {
    for mark in Mark::ALL {
        if let Ok(at) = trace.marks.get(mark) {
            trace.marks.set(mark, at + shift);
        }
    }
    for seen in [&mut trace.first_visible, &mut trace.complete_visible].into_iter().flatten() {
        seen.earliest += shift;
        seen.latest = seen.latest.map(|at| at + shift);
        seen.value = seen.value.map(|at| at + shift);
    }
    trace.reads.iter_mut().for_each(|read| read.at += shift);
    if let Ok(network) = &mut trace.network {
        network.start += shift;
        network.response_end += shift;
        let others = [
            &mut network.fetch_start,
            &mut network.connect_start,
            &mut network.connect_end,
            &mut network.request_start,
            &mut network.first_byte,
        ];
        others.into_iter().flatten().for_each(|at| *at += shift);
    }
    if let Some(Ok(at)) = &mut trace.flags.press_paint {
        *at += shift;
    }
    trace.last_known += shift;
    trace
}

/// What holds for all, and where the parts differ, the worst of them: errors and circumstances of the whole are not smaller
/// than those of any request.
fn environment(parts: &[Part]) -> Environment {
    let all = || parts.iter().map(|part| &part.environment);
    let mut merged = parts.first().map(|part| part.environment.clone()).unwrap_or_default();
    let mut agents: Vec<&str> = all().map(|e| e.user_agent.as_str()).collect();
    agents.sort_unstable();
    agents.dedup();
    if agents.len() > 1 {
        let mut names: Vec<String> = agents.into_iter().map(browser_name).collect();
        names.sort_unstable();
        names.dedup();
        merged.user_agent = names.join(", ");
    }
    let rank = |arrival: Arrival| match arrival {
        Arrival::Worker => 0,
        Arrival::WorkerThroughMain => 1,
        Arrival::Main => 2,
        Arrival::NoWorker => 3,
    };
    merged.isolated = all().all(|e| e.isolated);
    merged.native_fetch = all().all(|e| e.native_fetch);
    merged.service_worker = all().any(|e| e.service_worker);
    merged.prerendered = all().any(|e| e.prerendered);
    merged.frame_interval_us = all().filter_map(|e| e.frame_interval_us).max();
    merged.processors = all().filter_map(|e| e.processors).min();
    merged.arrival = all().map(|e| e.arrival).max_by_key(|a| rank(*a)).unwrap_or_default();
    merged.worker_refused = all().map(|e| &e.worker_refused).find(|why| !why.is_empty()).cloned().unwrap_or_default();
    (merged.time_origin_us, merged.wall_apart_us, merged.session) = (None, None, None);
    merged
}

fn clock(parts: &[Part]) -> Clock {
    let all = || parts.iter().map(|part| part.clock);
    Clock {
        step_us: all().map(|c| c.step_us).max().unwrap_or_default(),
        joint_us: all().filter_map(|c| c.joint_us).max(),
        lag: all().filter_map(|c| c.lag).max_by_key(|lag| (lag.p99(), lag.max_us)),
    }
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
