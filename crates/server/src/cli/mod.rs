//! Commands, and what their exit codes mean.

mod collect;
mod compare;
mod decode;
mod deliver;
mod engine;
mod gate;
mod measure;
mod merge;
mod reading;
mod report;
mod saved;
mod serve;
mod stop;
mod summary_table;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use firstlight_server::Forwards;

/// Measures the latency that people see, in a real browser
#[derive(Parser)]
#[command(name = "firstlight", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the page, with a built-in endpoint to measure
    #[command(after_help = serve::AFTER_HELP)]
    Serve(serve::Args),
    /// Serve the built-in endpoint alone, on a modelled server: batching, queues, cold starts (docs/engine.md)
    #[command(after_help = engine::AFTER_HELP)]
    Engine(engine::Args),
    /// Measure an endpoint with a real headless browser, print a summary and save the run
    #[command(after_help = measure::AFTER_HELP)]
    Measure(Box<measure::Args>),
    /// Take reports from pages that Firstlight is built into, and pass them on to an OpenTelemetry collector (docs/collect.md)
    #[command(after_help = collect::AFTER_HELP)]
    Collect(Box<collect::Args>),
    /// Decode one recorded reply: marks, outcome, text, usage and the server's timings, as JSON
    #[command(after_help = decode::AFTER_HELP)]
    Decode(Box<decode::Args>),
    /// Write a saved run as a report, a summary, samples or histograms
    #[command(after_help = report::AFTER_HELP)]
    Report(Box<report::Args>),
    /// Merge runs of one set-up into one run file; every request keeps where it was measured
    #[command(after_help = merge::AFTER_HELP)]
    Merge(merge::Args),
    /// Compare a run with a baseline: what differs, by how much, and whether by more than is allowed
    #[command(after_help = compare::AFTER_HELP)]
    Compare(compare::Args),
}

/// Why a command did not do its work.
enum Failure {
    /// The arguments are wrong: what to put right.
    Arguments(Vec<String>),
    /// They are right, but it can't be done here.
    Impossible(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Impossible(error.into())
    }
}

/// Runs the command that was asked for.
pub(crate) fn run() -> ExitCode {
    let cli = Cli::parse();
    match &cli.command {
        Command::Decode(args) => return decode::run(args),
        Command::Merge(args) => return merge::run(args),
        Command::Compare(args) => return compare::run(args),
        _ => {}
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("no runtime");
    let result = runtime.map_err(Failure::Impossible).and_then(|runtime| {
        let result = runtime.block_on(async {
            match cli.command {
                Command::Serve(args) => serve::run(args).await.map(|()| ExitCode::SUCCESS),
                Command::Engine(args) => engine::run(args).await.map(|()| ExitCode::SUCCESS),
                Command::Measure(args) => measure::run(*args).await,
                Command::Collect(args) => collect::run(*args).await.map(|()| ExitCode::SUCCESS),
                Command::Decode(args) => Ok(decode::run(&args)),
                Command::Report(args) => Ok(report::run(&args).await),
                Command::Merge(args) => Ok(merge::run(&args)),
                Command::Compare(args) => Ok(compare::run(&args)),
            }
        });
        // Connections that are still open end with the process.
        runtime.shutdown_background();
        result
    });
    match result {
        Ok(code) => code,
        Err(Failure::Arguments(problems)) => {
            problems.iter().for_each(|problem| eprintln!("error: {problem}"));
            eprintln!("Nothing was sent. See --help for every option.");
            ExitCode::from(2)
        }
        Err(Failure::Impossible(error)) => {
            eprintln!("error: {error:#}");
            ExitCode::from(3)
        }
    }
}

/// The values of every `--forward`.
fn forwards(values: &[String]) -> Result<Forwards, Vec<String>> {
    Forwards::parse(values).map_err(|errors| errors.iter().map(ToString::to_string).collect())
}

/// The built page: as named, or `dist` in the current directory.
fn dist(named: Option<PathBuf>) -> PathBuf {
    named.unwrap_or_else(|| PathBuf::from("dist"))
}

#[cfg(test)]
#[path = "examples_tests.rs"]
mod examples;
