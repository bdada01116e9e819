//! `measure`: one run of the page in a real headless browser, without a hand on it.

mod args;
mod grid;
mod job;
mod metrics;
mod plan;
mod save;
mod target;
mod wait;

use std::path::Path;
use std::process::ExitCode;

use firstlight_core::gate::{Case, Said};
use firstlight_core::report::{AutoJob, Run};
use firstlight_server::browser::{Accept, Browser, Launch};
use firstlight_server::otlp::Collector;
use firstlight_server::{Certificate, Options, Server};

pub(super) use args::{AFTER_HELP, Args, LangName};

use super::{Failure, deliver, dist, gate, summary_table};

pub(super) async fn run(args: Args) -> Result<ExitCode, Failure> {
    if args.grid.webdriver.is_some() {
        return grid::run(args).await;
    }
    let lang = args.lang.into();
    let mut job = job::prepare(&args).map_err(Failure::Arguments)?;
    let collector = args.deliver.collector().map_err(|wrong| Failure::Arguments(vec![format!("--otlp: {wrong}")]))?;
    let dist = Some(dist(args.dist.clone()));
    let of_default = Options::default();
    // Made for this run, and accepted by the browser of this run alone.
    let https = if args.https { Some(Certificate::fresh(&of_default.host)?) } else { None };
    let server = Server::start(Options { dist, forwards: job.forwards, https, ..of_default }).await?;
    job.config.url = job.target.url(&server);
    if let Some((asked, place)) = job.config.server_metrics.as_mut().zip(job.metrics.as_ref()) {
        asked.url = place.url(&server);
    }
    let config = job.config.clone();
    let automation = server.submit(AutoJob { config: job.config, secrets: job.secrets, clock_probes: 0 })?;
    let url = format!("{}&lang={}", automation.url, firstlight_core::text::Lang::code(lang));
    let origins = [server.origin(), server.second_origin()];
    let launch = Launch {
        kind: args.browser.into(),
        binary: args.browser_binary.as_deref(),
        url: &url,
        accept: server.certificate().map(|certificate| Accept { certificate, origins: &origins }),
        without_env: args.api_key_env.as_deref(),
        display: None,
        arguments: &[],
    };
    let browser = Browser::launch(launch)?;
    eprintln!("Measuring {} in {}. Ctrl-C gives up.", job.target, args.browser.name());
    let report = wait::report(&server, browser, automation, wait::limit(&config)).await?;
    server.stop().await;
    let Some(file) = report.run else {
        return Err(anyhow::anyhow!("the page could not begin: {}", report.problems.join("; ")).into());
    };
    let run = Run::from_file(file).map_err(|what| anyhow::anyhow!("the page's run can't be read: {what}"))?;
    let saved = save::run(&run, args.out.as_deref())?;
    finish(&args, &run, &saved, collector.as_ref()).await
}

/// What follows of a saved run: its summary, whether its limits hold, and its way to a collector.
async fn finish(args: &Args, run: &Run, saved: &Path, collector: Option<&Collector>) -> Result<ExitCode, Failure> {
    let lang = args.lang.into();
    summary_table::print(run, lang);
    println!("Saved: {}", saved.display());
    let criteria = run.config.decision.as_ref().map_or(&[][..], |decision| &decision.criteria);
    let (cases, said) = args.gate.judge(run, criteria, lang).map_err(anyhow::Error::msg)?;
    if said != Said::Passed {
        let open: Vec<Case> = cases.into_iter().filter(|case| case.said != Said::Passed).collect();
        eprint!("{}", gate::text(&open, lang));
    }
    if let Some(collector) = collector {
        deliver::send(collector, run).await?;
    }
    Ok(ExitCode::from(said.exit_status()))
}
