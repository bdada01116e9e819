//! Mean inter-token latency (TPOT): `(E2E − TTFT) / (n − 1)`. Undefined where n is unknown or below 2, and with fewer than
//! two output-bearing reads.

use super::{Figure, exact, generation, output_tokens};
use crate::mark::Absence;
use crate::trace::Trace;

pub(super) fn of(trace: &Trace) -> Result<Figure, Absence> {
    let generation = exact(generation::of(trace)?)?;
    let n = output_tokens(trace)?.count;
    if n < 2 || trace.output_reads().count() < 2 {
        return Err(Absence::TooFew);
    }
    Ok(Figure::Exact(super::tokens::divided(generation.0, n as i64 - 1)))
}
