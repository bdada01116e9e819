//! The shapes in the file. All times are integer µs since the page's time origin; for what is absent the reason stands
//! beside it.

use serde::{Deserialize, Serialize};

use serde_json::{Map, Value};

use crate::config::RunConfig;
use crate::stop_rule::StopRule;
use crate::workload::check::CheckFailure;

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
    /// It was stopped by hand, or ended with its page.
    pub stopped: bool,
    /// The rule that ended it early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stopped_by: Option<StoppedBy>,
    /// Its page ended in the middle (a crash, a reload, a closed tab): the requests are those that were saved until then.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub page_ended: bool,
    /// Probes of the server's clock.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) probes: Probes,
    /// The runs that it was merged of, in the order of their requests; empty if it is one run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// Every request.
    pub requests: Vec<Request>,
    /// What was read of the server's own metrics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) scraped: Option<super::ScrapedFile>,
    /// A histogram of each metric and mode, for merging with others: `metric/mode/edge` → an HdrHistogram from 1 µs to one
    /// hour with three significant figures (`hdr`: V2, deflated, base64), beside it how many values were clamped (`clamped_high`,
    /// `clamped_low`, `negative`) and how many requests are in no bucket because they were cut first (`censored`). Follows
    /// from the requests, and is not read back.
    #[serde(default)]
    pub histograms: Map<String, Value>,
}

/// Probes of the server's clock, each `[sent, received, server received, server sent, clock]`, on the page's clock and on the
/// server's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Probes {
    pub before: Vec<(i64, i64, i64, i64, String)>,
    pub after: Vec<(i64, i64, i64, i64, String)>,
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
    /// The browser made the page before anybody went to it; nothing was fetched for the run before somebody did.
    #[serde(default)]
    pub prerendered: bool,
    /// Where requests were sent and read.
    #[serde(default)]
    pub arrival: Arrival,
    /// Why there was no worker, in the browser's words.
    #[serde(default)]
    pub worker_refused: String,
    /// The wall time at which the page's clock was 0, in µs since 1970 (`performance.timeOrigin`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_origin_us: Option<i64>,
    /// How far the wall clock was from that origin plus the page's clock when the run began, in µs: apart they get when the
    /// machine sleeps or its clock is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_apart_us: Option<i64>,
    /// The browser of one run on a grid (`firstlight measure --webdriver`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<super::Session>,
    /// All browsers of a merged run on a grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<Box<super::Grid>>,
    /// Whose page it was shown in.
    #[serde(default, skip_serializing_if = "Embedded::is_own")]
    pub embedded: Embedded,
}

/// Whose page a run was shown in, and with it what could be seen of that page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Embedded {
    /// No other: Firstlight's own, or one that measures by itself.
    #[default]
    Own,
    /// A custom element in somebody else's page.
    Element,
    /// A frame in a page of the same origin.
    Frame,
    /// A frame in a page of another origin: what lies over the frame there can't be seen from inside, and a browser may slow it down
    /// while it is not on the screen.
    ForeignFrame,
}

impl Embedded {
    fn is_own(&self) -> bool {
        *self == Embedded::Own
    }
}

/// One of the runs that a run was merged of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Its file's name.
    pub label: String,
    /// The number of its first request; each request has the number that it had in its own run, plus this.
    pub first: u32,
    /// What was added to its times, in µs, so that the parts follow one another.
    pub shift_us: i64,
    /// Its seed.
    pub seed: u64,
    /// When it was begun.
    pub created: String,
    /// Where it was measured.
    pub environment: Environment,
    /// The clock it was measured with.
    pub clock: Clock,
    /// It was stopped by hand.
    #[serde(default)]
    pub stopped: bool,
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
    /// The stable name used in run files.
    pub fn code(self) -> &'static str {
        match self {
            Arrival::Worker => "worker",
            Arrival::WorkerThroughMain => "worker_through_main",
            Arrival::Main => "main",
            Arrival::NoWorker => "no_worker",
        }
    }

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
    /// How late timers of the thread that stamps fired during the run; absent where none was seen.
    #[serde(default)]
    pub lag: Option<crate::load::Lag>,
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
    /// In a merged run: which part it is of, from 0. Follows from its number, and is not read back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) part: Option<u32>,
    pub(crate) warmup: bool,
    pub(crate) mode: String,
    pub(crate) pair: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) intended: Option<i64>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) stage: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) arm: u8,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) case: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cancel_after: Option<i64>,
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stages: Option<Stages>,
    pub(crate) usage: Option<Usage>,
    #[serde(default)]
    pub(crate) items: Option<u64>,
    pub(crate) amounts: Amounts,
    pub(crate) last_known: i64,
    pub(crate) flags: Flags,
    pub(crate) diagnostics: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) check: Option<Check>,
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

/// Stages by their codes, in µs of the named clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stages {
    pub clock: String,
    pub at: Map<String, Value>,
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub long_frames_us: Option<Vec<i64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub press_paint: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub press_paint_absent: Option<String>,
}

fn is_zero<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// What a check said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Check {
    pub(crate) passed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<CheckFailure>,
}

/// The rule that ended a run, and on what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoppedBy {
    pub(crate) rule: StopRule,
    /// The request after which it did.
    pub(crate) request: u32,
    /// When, in µs of the page's clock.
    pub(crate) at: i64,
    /// Requests that the rule had seen.
    pub(crate) seen: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) beyond: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) spent: Option<f64>,
}
