//! How a stream was delivered: whether what came tells when it was made.

use crate::trace::Trace;

/// Fewer bursts than this tell nothing.
const BURSTS: usize = 4;
/// A pause of this length is no accident of the network.
const PAUSE_US: i64 = 40_000;

/// Some read brought several outputs: the gaps between them are not known, and a gap of 0 is an artefact.
pub fn is_coalesced(trace: &Trace) -> bool {
    trace.reads.iter().any(|r| r.output_events > 1)
}

/// Outputs came in bursts with pauses between them, nearly all of them: something on the way collects events before it
/// passes them on. The first comes later than it was made, and gaps inside a burst are shorter than the server's own.
pub fn is_buffered_upstream(trace: &Trace) -> bool {
    let reads: Vec<_> = trace.output_reads().collect();
    let outputs: u32 = reads.iter().map(|r| r.output_events).sum();
    let in_bursts: u32 = reads.iter().map(|r| r.output_events).filter(|n| *n > 1).sum();
    let mut pauses: Vec<i64> = reads.windows(2).map(|w| (w[1].at - w[0].at).0).collect();
    pauses.sort_unstable();
    let middle = pauses.get(pauses.len() / 2).copied().unwrap_or(0);
    trace.streamed()
        && reads.len() >= BURSTS
        && 10 * in_bursts >= 9 * outputs
        && outputs >= 3 * reads.len() as u32
        && middle >= PAUSE_US
}

/// The stream's encoding, where the head tells one: a compressor may hold events back.
pub fn stream_encoding(trace: &Trace) -> Option<&str> {
    let encoding = trace.response.as_ref().filter(|_| trace.streamed())?.content_encoding.as_deref()?;
    Some(encoding.trim()).filter(|e| !e.is_empty() && !e.eq_ignore_ascii_case("identity"))
}
