//! What is passed on of reports, and that nothing else is.

use serde_json::{Value, json};

use super::{About, metrics, traces};
use crate::passive::Batch;
use crate::passive::tests::{batch, report, with};

fn spans(reports: Vec<Value>) -> Vec<Value> {
    let document: Value = serde_json::from_str(&traces(&batch(reports), &about()).expect("spans")).expect("JSON");
    document["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().expect("spans").clone()
}

fn counted(reports: Vec<Value>) -> Value {
    serde_json::from_str(&metrics(&batch(reports), &about()).expect("metrics")).expect("JSON")
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

/// The value of an attribute, as OTLP writes it.
fn attribute<'a>(of: &'a Value, name: &str) -> &'a Value {
    let all = of["attributes"].as_array().expect("attributes");
    all.iter().find(|a| a["key"] == name).map_or(&Value::Null, |a| &a["value"])
}

fn metric(body: &Value, name: &str) -> Value {
    let all = body["resourceMetrics"][0]["scopeMetrics"][0]["metrics"].as_array().expect("metrics");
    all.iter().find(|m| m["name"] == name).cloned().unwrap_or_default()
}

#[test]
fn no_text_of_an_answer_passes() {
    let batch = batch(vec![report()]);
    for body in [traces(&batch, &about()), metrics(&batch, &about())] {
        let text = body.expect("a body");
        assert!(!text.contains("SECRET"), "{text}");
        assert!(text.contains("\"shop\"") && text.contains("https://shop.example"), "{text}");
    }
    let span = &spans(vec![report()])[0];
    assert_eq!(attribute(span, "http.response.header.openai-processing-ms")["stringValue"], "212");
    assert_eq!(*attribute(span, "http.response.header.x-answer"), Value::Null, "not named");
}

#[test]
fn a_span_tells_every_mark_at_its_wall_time() {
    let all = spans(vec![report()]);
    let span = &all[0];
    // The page's time origin plus the mark, to the microsecond.
    assert_eq!(span["startTimeUnixNano"], "1790000001000500000");
    assert_eq!(span["endTimeUnixNano"], "1790000002001500000");
    let events = span["events"].as_array().expect("events");
    let at = |name: &str| events.iter().find(|e| e["name"] == name).map(|e| e["timeUnixNano"].clone());
    assert_eq!(at("first_read"), Some(json!("1790000001302625000")));
    assert_eq!(at("first_visible.earliest"), Some(json!("1790000001310500000")));
    assert_eq!(at("stopped_at"), None);
    assert_eq!(attribute(span, "firstlight.absent.stopped_at")["stringValue"], "complete");
    assert_eq!(attribute(span, "firstlight.absent.frozen_during")["stringValue"], "engine_lacks");
    assert_eq!(attribute(span, "http.response.status_code")["intValue"], "200");
    assert_eq!(attribute(span, "firstlight.reads")["intValue"], "5");
    assert_eq!(span.get("status"), None);
    // What the server reported is a child, from the begin, and says that nobody knows where it lay.
    let child = &all[1];
    assert_eq!((&child["name"], &child["parentSpanId"]), (&json!("prefill"), &span["spanId"]));
    assert_eq!(child["endTimeUnixNano"], "1790000001200500000");
    assert_eq!(attribute(child, "firstlight.position_known")["boolValue"], false);
    assert_eq!(all.len(), 2, "a name that is a sentence stays behind");
    // A report that comes twice is the same spans.
    assert_eq!(spans(vec![report()]), all);
    let ids = [&span["traceId"], &span["spanId"], &child["spanId"]].map(|id| id.as_str().map(str::len));
    assert_eq!(ids, [Some(32), Some(16), Some(16)]);
    let failed = &spans(vec![with("status", json!(503))])[0];
    assert_eq!(failed["status"], json!({"code": 2, "message": "503"}));
}

#[test]
fn waits_are_pooled_and_what_is_missing_is_counted() {
    let unseen = with("firstVisible", json!({"absent": "hidden"}));
    let failed = with("outcome", json!({"code": "error", "error": "TypeError"}));
    let refused = with("status", json!(500));
    let body = counted(vec![report(), unseen, failed, refused]);
    let point = &metric(&body, "firstlight.passive.time_to_first_read")["exponentialHistogram"]["dataPoints"][0];
    assert_eq!((point["count"].as_str(), point["sum"].as_f64()), (Some("2"), Some(0.60425)), "those that ended well");
    assert_eq!((&point["startTimeUnixNano"], &point["timeUnixNano"]), (&json!("1"), &json!("2")));
    let seen = metric(&body, "firstlight.passive.time_to_first_visible");
    let seen = seen["exponentialHistogram"]["dataPoints"].as_array().expect("points");
    let bounds = seen.iter().map(|p| (attribute(p, "firstlight.bound")["stringValue"].clone(), p["min"].clone()));
    assert_eq!(bounds.collect::<Vec<_>>(), [(json!("earliest"), json!(0.31)), (json!("latest"), json!(0.347))]);
    let missing = metric(&body, "firstlight.passive.absent");
    let points = missing["sum"]["dataPoints"].as_array().expect("points");
    let hidden = points.iter().filter(|p| attribute(p, "firstlight.reason")["stringValue"] == "hidden");
    assert_eq!(hidden.map(|p| p["asInt"].as_str()).collect::<Vec<_>>(), [Some("1"), Some("1")], "both bounds");
    let streams = metric(&body, "firstlight.passive.streams");
    let ends = streams["sum"]["dataPoints"].as_array().expect("points").iter();
    let ends = ends.map(|p| [attribute(p, "firstlight.outcome")["stringValue"].clone(), p["asInt"].clone()]);
    assert_eq!(
        ends.collect::<Vec<_>>(),
        [["complete", "2"], ["complete", "1"], ["error", "1"]].map(|pair| pair.map(|t| json!(t)))
    );
    assert_eq!(metric(&body, "firstlight.passive.dropped")["sum"]["dataPoints"][0]["asInt"], "2");
    assert_eq!((metrics(&Batch::default(), &about()), traces(&Batch::default(), &about())), (None, None));
}

#[test]
fn a_wait_that_ends_before_it_began_is_absent_and_not_zero() {
    let body = counted(vec![with("marks.firstByte", json!(999.9))]);
    assert_eq!(metric(&body, "firstlight.passive.time_to_first_byte"), Value::Null);
    let missing = metric(&body, "firstlight.passive.absent");
    let point = &missing["sum"]["dataPoints"][0];
    assert_eq!(attribute(point, "firstlight.metric")["stringValue"], "firstlight.passive.time_to_first_byte");
    assert_eq!(attribute(point, "firstlight.reason")["stringValue"], "before_sent");
}
