//! The request in the middle: the one whose parts are drawn. Percentiles of parts don't add up, parts of one request do.

use super::{Summary, clock_error};
use crate::align::Alignment;
use crate::gap::{Split, Wait, split_aligned};
use crate::report::Run;
use crate::stats::{P, P50, nearest_rank};
use crate::trace::{Mode, Trace};

/// A request at the middle rank of a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typical {
    /// Its place in the plan.
    pub id: u32,
    /// How many requests have this wait.
    pub of: usize,
    /// Its wait, in parts.
    pub split: Split,
}

/// The request at the nearest rank of p50 of a wait, among measured requests whose wait can be split; the earlier in the
/// plan of two equals.
pub fn typical_request(run: &Run, summary: &Summary, mode: Mode, wait: Wait) -> Option<Typical> {
    let (id, of) = at_rank(summary, mode, wait, P50)?;
    let trace = run.request(id)?;
    Some(Typical { id, of, split: split_aligned(trace, wait, clock_error(run), &Alignment::of(run)).ok()? })
}

/// The request at a percentile of the first wait there is: for the first words, seen or received, else for the whole answer.
pub fn request_at(summary: &Summary, mode: Mode, p: P) -> Option<u32> {
    let waits = [Wait::FirstVisible, Wait::FirstAnswer, Wait::LastOutput];
    waits.into_iter().find_map(|wait| at_rank(summary, mode, wait, p)).map(|(id, _)| id)
}

/// The request at a rank of a wait, and of how many.
fn at_rank(summary: &Summary, mode: Mode, wait: Wait, p: P) -> Option<(u32, usize)> {
    let gaps = summary.gaps_of(mode, wait)?;
    nearest_rank(&gaps.ranked, p).map(|(_, id)| (id, gaps.ranked.len()))
}

/// The middle requests of the wait for the first words, where answers came in parts, and of the wait for the whole answer:
/// seen where that is known, else received.
pub fn typical_waits(run: &Run, summary: &Summary, mode: Mode) -> Vec<Typical> {
    let streamed = |t: &Typical| run.request(t.id).is_some_and(Trace::streamed);
    let middle = |waits: [Wait; 2]| waits.into_iter().find_map(|w| typical_request(run, summary, mode, w));
    let first = middle([Wait::FirstVisible, Wait::FirstAnswer]).filter(streamed);
    first.into_iter().chain(middle([Wait::CompleteVisible, Wait::LastOutput])).collect()
}

/// The request to open first: the middle one of the first wait there is, else the first that was sent.
pub fn request_to_open(run: &Run, summary: &Summary) -> Option<u32> {
    let typical = run.config.modes().iter().find_map(|mode| typical_waits(run, summary, *mode).first().map(|t| t.id));
    typical.or_else(|| run.traces.iter().find(|t| t.elapsed().is_some() && !t.planned.warmup).map(|t| t.planned.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Micros;
    use crate::summary::fixture::{run, trace};

    #[test]
    fn the_middle_request_is_a_real_one() {
        let run = run((1..=4).map(|i| trace(i, i64::from(i) * 100)).collect());
        let typical = typical_request(&run, &Summary::of(&run), Mode::Streaming, Wait::FirstAnswer).expect("a middle");
        assert_eq!((typical.id, typical.of, typical.split.total), (2, 4, Micros::ms(200)));
        assert_eq!(typical_request(&run, &Summary::of(&run), Mode::NonStreaming, Wait::FirstAnswer), None);
        assert_eq!(request_to_open(&run, &Summary::of(&run)), Some(2));
    }

    #[test]
    fn both_waits_of_streamed_answers() {
        let run = run(vec![trace(1, 100)]);
        let waits: Vec<Wait> = typical_waits(&run, &Summary::of(&run), Mode::Streaming).iter().map(|t| t.split.wait).collect();
        assert_eq!(waits, [Wait::FirstAnswer, Wait::LastOutput]);
    }
}
