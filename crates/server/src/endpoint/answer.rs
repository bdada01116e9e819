//! The route of the endpoint: preflight, question, headers, body.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, Response, StatusCode, header};
use firstlight_engine::{Measured, Schedule};

use super::access::{Access, Wanted};
use super::record::Recording;
use super::{PATH, body, question};
use crate::reply::{empty, error, set};
use crate::server::Shared;
use crate::truth::Item;
use crate::wire::Wire;

/// The largest body of a question.
const MAX_BODY: usize = 16 << 20;

/// Answers every method on [`PATH`].
pub(crate) async fn route(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(wire): ConnectInfo<Wire>,
    request: Request,
) -> Response<Body> {
    let received_us = shared.clock.now_us();
    let wanted = match Wanted::parse(request.uri().query().unwrap_or_default()) {
        Ok(wanted) => wanted,
        Err(wrong) => return readable(error(StatusCode::BAD_REQUEST, &wrong.to_string()), Access::default()),
    };
    let access = wanted.access;
    match *request.method() {
        Method::OPTIONS => access.preflight(request.headers()).await,
        Method::POST => readable(answer(shared, wire, received_us, wanted, request.into_body()).await, access),
        _ => {
            let mut response = error(StatusCode::METHOD_NOT_ALLOWED, &format!("POST a chat completion request to {PATH}"));
            set(response.headers_mut(), header::ALLOW, "POST, OPTIONS");
            readable(response, access)
        }
    }
}

fn readable(mut response: Response<Body>, access: Access) -> Response<Body> {
    access.allow(response.headers_mut());
    response
}

async fn answer(shared: Arc<Shared>, wire: Wire, received_us: u64, wanted: Wanted, body: Body) -> Response<Body> {
    let clock = shared.clock;
    let record = wanted.rid.as_deref().map(|rid| shared.ledger.open(rid, received_us));
    let mut recording = Recording::new(record, wire, clock);
    let Ok(body) = to_bytes(body, MAX_BODY).await else {
        return error(StatusCode::PAYLOAD_TOO_LARGE, "the body is larger than 16 MiB or was cut off");
    };
    let created_s = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let schedule = match question::parse(&body, created_s) {
        Ok(ask) => wanted.plan.schedule(&ask).map_err(|e| e.to_string()),
        Err(wrong) => Err(wrong.to_string()),
    };
    let schedule = match schedule {
        Ok(schedule) => schedule,
        Err(message) => return error(StatusCode::BAD_REQUEST, &message),
    };
    let accepted_us = clock.now_us();
    let mut stop = shared.stop.clone();
    let queue_ends_us = tokio::select! {
        us = until_head(&shared, &schedule, received_us) => us,
        _ = stop.wait_for(|stop| *stop) => return empty(StatusCode::SERVICE_UNAVAILABLE),
    };
    let measured = Measured {
        accept_us: accepted_us - received_us,
        queue_us: queue_ends_us.saturating_sub(accepted_us),
        total_us: clock.now_us() - received_us,
    };
    recording.next(Item::Head);
    let mut response = head(&schedule, measured);
    let (body, length) = body::of(schedule, received_us, clock, recording, shared.stop.clone());
    if let Some(length) = length {
        response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    }
    *response.body_mut() = body;
    response
}

/// Waits until the headers are due; gives the time at which the queue really ended.
async fn until_head(shared: &Shared, schedule: &Schedule, received_us: u64) -> u64 {
    shared.clock.wait_until(received_us + schedule.queue_us).await;
    let queue_ends_us = shared.clock.now_us();
    match schedule.head_at_us {
        Some(at_us) => shared.clock.wait_until(received_us + at_us).await,
        None => std::future::pending().await,
    }
    queue_ends_us
}

fn head(schedule: &Schedule, measured: Measured) -> Response<Body> {
    let mut response = empty(StatusCode::from_u16(schedule.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
    let headers = response.headers_mut();
    set(headers, header::CONTENT_TYPE, schedule.content_type);
    // Nothing between here and the page may keep or rewrite the stream.
    set(headers, header::CACHE_CONTROL, "no-store, no-transform");
    set(headers, HeaderName::from_static("x-accel-buffering"), "no");
    set(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(headers, HeaderName::from_static("cross-origin-resource-policy"), "cross-origin");
    if let Some(seconds) = schedule.retry_after_s {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if let Some(value) = schedule.server_timing(measured).and_then(|text| HeaderValue::from_str(&text).ok()) {
        headers.insert(HeaderName::from_static("server-timing"), value);
    }
    response
}
