//! Steady-state rate: output tokens (or items) per second over the window in which concurrency stood at its target.

use super::output_tokens;
use crate::Micros;
use crate::mark::{Absence, Mark};
use crate::trace::{Shape, Trace};

/// Tokens (items, for predictions) per second in the window from the instant at which the target concurrency was first
/// reached to the instant at which it was last left. A request's tokens are spread over its output-bearing events.
pub fn steady_state(measured: &[&Trace], concurrency: u32) -> Result<f64, Absence> {
    let span = |t: &&Trace| Some((t.marks.get(Mark::Sent).ok()?, t.last_known));
    let mut steps: Vec<i64> = measured.iter().filter_map(span).flat_map(|(from, to)| [2 * from.0 + 1, 2 * to.0]).collect();
    // An instant twice, plus one for a start: of an end and a start at one instant the end comes first, for the place passes
    // from one to the other and was never taken twice.
    steps.sort_unstable();
    let (mut level, mut reached, mut left) = (0, None, None);
    for step in steps {
        let (at, step) = (Micros(step.div_euclid(2)), if step.rem_euclid(2) == 1 { 1 } else { -1 });
        let was = level;
        level += step;
        if level >= i64::from(concurrency) {
            reached.get_or_insert(at);
        } else if was >= i64::from(concurrency) {
            left = Some(at);
        }
    }
    let (Some(from), Some(to)) = (reached, left) else { return Err(Absence::NeverAtTarget) };
    if to <= from {
        return Err(Absence::TooShort);
    }
    let inside = |at: Micros| from <= at && at <= to;
    let mut sum = 0.0;
    for trace in measured.iter().filter(|t| t.outcome.ended()) {
        if trace.shape == Some(Shape::Prediction) {
            sum += f64::from(u8::from(inside(trace.last_known)));
            continue;
        }
        let all: u32 = trace.reads.iter().map(|r| r.output_events).sum();
        let here: u32 = trace.reads.iter().filter(|r| inside(r.at)).map(|r| r.output_events).sum();
        if all > 0 {
            sum += output_tokens(trace)?.count as f64 * f64::from(here) / f64::from(all);
        }
    }
    Ok(sum / (to - from).as_secs())
}
