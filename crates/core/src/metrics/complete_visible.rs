//! Time to complete, visible: `complete_visible − sent`. Undefined as TTFV, and for a reply that never ended.

use super::{Figure, until_seen};
use crate::mark::{Absence, Mark};
use crate::trace::Trace;

pub(super) fn of(trace: &Trace) -> Result<Figure, Absence> {
    until_seen(trace, Mark::Sent, trace.complete_visible)
}
