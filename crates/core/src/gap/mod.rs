//! The gap: one request's wait, split into parts that add up exactly, and what the server's report explains of it.

mod aligned;
mod split;

pub use split::{Part, PartKind, Split, Wait, split, split_aligned};

use crate::Micros;
use crate::align::Alignment;
use crate::mark::Absence;
use crate::stats::Distribution;
use crate::trace::Trace;

/// The per-request gaps of a run: computed per request, then summarised; percentiles are never subtracted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// What was waited, of the requests below.
    pub waits: Distribution,
    /// The part of each wait that the server's comparable report does not cover.
    pub outside: Distribution,
    /// The same as a share of its wait, in thousandths.
    pub share: Distribution,
    /// Requests without a comparable report.
    pub without_report: u32,
    /// Requests whose report does not fit into the measured time.
    pub inconsistent: u32,
    /// Every wait that can be taken apart, report or not, with its request: in order of length, then of the plan.
    pub ranked: Vec<(Micros, u32)>,
}

/// Summarises the gaps of measured requests.
pub fn summarise<'a>(
    traces: impl IntoIterator<Item = &'a Trace>,
    wait: Wait,
    clock_error: Micros,
    alignment: &Alignment,
) -> Gaps {
    let (mut waits, mut outside, mut share) = (Vec::new(), Vec::new(), Vec::new());
    let (mut without_report, mut inconsistent) = (0, 0);
    let mut ranked = Vec::new();
    for trace in traces {
        let split = split_aligned(trace, wait, clock_error, alignment);
        ranked.extend(split.as_ref().ok().map(|split| (split.total, trace.planned.id)));
        match split {
            Ok(split) if split.has_report => {
                waits.push(split.total.0);
                let rest = (split.total - split.reported()).0;
                outside.push(rest);
                share.extend((split.total > Micros::ZERO).then(|| (2000 * rest + split.total.0) / (2 * split.total.0)));
            }
            Ok(_) => without_report += 1,
            Err(Absence::Inconsistent) => inconsistent += 1,
            Err(_) => {}
        }
    }
    ranked.sort_unstable();
    Gaps {
        ranked,
        waits: Distribution::new(waits, Vec::new()),
        outside: Distribution::new(outside, Vec::new()),
        share: Distribution::new(share, Vec::new()),
        without_report,
        inconsistent,
    }
}

#[cfg(test)]
mod tests;
