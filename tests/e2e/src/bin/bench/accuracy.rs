//! How late the page stamps what the server wrote: the truth of the built-in endpoint, joined by the server's clock.
//!
//! Nothing is driven and nothing else runs: the browser is started on the page with a job, as the command line does it.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Map;

use firstlight_core::Micros;
use firstlight_core::config::{BodyChoice, ModeChoice, RuleChoice, RunConfig, Secrets, TargetKind};
use firstlight_core::mark::Mark;
use firstlight_core::report::{AutoJob, AutoReport, ClockProbe, Run};
use firstlight_core::stats::{Distribution, Interval, P, P50, P95, Quantile};
use firstlight_e2e::clock::Join;
use firstlight_e2e::rt::block_on;
use firstlight_e2e::served::{Served, write_of_first_answer};
use firstlight_server::browser::{Browser, Kind, Launch};

/// The promise: in Chromium, the 95th percentile of the delay stays below this.
const CHROMIUM_P95: Micros = Micros(5_000);

/// What to run.
#[derive(clap::Args)]
pub struct Args {
    /// Measured requests in each browser
    #[arg(long, default_value_t = 400)]
    requests: u32,
    /// As few requests as an interval of the 95th percentile needs
    #[arg(long)]
    quick: bool,
    /// Questions for the server's clock in each browser
    #[arg(long, default_value_t = 200)]
    probes: u32,
}

/// Runs both browsers and prints; false if Chromium's delay is over the promise.
pub fn run(args: &Args) -> Result<bool> {
    let requests = if args.quick { 80 } else { args.requests };
    println!("first_answer − the server's write of that piece, one request at a time, nothing else running");
    let mut holds = true;
    for kind in [Kind::Chromium, Kind::Firefox] {
        let measured = measure(kind, requests, args.probes).with_context(|| format!("{kind:?}"))?;
        measured.print(kind);
        if kind == Kind::Chromium {
            let p95 = measured.delays.percentile(P95).context("no request was measured")?;
            holds &= p95.value <= CHROMIUM_P95.0 && !p95.at_least;
        }
    }
    if !holds {
        println!("Chromium's p95 is over {} ms", CHROMIUM_P95.as_ms());
    }
    Ok(holds)
}

/// The delays in one browser.
struct Measured {
    delays: Distribution,
    join: Join,
    drift: Option<Micros>,
    step: Micros,
}

fn measure(kind: Kind, requests: u32, probes: u32) -> Result<Measured> {
    let served = Served::start()?;
    let config = RunConfig {
        target: TargetKind::Own,
        url: served.endpoint("preset=fast&rid=accuracy"),
        model: String::new(),
        body: BodyChoice::Chat(Map::new()),
        prompt: "Why is the sky blue?".to_owned(),
        max_tokens: None,
        mode: ModeChoice::Streaming,
        requests,
        concurrency: 1,
        warmup: 10,
        timeout_ms: 20_000,
        seed: 1,
        useful: RuleChoice::Word,
        reading: firstlight_core::config::Reading::default(),
        key_header: String::new(),
        thread: firstlight_core::config::ThreadChoice::default(),
    };
    let job = AutoJob { config, secrets: Secrets::default(), clock_probes: probes };
    let automation = served.running().submit(job)?;
    let launch = Launch { kind, binary: None, url: &automation.url, without_env: None };
    let browser = Browser::launch(launch)?;
    let limit = Duration::from_secs(60) + Duration::from_secs(1) * requests;
    let report = block_on(async { tokio::time::timeout(limit, automation.report).await });
    let Ok(report) = report else {
        bail!("no report within {limit:?}; the browser said: {}", browser.last_lines().join("\n"));
    };
    let report = report.context("the server ended")??;
    drop(browser);
    join(&served, *report, probes)
}

/// Joins the page's stamps with the server's. One at a time: the nth that was sent is the nth that came.
fn join(served: &Served, report: AutoReport, probes: u32) -> Result<Measured> {
    let file = report.run.with_context(|| format!("the page could not begin: {}", report.problems.join("; ")))?;
    let run = Run::from_json(&serde_json::to_string(&file)?)?;
    let join = Join::from_probes(&report.clock_probes).context("the server's clock never answered")?;
    let truths = served.truths("accuracy");
    anyhow::ensure!(truths.len() == run.traces.len(), "{} requests came, {} were sent", truths.len(), run.traces.len());
    let mut delays = Vec::new();
    for (trace, truth) in run.traces.iter().zip(&truths).filter(|(trace, _)| !trace.planned.warmup) {
        let read = trace.marks.get(Mark::FirstAnswer);
        let read = read.map_err(|why| anyhow::anyhow!("request {} has no first answer: {}", trace.planned.id, why.code()))?;
        let written = write_of_first_answer(truth).context("no answer was written")?;
        delays.push((read - join.on_page(written)).0);
    }
    Ok(Measured {
        delays: Distribution::new(delays, Vec::new()),
        join,
        drift: drift(&report.clock_probes, probes),
        step: Micros(run.clock.step_us),
    })
}

/// How much the clocks moved against one another from the probes before the run to those after it.
fn drift(probes: &[ClockProbe], asked: u32) -> Option<Micros> {
    let (before, after) = probes.split_at_checked(asked.div_ceil(2) as usize)?;
    Some(Join::from_probes(after)?.offset - Join::from_probes(before)?.offset)
}

impl Measured {
    fn print(&self, kind: Kind) {
        println!("\n{kind:?}: n = {}", self.delays.n());
        for p in [P50, P95] {
            println!("  {:<4} {}", p.name(), self.percentile(p));
        }
        let drift = self.drift.map_or("unknown".to_owned(), |drift| format!("{:+.3} ms", drift.as_ms()));
        println!("  clock join ±{:.3} ms (half of the quickest round trip)", self.join.error.as_ms());
        println!("  drift from before the run to after it {drift}; step of the page's clock {:.3} ms", self.step.as_ms());
    }

    fn percentile(&self, p: P) -> String {
        let ms = |q: Quantile| format!("{:.3}", Micros(q.value).as_ms());
        let value = self.delays.percentile(p).map_or("–".to_owned(), ms);
        match self.delays.interval(p) {
            Interval::Between { lower, upper } => format!("{value} ms (95 % interval {} to {} ms)", ms(lower), ms(upper)),
            Interval::Needs { at_least, has } => format!("{value} ms (an interval needs ≥ {at_least} requests, has {has})"),
        }
    }
}
