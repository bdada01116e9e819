//! How a stream was delivered: whether what came tells when it was made.

use crate::Micros;
use crate::trace::Trace;

/// Fewer bursts than this tell nothing.
pub(crate) const BURSTS: usize = 4;
/// A pause of this length is no accident of the network.
pub(crate) const PAUSE_US: i64 = 40_000;

/// Some read brought several outputs: the gaps between them are not known, and a gap of 0 is an artefact.
pub fn is_coalesced(trace: &Trace) -> bool {
    trace.reads.iter().any(|r| r.output_events > 1)
}

/// Outputs came in bursts with pauses between them, nearly all of them: something on the way collects events before it
/// passes them on. The first comes later than it was made, and gaps inside a burst are shorter than the server's own.
pub fn is_buffered_upstream(trace: &Trace) -> bool {
    trace.streamed()
        && trace.output_reads().count() >= BURSTS
        && comes_in_bursts(trace)
        && middle_pause(trace).is_some_and(|pause| pause.0 >= PAUSE_US)
}

/// Nearly all outputs came together with others, three or more to a read.
pub(crate) fn comes_in_bursts(trace: &Trace) -> bool {
    let counts = || trace.output_reads().map(|r| r.output_events);
    let (reads, outputs) = (counts().count() as u32, counts().sum::<u32>());
    let in_bursts: u32 = counts().filter(|n| *n > 1).sum();
    outputs > 0 && 10 * in_bursts >= 9 * outputs && outputs >= 3 * reads
}

/// The median pause between reads that bore output; none of fewer than two.
pub(crate) fn middle_pause(trace: &Trace) -> Option<Micros> {
    let reads: Vec<_> = trace.output_reads().collect();
    let mut pauses: Vec<Micros> = reads.windows(2).map(|w| w[1].at - w[0].at).collect();
    pauses.sort_unstable();
    pauses.get(pauses.len() / 2).copied()
}

/// The stream's encoding, where the head tells one: a compressor may hold events back.
pub fn stream_encoding(trace: &Trace) -> Option<&str> {
    let encoding = trace.response.as_ref().filter(|_| trace.streamed())?.content_encoding.as_deref()?;
    Some(encoding.trim()).filter(|e| !e.is_empty() && !e.eq_ignore_ascii_case("identity"))
}
