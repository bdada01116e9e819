//! Time to first answer token: `first_answer − sent`. Undefined for a reply that is not streamed, and without answer text.

use super::{Figure, between, streamed};
use crate::mark::{Absence, Mark};
use crate::trace::Trace;

pub(super) fn of(trace: &Trace) -> Result<Figure, Absence> {
    streamed(trace)?;
    between(trace, Mark::Sent, Mark::FirstAnswer)
}
