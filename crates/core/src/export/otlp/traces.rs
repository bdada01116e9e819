//! A request as a span: its marks are events, its absent marks attributes with their reasons, and what the server reported are
//! children. Where in the request a reported time lay is not known: it is drawn from the request's begin, and says so.

use serde_json::{Value, json};

use super::attributes::{double, error_type, flag, int, request, text};
use super::ids::Ids;
use super::metrics::span_attributes;
use super::times::Wall;
use crate::Micros;
use crate::mark::{Absence, Mark};
use crate::metrics::{Figure, Metric};
use crate::paint::Paint;
use crate::report::{Origin, Run};
use crate::trace::{Mode, Trace};

/// `SPAN_KIND_INTERNAL`, for what was reported and not observed.
pub(super) const INTERNAL: u32 = 1;
/// `SPAN_KIND_CLIENT`.
pub(super) const CLIENT: u32 = 3;
/// `STATUS_CODE_ERROR`.
pub(super) const ERROR: u32 = 2;

/// When the reply was over, or the request given up.
pub(super) fn operation_end(trace: &Trace) -> Micros {
    trace.marks.get(Mark::Terminal).or(trace.marks.get(Mark::BodyEnd)).unwrap_or(trace.last_known)
}

/// The spans of a request, its own first; none of one that was never sent.
pub(super) fn of(run: &Run, origin: &Origin<'_>, trace: &Trace) -> Vec<Value> {
    let Ok(sent) = trace.marks.get(Mark::Sent) else { return Vec::new() };
    let (ids, wall) = (Ids::of(origin, trace.planned.id), Wall::of(origin));
    let mut shared = request(&run.config, origin, trace);
    let name = {
        let of = |key: &str| shared.iter().find(|a| a["key"] == key).and_then(|a| a["value"]["stringValue"].as_str());
        [of("gen_ai.operation.name"), of("gen_ai.request.model")].into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    shared.extend(own_attributes(origin, trace));
    let mut events = events(trace, &wall, sent);
    events.sort_by_key(|(at, _)| *at);
    let end = events.iter().map(|(at, _)| *at).chain([operation_end(trace)]).fold(sent, Micros::max);
    let mut span = json!({
        "traceId": ids.trace(),
        "spanId": ids.span(),
        "name": name,
        "kind": CLIENT,
        "startTimeUnixNano": wall.nanos(sent),
        "endTimeUnixNano": wall.nanos(end),
        "attributes": shared,
        "events": events.into_iter().map(|(_, event)| event).collect::<Vec<Value>>(),
    });
    if let (Some(error), Some(members)) = (error_type(&trace.outcome), span.as_object_mut()) {
        members.insert("status".to_owned(), json!({"code": ERROR, "message": error}));
    }
    let child = |(at, reported): (usize, &crate::server_report::Span)| {
        let mut attributes = span_attributes(reported).to_vec();
        attributes.push(flag("firstlight.position_known", false));
        json!({
            "traceId": ids.trace(),
            "spanId": ids.child(at),
            "parentSpanId": ids.span(),
            "name": reported.name,
            "kind": INTERNAL,
            "startTimeUnixNano": wall.nanos(sent),
            "endTimeUnixNano": wall.nanos(sent + reported.value),
            "attributes": attributes,
        })
    };
    std::iter::once(span).chain(trace.spans.iter().enumerate().map(child)).collect()
}

/// What only a span has: of one request, not of many.
fn own_attributes(origin: &Origin<'_>, trace: &Trace) -> Vec<Value> {
    let planned = &trace.planned;
    let mut all = vec![
        flag("gen_ai.request.stream", planned.mode == Mode::Streaming),
        int("firstlight.request", planned.id.saturating_sub(origin.first).into()),
        int("firstlight.case", planned.case.into()),
        flag("firstlight.warmup", planned.warmup),
        flag("firstlight.painted", planned.painted),
        flag("firstlight.hidden_during", trace.flags.hidden_during),
    ];
    all.extend(planned.pair.map(|pair| int("firstlight.pair", pair.into())));
    all.extend((planned.stage > 0).then(|| int("firstlight.stage", planned.stage.into())));
    all.extend(trace.response.as_ref().map(|r| int("http.response.status_code", r.status.into())));
    if let Some(protocol) = trace.network.as_ref().ok().and_then(|n| n.protocol.as_deref()).filter(|p| !p.is_empty()) {
        all.extend(version(protocol).map(|version| text("network.protocol.version", version)));
        all.push(text("network.protocol.name", if version(protocol).is_some() { "http" } else { protocol }));
    }
    if let Some(usage) = trace.usage {
        let counts = [
            ("gen_ai.usage.input_tokens", usage.input),
            ("gen_ai.usage.output_tokens", usage.output),
            ("gen_ai.usage.reasoning.output_tokens", usage.reasoning),
            ("gen_ai.usage.cache_read.input_tokens", usage.cached),
        ];
        all.extend(counts.into_iter().filter_map(|(key, n)| Some(int(key, n?))));
    }
    if let Ok(Figure::Exact(us)) = Metric::FirstEvent.of(trace) {
        all.push(double("gen_ai.response.time_to_first_chunk", Micros(us).as_secs()));
    }
    let absent = |mark: &str, why: Absence| text(&format!("firstlight.absent.{mark}"), why.code());
    all.extend(Mark::ALL.into_iter().filter_map(|m| Some(absent(m.code(), trace.marks.get(m).err()?))));
    let paints = [("first_visible", trace.first_visible), ("complete_visible", trace.complete_visible)];
    all.extend(paints.into_iter().filter_map(|(name, paint)| Some(absent(name, paint.err()?))));
    all
}

/// The version of HTTP that a browser's name of a protocol stands for.
fn version(protocol: &str) -> Option<&'static str> {
    Some(match protocol {
        "http/1.0" => "1.0",
        "http/1.1" => "1.1",
        "h2" | "h2c" => "2",
        "h3" => "3",
        _ => return None,
    })
}

/// Every mark that is there, with its time since the sending in seconds.
fn events(trace: &Trace, wall: &Wall, sent: Micros) -> Vec<(Micros, Value)> {
    let event = |name: &str, at: Micros, mut attributes: Vec<Value>| {
        attributes.push(double("firstlight.since_sent", (at - sent).as_secs()));
        (at, json!({"timeUnixNano": wall.nanos(at), "name": name, "attributes": attributes}))
    };
    let mut all: Vec<(Micros, Value)> =
        Mark::ALL.into_iter().filter_map(|m| Some(event(m.code(), trace.marks.get(m).ok()?, Vec::new()))).collect();
    let mut paint = |name: &str, paint: Paint| {
        let Ok(seen) = paint else { return };
        let mut how = vec![text("firstlight.method", seen.method.code())];
        match seen.value {
            Some(value) => {
                how.push(double("firstlight.earliest", (seen.earliest - sent).as_secs()));
                how.extend(seen.latest.map(|at| double("firstlight.latest", (at - sent).as_secs())));
                all.push(event(name, value, how));
            }
            // Nobody knows when between them.
            None => {
                all.push(event(&format!("{name}.earliest"), seen.earliest, how.clone()));
                all.extend(seen.latest.map(|at| event(&format!("{name}.latest"), at, how)));
            }
        }
    };
    paint("first_visible", trace.first_visible);
    paint("complete_visible", trace.complete_visible);
    all
}
