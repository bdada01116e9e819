//! Tokens per chunk (output-bearing events), and events per read: counts that say how coarse the stamps are.

use super::{Figure, output_tokens, streamed, tokens::divided};
use crate::mark::Absence;
use crate::trace::Trace;

pub(super) fn tokens_per_chunk(trace: &Trace) -> Result<Figure, Absence> {
    streamed(trace)?;
    let chunks: i64 = trace.reads.iter().map(|r| i64::from(r.output_events)).sum();
    if chunks == 0 {
        return Err(Absence::NoOutput);
    }
    Ok(Figure::Exact(divided(output_tokens(trace)?.count as i64 * 1000, chunks)))
}

pub(super) fn events_per_read(trace: &Trace) -> Result<Figure, Absence> {
    streamed(trace)?;
    let events: i64 = trace.reads.iter().map(|r| i64::from(r.events)).sum();
    if trace.reads.is_empty() {
        return Err(Absence::NotReached);
    }
    Ok(Figure::Exact(divided(events * 1000, trace.reads.len() as i64)))
}
