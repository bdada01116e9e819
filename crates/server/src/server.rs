//! Starting and stopping: two ports, one for the page and the endpoint, one for the endpoint on a second origin.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::routing::{any, get};
use firstlight_core::report::AutoJob;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::automation::Automation;
use crate::clock::Clock;
use crate::forward::{Forwarder, Forwards, Own};
use crate::jobs::{Jobs, SubmitError};
use crate::truth::{Ledger, Truth};
use crate::wire::{Port, Wire};
use crate::{api, endpoint, forward, page, reply};

/// How long stopping waits for connections to end.
const STOPPING: Duration = Duration::from_secs(2);

/// What to serve and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// A host name or address to listen on.
    pub host: String,
    /// The page's port; 0 takes a free one.
    pub port: u16,
    /// The second origin's port; 0 takes a free one.
    pub second_port: u16,
    /// The directory of the built page; without one only the endpoint is served.
    pub dist: Option<PathBuf>,
    /// Where requests may be forwarded to.
    pub forwards: Forwards,
    /// The page is cross-origin isolated, which makes its clock fine; without it the page measures as one whose server
    /// can't set those headers.
    pub isolate: bool,
}

impl Default for Options {
    /// Free ports of this machine, without a page.
    fn default() -> Options {
        Options {
            host: "127.0.0.1".to_owned(),
            port: 0,
            second_port: 0,
            dist: None,
            forwards: Forwards::default(),
            isolate: true,
        }
    }
}

/// Why a server can't start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another program listens there.
    #[error("port {port} is in use: stop the program that holds it, or choose another with {flag} (0 takes a free one)")]
    PortInUse {
        /// Which port.
        port: u16,
        /// The option that changes it.
        flag: &'static str,
    },
    /// The port can't be had for another reason.
    #[error("can't listen on {host}:{port}: {source}. Choose another address with --host or another port with {flag}")]
    Listen {
        /// As asked.
        host: String,
        /// As asked.
        port: u16,
        /// The option that changes the port.
        flag: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The page was not built.
    #[error(
        "there is no page in {0}: index.html is missing. Build it with `cargo xtask serve`, or name its directory with --dist"
    )]
    NoPage(PathBuf),
    /// No encrypted connections can be made.
    #[error("encrypted connections to the targets of --forward can't be set up: {0}")]
    Tls(rustls::Error),
}

/// What every route sees.
pub(crate) struct Shared {
    pub(crate) clock: Clock,
    pub(crate) ledger: Ledger,
    pub(crate) jobs: Jobs,
    pub(crate) forwarder: Forwarder,
    pub(crate) stop: watch::Receiver<bool>,
    page: SocketAddr,
    second: SocketAddr,
    page_asked: Arc<AtomicBool>,
}

impl Shared {
    /// The second origin, under the host name that the page was asked for.
    pub(crate) fn second_origin(&self, asked: Option<&str>) -> String {
        let is_host = |host: &&str| host.chars().all(|c| c.is_ascii_alphanumeric() || "-.:[]".contains(c));
        let name = asked.filter(is_host).map(|host| match host.rsplit_once(':') {
            Some((name, port)) if port.chars().all(|c| c.is_ascii_digit()) => name,
            _ => host,
        });
        match name.filter(|name| !name.is_empty()) {
            Some(name) => format!("http://{name}:{}", self.second.port()),
            None => format!("http://{}", reachable(self.second)),
        }
    }
}

/// An address that a browser of this machine can open.
fn reachable(mut addr: SocketAddr) -> SocketAddr {
    if addr.ip().is_unspecified() {
        addr.set_ip(if addr.is_ipv4() { [127, 0, 0, 1].into() } else { std::net::Ipv6Addr::LOCALHOST.into() });
    }
    addr
}

/// The server.
pub struct Server;

impl Server {
    /// Listens on both ports and serves until the [`Running`] is stopped or dropped.
    pub async fn start(options: Options) -> Result<Running, StartError> {
        if let Some(dist) = options.dist.as_ref().filter(|dist| !dist.join("index.html").is_file()) {
            return Err(StartError::NoPage(dist.clone()));
        }
        let first = listen(&options.host, options.port, "--port").await?;
        let second = listen(&options.host, options.second_port, "--second-port").await?;
        let own = Own { host: options.host.clone(), ports: [first.1.port(), second.1.port()] };
        let (stop, stopping) = watch::channel(false);
        let shared = Arc::new(Shared {
            clock: Clock::start(),
            ledger: Ledger::default(),
            jobs: Jobs::default(),
            forwarder: Forwarder::new(options.forwards.clone(), own).map_err(StartError::Tls)?,
            stop: stopping,
            page: first.1,
            second: second.1,
            page_asked: Arc::default(),
        });
        let tasks =
            vec![serve(first.0, page_routes(&options, &shared), &shared), serve(second.0, endpoint_routes(&shared), &shared)];
        Ok(Running { shared, stop, tasks })
    }
}

async fn listen(host: &str, port: u16, flag: &'static str) -> Result<(TcpListener, SocketAddr), StartError> {
    let refused = |source: io::Error| match source.kind() {
        io::ErrorKind::AddrInUse => StartError::PortInUse { port, flag },
        _ => StartError::Listen { host: host.to_owned(), port, flag, source },
    };
    let listener = TcpListener::bind((host.trim_matches(['[', ']']), port)).await.map_err(refused)?;
    let addr = listener.local_addr().map_err(refused)?;
    Ok((listener, addr))
}

fn endpoint_routes(shared: &Arc<Shared>) -> Router {
    let page = format!("the page is on http://{}/, this is the second origin of its endpoint", reachable(shared.page));
    both_origins()
        .with_state(Arc::clone(shared))
        .fallback(move || async move { reply::error(axum::http::StatusCode::NOT_FOUND, &page) })
}

fn page_routes(options: &Options, shared: &Arc<Shared>) -> Router {
    let api = both_origins().route("/api/auto/{token}", get(api::job).post(api::report)).with_state(Arc::clone(shared));
    match &options.dist {
        Some(dist) => api.merge(page::router(dist, options.isolate, Arc::clone(&shared.page_asked))),
        None => api,
    }
}

fn both_origins() -> Router<Arc<Shared>> {
    Router::new()
        .route(endpoint::PATH, any(endpoint::route))
        .route("/api/clock", get(api::clock))
        .route("/api/info", get(api::info))
        .route(forward::PREFIX, any(forward::route))
        .route(&format!("{}{{*rest}}", forward::PREFIX), any(forward::route))
}

fn serve(listener: TcpListener, routes: Router, shared: &Shared) -> JoinHandle<()> {
    let port = Port { listener, clock: shared.clock };
    let mut stop = shared.stop.clone();
    let service = routes.into_make_service_with_connect_info::<Wire>();
    let serving = axum::serve(port, service).with_graceful_shutdown(async move {
        let _stopped = stop.wait_for(|stop| *stop).await;
    });
    tokio::spawn(async move {
        // It ends only by being stopped: failures of single connections are theirs alone.
        let _ended = serving.await;
    })
}

/// A server that runs; dropping it stops it.
pub struct Running {
    shared: Arc<Shared>,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

impl Running {
    /// The page's address, with a slash at the end.
    pub fn page_url(&self) -> String {
        format!("http://{}/", reachable(self.shared.page))
    }

    /// The page's own origin, without a slash at the end.
    pub fn origin(&self) -> String {
        format!("http://{}", reachable(self.shared.page))
    }

    /// The second origin, without a slash at the end.
    pub fn second_origin(&self) -> String {
        self.shared.second_origin(None)
    }

    /// Only this machine can reach it.
    pub fn is_loopback(&self) -> bool {
        self.shared.page.ip().is_loopback()
    }

    /// Some browser has asked for the page.
    pub fn page_was_asked_for(&self) -> bool {
        self.shared.page_asked.load(Ordering::Relaxed)
    }

    /// The clock of the ground truth.
    pub fn clock(&self) -> Clock {
        self.shared.clock
    }

    /// What was written for a request of this id, the last one if there were several; none if there was none.
    pub fn truth(&self, rid: &str) -> Option<Truth> {
        self.truths(rid).pop()
    }

    /// What was written for every request of this id, in the order in which they were received.
    pub fn truths(&self, rid: &str) -> Vec<Truth> {
        self.shared.ledger.truths(rid)
    }

    /// Puts a job up for the first page that opens its address.
    pub fn submit(&self, job: AutoJob) -> Result<Automation, SubmitError> {
        let put = self.shared.jobs.put(job)?;
        let url = format!("{}?auto={}", self.page_url(), put.token);
        Ok(Automation { url, fetched: put.fetched, report: put.report })
    }

    /// Stops and waits a while for the connections to end.
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        for task in self.tasks.drain(..) {
            let _too_long = tokio::time::timeout(STOPPING, task).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.send_replace(true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_origin_has_the_name_that_the_page_was_asked_by() {
        let (_sender, stop) = watch::channel(false);
        let any = |port| SocketAddr::from(([0, 0, 0, 0], port));
        let (clock, ledger, jobs) = (Clock::start(), Ledger::default(), Jobs::default());
        let own = Own { host: "0.0.0.0".to_owned(), ports: [1, 2] };
        let forwarder = Forwarder::new(Forwards::default(), own).expect("a forwarder");
        let (page, second, page_asked) = (any(1), any(2), Arc::default());
        let shared = Shared { clock, ledger, jobs, forwarder, stop, page, second, page_asked };
        assert_eq!(shared.second_origin(None), "http://127.0.0.1:2");
        assert_eq!(shared.second_origin(Some("localhost:1")), "http://localhost:2");
        assert_eq!(shared.second_origin(Some("[::1]:1")), "http://[::1]:2");
        assert_eq!(shared.second_origin(Some("[::1]")), "http://[::1]:2");
        assert_eq!(shared.second_origin(Some("a/b<c>")), "http://127.0.0.1:2");
    }
}
