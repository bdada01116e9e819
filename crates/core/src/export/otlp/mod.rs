//! A run as OTLP in its JSON form (`docs/otlp.md`): a document of metrics, with exponential histograms, and a document of
//! traces, with a span for each request. Names are those of OpenTelemetry's conventions for GenAI (1.41.0) where they mean the
//! same, and `firstlight.*` elsewhere. What people asked and were answered is in neither, nor any query of an address.

mod attributes;
mod exponential;
mod ids;
mod metrics;
pub mod passive;
mod times;
mod traces;

pub use exponential::{Buckets, Exponential, MOST_BUCKETS};

use serde_json::{Value, json};

use crate::report::{Origin, Run};
use crate::trace::Trace;

/// The conventions that the names are of.
const SCHEMA: &str = "https://opentelemetry.io/schemas/1.41.0";

/// The metrics of a run: an `ExportMetricsServiceRequest`.
pub fn metrics(run: &Run) -> String {
    let resources = run.origins().into_iter().map(|origin| {
        let metrics = metrics::of(run, &origin);
        json!({
            "resource": attributes::resource(&origin),
            "scopeMetrics": [{"scope": scope(), "metrics": metrics, "schemaUrl": SCHEMA}],
            "schemaUrl": SCHEMA,
        })
    });
    json!({"resourceMetrics": resources.collect::<Vec<Value>>()}).to_string()
}

/// The name of every metric that there may be.
pub fn metric_names() -> Vec<&'static str> {
    crate::metrics::Metric::ALL.into_iter().map(metrics::name).chain(metrics::OTHERS).collect()
}

/// The requests of a run as spans: an `ExportTraceServiceRequest`.
pub fn traces(run: &Run) -> String {
    let origins = run.origins();
    let resources: Vec<Value> = origins.iter().map(|origin| resource_spans(run, origin, origin.traces)).collect();
    json!({"resourceSpans": resources}).to_string()
}

/// The same in documents of so many requests each, since receivers limit the size of what they take.
pub fn traces_in_batches(run: &Run, most: usize) -> impl Iterator<Item = String> {
    run.origins().into_iter().flat_map(move |origin| {
        let batch = move |requests: &[Trace]| json!({"resourceSpans": [resource_spans(run, &origin, requests)]}).to_string();
        origin.traces.chunks(most.max(1)).map(batch)
    })
}

fn resource_spans(run: &Run, origin: &Origin<'_>, requests: &[Trace]) -> Value {
    let spans: Vec<Value> = requests.iter().flat_map(|trace| traces::of(run, origin, trace)).collect();
    json!({
        "resource": attributes::resource(origin),
        "scopeSpans": [{"scope": scope(), "spans": spans, "schemaUrl": SCHEMA}],
        "schemaUrl": SCHEMA,
    })
}

fn scope() -> Value {
    json!({"name": "firstlight", "version": env!("CARGO_PKG_VERSION")})
}

#[cfg(test)]
mod tests;
