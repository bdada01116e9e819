//! What receivers see of a run: every number that went in, times, ids that stay the same, and no word of what was asked.

use serde_json::Value;

use super::*;
use crate::Micros;
use crate::config::BodyChoice;
use crate::mark::{Absence, Mark};
use crate::metrics::Metric;
use crate::outcome::Outcome;
use crate::paint::{Method, Seen};
use crate::report::merge;
use crate::stats::{Distribution, P};
use crate::summary::fixture::{run, trace};
use crate::summary::{Edge, Summary};
use crate::trace::{Mode, Usage};

/// 2026-01-02T03:04:05Z in µs.
const BEGUN_US: i64 = 1_767_323_045_000_000;

/// Answers after 10, 20, …, 400 ms; the last three were cut, refused and timed out.
fn some_run() -> Run {
    let mut run = run((0..40).map(|id| trace(id, 10 * (i64::from(id) + 1))).collect());
    run.created = "2026-01-02T03:04:05Z".into();
    run.environment.user_agent = "Mozilla/5.0 (X11; rv:153.0) Gecko/20100101 Firefox/153.0".into();
    run.environment.time_origin_us = Some(BEGUN_US);
    run.environment.wall_apart_us = Some(250);
    (run.config.prompt, run.config.model) = ("a secret question".into(), "tiny-1".into());
    run.config.body = BodyChoice::Chat(serde_json::Map::from_iter([("user".to_owned(), "somebody".into())]));
    run.config.url = "https://api.example.com:8443/v1/chat?key=sk-secret".into();
    run.config.seed = 7;
    run.traces[37].outcome = Outcome::Truncated;
    run.traces[38].outcome = Outcome::HttpError { status: 503 };
    run.traces[39].outcome = Outcome::Timeout;
    run.traces[39].marks.withdraw(Mark::FirstAnswer, Absence::NotReached);
    for t in &mut run.traces[..20] {
        t.dialect = Some(("openai_chat", "url"));
        t.usage = Some(Usage { input: Some(5), output: Some(9), reasoning: None, cached: None });
        t.planned.painted = true;
    }
    let at = |ms: i64| Micros::ms(1000 + ms);
    let seen = |value| Seen { method: Method::ElementTiming, earliest: at(8), latest: Some(at(12)), value };
    run.traces[0].first_visible = Ok(seen(Some(at(12))));
    run.traces[1].first_visible = Ok(seen(None));
    run
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn value<'a>(of: &'a Value, key: &str) -> Option<&'a Value> {
    let attributes = of["attributes"].as_array()?;
    let found = attributes.iter().find(|a| a["key"] == key)?;
    found["value"].as_object()?.values().next()
}

fn metric<'a>(document: &'a Value, name: &str) -> &'a Value {
    let metrics = document["resourceMetrics"][0]["scopeMetrics"][0]["metrics"].as_array().expect("metrics");
    metrics.iter().find(|m| m["name"] == name).unwrap_or_else(|| panic!("no {name}"))
}

fn number(text: &Value) -> u64 {
    text.as_str().and_then(|t| t.parse().ok()).unwrap_or_else(|| panic!("{text} is no number in a text"))
}

/// The bounds of each bucket and how many it holds, of points above zero.
fn filled(point: &Value) -> Vec<((f64, f64), u64)> {
    let scale = point["scale"].as_i64().expect("a scale") as i32;
    let offset = point["positive"]["offset"].as_i64().expect("an offset") as i32;
    let counts: Vec<u64> = point["positive"]["bucketCounts"].as_array().expect("counts").iter().map(number).collect();
    let histogram = Exponential {
        scale,
        zeros: number(&point["zeroCount"]),
        positive: Buckets { offset, counts: counts.clone() },
        negative: Buckets::default(),
    };
    counts.iter().zip(offset..).map(|(n, index)| (histogram.bounds(index), *n)).collect()
}

#[test]
fn histograms_hold_every_sample_and_their_percentiles_to_a_bucket() {
    let mut run = some_run();
    run.traces.iter_mut().for_each(|t| (t.dialect, t.outcome) = (None, Outcome::Complete));
    let document = parsed(&metrics(&run));
    let summary = Summary::of(&run);
    for of in [Metric::FirstAnswer, Metric::EndToEnd, Metric::FirstEvent, Metric::InterChunk] {
        let exact: &Distribution = &summary.row(of, Mode::Streaming, Edge::Value).expect("a row").distribution;
        let data = &metric(&document, super::metrics::name(of))["exponentialHistogram"];
        assert_eq!(data["aggregationTemporality"], 1);
        let points = data["dataPoints"].as_array().expect("points");
        assert_eq!(points.len(), 1, "one kind of request, one series");
        let buckets = filled(&points[0]);
        let n: u64 = buckets.iter().map(|(_, n)| n).sum::<u64>() + number(&points[0]["zeroCount"]);
        assert_eq!((n, number(&points[0]["count"])), (exact.sorted().len() as u64, n));
        let sum: i64 = exact.sorted().iter().sum();
        assert_eq!(points[0]["sum"].as_f64(), Some(sum as f64 / 1e6));
        assert_eq!(points[0]["min"].as_f64(), exact.sorted().first().map(|us| *us as f64 / 1e6));
        for p in P::SHOWN {
            let mut before = 0;
            let rank = p.rank(exact.n()) as u64;
            let at = buckets.iter().find(|(_, n)| {
                before += n;
                before >= rank
            });
            let (low, high) = at.expect("a bucket").0;
            let exact = exact.percentile(p).expect("samples").value as f64 / 1e6;
            assert!(low < exact && exact <= high * (1.0 + 1e-12), "{of:?} {}: {exact} in {low}…{high}", p.name());
            assert!(high / low < 1.05, "a bucket is as narrow as 160 of them allow: {}", high / low);
        }
    }
}

#[test]
fn kinds_of_requests_are_apart_and_what_is_missing_is_counted_with_its_reason() {
    let run = some_run();
    let document = parsed(&metrics(&run));
    let requests = metric(&document, "firstlight.requests")["sum"]["dataPoints"].as_array().expect("points").clone();
    let mut ends: Vec<(String, u64)> = requests
        .iter()
        .map(|p| (value(p, "firstlight.outcome").and_then(Value::as_str).expect("an outcome").to_owned(), number(&p["asInt"])))
        .collect();
    ends.sort();
    let want = [("complete", 17), ("complete", 20), ("http_error", 1), ("timeout", 1), ("truncated", 1)];
    assert_eq!(ends, want.map(|(end, n)| (end.to_owned(), n)));
    assert_eq!(ends.iter().map(|(_, n)| n).sum::<u64>(), 40, "every measured request is in one of them");
    let of_outcome =
        |code: &str| requests.iter().find(|p| value(p, "firstlight.outcome").is_some_and(|v| v == code)).expect("there");
    assert_eq!(value(of_outcome("http_error"), "error.type").expect("failed"), "503");
    assert_eq!(value(of_outcome("timeout"), "error.type").expect("failed"), "timeout");
    let complete = of_outcome("complete");
    assert_eq!(value(complete, "error.type"), None);
    for (key, want) in [
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.provider.name", "openai"),
        ("gen_ai.request.model", "tiny-1"),
        ("server.address", "api.example.com"),
        ("server.port", "8443"),
        ("user_agent.name", "Firefox"),
        ("user_agent.version", "153.0"),
        ("firstlight.mode", "streaming"),
    ] {
        assert_eq!(value(complete, key).expect(key), want, "{key}");
    }
    // The conventions' duration is of every operation, failed or not.
    let durations = metric(&document, "gen_ai.client.operation.duration")["exponentialHistogram"]["dataPoints"].clone();
    assert_eq!(durations.as_array().expect("points").iter().map(|p| number(&p["count"])).sum::<u64>(), 40);
    let missing = |name: &str, of: &str, reason: Option<&str>| -> u64 {
        let points = metric(&document, name)["sum"]["dataPoints"].as_array().expect("points");
        let fits = |p: &&Value| {
            value(p, "firstlight.metric").is_some_and(|v| v == of)
                && reason.is_none_or(|reason| value(p, "firstlight.reason").is_some_and(|v| v == reason))
        };
        points.iter().filter(fits).map(|p| number(&p["asInt"])).sum()
    };
    let visible = "firstlight.time_to_first_visible";
    // 38 requests enter the distributions; two were seen.
    assert_eq!(missing("firstlight.absent", visible, Some("not_in_painted_subset")), 36);
    assert_eq!(missing("firstlight.censored", "firstlight.time_to_first_answer", None), 1);
    let seen = metric(&document, visible)["exponentialHistogram"]["dataPoints"].as_array().expect("points").clone();
    let bounds: Vec<Option<&str>> = seen.iter().map(|p| value(p, "firstlight.bound").and_then(Value::as_str)).collect();
    assert_eq!(bounds, [Some("earliest"), Some("latest")], "bounds are series of their own");
    // What the server said of itself has the conventions' name and says that it was only reported.
    let server = &metric(&document, "gen_ai.server.time_to_first_token")["exponentialHistogram"]["dataPoints"][0];
    assert_eq!(value(server, "firstlight.reported"), Some(&Value::Bool(true)));
    assert_eq!(server["max"].as_f64(), Some(0.06));
    assert_eq!(metric(&document, "gen_ai.client.operation.time_to_first_chunk")["unit"], "s");
}

#[test]
fn a_request_is_a_span_with_its_marks_and_the_servers_words_below() {
    let run = some_run();
    let document = parsed(&traces(&run));
    let spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().expect("spans");
    assert_eq!(spans.len(), 80, "a span and a reported one of each request");
    let (own, reported) = (&spans[0], &spans[1]);
    let id = |of: &Value, key: &str| of[key].as_str().unwrap_or_default().to_owned();
    for (key, bytes) in [("traceId", 16), ("spanId", 8)] {
        let text = id(own, key);
        assert!(text.len() == 2 * bytes && text.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f')), "{key}: {text}");
    }
    assert_eq!((id(reported, "traceId"), id(reported, "parentSpanId")), (id(own, "traceId"), id(own, "spanId")));
    let mut all: Vec<String> = spans.iter().map(|s| id(s, "spanId")).collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 80);
    // Sent 1,000 ms after the page's time origin; the reply ended 20 ms later.
    let nanos = |ms: i64| ((BEGUN_US + ms * 1000) * 1000).to_string();
    assert_eq!((id(own, "name"), own["kind"].as_i64()), ("chat tiny-1".to_owned(), Some(3)));
    assert_eq!((id(own, "startTimeUnixNano"), id(own, "endTimeUnixNano")), (nanos(1000), nanos(1020)));
    let events: Vec<(String, String)> =
        own["events"].as_array().expect("events").iter().map(|e| (id(e, "name"), id(e, "timeUnixNano"))).collect();
    let expected =
        [("sent", 1000), ("first_event", 1010), ("first_output", 1010), ("first_answer", 1010), ("first_visible", 1012)];
    assert_eq!(events[..5], expected.map(|(name, ms)| (name.to_owned(), nanos(ms))));
    let bounds: Vec<String> = spans[2]["events"].as_array().expect("events").iter().map(|e| id(e, "name")).collect();
    assert!(
        bounds.contains(&"first_visible.earliest".to_owned()) && !bounds.contains(&"first_visible".to_owned()),
        "{bounds:?}"
    );
    assert_eq!(value(own, "gen_ai.usage.output_tokens").expect("counted"), "9");
    assert_eq!(value(own, "firstlight.absent.complete_visible").expect("a reason"), "not_in_painted_subset");
    assert_eq!(value(reported, "firstlight.reported"), Some(&Value::Bool(true)));
    assert_eq!(value(reported, "firstlight.position_known"), Some(&Value::Bool(false)));
    assert_eq!((id(reported, "startTimeUnixNano"), id(reported, "endTimeUnixNano")), (nanos(1000), nanos(1060)));
    assert_eq!(own.get("status"), None);
    assert_eq!(spans[76]["status"]["code"], 2, "refused with 503");
    let batches: Vec<Value> = traces_in_batches(&run, 15).map(|text| parsed(&text)).collect();
    let in_batches = batches.iter().flat_map(|b| b["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().expect("spans"));
    assert_eq!((batches.len(), in_batches.collect::<Vec<_>>()), (3, spans.iter().collect()));
}

#[test]
fn no_word_of_what_was_asked_and_no_key_leaves() {
    let run = some_run();
    for text in [metrics(&run), traces(&run)] {
        for secret in ["secret", "question", "somebody", "sk-", "?key", "/v1/chat"] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
        assert!(!text.contains("null"), "what is not known is left out");
    }
}

#[test]
fn a_merged_run_names_its_requests_as_their_own_runs_do() {
    let (a, mut b) = (some_run(), some_run());
    b.config.seed = 8;
    b.environment.time_origin_us = Some(BEGUN_US + 60_000_000);
    let spans = |run: &Run| {
        let document = parsed(&traces(run));
        let resources = document["resourceSpans"].as_array().expect("resources").clone();
        let of = |r: &Value| r["scopeSpans"][0]["spans"].as_array().expect("spans").clone();
        resources.iter().flat_map(of).collect::<Vec<Value>>()
    };
    let apart: Vec<Value> = [&a, &b].into_iter().flat_map(spans).collect();
    let (whole, _) = merge(vec![("a.json".into(), a), ("b.json".into(), b)], false).expect("merged");
    assert_eq!(spans(&whole), apart, "ids, times and all");
    let document = parsed(&metrics(&whole));
    let labels: Vec<Option<&Value>> = document["resourceMetrics"]
        .as_array()
        .expect("two")
        .iter()
        .map(|r| value(&r["resource"], "firstlight.run.label"))
        .collect();
    assert_eq!(labels, [Some(&Value::from("a.json")), Some(&Value::from("b.json"))]);
}

#[test]
fn wall_time_says_how_well_it_is_known() {
    let check = |run: &Run, source: &str, known: bool, error: Option<f64>, start: &str| {
        let document = parsed(&traces(run));
        let of = &document["resourceSpans"][0];
        assert_eq!(value(&of["resource"], "firstlight.wall_clock.source").expect("a source"), source);
        assert_eq!(value(&of["resource"], "firstlight.wall_clock.known"), Some(&Value::Bool(known)));
        assert_eq!(value(&of["resource"], "firstlight.wall_clock.error").and_then(Value::as_f64), error);
        assert_eq!(of["scopeSpans"][0]["spans"][0]["startTimeUnixNano"], start);
    };
    let mut run = some_run();
    check(&run, "performance.timeOrigin", true, Some(0.00125), "1767323046000000000");
    run.environment.time_origin_us = None;
    check(&run, "created", false, None, "1767323045000000000");
    run.created.clear();
    check(&run, "none", false, None, "1000000000");
    run.traces.clear();
    assert_eq!(parsed(&metrics(&run))["resourceMetrics"][0]["scopeMetrics"][0]["metrics"], serde_json::json!([]));
}
