//! One browser: to the page with its job, a wait for what the page hands back, and the end of its session.
//!
//! From the job's being fetched to the report nothing is asked of it. That it is gone is seen by the line that its page holds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use firstlight_core::config::{RunConfig, Secrets, same_origin};
use firstlight_core::report::{AutoJob, Lost, LostBrowser, Run, Session};
use firstlight_core::text::Lang;
use firstlight_server::webdriver::{OpenSession, WebDriver};
use firstlight_server::{Automation, Running, line_broke};

use super::CLOSING;
use super::args::Plan;
use crate::cli::measure::job::Job;
use crate::cli::measure::wait;

/// What all browsers have in common.
pub(super) struct Drive {
    server: Arc<Running>,
    driver: WebDriver,
    config: RunConfig,
    secrets: Secrets,
    lang: Lang,
    fetch_limit: Duration,
    /// Where the pages hold their lines: not on the origin that is measured.
    line_on_second: bool,
}

/// What came of one.
pub(super) struct Driven {
    pub(super) outcome: Result<(Session, Box<Run>), LostBrowser>,
    /// When it had fetched its job.
    pub(super) from: Option<Instant>,
    /// When it had handed its run back, or was lost.
    pub(super) to: Instant,
}

impl Driven {
    pub(super) fn number(&self) -> u32 {
        self.outcome.as_ref().map_or_else(|lost| lost.session.number, |(session, _)| session.number)
    }
}

type Why = (Lost, String);

impl Drive {
    pub(super) fn new(server: Arc<Running>, plan: &Plan, job: &Job, lang: Lang) -> Drive {
        Drive {
            driver: plan.driver.clone(),
            config: job.config.clone(),
            secrets: job.secrets.clone(),
            lang,
            fetch_limit: plan.fetch_limit,
            line_on_second: same_origin(&job.config.url, &server.origin()),
            server,
        }
    }

    /// Measures in one browser, and closes it.
    pub(super) async fn one(&self, session: OpenSession, start_after: Duration) -> Driven {
        tokio::time::sleep(start_after).await;
        let mut from = None;
        let outcome = self.run(&session, &mut from).await;
        let to = Instant::now();
        // A browser that is gone can't be closed any more, and a service may take its time.
        let _gone = tokio::time::timeout(CLOSING, self.driver.close(&session)).await;
        let browser = session.browser;
        let outcome = match outcome {
            Ok(run) => Ok((browser, run)),
            Err((why, said)) => Err(LostBrowser { session: browser, why, said }),
        };
        Driven { outcome, from, to }
    }

    async fn run(&self, session: &OpenSession, from: &mut Option<Instant>) -> Result<Box<Run>, Why> {
        // Each has a plan of its own: drawn from one seed, arrivals and orders of all would be the same, at the same moments.
        let config =
            RunConfig { seed: self.config.seed.wrapping_add(u64::from(session.browser.number - 1)), ..self.config.clone() };
        let limit = wait::limit(&config);
        let job = AutoJob { config, secrets: self.secrets.clone(), clock_probes: 0 };
        let mut automation = self.server.submit(job).map_err(|error| (Lost::NotOpened, error.to_string()))?;
        let outcome = self.wait(session, &mut automation, limit, from).await;
        if outcome.is_err() {
            self.server.forget(&automation);
        }
        outcome
    }

    async fn wait(
        &self,
        session: &OpenSession,
        automation: &mut Automation,
        limit: Duration,
        from: &mut Option<Instant>,
    ) -> Result<Box<Run>, Why> {
        let url = format!("{}&lang={}", automation.url_with_line(self.line_on_second), self.lang.code());
        let going = self.driver.go(session, &url);
        tokio::pin!(going);
        let mut went = false;
        let limit_of_fetch = tokio::time::sleep(self.fetch_limit);
        tokio::pin!(limit_of_fetch);
        loop {
            tokio::select! {
                biased;
                _ = &mut automation.fetched => break,
                opened = &mut going, if !went => match opened {
                    Ok(()) => went = true,
                    Err(error) => return Err((Lost::NotOpened, error.to_string())),
                },
                () = &mut limit_of_fetch => {
                    let seconds = self.fetch_limit.as_secs();
                    return Err((Lost::NotFetched, format!("not within {seconds} s")));
                }
            }
        }
        *from = Some(Instant::now());
        let line = automation.line.clone();
        let report = tokio::time::timeout(limit, &mut automation.report);
        tokio::pin!(report);
        let broke = line_broke(line);
        tokio::pin!(broke);
        let report = loop {
            tokio::select! {
                biased;
                report = &mut report => break report,
                // Its answer may come only now; nothing follows from it any more.
                _ = &mut going, if !went => went = true,
                () = &mut broke => return Err((Lost::WentAway, String::new())),
            }
        };
        let report = match report {
            Ok(Ok(Ok(report))) => report,
            Ok(Ok(Err(unreadable))) => return Err((Lost::Unreadable, unreadable.to_string())),
            Ok(Err(_)) => return Err((Lost::NoReport, "the server stopped".to_owned())),
            Err(_) => return Err((Lost::NoReport, format!("not within {} s", limit.as_secs()))),
        };
        let Some(file) = report.run else { return Err((Lost::CouldNotBegin, report.problems.join("; "))) };
        Run::from_file(file).map(Box::new).map_err(|what| (Lost::Unreadable, what))
    }
}
