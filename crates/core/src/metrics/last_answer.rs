//! Time to last answer token: `last_answer − sent`. Undefined without an answer, and for a reply that never ended.

use super::{Figure, between};
use crate::mark::{Absence, Mark};
use crate::trace::Trace;

pub(super) fn of(trace: &Trace) -> Result<Figure, Absence> {
    if !trace.outcome.ended() {
        return Err(Absence::NotReached);
    }
    between(trace, Mark::Sent, Mark::LastAnswer)
}
