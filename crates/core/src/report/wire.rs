//! The shapes in the file. All times are integer µs since the page's time origin; for what is absent the reason stands
//! beside it.

use serde::{Deserialize, Serialize};

use serde_json::{Map, Value};

use crate::config::RunConfig;

/// The whole file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunFile {
    /// Always [`super::FORMAT`].
    pub format: String,
    /// See [`super::VERSION`].
    pub version: u32,
    /// The Firstlight that wrote it.
    pub firstlight: String,
    /// RFC 3339, for display only.
    pub created: String,
    /// What was asked; header values and keys are not in it.
    pub config: RunConfig,
    /// Where it was measured.
    pub environment: Environment,
    /// The clock it was measured with.
    pub clock: Clock,
    /// It was stopped by hand.
    pub stopped: bool,
    /// Every request.
    pub requests: Vec<Request>,
    /// A histogram of each metric and mode, for merging with others: `metric/mode/edge` → an HdrHistogram from 1 µs to one
    /// hour with three significant figures (`hdr`: V2, deflated, base64), beside it how many values were clamped (`clamped_high`,
    /// `clamped_low`, `negative`) and how many requests are in no bucket because they were cut first (`censored`). Follows
    /// from the requests, and is not read back.
    #[serde(default)]
    pub histograms: Map<String, Value>,
}

/// Where a run was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// The browser's own description of itself.
    pub user_agent: String,
    /// The page's address, without query and fragment.
    pub page: String,
    /// `crossOriginIsolated`.
    pub isolated: bool,
    /// Width and height of the viewport in CSS pixels.
    pub viewport: (u32, u32),
    /// CSS pixel ratio, in thousandths.
    pub pixel_ratio_milli: u32,
    /// Median interval of animation frames before the run, in µs; absent where none ran.
    pub frame_interval_us: Option<i64>,
    /// Logical processors, where the browser tells.
    pub processors: Option<u32>,
    /// `navigator.language`.
    pub language: String,
    /// `fetch` is the browser's own.
    pub native_fetch: bool,
    /// A service worker controls the page, so that requests may go through it.
    #[serde(default)]
    pub service_worker: bool,
    /// Where requests were sent and read.
    #[serde(default)]
    pub arrival: Arrival,
    /// Why there was no worker, in the browser's words.
    #[serde(default)]
    pub worker_refused: String,
}

/// Where requests were sent and read, and with it whether a busy page could make their stamps late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrival {
    /// In a worker that a blocked main thread does not hold up.
    Worker,
    /// In a worker, in an engine whose replies go through the page's main thread all the same.
    WorkerThroughMain,
    /// On the page's main thread, as asked.
    #[default]
    Main,
    /// On the page's main thread, since a worker could not be started.
    NoWorker,
}

impl Arrival {
    /// A blocked main thread moves no stamp.
    pub fn is_protected(self) -> bool {
        self == Arrival::Worker
    }
}

/// The clock of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// Smallest step seen at start, in µs.
    pub step_us: i64,
    /// How far the worker's clock may be from the page's after they were joined, in µs; absent without a worker.
    #[serde(default)]
    pub joint_us: Option<i64>,
}

/// A paint, or why there is none (`absent`, and then nothing else).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Paint {
    pub absent: Option<String>,
    pub method: Option<String>,
    pub earliest: Option<i64>,
    pub latest: Option<i64>,
    pub value: Option<i64>,
}

/// One request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    pub(crate) id: u32,
    pub(crate) warmup: bool,
    pub(crate) mode: String,
    pub(crate) pair: Option<u32>,
    pub(crate) painted: bool,
    pub(crate) outcome: String,
    pub(crate) status: Option<u16>,
    pub(crate) shape: Option<String>,
    pub(crate) dialect: Option<(String, String)>,
    /// Instants that are there.
    pub(crate) marks: Map<String, Value>,
    /// Why the others are not.
    pub(crate) absent: Map<String, Value>,
    pub(crate) first_visible: Paint,
    pub(crate) complete_visible: Paint,
    /// `[at, bytes, events, output events]` of each read.
    pub(crate) reads: Vec<(i64, u32, u32, u32)>,
    pub(crate) response: Option<Response>,
    pub(crate) network: Option<Timing>,
    /// Why there is no network timing.
    pub(crate) network_absent: Option<String>,
    pub(crate) server_timing: String,
    pub(crate) spans: Vec<Span>,
    pub(crate) usage: Option<Usage>,
    #[serde(default)]
    pub(crate) items: Option<u64>,
    pub(crate) amounts: Amounts,
    pub(crate) last_known: i64,
    pub(crate) flags: Flags,
    pub(crate) diagnostics: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Response {
    pub content_type: Option<String>,
    pub content_encoding: Option<String>,
    pub retry_after: Option<String>,
    pub server_timing: Option<String>,
    pub redirected: bool,
    pub cross_origin: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Timing {
    pub start: i64,
    pub fetch_start: Option<i64>,
    pub connect_start: Option<i64>,
    pub connect_end: Option<i64>,
    pub request_start: Option<i64>,
    pub first_byte: Option<i64>,
    pub response_end: i64,
    pub protocol: Option<String>,
    pub service_worker: bool,
    pub from_cache: bool,
    pub encoded_bytes: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Span {
    pub name: String,
    pub description: Option<String>,
    pub raw: String,
    pub unit: String,
    pub us: i64,
    pub source: String,
    pub boundary: String,
    pub before_end: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Usage {
    pub input: Option<u64>,
    pub output: Option<u64>,
    pub reasoning: Option<u64>,
    pub cached: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Amounts {
    pub answer_chars: u64,
    pub reasoning_chars: u64,
    pub tool_chars: u64,
    pub comments: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Flags {
    pub hidden_during: bool,
    pub order_violation: bool,
    pub body_left_open: bool,
    pub patched_fetch: bool,
    #[serde(default)]
    pub covered: String,
    #[serde(default)]
    pub blocked_first_us: i64,
    #[serde(default)]
    pub blocked_us: i64,
}
