//! The request in the middle: the one whose parts are drawn. Percentiles of parts don't add up, parts of one request do.

use super::clock_error;
use crate::gap::{Split, Wait, split};
use crate::report::Run;
use crate::stats::{P50, nearest_rank};
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
pub fn typical_request(run: &Run, mode: Mode, wait: Wait) -> Option<Typical> {
    let error = clock_error(run);
    let entering = |t: &&Trace| !t.planned.warmup && t.planned.mode == mode && t.outcome.enters_distributions();
    let mut ranked: Vec<(crate::Micros, u32)> =
        run.traces.iter().filter(entering).filter_map(|t| Some((split(t, wait, error).ok()?.total, t.planned.id))).collect();
    ranked.sort_unstable();
    let (_, id) = nearest_rank(&ranked, P50)?;
    let trace = run.traces.iter().find(|t| t.planned.id == id)?;
    Some(Typical { id, of: ranked.len(), split: split(trace, wait, error).ok()? })
}

/// The middle requests of the wait for the first words, where answers came in parts, and of the wait for the whole answer:
/// seen where that is known, else received.
pub fn typical_waits(run: &Run, mode: Mode) -> Vec<Typical> {
    let streamed = |t: &Typical| run.traces.iter().any(|trace| trace.planned.id == t.id && trace.streamed());
    let first =
        [Wait::FirstVisible, Wait::FirstAnswer].into_iter().find_map(|w| typical_request(run, mode, w)).filter(streamed);
    let whole = [Wait::CompleteVisible, Wait::LastOutput].into_iter().find_map(|w| typical_request(run, mode, w));
    first.into_iter().chain(whole).collect()
}

/// The request to open first: the middle one of the first wait there is, else the first that was sent.
pub fn request_to_open(run: &Run) -> Option<u32> {
    let typical = run.config.modes().iter().find_map(|mode| typical_waits(run, *mode).first().map(|t| t.id));
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
        let typical = typical_request(&run, Mode::Streaming, Wait::FirstAnswer).expect("a middle");
        assert_eq!((typical.id, typical.of, typical.split.total), (2, 4, Micros::ms(200)));
        assert_eq!(typical_request(&run, Mode::NonStreaming, Wait::FirstAnswer), None);
        assert_eq!(request_to_open(&run), Some(2));
    }

    #[test]
    fn both_waits_of_streamed_answers() {
        let run = run(vec![trace(1, 100)]);
        let waits: Vec<Wait> = typical_waits(&run, Mode::Streaming).iter().map(|t| t.split.wait).collect();
        assert_eq!(waits, [Wait::FirstAnswer, Wait::LastOutput]);
    }
}
