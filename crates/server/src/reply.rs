//! Small replies that several routes give.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
use serde_json::{Value, json};

/// JSON that is never stored.
pub(crate) fn json(status: StatusCode, value: &Value) -> Response<Body> {
    let mut response = Response::new(Body::from(value.to_string()));
    *response.status_mut() = status;
    set(response.headers_mut(), header::CONTENT_TYPE, "application/json");
    set(response.headers_mut(), header::CACHE_CONTROL, "no-store");
    set(response.headers_mut(), header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    response
}

/// An error that says what to do.
pub(crate) fn error(status: StatusCode, message: &str) -> Response<Body> {
    json(status, &json!({"error": {"message": message, "type": "invalid_request_error"}}))
}

/// A status without a body.
pub(crate) fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

/// Sets a header of constant text.
pub(crate) fn set(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers.insert(name, HeaderValue::from_static(value));
}
