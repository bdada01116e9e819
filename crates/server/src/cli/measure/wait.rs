//! Waiting for the page's report, without asking the page for anything: a question would disturb what it measures.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use firstlight_core::config::RunConfig;
use firstlight_core::load::{Cases, Shape, plan, total_of};
use firstlight_core::report::AutoReport;
use firstlight_server::browser::{Browser, Exit};
use firstlight_server::{Automation, Running};

use crate::cli::stop;

/// A browser that has not opened the page by then never will.
const FETCH_LIMIT: Duration = Duration::from_secs(30);
/// Around the requests themselves: calibration, painting, writing of the report.
const SLACK: Duration = Duration::from_secs(60);
/// How often the browser's process is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// The longest that a run can take if every request runs into its limit.
pub(super) fn limit(config: &RunConfig) -> Duration {
    let timeout = Duration::from_millis(config.timeout_ms.into());
    let requests = total_of(config);
    if config.load.shape.is_open() {
        // Each part begins when the one before is over; in itself it takes as long as its last request is planned for.
        let mut parts: BTreeMap<(bool, u32), i64> = BTreeMap::new();
        for planned in plan(config, &Cases::ONE, 0) {
            let last = parts.entry((planned.warmup, planned.stage)).or_default();
            *last = planned.intended.map_or(0, |at| at.0).max(*last);
        }
        let planned = parts.values().map(|us| Duration::from_micros((*us).max(0).cast_unsigned())).sum::<Duration>();
        return SLACK + planned + timeout.saturating_mul(2 * parts.len() as u32);
    }
    let at_once = match config.load.shape {
        Shape::Closed => config.concurrency.max(1),
        _ => 1,
    };
    let rounds = requests.div_ceil(u64::from(at_once));
    SLACK + timeout.saturating_mul(u32::try_from(rounds).unwrap_or(u32::MAX))
}

/// Waits for the report; the browser ends with this.
pub(super) async fn report(
    server: &Running,
    mut browser: Browser,
    automation: Automation,
    limit: Duration,
) -> Result<AutoReport> {
    tokio::select! {
        report = async {
            if tokio::time::timeout(FETCH_LIMIT, automation.fetched).await.is_err() {
                bail!("{} within {} s", not_fetched(server), FETCH_LIMIT.as_secs());
            }
            match tokio::time::timeout(limit, automation.report).await {
                Ok(report) => Ok(*report.context("the server stopped")??),
                Err(_) => bail!("no report came within {} s", limit.as_secs()),
            }
        } => report.map_err(|why| anyhow::anyhow!("{why:#}\n{}", said(&browser.last_lines()))),
        exit = exited(&mut browser) => bail!("the browser ended by itself ({})\n{}", exit.status, said(&exit.last_lines)),
        () = stop::asked() => bail!("stopped before the report came; nothing was saved"),
    }
}

fn not_fetched(server: &Running) -> &'static str {
    match server.page_was_asked_for() {
        true => "the page was opened but did not start its run (is it up to date? `cargo xtask serve` builds it)",
        false => "the browser did not open the page",
    }
}

async fn exited(browser: &mut Browser) -> Exit {
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        if let Some(exit) = browser.exited() {
            return exit;
        }
    }
}

fn said(lines: &[String]) -> String {
    match lines {
        [] => "the browser wrote nothing to its standard error".to_owned(),
        lines => format!("the browser's last words:\n  {}", lines.join("\n  ")),
    }
}
