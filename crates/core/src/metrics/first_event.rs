//! Time to first event: `first_event − sent`. A role-only chunk or a ping is an event.

use super::{Figure, between, streamed};
use crate::mark::{Absence, Mark};
use crate::trace::Trace;

pub(super) fn of(trace: &Trace) -> Result<Figure, Absence> {
    streamed(trace)?;
    between(trace, Mark::Sent, Mark::FirstEvent)
}
