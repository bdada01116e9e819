//! One answer again, as it came: what stood on the screen at each instant.

use crate::Micros;
use crate::mark::Mark;
use crate::stats::{P, P50, P95, P99};
use crate::summary::{Summary, request_at};
use crate::trace::{Mode, Trace};

/// One answer over time; times since `sent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// Which request.
    pub id: u32,
    /// When so many characters of the answer stood there: rising in both. The first stands when it was seen (at the earliest
    /// of its bounds), where that is known, and the last too; what is between when it was received, since of that nobody
    /// knows when it was seen.
    pub shown: Vec<(Micros, u32)>,
    /// The first and the last were seen at these times, or at the earliest of their bounds.
    pub seen: (bool, bool),
    /// When nothing more came.
    pub end: Micros,
    /// Characters in all.
    pub chars: u32,
}

impl Replay {
    /// How many characters stand there at an instant.
    pub fn at(&self, at: Micros) -> u32 {
        let passed = self.shown.partition_point(|(when, _)| *when <= at);
        passed.checked_sub(1).map_or(0, |last| self.shown[last].1)
    }
}

/// The answer of a request; none of one that was not sent or gave nothing.
pub fn replay(trace: &Trace) -> Option<Replay> {
    let sent = trace.marks.get(Mark::Sent).ok()?;
    // Of reasoning nothing is shown: only reads from the answer's first on count, where that is known.
    let from = trace.marks.get(Mark::FirstAnswer).unwrap_or(sent);
    let reads: Vec<_> = trace.output_reads().filter(|read| read.at >= from).collect();
    let bytes: u64 = reads.iter().map(|r| u64::from(r.bytes)).sum();
    let end = trace.elapsed()?;
    if bytes == 0 {
        return None;
    }
    // Where the answer's length is not known, its bytes stand for it.
    let chars = Some(trace.amounts.answer_chars).filter(|n| *n > 0).unwrap_or(bytes).min(u64::from(u32::MAX));
    let mut so_far = 0;
    let mut shown: Vec<(Micros, u32)> = Vec::new();
    for read in &reads {
        so_far += u64::from(read.bytes);
        // Reads keep the protocol's words too: what a read brought of the answer is its share of all bytes.
        shown.push((read.at - sent, (u128::from(chars) * u128::from(so_far) / u128::from(bytes)) as u32));
    }
    let instant = |paint: crate::paint::Paint| paint.ok().map(|seen| seen.value.unwrap_or(seen.earliest) - sent);
    let (first, last) = (instant(trace.first_visible), instant(trace.complete_visible));
    if let (Some(at), Some(piece)) = (first, shown.first_mut()) {
        piece.0 = piece.0.max(at);
    }
    if let (Some(at), Some(piece)) = (last, shown.last_mut()) {
        piece.0 = piece.0.max(at);
    }
    // Nothing stands there before what came before it.
    let mut latest = Micros::ZERO;
    for (at, _) in &mut shown {
        latest = latest.max(*at);
        *at = latest;
    }
    Some(Replay {
        id: trace.planned.id,
        shown,
        seen: (first.is_some(), last.is_some()),
        end: end.max(latest),
        chars: chars as u32,
    })
}

/// The requests to watch first: those at p50, p95 and p99 of the first wait, as far as there are so many.
pub fn to_watch(summary: &Summary, mode: Mode) -> Vec<(P, u32)> {
    let mut found: Vec<(P, u32)> = Vec::new();
    for p in [P50, P95, P99] {
        if let Some(id) = request_at(summary, mode, p).filter(|id| found.iter().all(|(_, known)| known != id)) {
            found.push((p, id));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::{Method, Seen};
    use crate::summary::fixture::{run, trace};

    fn at(ms: i64) -> Seen {
        Seen { method: Method::ElementTiming, earliest: Micros::ms(ms), latest: None, value: Some(Micros::ms(ms)) }
    }

    #[test]
    fn the_first_stands_there_when_it_was_seen_and_the_rest_when_it_came() {
        // Sent at 1,000 ms; reads of 10 bytes each at 100 and 200 ms.
        let mut t = trace(7, 100);
        t.amounts.answer_chars = 40;
        t.first_visible = Ok(at(1108));
        let replay = replay(&t).expect("an answer");
        assert_eq!(replay.shown, [(Micros::ms(108), 20), (Micros::ms(200), 40)]);
        assert_eq!((replay.seen, replay.end, replay.chars), ((true, false), Micros::ms(200), 40));
        let stands = [0, 107, 108, 199, 200, 900].map(|ms| replay.at(Micros::ms(ms)));
        assert_eq!(stands, [0, 0, 20, 20, 40, 40]);
    }

    #[test]
    fn a_late_paint_holds_back_what_came_behind_it() {
        let mut t = trace(7, 100);
        t.first_visible = Ok(at(1250));
        let shown = replay(&t).expect("an answer").shown;
        assert!(shown.iter().all(|(when, _)| *when == Micros::ms(250)), "{shown:?}");
    }

    #[test]
    fn reasoning_is_not_the_answer() {
        // The first read, at 100 ms, bore reasoning; the answer began with the second.
        let mut t = trace(7, 100);
        t.marks.set(Mark::FirstAnswer, Micros::ms(1200));
        t.amounts.answer_chars = 12;
        assert_eq!(replay(&t).expect("an answer").shown, [(Micros::ms(200), 12)]);
    }

    #[test]
    fn nothing_is_replayed_of_nothing() {
        let mut t = trace(7, 100);
        t.reads.clear();
        assert_eq!(replay(&t), None);
    }

    #[test]
    fn ranks_with_too_few_requests_are_not_repeated() {
        let run = run((0..20).map(|id| trace(id, 100 + i64::from(id))).collect());
        assert_eq!(to_watch(&Summary::of(&run), Mode::Streaming), [(P50, 9), (P95, 18), (P99, 19)]);
        let one = crate::summary::fixture::run(vec![trace(0, 100)]);
        assert_eq!(to_watch(&Summary::of(&one), Mode::Streaming), [(P50, 0)]);
    }
}
