//! `firstlight collect`: takes the reports of pages, checks them, and passes them on to an OpenTelemetry collector.
//!
//! It keeps nothing: a delivery is answered only after the collector has taken it, and refused for now (503) where it has not,
//! so that the page keeps it. All that it holds is what is under way, and that is bounded.

mod counters;
mod limits;
mod origins;
mod route;
mod upstream;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::routing::{any, get};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::server::{StartError, listen};
use counters::Counters;
use limits::{Budget, Rate};
pub use origins::{OriginError, Origins};
use upstream::Upstream;
pub use upstream::UpstreamError;

/// How long stopping waits for what is under way.
const STOPPING: Duration = Duration::from_secs(5);

/// What is taken, how much of it, and where it goes.
#[derive(Clone, Debug)]
pub struct CollectOptions {
    /// A host name or address to listen on.
    pub host: String,
    /// The port; 0 takes a free one.
    pub port: u16,
    /// The collector's base address: `/v1/traces` and `/v1/metrics` are added.
    pub otlp: String,
    /// Headers for the collector, such as one with a key.
    pub otlp_headers: Vec<(String, String)>,
    /// Whose pages may send.
    pub origins: Origins,
    /// `service.name` of all that is passed on.
    pub service: String,
    /// Response headers that reports may pass on, by name.
    pub headers: Vec<String>,
    /// The largest body, in bytes.
    pub max_body: usize,
    /// The most reports in one delivery.
    pub max_batch: usize,
    /// Bytes of all bodies under way.
    pub max_under_way: usize,
    /// Deliveries a second, over a second's worth at once.
    pub rate: u32,
    /// How long the collector may take for an answer.
    pub patience: Duration,
}

impl CollectOptions {
    /// Everything but where it goes and whose pages may send.
    pub fn to(otlp: &str, origins: Origins) -> CollectOptions {
        CollectOptions {
            host: "127.0.0.1".to_owned(),
            port: 0,
            otlp: otlp.to_owned(),
            otlp_headers: Vec::new(),
            origins,
            service: "firstlight".to_owned(),
            headers: Vec::new(),
            max_body: 1 << 20,
            max_batch: 500,
            max_under_way: 16 << 20,
            rate: 200,
            patience: Duration::from_secs(10),
        }
    }
}

/// Why it can't start.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// No port.
    #[error(transparent)]
    Listen(#[from] StartError),
    /// No way to the collector.
    #[error(transparent)]
    Upstream(#[from] UpstreamError),
}

/// What every route sees.
struct Shared {
    options: CollectOptions,
    upstream: Upstream,
    budget: Budget,
    rate: Rate,
    counters: Counters,
    /// When the last delivery came: a delta is counted from the one before.
    last_ns: AtomicU64,
}

/// Takes reports until it is stopped or dropped.
pub struct Collect {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Collect {
    /// Listens.
    pub async fn start(options: CollectOptions) -> Result<Collect, CollectError> {
        let upstream = Upstream::new(&options)?;
        let (listener, address) = listen(&options.host, options.port, "--port").await?;
        let (stop, mut stopping) = watch::channel(false);
        let shared = Arc::new(Shared {
            upstream,
            budget: Budget::of(options.max_under_way),
            rate: Rate::of(options.rate),
            counters: Counters::default(),
            last_ns: AtomicU64::new(now_ns()),
            options,
        });
        let routes = Router::new()
            .route("/collect", any(route::collect))
            .route("/metrics", get(route::metrics))
            .fallback(route::elsewhere)
            .with_state(shared);
        let serving = axum::serve(listener, routes).with_graceful_shutdown(async move {
            let _stopped = stopping.wait_for(|stop| *stop).await;
        });
        let task = tokio::spawn(async move {
            // It ends only by being stopped: failures of single connections are theirs alone.
            let _ended = serving.await;
        });
        Ok(Collect { address, stop, task })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Takes no more, and waits a while for what is under way.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        let _too_long = tokio::time::timeout(STOPPING, self.task).await;
    }
}

/// The wall clock, in ns since 1970.
fn now_ns() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
