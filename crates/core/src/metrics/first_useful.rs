//! Time to first useful output: `first_useful − sent`. Undefined for a reply that is not streamed, and where the
//! workload's rule was never satisfied.

use super::{Figure, between, streamed};
use crate::mark::{Absence, Mark};
use crate::trace::Trace;

pub(super) fn of(trace: &Trace) -> Result<Figure, Absence> {
    streamed(trace)?;
    between(trace, Mark::Sent, Mark::FirstUseful)
}
