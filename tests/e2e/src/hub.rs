//! A stand-in for a Selenium Grid: one address that hands sessions out over several real drivers.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use anyhow::Result;
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Method, Response, StatusCode, header};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::Engine;
use crate::engine::Driver;
use crate::rt::{block_on, spawn};

/// A driver and what it is asked for by.
struct Place {
    browser: &'static str,
    url: String,
    sessions: usize,
}

struct Inner {
    places: Mutex<Vec<Place>>,
    /// Which driver has which session.
    sessions: Mutex<HashMap<String, usize>>,
    client: Client<HttpConnector, Body>,
}

/// A listening hub; its drivers end with it.
pub struct Hub {
    url: String,
    drivers: Vec<Driver>,
}

impl Hub {
    /// Over a driver of each of these engines.
    pub fn over(engines: &[Engine]) -> Result<Hub> {
        let drivers = engines.iter().map(|engine| engine.start_driver()).collect::<Result<Vec<Driver>>>()?;
        let place = |(engine, driver): (&Engine, &Driver)| {
            let browser = match engine {
                Engine::Chromium => "chrome",
                Engine::Firefox => "firefox",
                Engine::WebKit => "MiniBrowser",
            };
            Place { browser, url: driver.url.clone(), sessions: 0 }
        };
        let places = Mutex::new(engines.iter().zip(&drivers).map(place).collect());
        let client = Client::builder(TokioExecutor::new()).build_http();
        let inner = Arc::new(Inner { places, sessions: Mutex::default(), client });
        let listener = block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let url = format!("http://{}", listener.local_addr()?);
        let routes = Router::new().fallback(answer).with_state(inner);
        spawn(async move {
            // Until the end of the process.
            let _ended = axum::serve(listener, routes).await;
        });
        Ok(Hub { url, drivers })
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Kills a driver with its browsers, as when a node of a grid dies.
    pub fn kill(&mut self, driver: usize) -> Result<()> {
        self.drivers[driver].process.kill()
    }
}

async fn answer(State(hub): State<Arc<Inner>>, request: Request) -> Response<Body> {
    let (head, body) = request.into_parts();
    let path = head.uri.path().to_owned();
    let Ok(body) = to_bytes(body, 1 << 20).await else { return said(StatusCode::BAD_REQUEST, "no body") };
    let opens = head.method == Method::POST && path == "/session";
    let Some((at, url)) = hub.place(&path, &body) else { return said(StatusCode::NOT_FOUND, "no such place") };
    let asked = Request::builder().method(&head.method).uri(format!("{url}{path}"));
    let asked = asked.header(header::CONTENT_TYPE, "application/json; charset=utf-8").body(Body::from(body));
    let answer = hub.client.request(asked.expect("a request")).await;
    let (status, body) = match answer {
        Ok(answer) => (answer.status(), to_bytes(Body::new(answer.into_body()), 16 << 20).await.unwrap_or_default()),
        Err(error) => return said(StatusCode::INTERNAL_SERVER_ERROR, &format!("the node is gone: {error}")),
    };
    let session = serde_json::from_slice::<Value>(&body).ok().and_then(|v| Some(v["value"]["sessionId"].as_str()?.to_owned()));
    match session.filter(|_| opens) {
        Some(session) => {
            hub.sessions.lock().expect("sessions").insert(session, at);
        }
        None if opens => hub.places.lock().expect("places")[at].sessions -= 1,
        None => {}
    }
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response
}

impl Inner {
    /// The driver of a session, or of a browser's name the one with the fewest sessions.
    fn place(&self, path: &str, body: &Bytes) -> Option<(usize, String)> {
        let mut places = self.places.lock().expect("places");
        if let Some(rest) = path.strip_prefix("/session/") {
            let at = *self.sessions.lock().expect("sessions").get(rest.split('/').next()?)?;
            return Some((at, places[at].url.clone()));
        }
        let asked: Value = serde_json::from_slice(body).ok()?;
        let browser = asked["capabilities"]["alwaysMatch"]["browserName"].as_str()?;
        let fitting = places.iter().enumerate().filter(|(_, place)| place.browser == browser);
        let at = fitting.min_by_key(|(_, place)| place.sessions)?.0;
        places[at].sessions += 1;
        Some((at, places[at].url.clone()))
    }
}

fn said(status: StatusCode, message: &str) -> Response<Body> {
    let body = json!({"value": {"error": "session not created", "message": message, "stacktrace": ""}});
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = status;
    response
}
