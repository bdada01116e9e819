//! Starting and stopping: two ports, one for the page and the endpoint, one for the endpoint on a second origin.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::connect_info::Connected;
use axum::routing::{any, get};
use axum::serve::{IncomingStream, Listener};
use firstlight_core::report::AutoJob;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::automation::Automation;
use crate::clock::Clock;
use crate::embed_origin::EmbedOrigin;
use crate::endpoint::{Instances, Metrics, Pools};
use crate::forward::{Forwarder, Forwards, Own};
use crate::https::{Certificate, TlsPort};
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
    /// HTTPS with HTTP/2 on both ports, on this certificate; plain HTTP without one.
    pub https: Option<Certificate>,
    /// The page is cross-origin isolated, which makes its clock fine; without it the page measures as one whose server
    /// can't set those headers.
    pub isolate: bool,
    /// How browsers on other machines reach the page.
    pub public: Public,
    /// Origins of pages that may show the page for frames, beside this server's own.
    pub embed_origins: Vec<EmbedOrigin>,
    /// Query parameters of the endpoint that hold where an address does not name them.
    pub defaults: String,
}

/// The page's origin for browsers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Public {
    /// Where the server listens.
    #[default]
    Here,
    /// This host name or address (with brackets, for IPv6), and the port on which the server listens.
    Host(String),
    /// This one, without a slash at its end: something on the way leads from there to here.
    Origin(String),
}

impl Public {
    fn origin(&self, scheme: &str, port: u16) -> Option<String> {
        match self {
            Public::Here => None,
            Public::Host(host) => Some(format!("{scheme}://{host}:{port}")),
            Public::Origin(origin) => Some(origin.clone()),
        }
    }
}

/// The host of an origin, as it stands there.
fn host_of(origin: &str) -> Option<&str> {
    let place = origin.split("://").nth(1)?;
    Some(place.rsplit_once(':').filter(|(_, port)| !port.contains(']')).map_or(place, |(host, _)| host))
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
            https: None,
            isolate: true,
            public: Public::Here,
            embed_origins: Vec::new(),
            defaults: String::new(),
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
    /// No encrypted connections can be accepted.
    #[error("https can't be set up: {0}")]
    Https(rustls::Error),
}

/// What every route sees.
pub(crate) struct Shared {
    pub(crate) clock: Clock,
    /// By which this clock is told from those of other servers.
    pub(crate) clock_id: String,
    pub(crate) ledger: Ledger,
    pub(crate) jobs: Jobs,
    pub(crate) pools: Pools,
    pub(crate) instances: Instances,
    /// What a question to the endpoint says where its address does not.
    pub(crate) defaults: String,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) forwarder: Forwarder,
    pub(crate) stop: watch::Receiver<bool>,
    certificate: Option<Certificate>,
    /// The page's origin for browsers on other machines.
    public: Option<String>,
    page: SocketAddr,
    second: SocketAddr,
    page_asked: Arc<AtomicBool>,
}

impl Shared {
    fn scheme(&self) -> &'static str {
        if self.certificate.is_some() { "https" } else { "http" }
    }

    fn page_origin(&self) -> String {
        self.public.clone().unwrap_or_else(|| format!("{}://{}", self.scheme(), reachable(self.page)))
    }

    /// The second origin, under the host name that the page was asked for.
    pub(crate) fn second_origin(&self, asked: Option<&str>) -> String {
        let asked = asked.or(self.public.as_deref().and_then(host_of));
        let is_host = |host: &&str| host.chars().all(|c| c.is_ascii_alphanumeric() || "-.:[]".contains(c));
        let name = asked.filter(is_host).map(|host| match host.rsplit_once(':') {
            Some((name, port)) if port.chars().all(|c| c.is_ascii_digit()) => name,
            _ => host,
        });
        match name.filter(|name| !name.is_empty()) {
            Some(name) => format!("{}://{name}:{}", self.scheme(), self.second.port()),
            None => format!("{}://{}", self.scheme(), reachable(self.second)),
        }
    }
}

/// Another one for every server, also of one process.
fn clock_id() -> String {
    static STARTED: AtomicU32 = AtomicU32::new(0);
    let nth = STARTED.fetch_add(1, Ordering::Relaxed);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros());
    format!("built-in-{since:x}-{:x}-{nth}", std::process::id())
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
        let scheme = if options.https.is_some() { "https" } else { "http" };
        let public = options.public.origin(scheme, first.1.port());
        // Browsers come by this name, so it counts as the server's own.
        let host = public.as_deref().and_then(host_of).unwrap_or(&options.host).to_owned();
        let own = Own { scheme, host, ports: [first.1.port(), second.1.port()] };
        let (stop, stopping) = watch::channel(false);
        let shared = Arc::new(Shared {
            clock: Clock::start(),
            clock_id: clock_id(),
            ledger: Ledger::default(),
            jobs: Jobs::default(),
            pools: Pools::default(),
            instances: Instances::default(),
            defaults: options.defaults.clone(),
            metrics: Arc::default(),
            forwarder: Forwarder::new(options.forwards.clone(), own).map_err(StartError::Tls)?,
            stop: stopping,
            certificate: options.https.clone(),
            public,
            page: first.1,
            second: second.1,
            page_asked: Arc::default(),
        });
        let tasks = vec![
            accept(first.0, page_routes(&options, &shared), &shared)?,
            accept(second.0, endpoint_routes(&shared), &shared)?,
        ];
        Ok(Running { shared, stop, tasks })
    }
}

pub(crate) async fn listen(host: &str, port: u16, flag: &'static str) -> Result<(TcpListener, SocketAddr), StartError> {
    let refused = |source: io::Error| match source.kind() {
        io::ErrorKind::AddrInUse => StartError::PortInUse { port, flag },
        _ => StartError::Listen { host: host.to_owned(), port, flag, source },
    };
    let listener = TcpListener::bind((host.trim_matches(['[', ']']), port)).await.map_err(refused)?;
    let addr = listener.local_addr().map_err(refused)?;
    Ok((listener, addr))
}

fn endpoint_routes(shared: &Arc<Shared>) -> Router {
    let page = format!("the page is on {}/, this is the second origin of its endpoint", shared.page_origin());
    both_origins()
        .with_state(Arc::clone(shared))
        .fallback(move || async move { reply::error(axum::http::StatusCode::NOT_FOUND, &page) })
}

fn page_routes(options: &Options, shared: &Arc<Shared>) -> Router {
    let api = both_origins().route("/api/auto/{token}", get(api::job).post(api::report)).with_state(Arc::clone(shared));
    match &options.dist {
        Some(dist) => api.merge(page::router(dist, options.isolate, &options.embed_origins, Arc::clone(&shared.page_asked))),
        None => api,
    }
}

fn both_origins() -> Router<Arc<Shared>> {
    endpoint::PATHS
        .iter()
        .fold(Router::new(), |routes, path| routes.route(path, any(endpoint::route)))
        .route(endpoint::CLOCK_PATH, get(api::probe))
        .route(endpoint::METRICS_PATH, get(endpoint::metrics))
        .route("/api/auto/{token}/line", get(api::line))
        .route("/api/clock", get(api::clock))
        .route("/api/info", get(api::info))
        .route(forward::PREFIX, any(forward::route))
        .route(&format!("{}{{*rest}}", forward::PREFIX), any(forward::route))
}

fn accept(listener: TcpListener, routes: Router, shared: &Shared) -> Result<JoinHandle<()>, StartError> {
    let port = Port { listener, clock: shared.clock };
    match &shared.certificate {
        Some(certificate) => Ok(serve(TlsPort::new(port, certificate).map_err(StartError::Https)?, routes, shared)),
        None => Ok(serve(port, routes, shared)),
    }
}

fn serve<L: Listener<Addr = SocketAddr>>(port: L, routes: Router, shared: &Shared) -> JoinHandle<()>
where
    Wire: for<'a> Connected<IncomingStream<'a, L>>,
{
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
        format!("{}/", self.shared.page_origin())
    }

    /// The page's own origin, without a slash at the end.
    pub fn origin(&self) -> String {
        self.shared.page_origin()
    }

    /// The second origin, without a slash at the end.
    pub fn second_origin(&self) -> String {
        self.shared.second_origin(None)
    }

    /// What it proves itself with, over https.
    pub fn certificate(&self) -> Option<&Certificate> {
        self.shared.certificate.as_ref()
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
        Ok(Automation { url, fetched: put.fetched, report: put.report, line: put.line, token: put.token })
    }

    /// Forgets a job whose browser is lost: what comes of it later is refused.
    pub fn forget(&self, automation: &Automation) {
        self.shared.jobs.forget(&automation.token);
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
        let (clock, ledger, jobs, pools) = (Clock::start(), Ledger::default(), Jobs::default(), Pools::default());
        let own = Own { scheme: "http", host: "0.0.0.0".to_owned(), ports: [1, 2] };
        let forwarder = Forwarder::new(Forwards::default(), own).expect("a forwarder");
        let (page, second, page_asked, certificate, metrics) = (any(1), any(2), Arc::default(), None, Arc::default());
        let (clock_id, defaults, instances, public) = (String::new(), String::new(), Instances::default(), None);
        let mut shared = Shared {
            clock,
            clock_id,
            ledger,
            jobs,
            pools,
            instances,
            defaults,
            metrics,
            forwarder,
            stop,
            certificate,
            public,
            page,
            second,
            page_asked,
        };
        assert_eq!(shared.second_origin(None), "http://127.0.0.1:2");
        assert_eq!(shared.second_origin(Some("localhost:1")), "http://localhost:2");
        assert_eq!(shared.second_origin(Some("[::1]:1")), "http://[::1]:2");
        assert_eq!(shared.second_origin(Some("[::1]")), "http://[::1]:2");
        assert_eq!(shared.second_origin(Some("a/b<c>")), "http://127.0.0.1:2");
        shared.public = Some("http://bench.example:8600".to_owned());
        assert_eq!(
            (shared.page_origin().as_str(), shared.second_origin(None).as_str()),
            ("http://bench.example:8600", "http://bench.example:2")
        );
    }
}
