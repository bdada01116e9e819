//! Metrics of one run: an exponential histogram for each metric and each kind of request, and counts of what has no value.
//!
//! They are deltas: a run's requests are those of its own time, and are added to nothing before. What was not measured is in
//! no histogram; `firstlight.absent` counts it with its reason, `firstlight.censored` what was cut before it could be measured.

use serde_json::{Value, json};

use super::attributes::{flag, request, text};
use super::exponential::{Buckets, Exponential};
use super::times::Wall;
use super::traces::operation_end;
use crate::mark::Mark;
use crate::metrics::{Metric, Unit};
use crate::report::{Origin, Run};
use crate::server_report::{Boundary, Span};
use crate::summary::{Edge, metric_rows};
use crate::text::{Lang, metric_definition};
use crate::trace::Trace;

/// `AGGREGATION_TEMPORALITY_DELTA`.
const DELTA: u32 = 1;

const DURATION: &str = "gen_ai.client.operation.duration";
const SERVER_FIRST: &str = "gen_ai.server.time_to_first_token";
const SERVER_WHOLE: &str = "gen_ai.server.request.duration";
const SERVER_OTHER: &str = "firstlight.server.span";
const REQUESTS: &str = "firstlight.requests";
const ABSENT: &str = "firstlight.absent";
const CENSORED: &str = "firstlight.censored";

/// What is no metric of [`Metric`].
pub(super) const OTHERS: [&str; 7] = [DURATION, SERVER_FIRST, SERVER_WHOLE, SERVER_OTHER, REQUESTS, ABSENT, CENSORED];

/// A metric's name here.
pub(super) fn name(metric: Metric) -> &'static str {
    match metric {
        // The first event of a stream is its first chunk.
        Metric::FirstEvent => "gen_ai.client.operation.time_to_first_chunk",
        Metric::Ttfb => "firstlight.time_to_first_byte",
        Metric::Ttft => "firstlight.time_to_first_token",
        Metric::FirstAnswer => "firstlight.time_to_first_answer",
        Metric::FirstUseful => "firstlight.time_to_first_useful",
        Metric::FirstVisible => "firstlight.time_to_first_visible",
        Metric::EndToEnd => "firstlight.end_to_end",
        Metric::LastAnswer => "firstlight.time_to_last_answer",
        Metric::CompleteVisible => "firstlight.time_to_complete_visible",
        Metric::Generation => "firstlight.generation",
        Metric::Tpot => "firstlight.time_per_output_token",
        // Not the conventions' time per output chunk: several chunks may come in one read.
        Metric::InterChunk => "firstlight.inter_chunk_gap",
        Metric::LongestStall => "firstlight.longest_stall",
        Metric::RenderGapFirst => "firstlight.render_gap_first",
        Metric::RenderGapLast => "firstlight.render_gap_last",
        Metric::OutputRate => "firstlight.output_rate",
        Metric::TokensPerChunk => "firstlight.tokens_per_chunk",
        Metric::EventsPerRead => "firstlight.events_per_read",
    }
}

/// A unit, and how many of a metric's integers it is.
fn unit(metric: Metric) -> (&'static str, f64) {
    match (metric.unit(), metric) {
        (Unit::Time, _) => ("s", 1e6),
        (Unit::TokenRate, _) => ("{token}/s", 1e3),
        (Unit::Count, Metric::TokensPerChunk) => ("{token}", 1e3),
        (Unit::Count, _) => ("{event}", 1e3),
    }
}

/// Requests of one kind, and the attributes that they share.
struct Group<'a> {
    attributes: Vec<Value>,
    traces: Vec<&'a Trace>,
}

/// The time of a run's points.
pub(super) struct Window {
    pub(super) start: String,
    pub(super) end: String,
}

/// Every metric of one run.
pub(super) fn of(run: &Run, origin: &Origin<'_>) -> Vec<Value> {
    let measured: Vec<&Trace> = origin.traces.iter().filter(|t| !t.planned.warmup).collect();
    if measured.is_empty() {
        return Vec::new();
    }
    let wall = Wall::of(origin);
    let first = measured.iter().filter_map(|t| t.marks.get(Mark::Sent).ok()).min();
    let last = measured.iter().map(|t| t.last_known).max().unwrap_or_default();
    let window = Window { start: wall.nanos(first.unwrap_or(last)), end: wall.nanos(last) };
    let mut groups: Vec<Group<'_>> = Vec::new();
    for trace in measured {
        let attributes = request(&run.config, origin, trace);
        match groups.iter_mut().find(|group| group.attributes == attributes) {
            Some(group) => group.traces.push(trace),
            None => groups.push(Group { attributes, traces: vec![trace] }),
        }
    }
    let (mut absent, mut censored) = (Vec::new(), Vec::new());
    let mut all = vec![duration(&groups, &window)];
    for metric in Metric::ALL {
        let (name, (unit, per)) = (name(metric), unit(metric));
        let mut points = Vec::new();
        for group in &groups {
            // The mode is a label of the rows only: it is an attribute of the group.
            for row in metric_rows(metric, group.traces[0].planned.mode, &group.traces) {
                let mut attributes = group.attributes.clone();
                attributes.extend((row.edge != Edge::Value).then(|| text("firstlight.bound", row.edge.code())));
                attributes.extend(row.estimated.then(|| flag("firstlight.estimated", true)));
                points.extend(histogram(&attributes, row.distribution.sorted(), per, &window));
                let of = |more: Option<Value>| {
                    let named = [text("firstlight.metric", name)].into_iter().chain(more);
                    attributes.iter().cloned().chain(named).collect::<Vec<Value>>()
                };
                let cut = row.distribution.censored() as u64;
                censored.extend((cut > 0).then(|| number(&of(None), cut, &window)));
                if row.edge != Edge::Latest {
                    let reasons = row.absent.iter();
                    absent.extend(
                        reasons.map(|(why, n)| number(&of(Some(text("firstlight.reason", why.code()))), (*n).into(), &window)),
                    );
                }
            }
        }
        all.extend(histograms(name, metric_definition(Lang::En, metric), unit, points));
    }
    all.extend(reported(&groups, &window));
    let requests = groups.iter().map(|group| number(&group.attributes, group.traces.len() as u64, &window)).collect();
    all.extend(sum(REQUESTS, "Measured requests, by how they ended", "{request}", requests));
    all.extend(sum(ABSENT, "Requests without a value of a metric, by the reason", "{request}", absent));
    all.extend(sum(CENSORED, "Requests that were cut before a metric could be measured: it is larger", "{request}", censored));
    all
}

/// From the request's being sent to the end of its reply, however it ended: what the conventions call an operation.
fn duration(groups: &[Group<'_>], window: &Window) -> Value {
    let points = groups.iter().filter_map(|group| {
        let took = |t: &&Trace| Some((operation_end(t) - t.marks.get(Mark::Sent).ok()?).0);
        let mut all: Vec<i64> = group.traces.iter().filter_map(took).collect();
        all.sort_unstable();
        histogram(&group.attributes, &all, 1e6, window)
    });
    let description = "From the sending of a request to the end of its reply, or to its failure";
    let points = points.collect::<Vec<Value>>();
    json!({
        "name": DURATION, "description": description, "unit": "s",
        "exponentialHistogram": {"dataPoints": points, "aggregationTemporality": DELTA},
    })
}

/// What servers said of themselves: under the conventions' names where those mean the same.
fn reported(groups: &[Group<'_>], window: &Window) -> Vec<Value> {
    let names = [
        (SERVER_FIRST, "Time to first token as the server reported it"),
        (SERVER_WHOLE, "Time of the whole request as the server reported it"),
        (SERVER_OTHER, "Another time that the server reported, or Firstlight's own forwarder"),
    ];
    let name = |span: &Span| match span.boundary {
        Boundary::TimeToFirstToken => SERVER_FIRST,
        Boundary::Total => SERVER_WHOLE,
        _ => SERVER_OTHER,
    };
    let mut series: Vec<(&str, Vec<Value>, Vec<i64>)> = Vec::new();
    for group in groups {
        for span in group.traces.iter().filter(|t| t.outcome.enters_distributions()).flat_map(|t| &t.spans) {
            let attributes = group.attributes.iter().cloned().chain(span_attributes(span)).collect::<Vec<Value>>();
            match series.iter_mut().find(|(of, known, _)| *of == name(span) && *known == attributes) {
                Some((_, _, values)) => values.push(span.value.0),
                None => series.push((name(span), attributes, vec![span.value.0])),
            }
        }
    }
    let of_name = |(name, description): (&str, &str)| {
        let points = series.iter().filter(|(of, ..)| *of == name).filter_map(|(_, attributes, values)| {
            let mut values = values.clone();
            values.sort_unstable();
            histogram(attributes, &values, 1e6, window)
        });
        histograms(name, description, "s", points.collect())
    };
    names.into_iter().filter_map(of_name).collect()
}

/// What tells one reported span from another.
pub(super) fn span_attributes(span: &Span) -> [Value; 4] {
    [
        flag("firstlight.reported", span.boundary != Boundary::Forwarder),
        text("firstlight.span", &span.name),
        text("firstlight.boundary", span.boundary.code()),
        text("firstlight.source", span.source.code()),
    ]
}

pub(super) fn histograms(name: &str, description: &str, unit: &str, points: Vec<Value>) -> Option<Value> {
    (!points.is_empty()).then(|| {
        json!({
            "name": name, "description": description, "unit": unit,
            "exponentialHistogram": {"dataPoints": points, "aggregationTemporality": DELTA},
        })
    })
}

/// A point; none of no values. `sorted` are whole numbers, `per` of which are the unit.
pub(super) fn histogram(attributes: &[Value], sorted: &[i64], per: f64, window: &Window) -> Option<Value> {
    let (least, most) = (sorted.first()?, sorted.last()?);
    let values: Vec<f64> = sorted.iter().map(|v| *v as f64 / per).collect();
    let histogram = Exponential::of(&values);
    let total: i128 = sorted.iter().map(|v| i128::from(*v)).sum();
    let mut point = json!({
        "attributes": attributes,
        "startTimeUnixNano": window.start,
        "timeUnixNano": window.end,
        "count": histogram.count().to_string(),
        "sum": total as f64 / per,
        "scale": histogram.scale,
        "zeroCount": histogram.zeros.to_string(),
        "positive": buckets(&histogram.positive),
        "negative": buckets(&histogram.negative),
        "min": *least as f64 / per,
        "max": *most as f64 / per,
    });
    if let (true, Some(members)) = (*least < 0, point.as_object_mut()) {
        // A sum is taken for a total that grows, which it is not where values may be negative.
        members.remove("sum");
    }
    Some(point)
}

fn buckets(buckets: &Buckets) -> Value {
    let counts: Vec<String> = buckets.counts.iter().map(ToString::to_string).collect();
    json!({"offset": buckets.offset, "bucketCounts": counts})
}

pub(super) fn sum(name: &str, description: &str, unit: &str, points: Vec<Value>) -> Option<Value> {
    (!points.is_empty()).then(|| {
        json!({
            "name": name, "description": description, "unit": unit,
            "sum": {"dataPoints": points, "aggregationTemporality": DELTA, "isMonotonic": true},
        })
    })
}

pub(super) fn number(attributes: &[Value], n: u64, window: &Window) -> Value {
    json!({
        "attributes": attributes,
        "startTimeUnixNano": window.start,
        "timeUnixNano": window.end,
        "asInt": n.to_string(),
    })
}
