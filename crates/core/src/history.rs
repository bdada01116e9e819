//! Runs that a browser keeps: what a person recognises one by, which go first where there is too much, and how a run whose page
//! ended is put together again.
//!
//! What is kept are texts under keys ([`keys`]); where they are kept is no matter here. A run is a run file without its requests,
//! and its requests in pieces: so none has to be written again as a whole while it grows, and what is kept is what a file holds.

mod entry;
pub mod keys;
mod settings;
#[cfg(test)]
mod tests;

pub use entry::{Entry, Said, find, over_limit, taken};
pub use keys::{Change, begun, finished, new_id, piece, removed, saved};
pub use settings::{MAX_LIMIT_MB, MIN_LIMIT_MB, Settings, limit_of};

use crate::report::{OpenError, Run, traces_from_json};

/// So many requests are one piece of a run that is over.
pub const PIECE: usize = 100;

/// The run of a head and its pieces, in the order of their keys, which is that of the plan.
pub fn assembled<'a>(head: &str, pieces: impl IntoIterator<Item = &'a str>) -> Result<Run, OpenError> {
    let mut run = Run::from_json(head)?;
    for piece in pieces {
        run.traces.extend(traces_from_json(piece).map_err(OpenError::Damaged)?);
    }
    Ok(run)
}

/// The same of a run whose page ended: it was stopped, by that. A piece that can't be read takes none of the others with it.
pub fn recovered<'a>(head: &str, pieces: impl IntoIterator<Item = &'a str>) -> Result<Run, OpenError> {
    let run = Run::from_json(head)?;
    let traces = pieces.into_iter().filter_map(|piece| traces_from_json(piece).ok()).flatten().collect();
    Ok(Run { stopped: true, page_ended: true, traces, ..run })
}

/// A run's file without its requests.
pub fn head(run: &Run) -> String {
    // Not by cloning it: its requests may be many megabytes.
    Run {
        config: run.config.clone(),
        environment: run.environment.clone(),
        clock: run.clock,
        created: run.created.clone(),
        stopped: run.stopped,
        stopped_by: run.stopped_by,
        page_ended: run.page_ended,
        workload: None,
        probes: run.probes.clone(),
        parts: run.parts.clone(),
        traces: Vec::new(),
        scraped: run.scraped.clone(),
    }
    .to_json()
}
