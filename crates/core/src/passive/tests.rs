//! Reports that pages send, good and bad.

use serde_json::{Value, json};

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

pub(crate) fn with(path: &str, value: Value) -> Value {
    let mut report = report();
    let mut at = &mut report;
    for part in path.split('.') {
        at = &mut at[part];
    }
    *at = value;
    report
}

pub(crate) fn delivery(reports: Vec<Value>) -> Value {
    json!({"firstlight": 1, "dropped": 2, "reports": reports})
}

pub(crate) fn batch(reports: Vec<Value>) -> Batch {
    Batch::of(&delivery(reports), 200).expect("a batch")
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

/// Whatever stands in the place of a text that is passed on, no sentence gets through.
#[test]
fn sentences_do_not_pass_in_the_place_of_names() {
    for path in ["url", "contentType", "protocol", "outcome.error"] {
        let read = Report::of(&with(path, json!("SECRET words of an answer"))).expect("the figures are good");
        let text = format!("{read:?}");
        // What the host's own headers say is passed on by name alone: see the export.
        assert!(
            !text.replace("(\"x-answer\", \"SECRET words\")", "").contains("SECRET") && text.contains("not_passed"),
            "{path}: {text}"
        );
    }
    for path in ["id", "kind", "outcome.code", "marks.sent", "bytes", "flags.hiddenDuring", "version", "clock.timeOrigin"] {
        assert!(Report::of(&with(path, json!("SECRET words of an answer"))).is_err(), "{path}");
    }
    for path in ["marks.sent", "firstVisible", "counts", "reads", "stalls", "server.entries"] {
        let why = Report::of(&with(path, json!({"absent": "SECRET words of an answer"})));
        assert!(why.is_err(), "{path}: a reason is a word");
    }
}
