//! What the kit itself costs: from the server's write to the pixels, with Firstlight and with a page that only fetches and
//! appends. Blocks of both by turns, in one browser on one screen.

use std::time::Duration;

use anyhow::{Context, Result};

use firstlight_core::config::{Secrets, ThreadChoice};
use firstlight_core::report::AutoJob;
use firstlight_core::stats::{P, P50, P95};
use firstlight_e2e::Engine;
use firstlight_e2e::rt::block_on;
use firstlight_e2e::served::write_of_first_answer;
use firstlight_server::Truth;

use crate::figures::{difference_of_medians, ms, percentile, spread, table};
use crate::screen::Change;
use crate::stage::{Shown, Stage, Staging, config};

/// The promise: the difference of the medians, in µs.
const PROMISE: i64 = 1_000;
/// Requests at the beginning of each block that don't count.
const WARMUP: u32 = 5;
/// A change so near to the next request may be that request's own, in µs.
const NEXT: u64 = 5_000;

/// What to run.
#[derive(clap::Args)]
pub struct Args {
    /// Blocks of each page
    #[arg(long, default_value_t = 10)]
    blocks: u32,
    /// Measured requests in each block
    #[arg(long, default_value_t = 30)]
    requests: u32,
    /// Firstlight reads on the main thread, not in its worker
    #[arg(long)]
    main_thread: bool,
    /// As few as show anything
    #[arg(long)]
    quick: bool,
    /// Only this engine: chromium or firefox
    #[arg(long)]
    only: Option<String>,
}

/// Which page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Page {
    Firstlight,
    Bare,
}

/// One block.
#[derive(Clone, Copy)]
struct Wanted {
    engine: Engine,
    thread: ThreadChoice,
    page: Page,
    number: u32,
    requests: u32,
}

/// Runs both engines and prints; false if Chromium's difference is over the promise.
pub fn run(args: &Args) -> Result<bool> {
    let (blocks, requests) = if args.quick { (3, 15) } else { (args.blocks, args.requests) };
    println!("server's write → presented pixel, in ms; {blocks} blocks of {requests} requests of each page by turns");
    let thread = if args.main_thread { ThreadChoice::Main } else { ThreadChoice::Worker };
    println!("Firstlight reads replies in: {thread:?}");
    let mut holds = true;
    let mut rows = Vec::new();
    let wanted = |engine: &Engine| args.only.as_ref().is_none_or(|only| format!("{engine:?}").eq_ignore_ascii_case(only));
    for engine in [Engine::Chromium, Engine::Firefox].into_iter().filter(wanted) {
        let (bare, ours) = measure(engine, thread, blocks, requests).with_context(|| format!("{engine:?}"))?;
        let median = |values: &[i64]| percentile(values, P50).context("nothing was seen on the screen");
        let difference = median(&ours)? - median(&bare)?;
        let interval = difference_of_medians(&bare, &ours);
        let interval = interval.map_or("–".to_owned(), |(low, high)| format!("{} to {}", ms(low), ms(high)));
        rows.push(vec![
            format!("{engine:?}"),
            format!("{}, {}", bare.len(), ours.len()),
            spread(&bare, &[P50, P95], true),
            spread(&ours, &[P50, P95], true),
            ms(difference),
            interval,
        ]);
        println!("tenths of {engine:?}, in ms: bare {}; Firstlight {}", tenths(&bare), tenths(&ours));
        holds &= engine != Engine::Chromium || difference <= PROMISE;
    }
    let head = ["engine", "n", "bare p50 / p95 / max", "Firstlight p50 / p95 / max", "difference of medians", "95 % interval"];
    println!("\n{}", table(&head, &rows));
    if !holds {
        println!("Chromium's medians differ by more than {} ms", ms(PROMISE));
    }
    Ok(holds)
}

fn measure(engine: Engine, thread: ThreadChoice, blocks: u32, requests: u32) -> Result<(Vec<i64>, Vec<i64>)> {
    let mut stage = Stage::build(Staging { isolated: true, follow: false, block: None, mark: false, next: true })?;
    let mut browser = None;
    let (mut bare, mut ours) = (Vec::new(), Vec::new());
    for number in 0..2 * blocks {
        // Neither is always the first of a pair.
        let page = if (number + number / 2) % 2 == 0 { Page::Bare } else { Page::Firstlight };
        let block = block(&mut stage, &mut browser, Wanted { engine, thread, page, number, requests });
        let said = || browser.as_ref().map(Shown::last_lines).unwrap_or_default();
        let times = block.with_context(|| format!("block {number}; the browser said: {}", said()))?;
        if page == Page::Bare { bare.extend(times) } else { ours.extend(times) }
    }
    Ok((bare, ours))
}

fn block(stage: &mut Stage, browser: &mut Option<Shown>, wanted: Wanted) -> Result<Vec<i64>> {
    let Wanted { engine, thread, page, number, requests } = wanted;
    let rid = format!("cost-{number}");
    let endpoint = stage.served.endpoint(&format!("preset=fast&ttft_ms=127&gap_ms=23&tokens=4&rid={rid}"));
    let all = requests + WARMUP;
    let (url, report) = match page {
        Page::Bare => {
            let query = form_query(&[("url", &endpoint), ("requests", &all.to_string())]);
            (format!("{}bare.html?{query}", stage.served.running().page_url()), None)
        }
        Page::Firstlight => {
            let job =
                AutoJob { config: config(endpoint, requests, WARMUP, thread), secrets: Secrets::default(), clock_probes: 0 };
            let automation = stage.served.running().submit(job)?;
            (automation.url, Some(automation.report))
        }
    };
    match browser {
        Some(_) => stage.mailbox.go_to(&url),
        None => *browser = Some(stage.open(engine, &url, &[])?),
    }
    stage.watch_answers()?;
    let limit = Duration::from_secs(30) + Duration::from_secs(1) * all;
    if let Some(report) = report {
        let report = block_on(async { tokio::time::timeout(limit, report).await });
        report.context("no report")?.context("the server ended")??;
    }
    let truths = stage
        .served
        .wait_for_truth(&rid, |truths| truths.len() == all as usize && truths.iter().all(|truth| truth.closed_us.is_some()))?;
    // The last one's pixels.
    std::thread::sleep(Duration::from_millis(300));
    stage.prober.check()?;
    Ok(times(&truths, &stage.prober.changes()))
}

/// Every tenth percentile: where in the distribution the two differ.
fn tenths(values: &[i64]) -> String {
    spread(values, &[100, 200, 300, 400, 500, 600, 700, 800, 900].map(P), false)
}

/// From each measured request's first write to the first change after it, if that can't be another request's.
fn times(truths: &[Truth], changes: &[Change]) -> Vec<i64> {
    let mut times = Vec::new();
    for (n, truth) in truths.iter().enumerate().skip(WARMUP as usize) {
        let next = truths.get(n + 1).map_or(u64::MAX, |next| next.received_us.saturating_sub(NEXT));
        let Some(written) = write_of_first_answer(truth) else { continue };
        let change = changes.iter().find(|change| i64::try_from(change.at_us).is_ok_and(|at| at >= written));
        times.extend(change.filter(|change| change.at_us < next).map(|change| change.middle_us() - written));
    }
    times
}

/// Names and values as the query of an address.
pub fn form_query(pairs: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}
