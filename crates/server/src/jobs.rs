//! Jobs for the page that nobody else can fetch: each has a random token and is handed out once.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use firstlight_core::report::{AutoJob, AutoReport};
use tokio::sync::{oneshot, watch};

/// Why a job could not be put up.
#[derive(Debug, thiserror::Error)]
#[error("the system gives no random numbers for the job's token: {0}")]
pub struct SubmitError(getrandom::Error);

/// Why a report could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the page sent a report that can't be read: {0}. The page and this binary may be of different versions: build both again"
)]
pub struct ReportError(pub(crate) String);

/// What comes of a job.
pub(crate) type Outcome = Result<Box<AutoReport>, ReportError>;

/// A job that is waiting for the page, or for its report.
struct Waiting {
    job: Option<Box<AutoJob>>,
    fetched: Option<oneshot::Sender<()>>,
    report: oneshot::Sender<Outcome>,
    line: watch::Sender<u32>,
    over: watch::Sender<()>,
}

/// A line that the page of a job holds while it measures. It carries nothing: that it breaks is all that it says.
pub(crate) struct Held {
    line: watch::Sender<u32>,
    over: watch::Receiver<()>,
}

impl Held {
    /// Comes when the job is over.
    pub(crate) async fn over(&mut self) {
        // Nothing is ever sent: the other end goes with the job.
        while self.over.changed().await.is_ok() {}
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.line.send_modify(|held| *held = held.saturating_sub(1));
    }
}

/// The other ends of a job.
pub(crate) struct Put {
    pub(crate) token: String,
    pub(crate) fetched: oneshot::Receiver<()>,
    pub(crate) report: oneshot::Receiver<Outcome>,
    pub(crate) line: watch::Receiver<u32>,
}

/// Every job that is not done.
#[derive(Default)]
pub(crate) struct Jobs(Mutex<HashMap<String, Waiting>>);

impl Jobs {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn put(&self, job: AutoJob) -> Result<Put, SubmitError> {
        let token = token()?;
        let (fetched_tx, fetched) = oneshot::channel();
        let (report_tx, report) = oneshot::channel();
        let (line_tx, line) = watch::channel(0);
        let over = watch::Sender::new(());
        let job = Some(Box::new(job));
        let waiting = Waiting { job, fetched: Some(fetched_tx), report: report_tx, line: line_tx, over };
        self.lock().insert(token.clone(), waiting);
        Ok(Put { token, fetched, report, line })
    }

    /// Hands a job out; none if there is none or it was handed out before.
    pub(crate) fn take(&self, token: &str) -> Option<Box<AutoJob>> {
        let mut jobs = self.lock();
        let waiting = jobs.get_mut(token)?;
        let job = waiting.job.take()?;
        if let Some(fetched) = waiting.fetched.take() {
            // Nobody need be listening.
            let _unheard = fetched.send(());
        }
        Some(job)
    }

    /// Holds a line of a job that was handed out; none if there is no such job, or if it is over.
    pub(crate) fn hold(&self, token: &str) -> Option<Held> {
        let jobs = self.lock();
        let waiting = jobs.get(token).filter(|waiting| waiting.job.is_none())?;
        let (line, over) = (waiting.line.clone(), waiting.over.subscribe());
        line.send_modify(|held| *held += 1);
        Some(Held { line, over })
    }

    /// Forgets a job whose browser is lost.
    pub(crate) fn forget(&self, token: &str) {
        self.lock().remove(token);
    }

    /// Takes a report of a job that was handed out; false if there is no such job.
    pub(crate) fn report(&self, token: &str, outcome: Outcome) -> bool {
        let mut jobs = self.lock();
        if jobs.get(token).is_none_or(|waiting| waiting.job.is_some()) {
            return false;
        }
        if let Some(waiting) = jobs.remove(token) {
            let _unheard = waiting.report.send(outcome);
        }
        true
    }
}

/// 128 random bits from the system.
fn token() -> Result<String, SubmitError> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(SubmitError)?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _never_fails = write!(text, "{byte:02x}");
        text
    }))
}
