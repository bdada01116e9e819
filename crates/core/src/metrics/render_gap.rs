//! Render gap, first: `first_visible − first_answer` (not streamed: `− last_output`). Last: `complete_visible −
//! last_answer`. Undefined where either is.

use super::{Figure, until_seen};
use crate::mark::{Absence, Mark};
use crate::trace::Trace;

pub(super) fn first(trace: &Trace) -> Result<Figure, Absence> {
    let from = if trace.streamed() { Mark::FirstAnswer } else { Mark::LastOutput };
    until_seen(trace, from, trace.first_visible)
}

pub(super) fn last(trace: &Trace) -> Result<Figure, Absence> {
    until_seen(trace, Mark::LastAnswer, trace.complete_visible)
}
