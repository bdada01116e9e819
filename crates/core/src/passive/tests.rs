//! Reports that pages send, good and bad.

use serde_json::{Value, json};

use super::otlp::{About, metrics, traces};
use super::*;
use crate::Micros;

/// What a page writes of a stream that ended well, with a text in every place that may hold one.
pub(crate) fn report() -> Value {
    json!({
        "version": 1,
        "id": "2d1f9a5e-0000-4000-8000-000000000001",
        "kind": "fetch",
        "url": "https://api.example.com/v1/chat/completions",
        "clock": {"unit": "ms", "source": "performance.now()", "timeOrigin": 1_790_000_000_000.5, "isolated": false},
        "status": 200,
        "contentType": "text/event-stream; charset=utf-8",
        "protocol": "h2",
        "redirected": false,
        "outcome": {"code": "complete", "error": {"absent": "none"}},
        "marks": {
            "sent": 1000.0, "requestStart": 1001.5, "firstByte": 1300.25, "headersSeen": 1301.0, "firstRead": 1302.125,
            "lastRead": 2000.0, "bodyEnd": 2001.0, "stoppedAt": {"absent": "complete"},
        },
        "firstVisible": {
            "method": "frame_callbacks", "mutated": 1303.0, "earliest": 1310.0, "latest": 1347.0, "value": {"absent": "bounds_only"},
        },
        "waits": {"firstRead": {"from": "sent", "to": "firstRead", "ms": 302.125}},
        "bytes": 5120,
        "reads": [[1302.125, 120, 302.0], [2000.0, 5000, 697.9]],
        "readsLeftOut": 3,
        "stalls": {"thresholdMs": 500, "count": 1, "longest": 697.875, "list": [{"from": 1302.1, "ms": 697.875}]},
        "flags": {"hiddenDuring": false, "frozenDuring": {"absent": "engine_lacks"}, "mainThreadBlocked": 12.5, "blockedBy": "long_tasks"},
        "server": {
            "serverTiming": "prefill;dur=200;desc=\"SECRET words\"",
            "entries": [{"name": "prefill", "duration": 200, "description": "SECRET words"}, {"name": "SECRET words", "duration": 1}],
            "headers": {"openai-processing-ms": "212", "x-answer": "SECRET words"},
        },
        "counts": {"tokens": 42, "rate": 1.5, "ended": true, "answer": "SECRET words"},
        "text": "SECRET words",
        "textBytesLeftOut": 0,
        "prompt": "SECRET words",
        "parts": {"text-delta": 41},
    })
}

fn with(path: &str, value: Value) -> Value {
    let mut report = report();
    let mut at = &mut report;
    for part in path.split('.') {
        at = &mut at[part];
    }
    *at = value;
    report
}

fn delivery(reports: Vec<Value>) -> Value {
    json!({"firstlight": 1, "dropped": 2, "reports": reports})
}

fn about() -> About {
    About {
        service: "shop".to_owned(),
        page: Some("https://shop.example".to_owned()),
        since_ns: 1,
        received_ns: 2,
        headers: vec!["openai-processing-ms".to_owned()],
    }
}

fn batch(reports: Vec<Value>) -> Batch {
    Batch::of(&delivery(reports), 200).expect("a batch")
}

/// The value of an attribute, as OTLP writes it.
fn attribute<'a>(of: &'a Value, name: &str) -> &'a Value {
    let all = of["attributes"].as_array().expect("attributes");
    all.iter().find(|a| a["key"] == name).map_or(&Value::Null, |a| &a["value"])
}

#[test]
fn what_is_known_is_read() {
    let read = Report::of(&report()).expect("a report");
    assert_eq!(read.marks.first_read, Ok(Micros(1_302_125)));
    assert_eq!(read.marks.stopped_at.as_ref().map_err(Reason::text), Err("complete"));
    assert_eq!(read.visible, Ok(Visible { earliest: Micros::ms(1310), latest: Ok(Micros::ms(1347)) }));
    assert_eq!(read.reads, Ok(5), "two listed, three left out");
    assert_eq!(read.content_type.as_deref(), Ok("text/event-stream"));
    assert_eq!(read.time_origin_us, 1_790_000_000_000_500);
    assert_eq!(read.server, Ok(vec![("prefill".to_owned(), Micros::ms(200))]));
    assert_eq!(
        read.counts,
        Ok(vec![
            ("tokens".to_owned(), Count::Whole(42)),
            ("rate".to_owned(), Count::Number(1.5)),
            ("ended".to_owned(), Count::Flag(true))
        ])
    );
    assert!(read.enters_distributions());
}

#[test]
fn no_text_of_an_answer_passes() {
    let batch = batch(vec![report()]);
    let written = [traces(&batch, &about()), metrics(&batch, &about())];
    for body in &written {
        let text = body.as_ref().expect("a body").to_string();
        assert!(!text.contains("SECRET"), "{text}");
        // The whole report's own `Debug` holds more: the host's headers, which only names let pass.
        assert!(text.contains("shop"));
    }
    let span = &written[0].as_ref().expect("a body")["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
    assert_eq!(attribute(span, "http.response.header.openai-processing-ms")["stringValue"], "212");
    assert_eq!(*attribute(span, "http.response.header.x-answer"), Value::Null, "not named");
}

/// Whatever stands in the place of a text that is passed on, no sentence gets through.
#[test]
fn sentences_do_not_pass_in_the_place_of_names() {
    for path in ["url", "contentType", "protocol", "outcome.error"] {
        let batch = batch(vec![with(path, json!("SECRET words of an answer"))]);
        assert_eq!(batch.refused, [], "{path}: the figures are good");
        let text = format!("{:?}{:?}", traces(&batch, &about()), metrics(&batch, &about()));
        assert!(!text.contains("SECRET") && (path == "outcome.error" || text.contains("not_passed")), "{path}: {text}");
    }
    for path in ["id", "kind", "outcome.code", "marks.sent", "bytes", "flags.hiddenDuring", "version", "clock.timeOrigin"] {
        assert!(Report::of(&with(path, json!("SECRET words of an answer"))).is_err(), "{path}");
    }
    for path in ["marks.sent", "firstVisible", "counts", "reads", "stalls", "server.entries"] {
        let why = Report::of(&with(path, json!({"absent": "SECRET words of an answer"})));
        assert!(why.is_err(), "{path}: a reason is a word");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let why = |path: &str, value: Value| Report::of(&with(path, value)).expect_err("refused").to_string();
    assert_eq!(why("marks.firstRead", json!(-1e300)), "marks.firstRead is not milliseconds, or {absent}");
    assert_eq!(why("marks.firstRead", json!(10)), "marks.firstRead is before marks.sent");
    assert_eq!(why("firstVisible.latest", json!(1)), "firstVisible.latest is before firstVisible.earliest");
    assert_eq!(why("status", json!(99)), "status is not an HTTP status");
    assert_eq!(why("version", json!(2)), "the report has version 2, this collector reads version 1: use a newer collector");
    assert_eq!(why("kind", json!("telepathy")), "kind is not one of the words that are known");
    let mut short = report();
    short.as_object_mut().expect("an object").remove("stalls");
    assert_eq!(Report::of(&short), Err(Why::Missing("stalls")));
    assert_eq!(Report::of(&json!([])), Err(Why::NotAnObject));
}

#[test]
fn one_bad_report_does_not_take_the_others_along() {
    let batch = batch(vec![report(), with("bytes", json!(-1)), report()]);
    assert_eq!((batch.reports.len(), batch.dropped), (2, 2));
    assert_eq!(batch.refused, [Refused { at: 1, why: Why::Wrong { path: "bytes", expected: "a whole number, or {absent}" } }]);
    let of = |value: Value| Batch::of(&value, 1).expect_err("refused");
    assert_eq!(of(json!({"reports": []})), BatchError::NotOurs);
    assert_eq!(of(json!({"firstlight": 2, "reports": []})), BatchError::Newer(2));
    assert_eq!(of(delivery(vec![report(), report()])), BatchError::TooMany { found: 2, most: 1 });
}

#[test]
fn a_span_tells_every_mark_at_its_wall_time() {
    let body = traces(&batch(vec![report()]), &about()).expect("a body");
    let span = &body["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
    // The page's time origin plus the mark, to the microsecond.
    assert_eq!(span["startTimeUnixNano"], "1790000001000500000");
    assert_eq!(span["endTimeUnixNano"], "1790000002001500000");
    let events = span["events"].as_array().expect("events");
    let at = |name: &str| events.iter().find(|e| e["name"] == name).map(|e| e["timeUnixNano"].clone());
    assert_eq!(at("firstlight.first_read"), Some(json!("1790000001302625000")));
    assert_eq!(at("firstlight.first_visible.earliest"), Some(json!("1790000001310500000")));
    assert_eq!(at("firstlight.stopped_at"), None);
    assert_eq!(attribute(span, "firstlight.absent.stopped_at")["stringValue"], "complete");
    assert_eq!(attribute(span, "firstlight.absent.frozen")["stringValue"], "engine_lacks");
    assert_eq!(attribute(span, "firstlight.reported.prefill_ms")["doubleValue"], 200.0);
    assert_eq!(attribute(span, "http.response.status_code")["intValue"], "200");
    // A report that comes twice is the same span.
    let again = traces(&batch(vec![report()]), &about()).expect("a body");
    assert_eq!(again["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["traceId"], span["traceId"]);
    assert_eq!(span["traceId"].as_str().map(str::len), Some(32));
    assert_eq!(span["spanId"].as_str().map(str::len), Some(16));
}

fn metric(body: &Value, name: &str) -> Value {
    let all = body["resourceMetrics"][0]["scopeMetrics"][0]["metrics"].as_array().expect("metrics");
    all.iter().find(|m| m["name"] == name).cloned().unwrap_or_default()
}

#[test]
fn waits_are_pooled_and_what_is_missing_is_counted() {
    let unseen = with("firstVisible", json!({"absent": "hidden"}));
    let failed = with("outcome", json!({"code": "error", "error": "TypeError"}));
    let refused = with("status", json!(500));
    let body = metrics(&batch(vec![report(), unseen, failed, refused]), &about()).expect("a body");
    let point = &metric(&body, "firstlight.passive.time_to_first_read")["exponentialHistogram"]["dataPoints"][0];
    assert_eq!((point["count"].as_str(), point["sum"].as_f64()), (Some("2"), Some(0.60425)), "those that ended well");
    let seen = &metric(&body, "firstlight.passive.time_to_first_visible.latest")["exponentialHistogram"]["dataPoints"][0];
    assert_eq!(seen["count"], "1");
    let missing = metric(&body, "firstlight.passive.absent");
    let points = missing["sum"]["dataPoints"].as_array().expect("points");
    let hidden = points.iter().filter(|p| attribute(p, "firstlight.reason")["stringValue"] == "hidden");
    assert_eq!(hidden.map(|p| p["asInt"].as_str()).collect::<Vec<_>>(), [Some("1"), Some("1")], "both bounds");
    let streams = metric(&body, "firstlight.passive.streams");
    let ends = streams["sum"]["dataPoints"].as_array().expect("points").iter();
    let ends = ends.map(|p| (attribute(p, "firstlight.outcome")["stringValue"].clone(), p["asInt"].clone()));
    assert_eq!(ends.collect::<Vec<_>>(), [(json!("complete"), json!("2")), (json!("complete"), json!("1")), (json!("error"), json!("1"))]);
    let dropped = metric(&body, "firstlight.passive.dropped");
    assert_eq!(dropped["sum"]["dataPoints"][0]["asInt"], "2");
    assert_eq!(metrics(&Batch::default(), &about()), None);
    assert_eq!(traces(&Batch::default(), &about()), None);
}

#[test]
fn a_wait_that_ends_before_it_began_is_absent_and_not_zero() {
    let early = with("marks.firstByte", json!(999.9));
    let body = metrics(&batch(vec![early]), &about()).expect("a body");
    assert_eq!(metric(&body, "firstlight.passive.time_to_first_byte"), Value::Null);
    let missing = metric(&body, "firstlight.passive.absent");
    assert_eq!(attribute(&missing["sum"]["dataPoints"][0], "firstlight.reason")["stringValue"], "before_sent");
}
