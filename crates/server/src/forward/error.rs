//! Why a request is not forwarded, or its answer not handed on.

use axum::body::Body;
use axum::http::{Response, StatusCode};
use serde_json::json;

use super::PREFIX;
use super::path::PathError;
use super::reason::Reason;
use crate::reply;

/// What the page is told; nothing of it is printed or kept.
#[derive(Debug, thiserror::Error)]
pub(super) enum RouteError {
    #[error("{}", no_target(.asked, .known))]
    NoTarget { asked: String, known: Vec<String> },
    #[error(transparent)]
    Path(#[from] PathError),
    #[error("the method {0} is not forwarded")]
    Method(String),
    #[error(
        "{upstream} redirects (status {status}) to {location}. Redirects are not followed, since they could leave the target: \
         use the right address in --forward NAME=URL or after {PREFIX}NAME"
    )]
    Redirect { upstream: String, status: u16, location: String },
    #[error("{upstream} gave no answer: {reason}")]
    NoAnswer { upstream: String, reason: Reason },
}

fn no_target(asked: &str, known: &[String]) -> String {
    let there = match known {
        [] => "this server forwards to nothing".to_owned(),
        known => format!("this server forwards to {}", known.join(", ")),
    };
    let name = if asked.is_empty() { "NAME" } else { asked };
    format!("there is no target named {name:?}; {there}. Start it with --forward {name}=https://api.example.com to add one")
}

impl RouteError {
    fn status(&self) -> StatusCode {
        match self {
            RouteError::NoTarget { .. } => StatusCode::NOT_FOUND,
            RouteError::Path(_) => StatusCode::BAD_REQUEST,
            RouteError::Method(_) => StatusCode::METHOD_NOT_ALLOWED,
            RouteError::Redirect { .. } | RouteError::NoAnswer { .. } => StatusCode::BAD_GATEWAY,
        }
    }

    pub(super) fn response(&self) -> Response<Body> {
        error(self.status(), &self.to_string())
    }
}

/// An error of the forwarder, which can be told from the upstream's own by its type.
pub(super) fn error(status: StatusCode, message: &str) -> Response<Body> {
    reply::json(status, &json!({"error": {"message": message, "type": "forward_error"}}))
}
