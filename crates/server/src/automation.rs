//! A run without a hand on the page.

use firstlight_core::report::AutoReport;
use tokio::sync::oneshot;

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
}
