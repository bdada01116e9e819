//! Response time: what a user waited from the moment at which the load wanted the request to start.
//!
//! A metric that starts at `sent`, with `t0` = `intended`: later by `sent − intended`, exactly.

use super::{Figure, Metric};
use crate::mark::{Absence, Mark};
use crate::trace::Trace;

impl Metric {
    /// It starts at `sent`, so that it has a response time beside its service time.
    pub fn has_response(self) -> bool {
        matches!(self.boundary(), Some(("sent", _)))
    }
}

/// The figure from `intended`; absent in a closed loop, which has no such time. A metric that doesn't start at `sent` is the
/// same for both.
pub fn response_of(metric: Metric, trace: &Trace) -> Result<Figure, Absence> {
    if !metric.has_response() {
        return metric.of(trace);
    }
    let intended = trace.marks.get(Mark::Intended)?;
    let late = (trace.marks.get(Mark::Sent)? - intended).0;
    Ok(match metric.of(trace)? {
        Figure::Exact(value) => Figure::Exact(value + late),
        Figure::Bounds(low, high) => Figure::Bounds(low + late, high.map(|high| high + late)),
    })
}
