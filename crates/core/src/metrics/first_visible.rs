//! Time to first visible output (TTFV): `first_visible − sent`. Undefined when hidden, off screen, outside the painted
//! subset, or aborted before the paint. Bounds where the browser gives no value.

use super::{Figure, until_seen};
use crate::mark::{Absence, Mark};
use crate::trace::Trace;

pub(super) fn of(trace: &Trace) -> Result<Figure, Absence> {
    until_seen(trace, Mark::Sent, trace.first_visible)
}
