//! Reports of the passive part as OTLP: a span for each stream, and for each delivery the waits as exponential histograms, with
//! counts of ends and of figures that are not there.
//!
//! Histograms and counts are deltas: whoever writes this keeps nothing from one delivery to the next. They are dated by the
//! collecting server's clock, spans by the page's own.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::SCHEMA;
use super::attributes::{double, flag, int, text};
use super::ids::hexadecimal;
use super::metrics::{Window, histogram, histograms, number, sum};
use super::traces::{CLIENT, ERROR, INTERNAL};
use crate::Micros;
use crate::passive::{Batch, Count, Known, Reason, Report};

/// Response headers are passed on up to here.
const LONGEST_HEADER: usize = 256;

/// What the collecting server knows beside the reports.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// `service.name`.
    pub service: String,
    /// The origin of the page that sent the delivery, where the browser said it.
    pub page: Option<String>,
    /// When the delivery before it came, or the server began, in ns since 1970.
    pub since_ns: u64,
    /// When it came.
    pub received_ns: u64,
    /// Response headers that may be passed on, in small letters.
    pub headers: Vec<String>,
}

impl About {
    fn window(&self) -> Window {
        Window { start: self.since_ns.to_string(), end: self.received_ns.to_string() }
    }

    fn resource(&self) -> Value {
        let mut all = vec![text("service.name", &self.service), text("firstlight.collected", "passive")];
        all.extend(self.page.as_deref().map(|page| text("firstlight.page.origin", page)));
        json!({"attributes": all})
    }
}

fn scope() -> Value {
    json!({"name": "firstlight.passive", "version": env!("CARGO_PKG_VERSION")})
}

/// An `ExportTraceServiceRequest`; none if there is no report.
pub fn traces(batch: &Batch, about: &About) -> Option<String> {
    let spans: Vec<Value> = batch.reports.iter().flat_map(|report| spans(report, about)).collect();
    let scoped = json!([{"scope": scope(), "spans": spans, "schemaUrl": SCHEMA}]);
    let document = json!({"resourceSpans": [{"resource": about.resource(), "scopeSpans": scoped, "schemaUrl": SCHEMA}]});
    (!spans.is_empty()).then(|| document.to_string())
}

/// An `ExportMetricsServiceRequest`; none if there is nothing to count.
pub fn metrics(batch: &Batch, about: &About) -> Option<String> {
    let window = about.window();
    let mut metrics = waits_of(batch, &window);
    let counted = |all: BTreeMap<Labels, u64>| all.iter().map(|(labels, n)| number(&written(labels), *n, &window)).collect();
    let unit = "{stream}";
    metrics.extend(sum(
        "firstlight.passive.streams",
        "Streams that pages observed, by how they ended",
        unit,
        counted(ends(batch)),
    ));
    let words = "Streams that ended well, without a value of a metric, by the reason";
    metrics.extend(sum("firstlight.passive.absent", words, unit, counted(absences(batch))));
    let dropped = (batch.dropped > 0).then(|| number(&[], batch.dropped, &window));
    let words = "Reports that pages dropped before they could deliver them";
    metrics.extend(sum("firstlight.passive.dropped", words, "{report}", dropped.into_iter().collect()));
    let scoped = json!([{"scope": scope(), "metrics": metrics, "schemaUrl": SCHEMA}]);
    let document = json!({"resourceMetrics": [{"resource": about.resource(), "scopeMetrics": scoped, "schemaUrl": SCHEMA}]});
    (!metrics.is_empty()).then(|| document.to_string())
}

/// An instant of the page in ns since 1970, by the page's own wall clock.
fn nanos(report: &Report, at: Micros) -> String {
    format!("{}000", report.time_origin_us.saturating_add(at.0).max(1))
}

/// Of a report's id, so that a report that comes twice is the same span twice.
fn ids(report: &Report, child: usize) -> (String, String) {
    let trace: [u8; 32] = Sha256::digest(format!("firstlight passive\n{}", report.id)).into();
    let span: [u8; 32] = Sha256::digest(format!("firstlight passive\n{}\n{child}", report.id)).into();
    (hexadecimal(&trace[..16]), hexadecimal(&span[..8]))
}

/// The span of a stream, and below it those of what the server reported.
fn spans(report: &Report, about: &About) -> Vec<Value> {
    let (trace, id) = ids(report, 0);
    let there: Vec<(&str, Micros)> =
        report.marks.all().into_iter().filter_map(|(name, at)| Some((name, *at.as_ref().ok()?))).collect();
    // Without `sent` a span begins with the first that is known, and says so.
    let began = there.iter().find(|(name, _)| *name == "sent").or(there.iter().min_by_key(|(_, at)| *at));
    let Some((from, start)) = began.copied() else { return Vec::new() };
    let mut events = there.clone();
    if let Ok(seen) = &report.visible {
        events.push(("first_visible.earliest", seen.earliest));
        events.extend(seen.latest.as_ref().ok().map(|at| ("first_visible.latest", *at)));
    }
    events.sort_by_key(|(_, at)| *at);
    let end = events.last().map_or(start, |(_, at)| *at).max(start);
    let event = |(name, at): &(&str, Micros)| json!({"timeUnixNano": nanos(report, *at), "name": name});
    let events: Vec<Value> = events.iter().map(event).collect();
    let mut span = json!({
        "traceId": trace,
        "spanId": id,
        "name": format!("observed {}", report.kind),
        "kind": CLIENT,
        "startTimeUnixNano": nanos(report, start),
        "endTimeUnixNano": nanos(report, end),
        "attributes": attributes(report, about, from),
        "events": events,
    });
    let refused = report.status.as_ref().ok().filter(|status| **status >= 400);
    let failed = refused.map(ToString::to_string).or_else(|| (report.outcome == "error").then(|| report.outcome.to_owned()));
    if let Some(error) = failed {
        span["status"] = json!({"code": ERROR, "message": error});
    }
    // Where in the stream a reported time lay is not known. One of 0 may be a missing one.
    let took = report.server.iter().flatten().filter(|(_, took)| *took > Micros::ZERO);
    let child = |(at, (name, took)): (usize, &(String, Micros))| {
        json!({
            "traceId": trace,
            "spanId": ids(report, at + 1).1,
            "parentSpanId": id,
            "name": name,
            "kind": INTERNAL,
            "startTimeUnixNano": nanos(report, start),
            "endTimeUnixNano": nanos(report, start + *took),
            "attributes": [flag("firstlight.reported", true), flag("firstlight.position_known", false)],
        })
    };
    std::iter::once(span).chain(took.enumerate().map(child)).collect()
}

/// A figure, or under another name why there is none: never a value that means "none".
fn or_absent<T>(key: &str, known: &Known<T>, write: impl FnOnce(&str, &T) -> Value) -> Value {
    match known {
        Ok(value) => write(key, value),
        Err(why) => text(&format!("firstlight.absent.{}", key.trim_start_matches("firstlight.")), why.text()),
    }
}

fn attributes(report: &Report, about: &About, from: &str) -> Vec<Value> {
    let whole = |key: &str, n: &u64| int(key, *n);
    let yes = |key: &str, is: &bool| flag(key, *is);
    let seconds = |key: &str, at: &Micros| double(key, at.as_secs());
    let word = |key: &str, of: &String| text(key, of);
    let mut all = vec![
        text("firstlight.report.id", &report.id),
        text("firstlight.kind", report.kind),
        text("firstlight.outcome", report.outcome),
        text("firstlight.span.from", from),
        flag("firstlight.isolated", report.isolated),
        or_absent("url.full", &report.url, word),
        or_absent("firstlight.content_type", &report.content_type, word),
        or_absent("network.protocol.name", &report.protocol, word),
        or_absent("http.response.status_code", &report.status, |key, status| int(key, (*status).into())),
        or_absent("firstlight.redirected", &report.redirected, yes),
        or_absent("firstlight.hidden_during", &report.flags.hidden, yes),
        or_absent("firstlight.frozen_during", &report.flags.frozen, yes),
        or_absent("firstlight.blocked", &report.flags.blocked, seconds),
        or_absent("firstlight.bytes", &report.bytes, whole),
        or_absent("firstlight.reads", &report.reads, whole),
    ];
    all.extend(report.error.as_ref().ok().map(|error| text("error.type", error)));
    match &report.stalls {
        Ok(stalls) => all.extend([
            int("firstlight.stalls", stalls.count),
            double("firstlight.stalls.threshold", stalls.threshold.as_secs()),
            or_absent("firstlight.longest_stall", &stalls.longest, seconds),
        ]),
        Err(why) => all.push(text("firstlight.absent.stalls", why.text())),
    }
    let missing = |name: &str, why: &Reason| text(&format!("firstlight.absent.{name}"), why.text());
    all.extend(report.marks.all().into_iter().filter_map(|(name, at)| Some(missing(name, at.as_ref().err()?))));
    match &report.visible {
        Err(why) => all.push(missing("first_visible", why)),
        Ok(seen) => all.extend(seen.latest.as_ref().err().map(|why| missing("first_visible.latest", why))),
    }
    all.extend(report.server.as_ref().err().map(|why| missing("reported", why)));
    let passed = |(name, value): &&(String, String)| about.headers.contains(name) && value.len() <= LONGEST_HEADER;
    let header = |(name, value): &(String, String)| text(&format!("http.response.header.{name}"), value);
    all.extend(report.headers.iter().filter(passed).map(header));
    all.extend(report.counts.iter().flatten().map(|(name, count)| {
        let key = format!("firstlight.counts.{name}");
        match *count {
            Count::Whole(n) => u64::try_from(n).map_or_else(|_| double(&key, n as f64), |n| int(&key, n)),
            Count::Number(n) => double(&key, n),
            Count::Flag(is) => flag(&key, is),
        }
    }));
    all.extend(report.reconnects.map(|n| int("firstlight.reconnects", n)));
    all.extend(report.parts.iter().map(|(name, n)| int(&format!("firstlight.parts.{name}"), *n)));
    all
}

/// One wait of a stream.
struct Wait {
    metric: &'static str,
    /// Of a wait that only bounds are known of.
    bound: Option<&'static str>,
    words: &'static str,
    took: Known<Micros>,
}

fn waits(report: &Report) -> [Wait; 6] {
    let marks = &report.marks;
    let since = |at: Known<Micros>| {
        let wait = at? - marks.sent.clone()?;
        // The browser's own entries are rounded in their own way, and hosts may tell any `sent`.
        if wait < Micros::ZERO { Err(Reason::before_sent()) } else { Ok(wait) }
    };
    let seen = report.visible.clone();
    let longest = report.stalls.clone().and_then(|stalls| stalls.longest);
    let wait = |metric, bound, words, took| Wait { metric, bound, words, took };
    let visible = "firstlight.passive.time_to_first_visible";
    let visible_words =
        "From sent to when the first text could be seen: surely not before (earliest), surely not after (latest)";
    [
        wait("firstlight.passive.time_to_first_byte", None, "From sent to the first byte", since(marks.first_byte.clone())),
        wait("firstlight.passive.time_to_first_read", None, "From sent to the first read", since(marks.first_read.clone())),
        wait(visible, Some("earliest"), visible_words, since(seen.clone().map(|seen| seen.earliest))),
        wait(visible, Some("latest"), visible_words, since(seen.and_then(|seen| seen.latest))),
        wait("firstlight.passive.time_to_complete", None, "From sent to the end of the body", since(marks.body_end.clone())),
        wait("firstlight.passive.longest_stall", None, "The longest wait for a read after the first", longest),
    ]
}

/// By what series are told apart: little, since every combination is one.
type Labels = Vec<(&'static str, String)>;

fn labels(report: &Report) -> Labels {
    let host = report.url.as_ref().ok().and_then(|url| url.split("://").nth(1)?.split('/').next());
    let mut labels = vec![("firstlight.kind", report.kind.to_owned())];
    labels.extend(host.map(|host| ("server.address", host.to_owned())));
    labels
}

fn written(labels: &[(&'static str, String)]) -> Vec<Value> {
    labels.iter().map(|(key, value)| text(key, value)).collect()
}

/// Waits in µs, by their labels.
type Points = BTreeMap<Labels, Vec<i64>>;

fn waits_of(batch: &Batch, window: &Window) -> Vec<Value> {
    let mut series: Vec<(&str, &str, Points)> = Vec::new();
    for report in batch.reports.iter().filter(|report| report.enters_distributions()) {
        for Wait { metric, bound, words, took } in waits(report) {
            let Ok(took) = took else { continue };
            let mut labels = labels(report);
            labels.extend(bound.map(|bound| ("firstlight.bound", bound.to_owned())));
            match series.iter_mut().find(|(known, ..)| *known == metric) {
                Some((_, _, points)) => points.entry(labels).or_default().push(took.0),
                None => series.push((metric, words, BTreeMap::from([(labels, vec![took.0])]))),
            }
        }
    }
    let of = |(metric, words, points): (&str, &str, Points)| {
        let points = points.into_iter().filter_map(|(labels, mut took)| {
            took.sort_unstable();
            histogram(&written(&labels), &took, 1e6, window)
        });
        histograms(metric, words, "s", points.collect())
    };
    series.into_iter().filter_map(of).collect()
}

fn ends(batch: &Batch) -> BTreeMap<Labels, u64> {
    let mut counted = BTreeMap::new();
    for report in &batch.reports {
        let mut labels = labels(report);
        labels.push(("firstlight.outcome", report.outcome.to_owned()));
        labels.extend(report.status.as_ref().ok().map(|status| ("http.response.status_code", status.to_string())));
        *counted.entry(labels).or_default() += 1;
    }
    counted
}

fn absences(batch: &Batch) -> BTreeMap<Labels, u64> {
    let mut counted = BTreeMap::new();
    for report in batch.reports.iter().filter(|report| report.enters_distributions()) {
        for Wait { metric, bound, took, .. } in waits(report) {
            let Err(why) = took else { continue };
            let mut labels = labels(report);
            labels.push(("firstlight.metric", metric.to_owned()));
            labels.extend(bound.map(|bound| ("firstlight.bound", bound.to_owned())));
            labels.push(("firstlight.reason", why.code().to_owned()));
            *counted.entry(labels).or_default() += 1;
        }
    }
    counted
}

#[cfg(test)]
#[path = "passive_tests.rs"]
mod tests;
