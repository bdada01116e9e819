//! Throughput of a run: completed requests, output tokens and items per second, from the first measured `sent` to the last
//! measured `terminal` (else body end), drain excluded.

use super::output_tokens;
use crate::Micros;
use crate::mark::{Absence, Mark};
use crate::trace::{Shape, Trace};

/// Per second, over a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Throughput {
    /// The window.
    pub window: Micros,
    /// Completed requests per second.
    pub requests: f64,
    /// Output tokens per second, and whether any count is an estimate; none where a count is missing.
    pub tokens: Option<(f64, bool)>,
    /// Items (results of predictions) per second; none if there are none.
    pub items: Option<f64>,
}

/// Of the measured requests of a run that ends with its last request.
pub fn throughput(measured: &[&Trace]) -> Result<Throughput, Absence> {
    throughput_until(measured, None)
}

/// Of the measured requests of a run. Where the load ended at an instant, what was completed after it, while the run drained,
/// is not counted, and the window ends there.
pub fn throughput_until(measured: &[&Trace], end_of_load: Option<Micros>) -> Result<Throughput, Absence> {
    let end = |t: &&Trace| t.marks.get(Mark::Terminal).or(t.marks.get(Mark::BodyEnd)).ok();
    let in_time = |at: Micros| end_of_load.is_none_or(|end| at <= end);
    let first = measured.iter().filter_map(|t| t.marks.get(Mark::Sent).ok()).min().ok_or(Absence::NotReached)?;
    let completed: Vec<&&Trace> = measured.iter().filter(|t| t.outcome.ended() && end(t).is_none_or(&in_time)).collect();
    let last = completed.iter().filter_map(|t| end(t)).max().ok_or(Absence::NotReached)?;
    let last = end_of_load.unwrap_or(last);
    let window = last - first;
    if window <= Micros::ZERO {
        return Err(Absence::TooShort);
    }
    let per_second = |count: f64| count / window.as_secs();
    // A prediction whose format does not tell how many results it holds is one.
    let predictions = completed.iter().filter(|t| t.shape == Some(Shape::Prediction));
    let items: u64 = predictions.map(|t| t.items.unwrap_or(1)).sum();
    let counts: Result<Vec<_>, _> = completed.iter().map(|t| output_tokens(t)).collect();
    let tokens = counts.ok().filter(|_| items == 0).map(|counts| {
        let sum: u64 = counts.iter().map(|t| t.count).sum();
        (per_second(sum as f64), counts.iter().any(|t| t.estimated))
    });
    Ok(Throughput {
        window,
        requests: per_second(completed.len() as f64),
        tokens,
        items: (items > 0).then(|| per_second(items as f64)),
    })
}
