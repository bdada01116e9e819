//! What came of an open loop: achieved against wanted rate, pauses, response times.

use crate::Micros;
use crate::config::RunConfig;
use crate::mark::{Absence, Mark};
use crate::metrics::{Figure, Metric, response_of};
use crate::stats::Distribution;
use crate::trace::Trace;

/// Rates of one part of an open loop, in requests per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// As planned.
    pub wanted: f64,
    /// As sent, pauses left out.
    pub achieved: f64,
}

/// The instant from which a request's offset counts, moved by the pauses before it.
fn origin(trace: &Trace) -> Option<Micros> {
    Some(trace.marks.get(Mark::Intended).ok()? - trace.planned.intended?)
}

/// How long the schedule stood still between the first and the last of these requests of one part (warm-up, measured part, or
/// a level of a sweep): as much as its origin moved.
pub fn paused(part: &[&Trace]) -> Micros {
    let origins = || part.iter().filter_map(|t| origin(t));
    origins().max().zip(origins().min()).map_or(Micros::ZERO, |(last, first)| last - first)
}

/// Intervals per second among the requests of one part of an open loop.
pub fn rates(part: &[&Trace]) -> Result<Rates, Absence> {
    let span = |times: Vec<Micros>, without: Micros| {
        let (first, last) = times.iter().min().zip(times.iter().max()).ok_or(Absence::ClosedLoop)?;
        let span = (*last - *first - without).as_secs();
        if times.len() < 2 {
            return Err(Absence::TooFew);
        }
        if span > 0.0 { Ok((times.len() - 1) as f64 / span) } else { Err(Absence::TooShort) }
    };
    Ok(Rates {
        wanted: span(part.iter().filter_map(|t| t.planned.intended).collect(), Micros::ZERO)?,
        achieved: span(part.iter().filter_map(|t| t.marks.get(Mark::Sent).ok()).collect(), paused(part))?,
    })
}

/// Response times of a metric, in µs, with the censoring of service times: a request that was cut or timed out before its mark
/// counts as larger than the time since it was due, also if it was never sent. Of a mark known by bounds, the upper one.
pub fn response_times<'a>(metric: Metric, traces: impl Iterator<Item = &'a Trace>) -> Distribution {
    let (mut samples, mut censored) = (Vec::new(), Vec::new());
    for trace in traces.filter(|t| t.outcome.enters_distributions()) {
        match response_of(metric, trace) {
            Ok(Figure::Exact(value)) => samples.push(value),
            Ok(Figure::Bounds(_, Some(high))) => samples.push(high),
            Ok(Figure::Bounds(low, None)) => censored.push(low),
            Err(Absence::NotReached) if trace.outcome.censors() => censored.extend(trace.overdue().map(|t| t.0)),
            Err(_) => {}
        }
    }
    Distribution::new(samples, censored)
}

/// Where the load of a run ended and draining began, for rates over the window before: the last instant at which a request was
/// to start in an open loop, the last at which one was sent in a closed loop that is limited in time. None where the load ends
/// with its last request, as a closed loop of a number of requests does.
pub fn window_end(config: &RunConfig, measured: &[&Trace]) -> Option<Micros> {
    let mark = match (config.load.shape.is_open(), config.load.duration_ms) {
        (true, _) => Mark::Intended,
        (false, Some(_)) => Mark::Sent,
        (false, None) => return None,
    };
    measured.iter().filter_map(|t| t.marks.get(mark).ok()).max()
}
