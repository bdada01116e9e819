//! A check of the plumbing: the page's value against Chromium's own trace of when the frame was presented. Both come from the
//! same report of the display, so nothing but our own joining and rounding can lie between them.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use firstlight_core::report::Run;
use firstlight_core::stats::{P50, P95};

use super::condition::Condition;
use super::measure::{finish, submit};
use crate::figures::{ms, percentile, spread};
use crate::stage::{Stage, Staging};

/// The promise for an isolated page, at the 95th percentile.
const ERROR: i64 = 1_000;
/// Where the trace's events about frames and marks are.
const CATEGORIES: &str = "devtools.timeline,blink.user_timing";
/// Until the browser has written its trace.
const WRITING: Duration = Duration::from_secs(60);

/// What came of it, in µs.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Traced {
    /// The page's value behind the trace's presentation.
    pub errors: Vec<i64>,
    /// Requests without a frame in the trace.
    pub untold: usize,
    /// How long it took.
    pub seconds: u64,
}

impl Traced {
    /// In words.
    pub fn text(&self) -> String {
        let sizes: Vec<i64> = self.errors.iter().map(|error| error.abs()).collect();
        format!(
            "Against Chromium's trace, isolated: error p50 {} ms, |error| p95 / max {} ms, n = {} ({} without a frame in the trace).",
            spread(&self.errors, &[P50], false),
            spread(&sizes, &[P95], true),
            self.errors.len(),
            self.untold
        )
    }

    /// What is promised and not kept.
    pub fn broken(&self) -> Option<String> {
        let sizes: Vec<i64> = self.errors.iter().map(|error| error.abs()).collect();
        let p95 = percentile(&sizes, P95);
        (p95.is_none_or(|p95| p95 > ERROR)).then(|| {
            format!(
                "chromium against its trace: |error| p95 is {} ms, over {}",
                p95.map_or("unknown".to_owned(), ms),
                ms(ERROR)
            )
        })
    }
}

/// Measures a condition with the browser's tracing on.
pub fn measure(condition: &Condition) -> Result<Traced> {
    let begun = Instant::now();
    let staging = Staging { isolated: condition.isolated, follow: true, block: None, mark: true, next: false };
    let mut stage = Stage::build(staging)?;
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("trace.json");
    // As long as the run takes; it is written when this is over.
    let seconds = 10 + condition.requests * 2 / 3;
    let arguments = [
        format!("--trace-startup={CATEGORIES}"),
        format!("--trace-startup-duration={seconds}"),
        "--trace-startup-format=json".to_owned(),
        format!("--trace-startup-file={}", file.display()),
    ];
    let arguments = arguments.map(Into::into);
    let automation = submit(condition, &stage)?;
    let browser = stage.open(condition.engine, &automation.url, &arguments)?;
    let report = finish(condition, &mut stage, &browser, automation)?;
    let events = events(&file, Instant::now() + Duration::from_secs(seconds.into()) + WRITING)?;
    drop(browser);
    let report = report.run.with_context(|| report.problems.join("; "))?;
    let run = Run::from_json(&serde_json::to_string(&report)?)?;
    let mut traced = compare(&run, &events)?;
    traced.seconds = begun.elapsed().as_secs();
    Ok(traced)
}

/// Waits until the whole trace is there.
fn events(file: &Path, end: Instant) -> Result<Vec<Event>> {
    #[derive(Deserialize)]
    struct Trace {
        #[serde(rename = "traceEvents")]
        events: Vec<Event>,
    }
    loop {
        let trace = std::fs::read(file).ok().and_then(|text| serde_json::from_slice::<Trace>(&text).ok());
        if let Some(mut trace) = trace {
            trace.events.retain(|event| event.category.contains("devtools.timeline") || event.category.contains("user_timing"));
            trace.events.sort_by(|a, b| a.ts.total_cmp(&b.ts));
            return Ok(trace.events);
        }
        anyhow::ensure!(Instant::now() < end, "the browser wrote no trace");
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// One event of a trace; its times are µs of the system's monotonic clock.
#[derive(Deserialize)]
struct Event {
    #[serde(rename = "cat", default)]
    category: String,
    name: String,
    #[serde(rename = "ph")]
    phase: String,
    #[serde(default)]
    ts: f64,
    #[serde(default)]
    args: Value,
}

/// The frame whose rendering follows the mark of a write is the one that shows it.
fn compare(run: &Run, events: &[Event]) -> Result<Traced> {
    let mut presented: HashMap<&str, f64> = HashMap::new();
    let mut rendered: Vec<(f64, &str)> = Vec::new();
    let mut marks: Vec<(f64, f64)> = Vec::new();
    let mut frame = "";
    for event in events {
        let id = event.args.pointer("/id").and_then(Value::as_str);
        match (event.name.as_str(), event.phase.as_str(), id) {
            ("AnimationFrame::Presentation", _, Some(id)) => {
                presented.insert(id, event.ts);
            }
            ("AnimationFrame", "b", _) => {
                frame = event.args.pointer("/animation_frame_timing_info").and(id).unwrap_or_default();
            }
            ("AnimationFrame::Render", "b", _) => rendered.push((event.ts, frame)),
            (name, ..) if name.starts_with("bench-write ") => {
                let page = event.args.pointer("/data/startTime").and_then(Value::as_f64).context("a mark without its time")?;
                marks.push((event.ts, page));
            }
            _ => {}
        }
    }
    let mut traced = Traced::default();
    anyhow::ensure!(marks.len() <= run.traces.len(), "{} marks of {} requests", marks.len(), run.traces.len());
    for (n, trace) in run.traces.iter().enumerate().filter(|(_, trace)| !trace.planned.warmup) {
        let value = trace.first_visible.as_ref().ok().and_then(|seen| seen.value);
        let shown = marks.get(n).and_then(|(ts, page)| {
            let (_, frame) = rendered.iter().find(|(at, _)| at >= ts)?;
            // On the page's clock, by the mark itself.
            Some(((presented.get(frame)? - ts) + page * 1000.0).round() as i64)
        });
        match value.zip(shown) {
            Some((value, shown)) => traced.errors.push(value.0 - shown),
            None => traced.untold += 1,
        }
    }
    Ok(traced)
}
