//! End-to-end latency: `last_output − sent`. Undefined without output, and for a reply that never ended: its last payload
//! so far is not its last.

use super::{Figure, between};
use crate::mark::{Absence, Mark};
use crate::trace::Trace;

pub(super) fn of(trace: &Trace) -> Result<Figure, Absence> {
    if !trace.outcome.ended() {
        return Err(Absence::NotReached);
    }
    between(trace, Mark::Sent, Mark::LastOutput)
}
