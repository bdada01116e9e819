//! Figures of groups of requests kept apart: by connection, by outcome, by any label; never mixed, unknown by itself.

use std::collections::BTreeMap;

use crate::metrics::Metric;
use crate::stats::{Distribution, Interval, P50, P95, Quantile};
use crate::summary::{Edge, Row, metric_rows};
use crate::trace::{Mode, Trace};

/// Whether a request opened its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Connection {
    /// It was opened for this request.
    Cold,
    /// It was open already.
    Warm,
    /// The browser or the server does not tell.
    Unknown,
}

/// A request's connection.
pub fn connection(trace: &Trace) -> Connection {
    match trace.network.as_ref().ok().and_then(|n| n.cold_connection()) {
        Some(true) => Connection::Cold,
        Some(false) => Connection::Warm,
        None => Connection::Unknown,
    }
}

/// The figures of one metric of one group. The mean never stands without the tail beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Which metric; none for the elapsed time of requests by outcome.
    pub metric: Option<Metric>,
    /// Value or bound.
    pub edge: Edge,
    /// Samples.
    pub n: usize,
    /// The median, with its interval.
    pub p50: Option<(Quantile, Interval<Quantile>)>,
    /// The tail, with its interval.
    pub p95: Option<(Quantile, Interval<Quantile>)>,
    /// The mean; none where some are censored.
    pub mean: Option<f64>,
}

impl Figures {
    fn of(metric: Option<Metric>, edge: Edge, distribution: &Distribution) -> Figures {
        let with_interval = |p| distribution.percentile(p).map(|q| (q, distribution.interval(p)));
        Figures {
            metric,
            edge,
            n: distribution.n(),
            p50: with_interval(P50),
            p95: with_interval(P95),
            mean: distribution.mean(),
        }
    }
}

/// One group of requests.
#[derive(Clone, Debug, PartialEq)]
pub struct Group<K> {
    /// What they have in common.
    pub key: K,
    /// How many.
    pub requests: usize,
    /// Of these, failures.
    pub failures: usize,
    /// Their figures, in the order of the metrics; a metric without any sample in the group is left out.
    pub figures: Vec<Figures>,
}

/// The two waits of a set of requests: for the first of the answer and for all of it, seen where that is known, else received.
pub fn waits(traces: &[&Trace]) -> Vec<Metric> {
    let first_of = |choice: [Metric; 2]| choice.into_iter().find(|m| traces.iter().any(|t| m.of(t).is_ok()));
    let choices = [[Metric::FirstVisible, Metric::FirstAnswer], [Metric::CompleteVisible, Metric::EndToEnd]];
    choices.into_iter().filter_map(first_of).collect()
}

fn groups<'a, K: Ord>(traces: &[&'a Trace], key: impl Fn(&Trace) -> K) -> BTreeMap<K, Vec<&'a Trace>> {
    let mut groups: BTreeMap<K, Vec<&Trace>> = BTreeMap::new();
    for trace in traces {
        groups.entry(key(trace)).or_default().push(trace);
    }
    groups
}

/// Measured requests of one mode, split by a label, in the order of the labels.
pub fn by<K: Ord>(traces: &[&Trace], metrics: &[Metric], key: impl Fn(&Trace) -> K) -> Vec<Group<K>> {
    let figures = |row: &Row| Figures::of(Some(row.metric), row.edge, &row.distribution);
    let group = |(key, members): (K, Vec<&Trace>)| Group {
        key,
        requests: members.len(),
        failures: members.iter().filter(|t| t.outcome.is_failure()).count(),
        // The mode is a label of the rows only.
        figures: metrics
            .iter()
            .flat_map(|m| metric_rows(*m, Mode::Streaming, &members))
            .filter(|row| row.distribution.n() > 0)
            .map(|row| figures(&row))
            .collect(),
    };
    groups(traces, key).into_iter().map(group).collect()
}

/// How long requests had taken when they ended, by how they ended. Fast failures and slow ones are different faults.
pub fn elapsed_by_outcome(traces: &[&Trace]) -> Vec<Group<&'static str>> {
    let group = |(key, members): (&'static str, Vec<&Trace>)| {
        let elapsed = members.iter().filter_map(|t| t.elapsed()).map(|e| e.0).collect();
        Group {
            key,
            requests: members.len(),
            failures: members.iter().filter(|t| t.outcome.is_failure()).count(),
            figures: vec![Figures::of(None, Edge::Value, &Distribution::new(elapsed, Vec::new()))],
        }
    };
    groups(traces, |t| t.outcome.code()).into_iter().map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Micros;
    use crate::network::NetworkTiming;
    use crate::outcome::Outcome;
    use crate::summary::fixture::trace;

    #[test]
    fn cold_warm_and_unknown_are_never_mixed() {
        let timing = |opened: i64| NetworkTiming {
            connect_start: Some(Micros(10)),
            connect_end: Some(Micros(10 + opened)),
            ..NetworkTiming::default()
        };
        let mut traces: Vec<Trace> = (1..=9).map(|id| trace(id, i64::from(id) * 100)).collect();
        traces[0].network = Ok(timing(500));
        traces[1].network = Ok(timing(0));
        traces[2].network = Ok(timing(0));
        traces[2].outcome = Outcome::NetworkError;
        let all: Vec<&Trace> = traces.iter().collect();
        assert_eq!(waits(&all), [Metric::FirstAnswer, Metric::EndToEnd]);
        let groups = by(&all, &waits(&all), connection);
        let counts: Vec<_> = groups.iter().map(|g| (g.key, g.requests, g.failures, g.figures[0].n)).collect();
        assert_eq!(counts, [(Connection::Cold, 1, 0, 1), (Connection::Warm, 2, 1, 1), (Connection::Unknown, 6, 0, 6)]);
        let unknown = &groups[2].figures[0];
        let (median, interval) = unknown.p50.expect("a median");
        assert_eq!((median.value, unknown.mean), (600_000, Some(650_000.0)));
        let q = |ms: i64| Quantile { value: ms * 1000, at_least: false };
        assert_eq!(interval, Interval::Between { lower: q(400), upper: q(900) });
        assert!(matches!(unknown.p95, Some((_, Interval::Needs { at_least: 72, has: 6 }))));
    }

    #[test]
    fn failures_have_times_of_their_own() {
        let mut traces = [trace(0, 100), trace(1, 200), trace(2, 300)];
        traces[1].outcome = Outcome::HttpError { status: 500 };
        traces[2].outcome = Outcome::HttpError { status: 429 };
        let groups = elapsed_by_outcome(&traces.iter().collect::<Vec<_>>());
        let medians: Vec<_> = groups.iter().map(|g| (g.key, g.failures, g.figures[0].p50.map(|(q, _)| q.value))).collect();
        assert_eq!(medians, [("complete", 0, Some(200_000)), ("http_error", 2, Some(400_000))]);
    }
}
