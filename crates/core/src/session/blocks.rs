//! What was it to a request that the page's main thread was blocked?

use crate::Micros;
use crate::trace::Trace;

/// A frame as long as this is felt.
const LONG_FRAME: Micros = Micros(50_000);

/// Marks a request with the blocks of the main thread that met it.
pub(super) fn flag_blocks(trace: &mut Trace, blocks: &[(Micros, Micros)]) {
    trace.flags.blocked_first = blocked_within(blocks, trace.first_wait());
    trace.flags.blocked = blocked_within(blocks, trace.whole_wait());
    trace.flags.long_frames = trace.drawn_for().map(|drawn| long_frames(blocks, drawn));
}

/// How much of a wait the blocks take; they don't overlap each other.
fn blocked_within(blocks: &[(Micros, Micros)], wait: Option<(Micros, Micros)>) -> Micros {
    let Some((begin, end)) = wait else { return Micros::ZERO };
    blocks.iter().map(|(from, to)| (end.min(*to) - begin.max(*from)).max(Micros::ZERO)).sum()
}

/// The frames over 50 ms of a time in which an answer was drawn: no frame is made while the main thread is busy, so a block
/// is a part of one.
pub(super) fn long_frames(blocks: &[(Micros, Micros)], (begin, end): (Micros, Micros)) -> Vec<Micros> {
    let met = blocks.iter().filter(|(from, to)| *from <= end && *to >= begin);
    met.map(|(from, to)| *to - *from).filter(|length| *length >= LONG_FRAME).collect()
}
