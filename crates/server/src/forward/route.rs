//! The route of the forwarder: who asks, for what, and what comes back.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Method, Request, Response, StatusCode, Uri, header};
use tokio::sync::watch;

use super::client::{Client, client};
use super::error::{RouteError, error};
use super::guard::Own;
use super::passing::{Sending, receiving};
use super::reason::Reason;
use super::timing::Stamps;
use super::{Forwards, headers, path};
use crate::reply::{empty, set};
use crate::server::Shared;

/// CONNECT would make a tunnel, TRACE would show the keys, and OPTIONS is the browser's own question.
const METHODS: [Method; 6] = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];

/// The targets, and the connections to them.
pub(crate) struct Forwarder {
    forwards: Forwards,
    client: Client,
    own: Own,
}

impl Forwarder {
    pub(crate) fn new(forwards: Forwards, own: Own) -> Result<Forwarder, rustls::Error> {
        Ok(Forwarder { client: client(forwards.any_encrypted())?, forwards, own })
    }

    /// The names of its targets.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.forwards.names().collect()
    }

    async fn forward(
        &self,
        received: Instant,
        request: Request<Body>,
        stop: watch::Receiver<bool>,
    ) -> Result<Response<Body>, RouteError> {
        let uri = self.target(request.uri())?;
        if !METHODS.contains(request.method()) {
            return Err(RouteError::Method(request.method().to_string()));
        }
        let upstream = format!("{}://{}", uri.scheme_str().unwrap_or_default(), uri.authority().map_or("", |a| a.as_str()));
        let (asked_for, body) = request.into_parts();
        let (body, begun) = Sending::new(body);
        let mut request = Request::new(body);
        *request.method_mut() = asked_for.method;
        *request.headers_mut() = headers::request(&asked_for.headers);
        *request.uri_mut() = uri;
        let asked = Instant::now();
        let answer = self.client.request(request).await;
        let answered = Instant::now();
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => return Err(RouteError::NoAnswer { upstream, reason: Reason::of(&error) }),
        };
        let (head, body) = answer.into_parts();
        if let Some(location) = head.headers.get(header::LOCATION).filter(|_| head.status.is_redirection()) {
            let location = String::from_utf8_lossy(location.as_bytes()).into_owned();
            return Err(RouteError::Redirect { upstream, status: head.status.as_u16(), location });
        }
        let stamps = Stamps { received, asked, sent: begun.get().copied().unwrap_or(asked), answered };
        let mut response = Response::new(receiving(body, stop));
        *response.status_mut() = head.status;
        *response.headers_mut() = headers::response(&head.headers, &stamps.spans(Instant::now()));
        Ok(response)
    }

    fn target(&self, uri: &Uri) -> Result<Uri, RouteError> {
        let (name, rest) = path::split(uri.path()).unwrap_or_default();
        let Some(target) = self.forwards.get(name) else {
            let known = self.forwards.names().map(str::to_owned).collect();
            return Err(RouteError::NoTarget { asked: name.to_owned(), known });
        };
        Ok(path::join(target, rest, uri.query())?)
    }
}

/// Answers everything below the forwarder's path.
pub(crate) async fn route(State(shared): State<Arc<Shared>>, request: Request<Body>) -> Response<Body> {
    let received = Instant::now();
    let forwarder = &shared.forwarder;
    if let Err(refused) = forwarder.own.check(request.uri(), request.headers()) {
        // Without the headers that would let another page read it.
        return error(StatusCode::FORBIDDEN, &refused.to_string());
    }
    if request.method() == Method::OPTIONS {
        return preflight(request.headers());
    }
    forwarder.forward(received, request, shared.stop.clone()).await.unwrap_or_else(|error| {
        let mut response = error.response();
        headers::allow(response.headers_mut());
        response
    })
}

/// The upstream need not know preflights: that is why it is forwarded to.
fn preflight(asked: &HeaderMap) -> Response<Body> {
    let mut response = empty(StatusCode::NO_CONTENT);
    let headers = response.headers_mut();
    set(headers, header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    set(headers, header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST, PUT, PATCH, DELETE");
    set(headers, header::ACCESS_CONTROL_MAX_AGE, "600");
    // The wildcard would leave out Authorization, so what was asked for is repeated.
    if let Some(names) = asked.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
    }
    response
}
