//! The route of the endpoint: preflight, question, headers, body.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, Response, StatusCode, header};
use firstlight_core::server_report::Stage;
use firstlight_engine::{Ending, Measured, Plan, Schedule, ScheduleError, Service};

use super::access::{Access, Wanted};
use super::aligned::{Aligned, Stamping};
use super::live::Live;
use super::metrics::Counted;
use super::path::{self, Expected};
use super::record::Recording;
use super::{body, modelled, question};
use crate::clock::Clock;
use crate::reply::{empty, error, set};
use crate::server::Shared;
use crate::truth::Item;
use crate::wire::Wire;

/// The largest body of a question.
const MAX_BODY: usize = 16 << 20;

/// Answers every method on every path of the endpoint.
pub(crate) async fn route(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(wire): ConnectInfo<Wire>,
    request: Request,
) -> Response<Body> {
    let received_us = shared.clock.now_us();
    let Some(expected) = Expected::of(request.uri().path()) else {
        let known = "streamGenerateContent and generateContent";
        return readable(error(StatusCode::NOT_FOUND, &format!("of Gemini's methods there are {known}")), Access::default());
    };
    let wanted = match Wanted::of(&shared.defaults, request.uri().query().unwrap_or_default(), &expected) {
        Ok(wanted) => wanted,
        Err(wrong) => return readable(error(StatusCode::BAD_REQUEST, &wrong.to_string()), Access::default()),
    };
    let access = wanted.access;
    match *request.method() {
        Method::OPTIONS => access.preflight(request.headers()).await,
        Method::POST => {
            let received_us = arrive(shared.clock, wanted.aligned, received_us).await;
            let record = wanted.rid.as_deref().map(|rid| shared.ledger.open(rid, received_us));
            let recording = Recording::new(record, wire, shared.clock, request.version());
            let asked = Asked { wanted, expected, body: request.into_body() };
            readable(answer(shared, recording, received_us, asked).await, access)
        }
        _ => {
            let mut response = error(StatusCode::METHOD_NOT_ALLOWED, "POST a request to this path");
            set(response.headers_mut(), header::ALLOW, "POST, OPTIONS");
            readable(response, access)
        }
    }
}

/// When the request is taken to be received: after the injected way, if there is one.
async fn arrive(clock: Clock, aligned: Aligned, received_us: u64) -> u64 {
    if aligned.outbound_ms == 0 {
        return received_us;
    }
    clock.wait_until(received_us + aligned.outbound_us()).await;
    clock.now_us()
}

fn readable(mut response: Response<Body>, access: Access) -> Response<Body> {
    access.allow(response.headers_mut());
    response
}

/// A request whose address was understood.
struct Asked {
    wanted: Wanted,
    expected: Expected,
    body: Body,
}

async fn answer(shared: Arc<Shared>, mut recording: Recording, received_us: u64, asked: Asked) -> Response<Body> {
    let Asked { wanted, expected, body } = asked;
    let clock = shared.clock;
    let Ok(body) = to_bytes(body, MAX_BODY).await else {
        return error(StatusCode::PAYLOAD_TOO_LARGE, "the body is larger than 16 MiB or was cut off");
    };
    let created_s = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let ask = match question::parse(&body, &expected, path::streams_unasked(wanted.plan.format), created_s) {
        Ok(ask) => ask,
        Err(wrong) => return error(StatusCode::BAD_REQUEST, &wrong.to_string()),
    };
    if let Some(modelled) = wanted.plan.modelled() {
        return modelled::answer(&shared, recording, received_us, &wanted, modelled, ask).await;
    }
    // What can't be answered takes no slot.
    let at_once = match wanted.plan.schedule(&ask) {
        Ok(schedule) => schedule,
        Err(wrong) => return error(StatusCode::BAD_REQUEST, &wrong.to_string()),
    };
    recording.count(Counted::waiting(&shared.metrics, received_us));
    let mut stop = shared.stop.clone();
    let waiting = async {
        let (accepted_us, served_us, service) = admit(&shared, &wanted.plan, &mut recording, received_us).await;
        let schedule = match service == Service::default() {
            true => at_once,
            false => wanted.plan.schedule_served(&ask, service)?,
        };
        let queue_ends_us = until_turn(&shared, &schedule, received_us, served_us).await;
        if let Some(counted) = recording.counted() {
            counted.runs(ask.prompt_tokens);
            counted.replies(&schedule, wanted.aligned.return_us());
        }
        until_head(&shared, &schedule, received_us).await;
        let made_us = clock.now_us();
        clock.wait_until(made_us + wanted.aligned.return_us()).await;
        Ok::<_, ScheduleError>((accepted_us, queue_ends_us, made_us, schedule))
    };
    let waited = tokio::select! {
        waited = waiting => waited,
        _ = stop.wait_for(|stop| *stop) => return empty(StatusCode::SERVICE_UNAVAILABLE),
    };
    let (accepted_us, queue_ends_us, made_us, schedule) = match waited {
        Ok(waited) => waited,
        Err(wrong) => return error(StatusCode::BAD_REQUEST, &wrong.to_string()),
    };
    let taken = Taken { received_us, accepted_us, preprocessed_us: None, queue_ends_us, made_us };
    respond(&shared, &wanted, schedule, taken, recording, None)
}

/// What a request took until its headers leave, on the server's clock.
pub(super) struct Taken {
    pub(super) received_us: u64,
    pub(super) accepted_us: u64,
    /// Where a modelled server says so.
    pub(super) preprocessed_us: Option<u64>,
    pub(super) queue_ends_us: u64,
    pub(super) made_us: u64,
}

/// The headers leave now, and the body follows at the times of the schedule, or of a modelled server.
pub(super) fn respond(
    shared: &Shared,
    wanted: &Wanted,
    mut schedule: Schedule,
    taken: Taken,
    mut recording: Recording,
    live: Option<Live>,
) -> Response<Body> {
    let Taken { received_us, accepted_us, preprocessed_us, queue_ends_us, made_us } = taken;
    let measured = Measured {
        accept_us: accepted_us - received_us,
        queue_us: queue_ends_us.saturating_sub(accepted_us),
        total_us: made_us - received_us,
    };
    let stamping = wanted.aligned.stamps.then(|| {
        let mut stamping = Stamping::new(wanted.aligned, &shared.clock_id);
        let stamps = [(Stage::Received, received_us), (Stage::Queued, accepted_us), (Stage::Started, queue_ends_us)];
        stamps.into_iter().for_each(|(stage, us)| stamping.stamp(stage, us));
        preprocessed_us.into_iter().for_each(|us| stamping.stamp(Stage::Preprocessed, us));
        if !schedule.streamed {
            stamping.stamp(Stage::LastToken, made_us);
            put_into(&mut schedule, &stamping);
        }
        stamping
    });
    recording.next(Item::Head);
    let mut response = head(&schedule, measured, stamping.as_ref());
    let return_us = wanted.aligned.return_us();
    let start = body::Start { received_us, return_us, clock: shared.clock, stamping };
    let (body, length) = body::of(schedule, start, live, recording, shared.stop.clone());
    if let Some(length) = length {
        response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    }
    *response.body_mut() = body;
    response
}

/// Waits for a slot where those are limited. Gives when the request was accepted, when it was its turn, and what that does to
/// its schedule.
async fn admit(shared: &Shared, plan: &Plan, recording: &mut Recording, received_us: u64) -> (u64, u64, Service) {
    let clock = shared.clock;
    if !plan.limit.binds() {
        let accepted_us = clock.now_us();
        return (accepted_us, accepted_us, Service::default());
    }
    let mut place = shared.pools.enter(&plan.limit, received_us, clock);
    let accepted_us = place.queued_us;
    recording.note(Item::Queued, accepted_us);
    let (served_us, service) = place.served(received_us, clock).await;
    recording.note(Item::Served, served_us);
    recording.hold(place);
    (accepted_us, served_us, service)
}

/// Waits until the queue is over; gives the time at which it really ended.
async fn until_turn(shared: &Shared, schedule: &Schedule, received_us: u64, served_us: u64) -> u64 {
    if received_us + schedule.queue_us <= served_us {
        return served_us;
    }
    shared.clock.wait_until(received_us + schedule.queue_us).await;
    shared.clock.now_us()
}

/// Waits until the headers are due.
async fn until_head(shared: &Shared, schedule: &Schedule, received_us: u64) {
    match schedule.head_at_us {
        Some(at_us) => shared.clock.wait_until(received_us + at_us).await,
        None => std::future::pending().await,
    }
}

/// A body of one JSON object takes the stage times in; any other has them in its header alone.
fn put_into(schedule: &mut Schedule, stamping: &Stamping) {
    let is_json = schedule.status == 200 && schedule.content_type == "application/json";
    if let [whole] = schedule.pieces.as_mut_slice()
        && is_json
        && schedule.ending == Ending::Clean
    {
        stamping.put_into(&mut whole.bytes);
    }
}

fn head(schedule: &Schedule, measured: Measured, stamping: Option<&Stamping>) -> Response<Body> {
    let mut response = empty(StatusCode::from_u16(schedule.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
    let headers = response.headers_mut();
    set(headers, header::CONTENT_TYPE, schedule.content_type);
    // Nothing between here and the page may keep or rewrite the stream.
    set(headers, header::CACHE_CONTROL, "no-store, no-transform");
    set(headers, HeaderName::from_static("x-accel-buffering"), "no");
    set(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(headers, HeaderName::from_static("cross-origin-resource-policy"), "cross-origin");
    if schedule.encoding.is_some() {
        set(headers, header::CONTENT_ENCODING, "gzip");
    }
    if let Some(seconds) = schedule.retry_after_s {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    let stages = stamping.map(|stamping| format!(", {}", stamping.header())).unwrap_or_default();
    let text = schedule.server_timing(measured).map(|text| text + &stages);
    if let Some(value) = text.and_then(|text| HeaderValue::from_str(&text).ok()) {
        headers.insert(HeaderName::from_static("server-timing"), value);
    }
    response
}
