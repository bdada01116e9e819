//! Reports as OTLP/HTTP JSON: a span for each stream, and for each delivery the waits as exponential histograms, with counts of
//! ends and of figures that are not there.
//!
//! Histograms and counts are deltas: whoever writes this keeps nothing from one delivery to the next. They are dated by the
//! collector's clock, spans by the page's own.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::exponential::exponential;
use super::report::{Count, Known, Report};
use super::Batch;
use crate::Micros;

/// SPAN_KIND_CLIENT.
const CLIENT: u8 = 3;
/// STATUS_CODE_ERROR.
const ERROR: u8 = 2;
/// AGGREGATION_TEMPORALITY_DELTA.
const DELTA: u8 = 1;
/// Response headers are passed on up to here.
const LONGEST_HEADER: usize = 256;

/// What the collector knows beside the reports.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// `service.name`.
    pub service: String,
    /// The origin of the page that sent the delivery, where the browser said it.
    pub page: Option<String>,
    /// Since when the delivery's counts are counted, in ns since 1970 by the collector's clock.
    pub since_ns: u64,
    /// When it came.
    pub received_ns: u64,
    /// Response headers that may be passed on, in small letters.
    pub headers: Vec<String>,
}

/// An attribute's value.
enum Of<'a> {
    Text(&'a str),
    Whole(i64),
    Number(f64),
    Flag(bool),
}

fn attribute(name: impl Into<String>, of: Of<'_>) -> Value {
    let value = match of {
        Of::Text(text) => json!({"stringValue": text}),
        // As in protobuf's JSON: 64 bits are text.
        Of::Whole(n) => json!({"intValue": n.to_string()}),
        Of::Number(n) => json!({"doubleValue": n}),
        Of::Flag(flag) => json!({"boolValue": flag}),
    };
    json!({"key": name.into(), "value": value})
}

fn resource(about: &About) -> Value {
    let mut all = vec![attribute("service.name", Of::Text(&about.service))];
    all.extend(about.page.as_deref().map(|page| attribute("firstlight.page.origin", Of::Text(page))));
    json!({"attributes": all})
}

fn scope() -> Value {
    json!({"name": "firstlight.passive", "version": env!("CARGO_PKG_VERSION")})
}

/// The body for `/v1/traces`; none if there is no report.
pub fn traces(batch: &Batch, about: &About) -> Option<Value> {
    let spans: Vec<Value> = batch.reports.iter().map(|report| span(report, about)).collect();
    (!spans.is_empty())
        .then(|| json!({"resourceSpans": [{"resource": resource(about), "scopeSpans": [{"scope": scope(), "spans": spans}]}]}))
}

/// The body for `/v1/metrics`; none if there is nothing to count.
pub fn metrics(batch: &Batch, about: &About) -> Option<Value> {
    let mut metrics = histograms(batch, about);
    metrics.extend(sum("firstlight.passive.streams", "Streams, by how they ended", ends(batch), about));
    metrics.extend(sum("firstlight.passive.absent", "Figures that are not there, by reason", absences(batch), about));
    let dropped = (batch.dropped > 0).then(|| (Vec::new(), batch.dropped));
    metrics.extend(sum("firstlight.passive.dropped", "Reports that pages dropped", dropped.into_iter().collect(), about));
    (!metrics.is_empty()).then(
        || json!({"resourceMetrics": [{"resource": resource(about), "scopeMetrics": [{"scope": scope(), "metrics": metrics}]}]}),
    )
}

/// An instant of the page in ns since 1970.
fn ns(report: &Report, at: Micros) -> String {
    let us = report.time_origin_us.saturating_add(at.0).max(0);
    (i128::from(us) * 1000).to_string()
}

/// Found by the report's id, so that a report that comes twice is the same span twice.
fn ids(report: &Report) -> (String, String) {
    let digest = Sha256::digest(report.id.as_bytes());
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    (hex.get(..32).unwrap_or_default().to_owned(), hex.get(32..48).unwrap_or_default().to_owned())
}

fn span(report: &Report, about: &About) -> Value {
    let (trace, id) = ids(report);
    let there: Vec<(&str, Micros)> =
        report.marks.all().into_iter().filter_map(|(name, at)| Some((name, *at.as_ref().ok()?))).collect();
    // Without `sent` a span begins with the first that is known, and says so.
    let began = there.iter().find(|(name, _)| *name == "sent").or(there.iter().min_by_key(|(_, at)| *at));
    let (from, start) = began.copied().unwrap_or(("none", Micros::ZERO));
    let end = there.iter().map(|(_, at)| *at).max().unwrap_or(start).max(start);
    let mut events: Vec<(String, Micros)> = there.iter().map(|(name, at)| (format!("firstlight.{name}"), *at)).collect();
    if let Ok(seen) = &report.visible {
        events.push(("firstlight.first_visible.earliest".to_owned(), seen.earliest));
        events.extend(seen.latest.as_ref().ok().map(|at| ("firstlight.first_visible.latest".to_owned(), *at)));
    }
    events.sort_by_key(|(_, at)| *at);
    let events: Vec<Value> =
        events.into_iter().map(|(name, at)| json!({"timeUnixNano": ns(report, at), "name": name})).collect();
    let failed = report.outcome == "error" || report.status.as_ref().is_ok_and(|status| *status >= 400);
    json!({
        "traceId": trace,
        "spanId": id,
        "name": format!("firstlight {}", report.kind),
        "kind": CLIENT,
        "startTimeUnixNano": ns(report, start),
        "endTimeUnixNano": ns(report, end),
        "attributes": attributes(report, about, from),
        "events": events,
        "status": if failed { json!({"code": ERROR}) } else { json!({}) },
    })
}

fn attributes(report: &Report, about: &About, from: &str) -> Vec<Value> {
    let mut all = vec![
        attribute("firstlight.report.id", Of::Text(&report.id)),
        attribute("firstlight.kind", Of::Text(report.kind)),
        attribute("firstlight.outcome", Of::Text(report.outcome)),
        attribute("firstlight.span.from", Of::Text(from)),
        attribute("firstlight.isolated", Of::Flag(report.isolated)),
    ];
    let mut text = |name: &str, known: &Known<String>| match known {
        Ok(value) => all.push(attribute(name, Of::Text(value))),
        Err(why) => all.push(attribute(format!("firstlight.absent.{name}"), Of::Text(why.text()))),
    };
    text("url.full", &report.url);
    text("http.response.header.content-type", &report.content_type);
    text("network.protocol.name", &report.protocol);
    if let Ok(error) = &report.error {
        all.push(attribute("error.type", Of::Text(error)));
    }
    let flags = [
        ("firstlight.redirected", &report.redirected),
        ("firstlight.hidden", &report.flags.hidden),
        ("firstlight.frozen", &report.flags.frozen),
    ];
    for (name, known) in flags {
        all.push(or_absent(name, known, |flag| Of::Flag(*flag)));
    }
    all.push(or_absent("http.response.status_code", &report.status, |status| Of::Whole(i64::from(*status))));
    all.push(or_absent("firstlight.bytes", &report.bytes, |n| Of::Whole(i64::try_from(*n).unwrap_or(i64::MAX))));
    all.push(or_absent("firstlight.reads", &report.reads, |n| Of::Whole(i64::try_from(*n).unwrap_or(i64::MAX))));
    all.push(or_absent("firstlight.blocked_ms", &report.flags.blocked, |at| Of::Number(at.as_ms())));
    match &report.stalls {
        Ok(stalls) => {
            all.push(attribute("firstlight.stalls", Of::Whole(i64::try_from(stalls.count).unwrap_or(i64::MAX))));
            all.push(attribute("firstlight.stalls.threshold_ms", Of::Number(stalls.threshold.as_ms())));
            all.push(or_absent("firstlight.longest_stall_ms", &stalls.longest, |at| Of::Number(at.as_ms())));
        }
        Err(why) => all.push(attribute("firstlight.absent.stalls", Of::Text(why.text()))),
    }
    for (name, at) in report.marks.all() {
        all.extend(at.as_ref().err().map(|why| attribute(format!("firstlight.absent.{name}"), Of::Text(why.text()))));
    }
    match &report.visible {
        Err(why) => all.push(attribute("firstlight.absent.first_visible", Of::Text(why.text()))),
        Ok(seen) => all.extend(
            seen.latest.as_ref().err().map(|why| attribute("firstlight.absent.first_visible.latest", Of::Text(why.text()))),
        ),
    }
    match &report.server {
        Ok(entries) => all.extend(
            entries.iter().map(|(name, took)| attribute(format!("firstlight.reported.{name}_ms"), Of::Number(took.as_ms()))),
        ),
        Err(why) => all.push(attribute("firstlight.absent.reported", Of::Text(why.text()))),
    }
    let passed = |(name, value): &&(String, String)| about.headers.contains(name) && value.len() <= LONGEST_HEADER;
    all.extend(report.headers.iter().filter(passed).map(|(name, value)| {
        attribute(format!("http.response.header.{name}"), Of::Text(value))
    }));
    if let Ok(counts) = &report.counts {
        all.extend(counts.iter().map(|(name, count)| {
            let of = match *count {
                Count::Whole(n) => Of::Whole(n),
                Count::Number(n) => Of::Number(n),
                Count::Flag(flag) => Of::Flag(flag),
            };
            attribute(format!("firstlight.counts.{name}"), of)
        }));
    }
    let whole = |n: u64| Of::Whole(i64::try_from(n).unwrap_or(i64::MAX));
    all.extend(report.reconnects.map(|n| attribute("firstlight.reconnects", whole(n))));
    all.extend(report.parts.iter().map(|(name, n)| attribute(format!("firstlight.parts.{name}"), whole(*n))));
    all
}

/// A figure, or its reason under another name: never a value that means "none".
fn or_absent<'a, T>(name: &str, known: &'a Known<T>, of: impl FnOnce(&'a T) -> Of<'a>) -> Value {
    match known {
        Ok(value) => attribute(name, of(value)),
        Err(why) => attribute(format!("firstlight.absent.{}", name.trim_start_matches("firstlight.")), Of::Text(why.text())),
    }
}

/// The waits of a report: name, the marks that each goes between, length.
fn waits(report: &Report) -> [(&'static str, &'static str, &'static str, Known<Micros>); 6] {
    let marks = &report.marks;
    let since = |at: &Known<Micros>| {
        let wait = at.clone()? - marks.sent.clone()?;
        // The browser's own entries are rounded in their own way, and hosts may tell any `sent`.
        if wait < Micros::ZERO { Err(super::Reason::before_sent()) } else { Ok(wait) }
    };
    let seen = |of: fn(&super::Visible) -> Known<Micros>| since(&of(report.visible.as_ref().map_err(Clone::clone)?));
    let longest = report.stalls.as_ref().map_err(Clone::clone).and_then(|stalls| stalls.longest.clone());
    [
        ("firstlight.passive.time_to_first_byte", "sent", "first_byte", since(&marks.first_byte)),
        ("firstlight.passive.time_to_first_read", "sent", "first_read", since(&marks.first_read)),
        ("firstlight.passive.time_to_first_visible.earliest", "sent", "first_visible", seen(|seen| Ok(seen.earliest))),
        ("firstlight.passive.time_to_first_visible.latest", "sent", "first_visible", seen(|seen| seen.latest.clone())),
        ("firstlight.passive.time_to_complete", "sent", "body_end", since(&marks.body_end)),
        ("firstlight.passive.longest_stall", "read", "next_read", longest),
    ]
}

/// By what metrics are told apart: little, since every combination is a series.
fn labels(report: &Report) -> Vec<(String, String)> {
    let mut labels = vec![("firstlight.kind".to_owned(), report.kind.to_owned())];
    let host = report.url.as_ref().ok().and_then(|url| url.split("://").nth(1)?.split('/').next());
    labels.extend(host.map(|host| ("server.address".to_owned(), host.to_owned())));
    labels
}

fn of_labels(labels: &[(String, String)]) -> Vec<Value> {
    labels.iter().map(|(name, value)| attribute(name.as_str(), Of::Text(value))).collect()
}

fn histograms(batch: &Batch, about: &About) -> Vec<Value> {
    type Points = BTreeMap<Vec<(String, String)>, Vec<f64>>;
    let mut all: Vec<(&str, &str, &str, Points)> = Vec::new();
    for report in batch.reports.iter().filter(|report| report.enters_distributions()) {
        for (name, from, to, wait) in waits(report) {
            let Ok(wait) = wait else { continue };
            let at = all.iter().position(|(known, ..)| *known == name).unwrap_or_else(|| {
                all.push((name, from, to, Points::new()));
                all.len() - 1
            });
            all[at].3.entry(labels(report)).or_default().push(wait.as_secs());
        }
    }
    let metric = |(name, from, to, points): (&str, &str, &str, Points)| {
        let points = points.iter().map(|(labels, values)| {
            let mut point = exponential(values);
            point["attributes"] = of_labels(labels).into();
            stamp(&mut point, about);
            point
        });
        let histogram = json!({"aggregationTemporality": DELTA, "dataPoints": points.collect::<Vec<_>>()});
        let words = format!("{from} → {to}, in the user's browser; streams that ended well");
        json!({"name": name, "description": words, "unit": "s", "exponentialHistogram": histogram})
    };
    all.into_iter().map(metric).collect()
}

fn stamp(point: &mut Value, about: &About) {
    point["startTimeUnixNano"] = about.since_ns.to_string().into();
    point["timeUnixNano"] = about.received_ns.to_string().into();
}

type Counted = Vec<(Vec<(String, String)>, u64)>;

fn sum(name: &str, words: &str, counted: Counted, about: &About) -> Option<Value> {
    let points: Vec<Value> = counted
        .into_iter()
        .map(|(labels, n)| {
            let mut point = json!({"asInt": n.to_string(), "attributes": of_labels(&labels)});
            stamp(&mut point, about);
            point
        })
        .collect();
    let sum = json!({"aggregationTemporality": DELTA, "isMonotonic": true, "dataPoints": points});
    (!points.is_empty()).then(|| json!({"name": name, "description": words, "unit": "1", "sum": sum}))
}

fn count(all: impl Iterator<Item = Vec<(String, String)>>) -> Counted {
    let mut counted: BTreeMap<Vec<(String, String)>, u64> = BTreeMap::new();
    for labels in all {
        *counted.entry(labels).or_default() += 1;
    }
    counted.into_iter().collect()
}

fn ends(batch: &Batch) -> Counted {
    let label = |name: &str, value: String| (name.to_owned(), value);
    count(batch.reports.iter().map(|report| {
        let mut all = labels(report);
        all.push(label("firstlight.outcome", report.outcome.to_owned()));
        all.extend(report.status.as_ref().ok().map(|status| label("http.response.status_code", status.to_string())));
        all
    }))
}

fn absences(batch: &Batch) -> Counted {
    let of = |report: &Report| {
        let missing = waits(report).into_iter().filter_map(|(name, _, _, wait)| Some((name, wait.err()?)));
        let one = |(name, why): (&str, super::Reason)| {
            vec![("firstlight.figure".to_owned(), name.to_owned()), ("firstlight.reason".to_owned(), why.code().to_owned())]
        };
        missing.map(one).collect::<Vec<_>>()
    };
    count(batch.reports.iter().filter(|report| report.enters_distributions()).flat_map(of))
}
