//! Completion unchanged by streaming: do pairs measured side by side end within a stated margin of each other?

use super::case::Case;
use super::{ENOUGH, Told};
use crate::Micros;
use crate::compare::paired_verdict;
use crate::format::count;
use crate::metrics::Metric;
use crate::stats::{Distribution, Interval, P50, Verdict};
use crate::summary::{Edge, Paired};
use crate::text::{Dia, metric_name};
use crate::trace::Mode;

/// Where the run states no margin of its own: a twentieth of the completion without streaming. Answers differ in length by
/// more from one time to the next.
const SAME: f64 = 0.05;

pub(super) fn check(case: &Case<'_>) -> Result<Told, String> {
    let of = |metric: Metric| case.summary.paired.iter().find(|p| p.metric == metric);
    let enough = |p: &&Paired| p.differences.n() >= ENOUGH;
    // Seen where there is enough of it, else received.
    let (seen, received) = (of(Metric::CompleteVisible), of(Metric::EndToEnd));
    let Some(pairs) = seen.filter(enough).or(received.filter(enough)) else {
        let has = received.or(seen).map_or(0, |p| p.differences.n());
        return Err(case.say(Dia::CompletionModes, &[&count(ENOUGH), &count(has)]));
    };
    let stated = case.run.config.decision.as_ref().and_then(|d| d.baseline.as_ref()?.margin_us);
    let whole = case.summary.row(pairs.metric, Mode::NonStreaming, Edge::Value).and_then(|row| row.distribution.median());
    let margin = stated.unwrap_or_else(|| (SAME * whole.unwrap_or(0) as f64) as i64);
    let verdict = paired_verdict(&pairs.differences, Some(margin));
    let values = [
        metric_name(case.lang, pairs.metric).to_owned(),
        case.signed(pairs.differences.median().unwrap_or(0)),
        between(case, &pairs.differences),
        case.ms(Micros(margin)),
        count(pairs.differences.n()),
    ];
    let [name, median, interval, margin, n] = values.each_ref().map(String::as_str);
    match verdict {
        Verdict::NoDifference => {
            let evidence = case.say(Dia::CompletionFound, &[name, median, interval, margin, n]);
            let paired = |t: &&crate::trace::Trace| t.planned.pair.is_some();
            let requests = case.entering.iter().copied().filter(paired);
            let advice = Dia::CompletionDo.get(case.lang).to_owned();
            Ok(Told::found(evidence, advice, super::case::ids(requests), None))
        }
        Verdict::Higher | Verdict::Lower => Ok(Told::not_found(case.say(Dia::CompletionNot, &[name, median, interval, n]))),
        Verdict::Undecided | Verdict::NotEnoughData { .. } => Err(case.say(Dia::CompletionOpen, &[interval, margin, n])),
    }
}

fn between(case: &Case<'_>, differences: &Distribution) -> String {
    match differences.interval(P50) {
        Interval::Between { lower, upper } => format!("{} … {}", case.signed(lower.value), case.signed(upper.value)),
        Interval::Needs { at_least, has } => case.needs(has, at_least, Dia::OfRequests),
    }
}
