//! How long a page takes to show a very long run, and in how much memory: real requests, repeated with moved times, opened from
//! a file.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use firstlight_core::stats::{P50, nearest_rank};
use firstlight_e2e::page::Setup;
use firstlight_e2e::{Browser, Engine, Page, Served};

use crate::figures::table;

/// The promise: from a run that is over to its results on the screen.
const PROMISE_MS: f64 = 1_000.0;
/// Real requests that are repeated.
const REAL: u32 = 240;
const LIMIT: Duration = Duration::from_secs(300);

/// What to run.
#[derive(clap::Args)]
pub struct Args {
    /// Requests of the long run
    #[arg(long, default_value_t = 100_000)]
    requests: u32,
    /// How often it is opened
    #[arg(long, default_value_t = 3)]
    rounds: u32,
}

/// Prints; false if drawing takes longer than promised.
pub fn run(args: &Args) -> Result<bool> {
    let served = Served::start()?;
    let browser = Browser::start(Engine::Chromium)?;
    let long = long_run(&served, &browser, args.requests)?;
    let size = long.as_file().metadata()?.len() / 1_000_000;
    println!("{} requests (of {REAL} real ones), a file of {size} MB, opened in Chromium", args.requests);
    let (mut rows, mut drawn) = (Vec::new(), Vec::new());
    for round in 1..=args.rounds {
        let page = served.open(&browser)?;
        let begun = Instant::now();
        page.choose_file(long.path())?;
        page.wait_for_state("done", LIMIT)?;
        let shown = results(&page)?;
        let opened = begun.elapsed();
        let memory = memory_mb()?;
        drawn.push((shown * 1000.0) as i64);
        rows.push(vec![round.to_string(), format!("{shown:.0}"), format!("{:.1}", opened.as_secs_f64()), memory]);
    }
    println!(
        "{}",
        table(&["round", "results drawn (ms)", "with reading the file (s)", "memory of the page's process (MB)"], &rows)
    );
    drawn.sort_unstable();
    let typical = nearest_rank(&drawn, P50).context("no round")? as f64 / 1000.0;
    println!("results drawn in {typical:.0} ms (median); promised: {PROMISE_MS} ms");
    Ok(typical <= PROMISE_MS)
}

/// A file with so many requests, real ones again and again.
pub fn long_run(served: &Served, browser: &Browser, requests: u32) -> Result<tempfile::NamedTempFile> {
    let page = served.open(browser)?;
    let setup = Setup::own(&served.endpoint("preset=fast")).with("requests", REAL).with("warmup", 0).with("concurrency", 6);
    page.measure(&setup, LIMIT)?;
    let file = tempfile::Builder::new().suffix(".json").tempfile()?;
    std::fs::write(file.path(), repeated(&page.saved_text()?, requests)?)?;
    Ok(file)
}

/// What the page itself says: from the run that is over to the frame with its sentence and its picture; the table and the rest
/// follow frame by frame.
fn results(page: &Page<'_>) -> Result<f64> {
    const ASK: &str = "return performance.getEntriesByName('firstlight:results')[0]";
    page.wait_until(&format!("{ASK} !== undefined;"))?;
    page.browser().execute(&format!("{ASK}.duration;"), vec![])?.as_f64().context("no duration")
}

/// What the largest of the browser's pages takes, WebAssembly's memory among it: no browser tells a page that.
fn memory_mb() -> Result<String> {
    let mut most = None;
    for entry in std::fs::read_dir("/proc")?.flatten() {
        let read = |name: &str| std::fs::read_to_string(entry.path().join(name)).unwrap_or_default();
        if read("cmdline").contains("--type=renderer") {
            let status = read("status");
            let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
            most = most.max(line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()));
        }
    }
    Ok(most.map_or("not told".to_owned(), |kb| (kb / 1000).to_string()))
}

/// The run file with its requests repeated until there are so many, each later than the one before.
fn repeated(text: &str, wanted: u32) -> Result<String> {
    let mut file: Value = serde_json::from_str(text)?;
    let real = file["requests"].as_array().cloned().context("no requests")?;
    let moved = |id: u32| {
        let mut request = real[id as usize % real.len()].clone();
        let by = i64::from(id) * 2_000 - request["marks"]["sent"].as_i64().unwrap_or(0);
        request["id"] = json!(id);
        for part in ["marks", "first_visible", "complete_visible", "network"] {
            let times = request[part].as_object_mut().into_iter().flatten().filter(|(name, _)| *name != "encoded_bytes");
            for (_, time) in times {
                if let Some(at) = time.as_i64().filter(|at| *at > 1_000) {
                    *time = json!(at + by);
                }
            }
        }
        for read in request["reads"].as_array_mut().into_iter().flatten() {
            read[0] = json!(read[0].as_i64().unwrap_or(0) + by);
        }
        request["last_known"] = json!(request["last_known"].as_i64().unwrap_or(0) + by);
        request
    };
    file["requests"] = (0..wanted).map(moved).collect();
    file["config"]["requests"] = json!(wanted);
    file["histograms"] = json!({});
    Ok(file.to_string())
}
