//! Inter-chunk gap: the difference of consecutive output-bearing reads. Chunks are not tokens. Undefined with fewer than
//! two such reads.

use super::{Figure, streamed};
use crate::mark::Absence;
use crate::trace::Trace;

/// The gaps of one request, in µs, to be pooled.
pub fn gaps(trace: &Trace) -> Result<Vec<i64>, Absence> {
    streamed(trace)?;
    let at: Vec<_> = trace.output_reads().map(|r| r.at).collect();
    if at.len() < 2 {
        return Err(Absence::TooFew);
    }
    Ok(at.windows(2).map(|w| (w[1] - w[0]).0).collect())
}

/// Longest stall: the largest inter-chunk gap of a request.
pub(super) fn longest_stall(trace: &Trace) -> Result<Figure, Absence> {
    gaps(trace)?.into_iter().max().map(Figure::Exact).ok_or(Absence::TooFew)
}
