//! One condition: a browser that nothing drives, on a screen that is watched.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use firstlight_core::Micros;
use firstlight_core::config::Secrets;
use firstlight_core::mark::Mark;
use firstlight_core::report::{AutoJob, AutoReport, ClockProbe, Run};
use firstlight_e2e::clock::{Bounds, Join};
use firstlight_e2e::rt::block_on;
use firstlight_e2e::served::write_of_first_answer;
use firstlight_server::{Automation, Truth};

use super::condition::Condition;
use super::sample::{Sample, samples};
use crate::stage::{Shown, Stage, Staging, config};

/// Requests before those that count.
const WARMUP: u32 = 10;
/// Questions for the server's clock, half of them before the run.
const PROBES: u32 = 200;
/// The id under which the server writes down what it did.
const RID: &str = "accuracy";

/// What came of a condition.
#[derive(Debug, Serialize, Deserialize)]
pub struct Part {
    /// [`Condition`] as text.
    pub condition: String,
    /// The browser's own description of itself.
    pub agent: String,
    /// Every measured request.
    pub samples: Vec<Sample>,
    /// The two clocks are joined with no larger error, in µs.
    pub join_error: i64,
    /// How far the clocks moved against one another, by the quickest questions before and after, in µs.
    pub drift: Option<i64>,
    /// The step of the page's clock in µs.
    pub step: i64,
    /// How long it took.
    pub seconds: u64,
}

/// Measures.
pub fn measure(condition: &Condition) -> Result<Part> {
    let begun = Instant::now();
    let staging =
        Staging { isolated: condition.isolated, follow: true, block: condition.shape.block(), mark: false, next: false };
    let mut stage = Stage::build(staging)?;
    let automation = submit(condition, &stage)?;
    let browser = stage.open(condition.engine, &automation.url, &[])?;
    let report = finish(condition, &mut stage, &browser, automation)?;
    let order = stage.order()?;
    drop(browser);
    join(condition, &stage, report, &order, begun)
}

/// Puts the run of a condition up for the browser.
pub fn submit(condition: &Condition, stage: &Stage) -> Result<Automation> {
    let url = stage.served.endpoint(&format!("{}&rid={RID}", condition.shape.query()));
    let config = config(url, condition.requests, WARMUP, condition.thread());
    let job = AutoJob { config, secrets: Secrets::default(), clock_probes: PROBES };
    Ok(stage.served.running().submit(job)?)
}

/// Waits for the places, then for the report.
pub fn finish(condition: &Condition, stage: &mut Stage, browser: &Shown, automation: Automation) -> Result<AutoReport> {
    stage.watch_answers().with_context(|| browser.last_lines())?;
    let limit = Duration::from_secs(60) + Duration::from_millis(1_500) * condition.requests;
    let report = block_on(async { tokio::time::timeout(limit, automation.report).await });
    let Ok(report) = report else {
        bail!("no report within {limit:?}; the browser said: {}", browser.last_lines());
    };
    stage.prober.check()?;
    Ok(*report.context("the server ended")??)
}

/// Joins what the page, the server and the screen know. One at a time: the nth that was sent is the nth that came.
fn join(condition: &Condition, stage: &Stage, report: AutoReport, order: &[usize], begun: Instant) -> Result<Part> {
    let file = report.run.with_context(|| format!("the page could not begin: {}", report.problems.join("; ")))?;
    let run = Run::from_json(&serde_json::to_string(&file)?)?;
    let isolated = run.environment.isolated;
    anyhow::ensure!(isolated == condition.isolated, "crossOriginIsolated is {isolated}");
    let truths = stage.served.truths(RID);
    anyhow::ensure!(truths.len() == run.traces.len(), "{} requests came, {} were sent", truths.len(), run.traces.len());
    anyhow::ensure!(order.len() == run.traces.len(), "{} requests had a place, {} were sent", order.len(), run.traces.len());
    let step = Micros(run.clock.step_us);
    let join = bounds(&report.clock_probes, &run, &truths, step).context("the two clocks drift apart")?;
    Ok(Part {
        condition: condition.to_string(),
        agent: run.environment.user_agent.clone(),
        samples: samples(&run.traces, &truths, order, &stage.prober.changes(), &join),
        join_error: join.error.0,
        drift: drift(&report.clock_probes).map(|drift| drift.0),
        step: step.0,
        seconds: begun.elapsed().as_secs(),
    })
}

/// The clocks are joined by every order that is certain: a question before its answer, a request before its receipt, a write
/// before the read of it.
fn bounds(probes: &[ClockProbe], run: &Run, truths: &[Truth], step: Micros) -> Option<Join> {
    let mut bounds = Bounds::new(step);
    probes.iter().for_each(|probe| bounds.probe(probe));
    for (trace, truth) in run.traces.iter().zip(truths) {
        if let (Ok(sent), Ok(received)) = (trace.marks.get(Mark::Sent), i64::try_from(truth.received_us)) {
            bounds.page_then_server(sent, received);
        }
        if let (Ok(read), Some(written)) = (trace.marks.get(Mark::FirstAnswer), write_of_first_answer(truth)) {
            bounds.server_then_page(written, read);
        }
    }
    bounds.join()
}

/// How much the clocks moved against one another from the probes before the run to those after it.
fn drift(probes: &[ClockProbe]) -> Option<Micros> {
    let (before, after) = probes.split_at_checked(PROBES.div_ceil(2) as usize)?;
    Some(Join::from_probes(after)?.offset - Join::from_probes(before)?.offset)
}
