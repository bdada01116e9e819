//! What the page asks of its own server: clock, address of the second origin, jobs.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Response, StatusCode, Uri, header};
use serde_json::{Value, json};

use crate::jobs::ReportError;
use crate::server::Shared;
use crate::{endpoint, reply};

/// The largest report.
const MAX_REPORT: usize = 256 << 20;

/// `GET /api/clock`: the clock of the ground truth, for joining it to the page's own by round trips.
pub(crate) async fn clock(State(shared): State<Arc<Shared>>) -> Response<Body> {
    reply::json(StatusCode::OK, &json!({"us": shared.clock.now_us()}))
}

/// `GET /clock`: the clock that stamps stages, for any page.
pub(crate) async fn probe(State(shared): State<Arc<Shared>>, uri: Uri) -> Response<Body> {
    let mut response = endpoint::probe(&shared, uri.query().unwrap_or_default()).await;
    endpoint::Access::default().allow(response.headers_mut());
    response
}

/// `GET /api/info`: what the page can't know by itself.
pub(crate) async fn info(State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap) -> Response<Body> {
    // HTTP/2 has the host in the address.
    let of_uri = uri.authority().map(|authority| authority.as_str());
    let asked = headers.get(header::HOST).and_then(|host| host.to_str().ok()).or(of_uri);
    let second_origin = shared.second_origin(asked);
    let forwards = shared.forwarder.names();
    let version = env!("CARGO_PKG_VERSION");
    reply::json(StatusCode::OK, &json!({"second_origin": second_origin, "version": version, "forwards": forwards}))
}

/// `GET /api/auto/TOKEN`: the job, once.
pub(crate) async fn job(State(shared): State<Arc<Shared>>, Path(token): Path<String>) -> Response<Body> {
    match shared.jobs.take(&token) {
        Some(job) => match serde_json::to_value(&job) {
            Ok(job) => reply::json(StatusCode::OK, &job),
            Err(e) => reply::error(StatusCode::INTERNAL_SERVER_ERROR, &format!("the job can't be written: {e}")),
        },
        None => no_job(),
    }
}

/// `GET /api/auto/TOKEN/line`: answered when the job is over; until then it only is there.
pub(crate) async fn line(State(shared): State<Arc<Shared>>, Path(token): Path<String>) -> Response<Body> {
    let mut response = match shared.jobs.hold(&token) {
        Some(mut held) => {
            let mut stop = shared.stop.clone();
            tokio::select! {
                () = held.over() => {}
                _ = stop.wait_for(|stop| *stop) => {}
            }
            reply::empty(StatusCode::NO_CONTENT)
        }
        None => no_job(),
    };
    endpoint::Access::default().allow(response.headers_mut());
    response
}

/// `POST /api/auto/TOKEN`: the report.
pub(crate) async fn report(State(shared): State<Arc<Shared>>, Path(token): Path<String>, request: Request) -> Response<Body> {
    let Ok(body) = to_bytes(request.into_body(), MAX_REPORT).await else {
        let message = "the report is larger than 256 MiB or was cut off; measure fewer requests at a time";
        shared.jobs.report(&token, Err(ReportError(message.to_owned())));
        return reply::error(StatusCode::PAYLOAD_TOO_LARGE, message);
    };
    let report = serde_json::from_slice(&body).map_err(|e| ReportError(e.to_string()));
    let refused = report.as_ref().err().map(ToString::to_string);
    match (shared.jobs.report(&token, report), refused) {
        (false, _) => no_job(),
        (true, None) => reply::json(StatusCode::OK, &Value::Object(serde_json::Map::new())),
        (true, Some(message)) => reply::error(StatusCode::BAD_REQUEST, &message),
    }
}

fn no_job() -> Response<Body> {
    reply::error(StatusCode::NOT_FOUND, "there is no such job: it was fetched before, or never put up")
}
