//! Generation time: `E2E − TTFT`. Undefined where either is.

use super::{Figure, e2e, exact, ttft};
use crate::mark::Absence;
use crate::trace::Trace;

pub(super) fn of(trace: &Trace) -> Result<Figure, Absence> {
    Ok(Figure::Exact((exact(e2e::of(trace)?)? - exact(ttft::of(trace)?)?).0))
}
