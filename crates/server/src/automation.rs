//! A run without a hand on the page.

use std::time::Duration;

use firstlight_core::report::AutoReport;
use tokio::sync::{oneshot, watch};

use crate::jobs::ReportError;

/// A job that waits for a browser to open [`Automation::url`].
#[derive(Debug)]
pub struct Automation {
    /// The page's address with the job's token; whoever opens it first gets the job with its secrets.
    pub url: String,
    /// Comes when the page has fetched the job.
    pub fetched: oneshot::Receiver<()>,
    /// Comes when the page has sent its report.
    pub report: oneshot::Receiver<Result<Box<AutoReport>, ReportError>>,
    /// How many lines its page holds now: see [`Automation::url_with_line`].
    pub line: watch::Receiver<u32>,
    pub(crate) token: String,
}

/// Something on the way may end a line, and its page then holds another one at once. A browser that is gone does not.
const GRACE: Duration = Duration::from_secs(3);

impl Automation {
    /// The page's address for a browser on another machine: the page then holds a line to this server while it measures, so
    /// that its end is seen without a question. With `second`, on the second origin: where the page's own is measured, the line
    /// would take one of the browser's six connections to it.
    pub fn url_with_line(&self, second: bool) -> String {
        format!("{}&line={}", self.url, if second { "second" } else { "own" })
    }
}

/// Comes when the page has held a line, and holds none any more.
pub async fn line_broke(mut line: watch::Receiver<u32>) {
    if line.wait_for(|held| *held > 0).await.is_ok() {
        while line.wait_for(|held| *held == 0).await.is_ok() {
            match tokio::time::timeout(GRACE, line.wait_for(|held| *held > 0)).await {
                Err(_) => return,
                Ok(Ok(_)) => {}
                Ok(Err(_)) => break,
            }
        }
    }
    // The job is over: there is nothing to break.
    std::future::pending().await
}
