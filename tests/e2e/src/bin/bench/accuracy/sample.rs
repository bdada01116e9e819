//! One request: what the page said, against what the server wrote and the screen showed.

use firstlight_core::Micros;
use firstlight_core::mark::Mark;
use firstlight_core::paint::Paint;
use firstlight_core::trace::Trace;
use firstlight_e2e::clock::Join;
use firstlight_e2e::served::{write_of_first_answer, write_of_last_answer};
use firstlight_server::Truth;
use serde::{Deserialize, Serialize};

use crate::screen::Change;

/// Changes that are nearer to one another than this are of one frame.
const STROKES: u64 = 4_000;
/// Frames that show text as it comes are no farther apart than this.
const PAUSE: u64 = 50_000;
/// Nothing is waited for longer than this.
const LONGEST: u64 = 3_000_000;

/// One request. Everything in µs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Sample {
    /// The page's stamp of the first answer behind the server's write of it.
    pub arrival: Option<i64>,
    /// How long the page says its main thread was blocked before the first of the answer was on the screen.
    pub blocked: i64,
    /// The first of the answer on the screen.
    pub first: Sight,
    /// The last of it.
    pub last: Sight,
}

/// What the page says of an appearing, relative to what the pixels say.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Sight {
    /// From the server's write to the pixels; none where the screen leaves doubt.
    pub shown: Option<i64>,
    /// The look before the one that saw it was so much earlier.
    pub look: i64,
    /// The page's value behind the pixels.
    pub value: Option<i64>,
    /// The page's lower bound behind the pixels.
    pub earliest: Option<i64>,
    /// The page's upper bound behind the pixels.
    pub latest: Option<i64>,
    /// Why the page says nothing.
    pub absent: Option<String>,
}

/// Joins the traces of a run, in the order in which they were sent, one at a time. `order` is the place of each.
pub fn samples(traces: &[Trace], truths: &[Truth], order: &[usize], changes: &[Change], join: &Join) -> Vec<Sample> {
    let mut samples = Vec::new();
    for (n, (trace, truth)) in traces.iter().zip(truths).enumerate() {
        if trace.planned.warmup {
            continue;
        }
        let place = order.get(n).copied().unwrap_or(usize::MAX);
        // The next request in the same place wipes it, and none is made before the one before it has its end.
        let next = (n + 1..order.len()).find(|later| order.get(*later) == Some(&place));
        let end = next.and_then(|next| truths.get(next - 1)?.pieces.last()).map(|end| end.at_us);
        let (wrote_first, wrote_last) = (write_of_first_answer(truth), write_of_last_answer(truth));
        let first = wrote_first.and_then(|written| first_change(changes, place, written, end));
        let last = wrote_last.zip(end).and_then(|(written, end)| last_change(changes, place, written, end));
        let written = wrote_first.map(|us| join.on_page(us));
        let read = trace.marks.get(Mark::FirstAnswer).ok();
        samples.push(Sample {
            arrival: read.zip(written).map(|(read, written)| (read - written).0),
            blocked: trace.flags.blocked_first.0,
            first: sight(&trace.first_visible, first, wrote_first, join),
            last: sight(&trace.complete_visible, last, wrote_last, join),
        });
    }
    samples
}

/// The first change in a place after a write.
fn first_change(changes: &[Change], place: usize, written: i64, end: Option<u64>) -> Option<Change> {
    let written = u64::try_from(written).ok()?;
    let change = changes.iter().find(|change| change.area == place && change.at_us >= written)?;
    (change.at_us < end.unwrap_or(u64::MAX).min(written + LONGEST)).then_some(*change)
}

/// The last change in a place after a write, of a series without a pause: much later, text is only moved or drawn again.
fn last_change(changes: &[Change], place: usize, written: i64, end: u64) -> Option<Change> {
    let written = u64::try_from(written).ok()?;
    let end = end.min(written + LONGEST);
    let within = |change: &&Change| change.area == place && (written..end).contains(&change.at_us);
    let mut all = changes.iter().filter(within);
    let first = *all.next()?;
    // A frame may be drawn in several strokes: the first of the last frame's.
    let (mut frame, mut last_us) = (first, first.at_us);
    for change in all {
        if change.at_us - last_us > PAUSE {
            break;
        }
        last_us = change.at_us;
        if change.at_us - frame.at_us > STROKES {
            frame = *change;
        }
    }
    Some(frame)
}

fn sight(paint: &Paint, change: Option<Change>, written: Option<i64>, join: &Join) -> Sight {
    let mut sight = Sight { absent: paint.as_ref().err().map(|why| why.code().to_owned()), ..Sight::default() };
    let Some(change) = change else { return sight };
    let shown = join.on_page(change.middle_us());
    sight.look = (change.at_us - change.before_us) as i64;
    sight.shown = written.map(|written| change.middle_us() - written);
    if let Ok(seen) = paint {
        let behind = |at: Micros| (at - shown).0;
        sight.value = seen.value.map(behind);
        sight.earliest = Some(behind(seen.earliest));
        sight.latest = seen.latest.map(behind);
    }
    sight
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(of: &[(usize, u64)]) -> Vec<Change> {
        of.iter().map(|(area, at_us)| Change { area: *area, at_us: *at_us, before_us: at_us - 100 }).collect()
    }

    #[test]
    fn the_first_change_is_that_of_the_right_place_after_the_write() {
        let changes = changes(&[(0, 900), (1, 1_100), (0, 1_200), (0, 9_000)]);
        let at = |place, end| first_change(&changes, place, 1_000, end).map(|change| change.at_us);
        assert_eq!((at(0, None), at(1, Some(2_000)), at(0, Some(1_200)), at(2, None)), (Some(1_200), Some(1_100), None, None));
    }

    #[test]
    fn the_last_frame_counts_from_its_first_stroke_and_not_what_comes_after_a_pause() {
        let changes = changes(&[(0, 900), (0, 5_000), (0, 20_000), (0, 21_000), (1, 30_000), (0, 200_000)]);
        let at = |end| last_change(&changes, 0, 1_000, end).map(|change| change.at_us);
        assert_eq!((at(300_000), at(15_000), at(2_000)), (Some(20_000), Some(5_000), None));
    }
}
