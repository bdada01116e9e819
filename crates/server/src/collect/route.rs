//! `POST /collect`: who sends, how much, what; and what is answered after the collector has.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header};
use firstlight_core::export::otlp;
use firstlight_core::export::otlp::passive::{self, About};
use firstlight_core::passive::{Batch, BatchError};
use firstlight_core::report::Run;
use serde_json::{Value, json};

use super::origins::Allowed;
use super::upstream::Sent;
use super::{Shared, now_ns};
use crate::reply;

/// A body must have come by then.
const BODY_LIMIT: Duration = Duration::from_secs(15);
/// What is told about at most so many refused reports.
const MOST_TOLD: usize = 20;

/// An answer, and the word for it in `/metrics`.
struct Answer {
    word: &'static str,
    status: StatusCode,
    body: Value,
    after: Option<Duration>,
}

impl Answer {
    fn refused(word: &'static str, status: StatusCode, message: &str) -> Answer {
        Answer { word, status, body: json!({"error": {"message": message, "type": word}}), after: None }
    }

    fn later(word: &'static str, status: StatusCode, message: &str, after: Duration) -> Answer {
        Answer { after: Some(after), ..Answer::refused(word, status, message) }
    }
}

/// Answers everything that is sent to `/collect`.
pub(super) async fn collect(State(shared): State<Arc<Shared>>, request: Request<Body>) -> Response<Body> {
    let Some(origin) = shared.options.origins.allowed(request.headers().get(header::ORIGIN)) else {
        shared.counters.add("deliveries", "origin", 1);
        let message = "this origin is not among those of --origin: pages of it may not send reports here";
        return reply::error(StatusCode::FORBIDDEN, message);
    };
    if request.method() == Method::OPTIONS {
        let mut response = reply::empty(StatusCode::NO_CONTENT);
        let headers = response.headers_mut();
        reply::set(headers, header::ACCESS_CONTROL_ALLOW_METHODS, "POST");
        reply::set(headers, header::ACCESS_CONTROL_ALLOW_HEADERS, "content-type");
        reply::set(headers, header::ACCESS_CONTROL_MAX_AGE, "86400");
        allow(headers, origin);
        return response;
    }
    // A beacon's answer is read by nobody.
    let beacon = request.headers().get(HeaderName::from_static("sec-fetch-mode")).is_some_and(|mode| mode == "no-cors");
    let page = match &origin {
        Allowed::Origin(origin) => origin.to_str().ok().map(str::to_owned),
        Allowed::Silent => None,
    };
    let answer = take(&shared, request, page).await;
    shared.counters.add("deliveries", answer.word, 1);
    if beacon && answer.after.is_some() {
        shared.counters.add("beacons_lost", "", 1);
    }
    let mut response = reply::json(answer.status, &answer.body);
    let headers = response.headers_mut();
    if let Some(after) = answer.after {
        let seconds = after.as_secs_f64().ceil().max(1.0) as u64;
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        reply::set(headers, header::ACCESS_CONTROL_EXPOSE_HEADERS, "Retry-After");
    }
    allow(headers, origin);
    response
}

fn allow(headers: &mut HeaderMap, origin: Allowed) {
    reply::set(headers, header::VARY, "Origin");
    if let Allowed::Origin(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
}

async fn take(shared: &Shared, request: Request<Body>, page: Option<String>) -> Answer {
    if request.method() != Method::POST {
        return Answer::refused("method", StatusCode::METHOD_NOT_ALLOWED, "reports are sent with POST");
    }
    if !is_text(request.headers()) {
        let message = "send JSON as text/plain or application/json, and not compressed";
        return Answer::refused("media_type", StatusCode::UNSUPPORTED_MEDIA_TYPE, message);
    }
    if let Err(wait) = shared.rate.take(Instant::now()) {
        return Answer::later("rate", StatusCode::TOO_MANY_REQUESTS, "more deliveries a second than are taken", wait);
    }
    if let Some(left) = shared.upstream.paused() {
        return Answer::later("collector_down", StatusCode::SERVICE_UNAVAILABLE, "the collector takes nothing now", left);
    }
    let most = shared.options.max_body;
    let told = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if told.is_some_and(|told| told > most) {
        return too_large(most);
    }
    let Some(_room) = shared.budget.take(told.unwrap_or(most)) else {
        let message = "as much is under way as this collector holds";
        return Answer::later("full", StatusCode::SERVICE_UNAVAILABLE, message, Duration::from_secs(1));
    };
    let body = match tokio::time::timeout(BODY_LIMIT, to_bytes(request.into_body(), most)).await {
        Ok(Ok(body)) => body,
        // Without a length, or cut off.
        Ok(Err(_)) => return too_large(most),
        Err(_) => return Answer::refused("slow", StatusCode::REQUEST_TIMEOUT, "the body took too long"),
    };
    match serde_json::from_slice::<Value>(&body) {
        Ok(run) if run["format"] == firstlight_core::report::FORMAT => pass_run_on(shared, &body).await,
        Ok(delivery) => pass_on(shared, &delivery, page).await,
        Err(wrong) => {
            let wrong = BatchError::NotJson(format!("line {}, column {}", wrong.line(), wrong.column()));
            Answer::refused("not_json", StatusCode::BAD_REQUEST, &wrong.to_string())
        }
    }
}

fn too_large(most: usize) -> Answer {
    let message = format!("the body is larger than {most} bytes, or was cut off: send less at once (--max-body raises it)");
    Answer::refused("too_large", StatusCode::PAYLOAD_TOO_LARGE, &message)
}

/// Text in JSON: what `sendBeacon` and a `fetch` without preflight send, or as it should be called.
fn is_text(headers: &HeaderMap) -> bool {
    let is = |value: &HeaderValue| {
        let essence = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        ["text/plain", "application/json"].contains(&essence.as_str())
    };
    headers.get(header::CONTENT_TYPE).is_none_or(is) && !headers.contains_key(header::CONTENT_ENCODING)
}

async fn pass_on(shared: &Shared, delivery: &Value, page: Option<String>) -> Answer {
    let batch = match Batch::of(delivery, shared.options.max_batch) {
        Ok(batch) => batch,
        Err(wrong) => {
            let status = match wrong {
                BatchError::TooMany { .. } => StatusCode::PAYLOAD_TOO_LARGE,
                _ => StatusCode::BAD_REQUEST,
            };
            return Answer::refused("not_ours", status, &wrong.to_string());
        }
    };
    let received_ns = now_ns();
    let about = About {
        service: shared.options.service.clone(),
        page,
        since_ns: shared.last_ns.swap(received_ns, Ordering::Relaxed).min(received_ns),
        received_ns,
        headers: shared.options.headers.clone(),
    };
    if let Err(answer) = send(shared, passive::traces(&batch, &about), passive::metrics(&batch, &about)).await {
        return answer;
    }
    for refused in &batch.refused {
        shared.counters.add("reports", refused.why.code(), 1);
    }
    shared.counters.add("reports", "accepted", batch.reports.len() as u64);
    shared.counters.add("dropped_by_pages", "", batch.dropped);
    let told = batch.refused.iter().take(MOST_TOLD).map(|refused| json!({"at": refused.at, "why": refused.why.to_string()}));
    let body = json!({"accepted": batch.reports.len(), "refused": batch.refused.len(), "why": told.collect::<Vec<_>>()});
    match batch.reports.is_empty() && !batch.refused.is_empty() {
        true => Answer { word: "refused", status: StatusCode::BAD_REQUEST, body, after: None },
        false => Answer { word: "accepted", status: StatusCode::OK, body, after: None },
    }
}

/// A run file, as the command line saves it.
async fn pass_run_on(shared: &Shared, body: &[u8]) -> Answer {
    let run = std::str::from_utf8(body).map_err(|e| e.to_string());
    let run = match run.and_then(|text| Run::from_json(text).map_err(|e| e.to_string())) {
        Ok(run) => run,
        Err(why) => {
            shared.counters.add("runs", "refused", 1);
            return Answer::refused("not_ours", StatusCode::BAD_REQUEST, &why);
        }
    };
    if let Err(answer) = send(shared, Some(otlp::traces(&run)), Some(otlp::metrics(&run))).await {
        return answer;
    }
    shared.counters.add("runs", "accepted", 1);
    Answer { word: "accepted", status: StatusCode::OK, body: json!({"accepted": 1, "requests": run.traces.len()}), after: None }
}

/// Spans first: sent twice they are the same spans, while counts would count twice.
async fn send(shared: &Shared, traces: Option<String>, metrics: Option<String>) -> Result<(), Answer> {
    if let Some(traces) = traces {
        judge(shared, shared.upstream.traces(traces).await)?;
    }
    if let Some(metrics) = metrics {
        judge(shared, shared.upstream.metrics(metrics).await)?;
    }
    Ok(())
}

fn judge(shared: &Shared, sent: Sent) -> Result<(), Answer> {
    let (word, answer) = match sent {
        Sent::Taken { rejected: 0 } => ("taken", None),
        // It took what it wanted, and would refuse the same again.
        Sent::Taken { .. } => ("taken_in_part", None),
        Sent::Later(wait) => {
            let message = "the collector did not take it: keep the reports and send them again";
            ("failed", Some(Answer::later("collector_down", StatusCode::SERVICE_UNAVAILABLE, message, wait)))
        }
        Sent::Refused(words) => {
            ("refused", Some(Answer::refused("collector_refused", StatusCode::UNPROCESSABLE_ENTITY, &words)))
        }
    };
    shared.counters.add("upstream", word, 1);
    answer.map_or(Ok(()), Err)
}

/// `GET /metrics`.
pub(super) async fn metrics(State(shared): State<Arc<Shared>>) -> Response<Body> {
    let mut response = Response::new(Body::from(shared.counters.text(shared.budget.taken())));
    reply::set(response.headers_mut(), header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8");
    response
}

/// Every other address.
pub(super) async fn elsewhere() -> Response<Body> {
    reply::error(StatusCode::NOT_FOUND, "reports go to POST /collect; counters are at /metrics")
}
