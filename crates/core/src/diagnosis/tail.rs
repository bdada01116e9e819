//! One number hides the tail: how many times the median is the wait of slow users, for certain?

use super::case::{Case, ids};
use super::{ENOUGH, Told};
use crate::format::{count, significant};
use crate::metrics::{Figure, Metric};
use crate::stats::{Distribution, Interval, P, P50, P95, P99, Quantile, minimum_n};
use crate::summary::{Edge, Row};
use crate::text::{Dia, metric_name};

/// A user at the percentile waits twice as long as the typical one: a median alone then speaks for neither.
const TWICE: f64 = 2.0;

pub(super) fn check(case: &Case<'_>) -> Result<Told, String> {
    case.enough(case.entering.len(), ENOUGH, Dia::OfRequests)?;
    let least = minimum_n(P95);
    let Some(row) = waits(case) else { return Err(case.needs(0, least, Dia::OfRequests)) };
    let of = &row.distribution;
    case.enough(of.n(), least, Dia::OfRequests)?;
    let p = if of.n() >= minimum_n(P99) { P99 } else { P95 };
    // A median of nothing has no multiple.
    let Some(ratio) = Ratio::of(of, p) else { return Err(case.needs(0, least, Dia::OfRequests)) };
    let times = |end: Option<f64>| end.map_or("…".to_owned(), |end| significant(end, 2));
    let name = metric_name(case.lang, row.metric);
    let (value, lower, upper) = (times(Some(ratio.value)), times(Some(ratio.lower)), times(ratio.upper));
    let values = [name, p.name(), &value, &lower, &upper, &count(of.n())];
    if ratio.lower >= TWICE {
        let at_least = of.percentile(p).map_or(i64::MAX, |q| q.value);
        let slow = |figure| match figure {
            Figure::Exact(value) | Figure::Bounds(value, _) => value >= at_least,
        };
        let slow = case.entering.iter().copied().filter(|t| t.planned.mode == row.mode && row.metric.of(t).is_ok_and(slow));
        let evidence = case.say(Dia::TailFound, &values);
        return Ok(Told::found(evidence, Dia::TailDo.get(case.lang).to_owned(), ids(slow), None));
    }
    match ratio.upper {
        Some(upper) if upper < TWICE => Ok(Told::not_found(case.say(Dia::TailNot, &values))),
        _ => Err(case.say(Dia::TailOpen, &values)),
    }
}

/// The wait with which the result opens, where it has enough samples: seen, else received, else whole.
fn waits<'a>(case: &Case<'a>) -> Option<&'a Row> {
    let rows = |metric: Metric| {
        let of = case.run.config.modes().iter().map(move |mode| (metric, *mode));
        of.filter_map(|(metric, mode)| case.summary.row(metric, mode, Edge::Value)).filter(|row| row.distribution.n() > 0)
    };
    let all = || [Metric::FirstVisible, Metric::FirstAnswer, Metric::EndToEnd].into_iter().flat_map(rows);
    all().find(|row| row.distribution.n() >= minimum_n(P95)).or_else(|| all().next())
}

/// A percentile over the median. Its interval is made of both intervals' ends, so it is no narrower than 95 %.
struct Ratio {
    value: f64,
    lower: f64,
    upper: Option<f64>,
}

impl Ratio {
    fn of(distribution: &Distribution, p: P) -> Option<Ratio> {
        let Interval::Between { lower, upper } = distribution.interval(p) else { return None };
        let Interval::Between { lower: low_median, upper: high_median } = distribution.interval(P50) else { return None };
        let over = |a: Quantile, b: Quantile| (b.value > 0).then(|| a.value as f64 / b.value as f64);
        // A percentile that is only known to be larger has no upper end; a median that is, no lower one.
        let upper_end = over(upper, low_median).filter(|_| !upper.at_least);
        let lower_end = over(lower, high_median).filter(|_| !high_median.at_least).unwrap_or(0.0);
        Some(Ratio {
            value: over(distribution.percentile(p)?, distribution.percentile(P50)?)?,
            lower: lower_end,
            upper: upper_end,
        })
    }
}
