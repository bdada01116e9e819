//! Benches in real browsers against this process's own server.

mod accuracy;
mod decode;

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
    /// How fast streams are decoded, against what a page in JavaScript would do
    Decode(decode::Args),
}

fn main() -> ExitCode {
    let held = match Args::parse().bench {
        Bench::Accuracy(args) => accuracy::run(&args),
        Bench::Decode(args) => decode::run(&args),
    };
    match held {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}
