//! The list of requests, as texts.

use crate::Micros;
use crate::format::millis;
use crate::mark::Absence;
use crate::metrics::{Figure, Metric};
use crate::order::by_key;
use crate::report::Run;
use crate::text::{Lang, Res, absence, fill};
use crate::trace::Trace;

/// A time of one request, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeCell {
    /// The time, or its bounds.
    Time(String),
    /// No time: a short reason, and the whole one.
    Missing(&'static str, &'static str),
}

/// The positions of requests in the order of the list: that of the plan, or failures first.
pub fn request_order(run: &Run, failures_first: bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..run.traces.len()).collect();
    if failures_first {
        by_key(&mut order, |at| run.traces[*at].outcome == crate::outcome::Outcome::Complete);
    }
    order
}

/// A metric of one request for the list.
pub fn time_cell(trace: &Trace, metric: Metric, step: Micros, lang: Lang) -> TimeCell {
    let ms = |value| millis(value, step);
    match metric.of(trace) {
        Ok(Figure::Exact(value)) => TimeCell::Time(ms(value)),
        Ok(Figure::Bounds(low, Some(high))) => TimeCell::Time(fill(Res::ShortBounds.get(lang), &[&ms(low), &ms(high)])),
        Ok(Figure::Bounds(low, None)) => TimeCell::Time(fill(Res::ShortAtLeast.get(lang), &[&ms(low)])),
        Err(why) => TimeCell::Missing(short(why).get(lang), absence(lang, why)),
    }
}

/// When the request was complete: seen, else received.
pub fn complete_cell(trace: &Trace, step: Micros, lang: Lang) -> TimeCell {
    let seen = time_cell(trace, Metric::CompleteVisible, step, lang);
    match (&seen, time_cell(trace, Metric::EndToEnd, step, lang)) {
        (TimeCell::Missing(..), received @ TimeCell::Time(_)) => received,
        _ => seen,
    }
}

fn short(why: Absence) -> Res {
    match why {
        Absence::NotReached => Res::ShortNotReached,
        Absence::NonStreaming => Res::ShortNonStreaming,
        Absence::SinglePrediction => Res::ShortPrediction,
        Absence::NoOutput => Res::ShortNoOutput,
        Absence::Hidden => Res::ShortHidden,
        Absence::OffScreen => Res::ShortOffScreen,
        Absence::Covered => Res::ShortCovered,
        Absence::NotInPaintedSubset => Res::ShortNotPainted,
        Absence::AbortedBeforePaint => Res::ShortAborted,
        Absence::NoPaintEntry => Res::ShortNoPaint,
        _ => Res::ShortNone,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Outcome;
    use crate::summary::fixture::{run, trace};

    #[test]
    fn failures_can_come_first_and_the_plan_order_stays() {
        let mut traces: Vec<Trace> = (0..4).map(|id| trace(id, 10)).collect();
        traces[2].outcome = Outcome::NetworkError;
        let run = run(traces);
        assert_eq!(request_order(&run, false), [0, 1, 2, 3]);
        assert_eq!(request_order(&run, true), [2, 0, 1, 3]);
    }

    #[test]
    fn cells_say_a_time_or_a_reason() {
        let trace = trace(0, 100);
        let cell = |metric| time_cell(&trace, metric, Micros(5), Lang::En);
        assert_eq!(cell(Metric::FirstAnswer), TimeCell::Time("100".into()));
        assert!(matches!(cell(Metric::FirstVisible), TimeCell::Missing("not on the page", _)));
        assert_eq!(complete_cell(&trace, Micros(5), Lang::En), TimeCell::Time("200".into()));
    }
}
