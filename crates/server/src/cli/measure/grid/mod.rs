//! `measure --webdriver`: many browsers of a WebDriver service, each on the real page, at once; and their runs as one.
//!
//! All browsers are opened first, so that a slow grid makes none of them begin late. A browser that is lost is told, counted,
//! and kept in the run; it never just makes the figures fewer.

mod args;
mod drive;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use firstlight_core::report::{Grid, LostBrowser, Run, Session, Stretch, merge, overlap};
use firstlight_core::text::{Lang, lost};
use firstlight_server::webdriver::OpenSession;
use firstlight_server::{Certificate, Options, Public, Server};
use tokio::task::JoinSet;

pub(in crate::cli) use args::Args;
use args::Plan;
use drive::{Drive, Driven};

use super::{finish, job, save};
use crate::cli::{Failure, dist, stop};

/// How long closing a browser may take, and how long browsers that are still being opened are waited for when all is given up.
const CLOSING: Duration = Duration::from_secs(15);

/// The exit code where fewer browsers than asked gave a run.
const FEWER: u8 = 5;

pub(super) async fn run(args: super::Args) -> Result<ExitCode, Failure> {
    let lang: Lang = args.lang.into();
    let job = job::prepare(&args);
    let plan = args.grid.plan(args.browser, args.https);
    let (mut job, plan) = match (job, plan) {
        (Ok(job), Ok(plan)) => (job, plan),
        (job, plan) => {
            let problems = job.err().into_iter().chain(plan.err()).flatten();
            return Err(Failure::Arguments(problems.collect()));
        }
    };
    if job.metrics.is_some() {
        let message =
            "--metrics-url: every browser would read them; read them in a run of one browser beside this one".to_owned();
        return Err(Failure::Arguments(vec![message]));
    }
    let collector = args.deliver.collector().map_err(|wrong| Failure::Arguments(vec![format!("--otlp: {wrong}")]))?;
    let name = match &plan.public {
        Public::Here => plan.host.clone(),
        Public::Host(host) => host.clone(),
        Public::Origin(origin) => host_of(origin),
    };
    // Made for this run; the browsers are told to accept it.
    let https = if args.https { Some(Certificate::fresh(&name)?) } else { None };
    let options = Options {
        host: plan.host.clone(),
        port: plan.port,
        second_port: plan.second_port,
        dist: Some(dist(args.dist.clone())),
        forwards: std::mem::take(&mut job.forwards),
        https,
        public: plan.public.clone(),
        ..Options::default()
    };
    let server = Arc::new(Server::start(options).await?);
    job.config.url = job.target.url(&server);
    say_before(&args, &plan, &job, &server.page_url());

    let opened = open(&args, &plan).await?;
    let drive = Arc::new(Drive::new(Arc::clone(&server), &plan, &job, lang));
    let driven = measure(&args, &plan, &drive, opened).await?;
    let gathered = gather(&args, driven, lang);
    // Their pages are gone, or were never there: nothing is under way.
    drop(drive);
    if let Some(server) = Arc::into_inner(server) {
        server.stop().await;
    }
    let asked = args.grid.browsers;
    let Gathered { runs, grid } = gathered;
    let measured = grid.measured;
    if runs.is_empty() {
        let why = "no browser gave a run";
        return Err(anyhow::anyhow!("{why} (asked for {asked}, reasons above){}", hint(&grid, &plan, &name)).into());
    }
    let run = pooled(runs, grid)?;
    let code = finish(&args, &run, &save::run(&run, args.out.as_deref())?, collector.as_ref()).await?;
    let least = args.grid.min_browsers.unwrap_or(asked);
    if measured < least {
        eprintln!("error: {measured} of {asked} browsers gave a run, at least {least} are needed (--min-browsers)");
        return Ok(ExitCode::from(FEWER));
    }
    Ok(code)
}

fn host_of(origin: &str) -> String {
    let place = origin.split("://").nth(1).unwrap_or_default();
    place.rsplit_once(':').filter(|(_, port)| !port.contains(']')).map_or(place, |(host, _)| host).to_owned()
}

fn say_before(args: &super::Args, plan: &Plan, job: &job::Job, page: &str) {
    let browsers = match args.grid.browsers {
        1 => "a browser".to_owned(),
        n => format!("{n} browsers"),
    };
    eprintln!("Measuring {} in {browsers} of {}. Ctrl-C gives up.", job.target, plan.driver.address());
    eprintln!("They open the page at {page}");
    if !args.https && !matches!(plan.public, Public::Here) {
        eprintln!(
            "Over plain http to another machine browsers give coarser clocks, and keys cross the network unencrypted: --https."
        );
    }
}

/// Opens every browser, all at once; gives those that are open and those that are not.
async fn open(args: &super::Args, plan: &Plan) -> Result<Vec<Result<OpenSession, LostBrowser>>, Failure> {
    let mut opening: JoinSet<Result<OpenSession, LostBrowser>> = JoinSet::new();
    for number in 1..=args.grid.browsers {
        let capabilities = plan.wanted.of(number, args.https, plan.fetch_limit);
        let (driver, limit) = (plan.driver.clone(), plan.session_limit);
        opening.spawn(async move {
            let said = match tokio::time::timeout(limit, driver.open(number, capabilities)).await {
                Ok(Ok(session)) => return Ok(session),
                Ok(Err(error)) => error.to_string(),
                Err(_) => format!(
                    "nothing was opened within {} s; if it is later, the service ends it by its own limit",
                    limit.as_secs()
                ),
            };
            Err(LostBrowser {
                session: Session { number, ..Session::default() },
                why: firstlight_core::report::Lost::NoSession,
                said,
            })
        });
    }
    let mut opened = Vec::new();
    loop {
        let next = tokio::select! {
            next = opening.join_next() => next,
            () = stop::asked() => {
                give_up(plan, opening, opened).await;
                return Err(anyhow::anyhow!("stopped before anything was measured; nothing was saved").into());
            }
        };
        let Some(next) = next else { break };
        let next = next.map_err(anyhow::Error::from)?;
        if let Ok(session) = &next {
            eprintln!("Open: {}", session.browser.label());
        }
        opened.push(next);
    }
    opened.sort_by_key(|one| one.as_ref().map_or_else(|lost| lost.session.number, |session| session.browser.number));
    Ok(opened)
}

/// Closes what is open, and what is still being opened once it is.
async fn give_up(
    plan: &Plan,
    mut opening: JoinSet<Result<OpenSession, LostBrowser>>,
    opened: Vec<Result<OpenSession, LostBrowser>>,
) {
    let mut sessions: Vec<OpenSession> = opened.into_iter().flatten().collect();
    let all = async {
        while let Some(next) = opening.join_next().await {
            sessions.extend(next.ok().and_then(Result::ok));
        }
    };
    if tokio::time::timeout(CLOSING, all).await.is_err() {
        eprintln!("Some browsers are still being opened: the service ends them by its own limit.");
    }
    close(plan, sessions).await;
}

/// Closes browsers, all at once; one that is gone already can't be.
async fn close(plan: &Plan, sessions: Vec<OpenSession>) {
    let mut closing = JoinSet::new();
    for session in sessions {
        let driver = plan.driver.clone();
        closing.spawn(async move { tokio::time::timeout(CLOSING, driver.close(&session)).await });
    }
    while closing.join_next().await.is_some() {}
}

/// Starts the open browsers one after the other and waits for all; each is closed when it is done.
async fn measure(
    args: &super::Args,
    plan: &Plan,
    drive: &Arc<Drive>,
    opened: Vec<Result<OpenSession, LostBrowser>>,
) -> Result<Vec<Driven>, Failure> {
    let mut driven: Vec<Driven> = Vec::new();
    let mut sessions: Vec<OpenSession> = Vec::new();
    for one in opened {
        match one {
            Ok(session) => sessions.push(session),
            Err(lost) => driven.push(Driven { outcome: Err(lost), from: None, to: Instant::now() }),
        }
    }
    let mut running: JoinSet<Driven> = JoinSet::new();
    let mut start_after = Duration::ZERO;
    for session in sessions.clone() {
        let drive = Arc::clone(drive);
        running.spawn(async move { drive.one(session, start_after).await });
        start_after += Duration::from_millis(args.grid.stagger_ms.into());
    }
    loop {
        tokio::select! {
            next = running.join_next() => match next {
                Some(next) => driven.push(next.map_err(anyhow::Error::from)?),
                None => return Ok(driven),
            },
            () = stop::asked() => {
                running.shutdown().await;
                close(plan, sessions).await;
                return Err(anyhow::anyhow!("stopped before the browsers were done; nothing was saved").into());
            }
        }
    }
}

/// What came of all browsers.
struct Gathered {
    runs: Vec<(String, Run)>,
    grid: Grid,
}

/// In the order of their numbers; those that gave no run are told.
fn gather(args: &super::Args, mut driven: Vec<Driven>, lang: Lang) -> Gathered {
    driven.sort_by_key(Driven::number);
    let zero = driven.iter().filter_map(|one| one.from).min();
    let ms =
        |at: Instant| zero.map_or(0, |zero| u64::try_from(at.saturating_duration_since(zero).as_millis()).unwrap_or(u64::MAX));
    let stretch = |one: &Driven| Some(Stretch { from_ms: ms(one.from?), to_ms: ms(one.to), measured: one.outcome.is_ok() });
    let stretches: Vec<Stretch> = driven.iter().filter_map(stretch).collect();
    let (at_once, together_ms) = overlap(&stretches);
    let mut grid =
        Grid { asked: args.grid.browsers, stagger_ms: args.grid.stagger_ms, at_once, together_ms, ..Grid::default() };
    let mut runs = Vec::new();
    for one in driven {
        match one.outcome {
            Ok((session, run)) => {
                grid.measured += 1;
                let mut run = *run;
                let label = session.label();
                run.environment.session = Some(session);
                runs.push((label, run));
            }
            Err(gone) => {
                let said = if gone.said.is_empty() { String::new() } else { format!(": {}", gone.said) };
                eprintln!("Browser {} gave no run: {}{said}", gone.session.label(), lost(lang, gone.why));
                grid.lost.push(gone);
            }
        }
    }
    Gathered { runs, grid }
}

/// One run of all, in which each request keeps its browser.
fn pooled(mut runs: Vec<(String, Run)>, grid: Grid) -> anyhow::Result<Run> {
    let mut run = match runs.len() {
        1 => runs.remove(0).1,
        _ => merge(runs, false).map_err(|why| anyhow::anyhow!("the browsers' runs can't be merged: {why}"))?.0,
    };
    run.environment.grid = Some(Box::new(grid));
    Ok(run)
}

/// What to do where no browser came to this server at all.
fn hint(grid: &Grid, plan: &Plan, name: &str) -> String {
    use firstlight_core::report::Lost;
    let unreached = |lost: &LostBrowser| matches!(lost.why, Lost::NotOpened | Lost::NotFetched);
    if !grid.lost.iter().all(unreached) || grid.lost.is_empty() {
        return String::new();
    }
    let listens = plan.host.as_str();
    format!(
        "\nThe browsers run where {} opens them, and must reach this server from there: it listens on {listens}, and they were told \
         to come to {name}. Is that this machine for them (in a container it is not, if it says 127.0.0.1), and does a firewall let \
         them through? Say where it listens with --listen 0.0.0.0:8600 and how they reach it with --public-url http://HOST:8600",
        plan.driver.address()
    )
}
