//! Output rate of a request: `(n − 1) / generation time`, in tokens per second. Needs at least 3 output-bearing reads and
//! 50 ms: below that a rate is noise.

use super::{Figure, exact, generation, output_tokens};
use crate::Micros;
use crate::mark::Absence;
use crate::trace::Trace;

const SHORTEST: Micros = Micros(50_000);

pub(super) fn of(trace: &Trace) -> Result<Figure, Absence> {
    let generation = exact(generation::of(trace)?)?;
    let n = output_tokens(trace)?.count;
    if n < 2 || trace.output_reads().count() < 3 {
        return Err(Absence::TooFew);
    }
    if generation < SHORTEST {
        return Err(Absence::TooShort);
    }
    // Thousandths of tokens per second.
    Ok(Figure::Exact(super::tokens::divided((n as i64 - 1) * 1_000_000_000, generation.0)))
}
