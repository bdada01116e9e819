//! Time to first byte: `first_byte − sent`. Undefined without `Timing-Allow-Origin`.

use super::{Figure, between};
use crate::mark::{Absence, Mark};
use crate::trace::Trace;

pub(super) fn of(trace: &Trace) -> Result<Figure, Absence> {
    between(trace, Mark::Sent, Mark::FirstByte)
}
