//! What does the endpoint tell of itself in sum? `GET /metrics`, in the text format of Prometheus and under vLLM's names.
//!
//! It is a report of the server's, as `Server-Timing` is: made of what really waited, ran and was written. A time to first token
//! is counted when the first output of a stream is handed to the connection, a latency when the end of a good reply is.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Response, StatusCode, header};
use firstlight_engine::Schedule;

use super::access::Access;
use crate::reply::{empty, set};
use crate::server::Shared;

/// Upper edges of buckets, in µs: vLLM's of the time to first token.
const EDGES_US: [u64; 22] = [
    1_000,
    5_000,
    10_000,
    20_000,
    40_000,
    60_000,
    80_000,
    100_000,
    250_000,
    500_000,
    750_000,
    1_000_000,
    2_500_000,
    5_000_000,
    7_500_000,
    10_000_000,
    20_000_000,
    40_000_000,
    80_000_000,
    160_000_000,
    640_000_000,
    2_560_000_000,
];

/// Sums over every request that the endpoint answered.
#[derive(Debug, Default)]
pub(crate) struct Metrics(Mutex<Sums>);

#[derive(Debug, Default)]
struct Sums {
    running: u64,
    waiting: u64,
    input_tokens: u64,
    output_tokens: u64,
    first_token: Histogram,
    end_to_end: Histogram,
}

#[derive(Debug, Default)]
struct Histogram {
    /// In each bucket alone.
    counts: [u64; EDGES_US.len()],
    count: u64,
    sum_us: u64,
}

impl Histogram {
    fn observe(&mut self, us: u64) {
        if let Some(at) = EDGES_US.iter().position(|edge| us <= *edge) {
            self.counts[at] += 1;
        }
        self.count += 1;
        self.sum_us += us;
    }

    fn write(&self, text: &mut String, name: &str) {
        let mut family = format!("# TYPE {name} histogram\n");
        let mut below = 0;
        for (edge, count) in EDGES_US.iter().zip(self.counts) {
            below += count;
            let _infallible = writeln!(family, "{name}_bucket{{{LABELS},le=\"{}\"}} {below}", *edge as f64 / 1e6);
        }
        let (count, sum) = (self.count, self.sum_us as f64 / 1e6);
        let _infallible = write!(
            family,
            "{name}_bucket{{{LABELS},le=\"+Inf\"}} {count}\n{name}_count{{{LABELS}}} {count}\n{name}_sum{{{LABELS}}} {sum}\n"
        );
        text.push_str(&family);
    }
}

const LABELS: &str = "engine=\"0\",model_name=\"firstlight\"";

impl Metrics {
    fn lock(&self) -> MutexGuard<'_, Sums> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn text(&self, cache: (u64, u64)) -> String {
        let sums = self.lock();
        let mut text = String::new();
        for (name, kind, value) in [
            ("vllm:num_requests_running", "gauge", sums.running),
            ("vllm:num_requests_waiting", "gauge", sums.waiting),
            ("vllm:prompt_tokens_total", "counter", sums.input_tokens),
            ("vllm:generation_tokens_total", "counter", sums.output_tokens),
        ] {
            let _infallible = writeln!(text, "# TYPE {name} {kind}\n{name}{{{LABELS}}} {value}");
        }
        // Of modelled servers; without one there is no cache that anything could lie in.
        let (taken, there_is) = cache;
        let cache_use = taken as f64 / there_is.max(1) as f64;
        let name = "vllm:kv_cache_usage_perc";
        let _infallible = writeln!(text, "# TYPE {name} gauge\n{name}{{{LABELS}}} {cache_use}");
        sums.first_token.write(&mut text, "vllm:time_to_first_token_seconds");
        sums.end_to_end.write(&mut text, "vllm:e2e_request_latency_seconds");
        text
    }
}

/// One request in the sums: waiting, then running, and out of both when it is dropped.
#[derive(Debug)]
pub(crate) struct Counted {
    metrics: Arc<Metrics>,
    running: bool,
    received_us: u64,
    /// Output tokens of the reply, in how many pieces they come, and how many of these went.
    tokens: u64,
    pieces: u64,
    gone: u64,
    /// A good reply, whose latency counts.
    good: bool,
    /// The injected way back, which is none of the server's time.
    return_us: u64,
}

impl Counted {
    /// It waits.
    pub(crate) fn waiting(metrics: &Arc<Metrics>, received_us: u64) -> Counted {
        metrics.lock().waiting += 1;
        let metrics = Arc::clone(metrics);
        Counted { metrics, running: false, received_us, tokens: 0, pieces: 0, gone: 0, good: false, return_us: 0 }
    }

    /// It is its turn.
    pub(crate) fn runs(&mut self, input_tokens: u32) {
        let mut sums = self.metrics.lock();
        if !self.running {
            sums.waiting -= 1;
            sums.running += 1;
            sums.input_tokens += u64::from(input_tokens);
            self.running = true;
        }
    }

    /// This is what will be sent.
    pub(super) fn replies(&mut self, schedule: &Schedule, return_us: u64) {
        self.return_us = return_us;
        self.tokens = schedule.expected.tokens;
        self.pieces = schedule.pieces.iter().filter(|piece| bears_tokens(piece.kind)).count() as u64;
        self.good = schedule.status == 200 && self.pieces > 0;
    }

    /// A piece goes now.
    pub(super) fn piece(&mut self, kind: firstlight_engine::Kind, now_us: u64) {
        // Those of an endless reply beyond what was planned have no number.
        if !bears_tokens(kind) || self.gone >= self.pieces {
            return;
        }
        let mut sums = self.metrics.lock();
        if self.gone == 0 && kind.is_output() {
            sums.first_token.observe(now_us.saturating_sub(self.received_us + self.return_us));
        }
        let told = |gone: u64| self.tokens * gone / self.pieces;
        sums.output_tokens += told(self.gone + 1) - told(self.gone);
        self.gone += 1;
    }

    /// The end goes now.
    pub(super) fn end(&self, now_us: u64) {
        if self.good {
            self.metrics.lock().end_to_end.observe(now_us.saturating_sub(self.received_us + self.return_us));
        }
    }
}

fn bears_tokens(kind: firstlight_engine::Kind) -> bool {
    kind.is_output() || kind == firstlight_engine::Kind::Whole
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut sums = self.metrics.lock();
        let of = if self.running { &mut sums.running } else { &mut sums.waiting };
        *of = of.saturating_sub(1);
    }
}

/// `GET /metrics`; with `?cors=off` for no page of another origin.
pub(crate) async fn metrics(State(shared): State<Arc<Shared>>, request: Request) -> Response<Body> {
    let mut response = empty(StatusCode::OK);
    *response.body_mut() = Body::from(shared.metrics.text(shared.instances.cache()));
    let headers: &mut HeaderMap = response.headers_mut();
    set(headers, header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8");
    set(headers, header::CACHE_CONTROL, "no-store");
    set(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    Access { cors: request.uri().query() != Some("cors=off"), ..Access::default() }.allow(headers);
    response
}
