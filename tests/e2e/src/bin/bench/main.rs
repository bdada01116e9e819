//! Benches in real browsers against this process's own server.

mod accuracy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Benches in real browsers.
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    bench: Bench,
}

#[derive(Subcommand)]
enum Bench {
    /// How far the page's stamp of the first answer lies behind the server's write of it
    Accuracy(accuracy::Args),
}

fn main() -> ExitCode {
    let Bench::Accuracy(args) = Args::parse().bench;
    match accuracy::run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}
