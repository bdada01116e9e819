//! The project's own server in this process: the built page, the built-in endpoint on two origins, and its ground truth.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::json;

use firstlight_core::report::ClockProbe;
use firstlight_engine::Kind;
use firstlight_server::{FORWARD_PREFIX, Forwards, Options, Running, Server, Truth};

use crate::clock::Join;
use crate::places;
use crate::rt::block_on;
use crate::{Browser, Page};

/// A running server.
pub struct Served {
    running: Option<Running>,
    /// The page with files of the test's own, where it has any.
    _page: Option<tempfile::TempDir>,
}

impl Served {
    /// Starts it on free ports with the built page.
    pub fn start() -> Result<Served> {
        Served::start_forwarding(&[])
    }

    /// The same, with forwarders: each `NAME=URL`.
    pub fn start_forwarding(forwards: &[String]) -> Result<Served> {
        let forwards = Forwards::parse(forwards).map_err(|errors| anyhow::anyhow!("{errors:?}"))?;
        Served::start_as(Options { dist: Some(places::dist()), forwards, ..Options::default() })
    }

    /// The same, with any options; the page must be among them.
    pub fn start_as(options: Options) -> Result<Served> {
        let dist = options.dist.clone().unwrap_or_default();
        let built = dist.join("index.html").is_file();
        anyhow::ensure!(
            built,
            "there is no page in {}: build it with `cargo xtask serve`, or set FIRSTLIGHT_DIST",
            dist.display()
        );
        let running = block_on(Server::start(options))?;
        Ok(Served { running: Some(running), _page: None })
    }

    /// The same page with more files, each a name and a text.
    pub fn start_with(files: &[(&str, &str)]) -> Result<Served> {
        let page = tempfile::tempdir()?;
        places::copy_dist(page.path())?;
        for (name, text) in files {
            std::fs::write(page.path().join(name), text)?;
        }
        let mut served = Served::start_as(Options { dist: Some(page.path().to_owned()), ..Options::default() })?;
        served._page = Some(page);
        Ok(served)
    }

    /// The server.
    pub fn running(&self) -> &Running {
        self.running.as_ref().expect("it runs until it is dropped")
    }

    /// Opens its page.
    pub fn open<'a>(&self, browser: &'a Browser) -> Result<Page<'a>> {
        Page::open(browser, &self.running().page_url())
    }

    /// The built-in endpoint on the second origin, with a query.
    pub fn endpoint(&self, query: &str) -> String {
        format!("{}/v1/chat/completions?{query}", self.running().second_origin())
    }

    /// The address of a path at a forwarder, on the second origin.
    pub fn forwarded(&self, name: &str, path: &str) -> String {
        format!("{}{FORWARD_PREFIX}{name}{path}", self.running().second_origin())
    }

    /// What was really written for an id, in the order in which the requests came.
    pub fn truths(&self, rid: &str) -> Vec<Truth> {
        self.running().truths(rid)
    }

    /// Waits until the truth of an id is as wanted. The server is in this process: the page notices nothing.
    pub fn wait_for_truth(&self, rid: &str, wanted: impl Fn(&[Truth]) -> bool) -> Result<Vec<Truth>> {
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            let truths = self.truths(rid);
            if wanted(&truths) {
                return Ok(truths);
            }
            if Instant::now() > end {
                bail!("the server never saw what was waited for; it saw {truths:?}");
            }
            // The ledger tells nobody of its entries.
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Joins the page's clock with the server's, by questions from the page.
    pub fn join_clocks(&self, page: &Page<'_>) -> Result<Join> {
        let answer = page.browser().execute_async(include_str!("scripts/clock.js"), vec![json!(50)])?;
        let probes: Vec<ClockProbe> = serde_json::from_value(answer).context("no clock probes")?;
        Join::from_probes(&probes).context("the server's clock never answered")
    }
}

/// When the write began that carried the first of the answer, in the server's µs.
pub fn write_of_first_answer(truth: &Truth) -> Option<i64> {
    let first = truth.pieces.iter().find(|piece| piece.kind == Kind::Answer)?;
    i64::try_from(first.at_us).ok()
}

/// When the write began that carried the last of the answer, in the server's µs.
pub fn write_of_last_answer(truth: &Truth) -> Option<i64> {
    let last = truth.pieces.iter().rfind(|piece| piece.kind == Kind::Answer)?;
    i64::try_from(last.at_us).ok()
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            block_on(running.stop());
        }
    }
}
