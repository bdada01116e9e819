//! The gap: one request's wait, split into parts that add up exactly, and what the server's report explains of it.

mod split;

pub use split::{Part, PartKind, Split, Wait, split};

use crate::Micros;
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
}

/// Summarises the gaps of measured requests.
pub fn summarise<'a>(traces: impl IntoIterator<Item = &'a Trace>, wait: Wait, clock_error: Micros) -> Gaps {
    let (mut waits, mut outside, mut share) = (Vec::new(), Vec::new(), Vec::new());
    let (mut without_report, mut inconsistent) = (0, 0);
    for trace in traces {
        match split(trace, wait, clock_error) {
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
    Gaps {
        waits: Distribution::new(waits, Vec::new()),
        outside: Distribution::new(outside, Vec::new()),
        share: Distribution::new(share, Vec::new()),
        without_report,
        inconsistent,
    }
}
