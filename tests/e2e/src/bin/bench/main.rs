//! Benches in real browsers against this process's own server.

mod accuracy;
mod cost;
mod decode;
mod figures;
mod first_paint;
mod hover;
mod large;
mod mailbox;
mod passive;
mod screen;
mod stage;
mod streams;

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
    /// How true the page's stamps and paints are, against the server's writes and the pixels of a screen
    Accuracy(accuracy::Args),
    /// How many streams are stamped in time, against a plain page
    Streams(streams::Args),
    /// What Firstlight adds between the server's write and the pixels, against a bare page
    Cost(cost::Args),
    /// Whether the package's passive part and its measuring part say the same, in a chat page before llama.cpp
    Passive(passive::Args),
    /// Whether a product's page is shown later with Firstlight in it
    FirstPaint(first_paint::Args),
    /// How quickly charts of a long run answer a pointer
    Hover(hover::Args),
    /// How long a run of 100,000 requests takes to be shown
    Large(large::Args),
    /// How fast streams are decoded, against what a page in JavaScript would do
    Decode(decode::Args),
}

fn main() -> ExitCode {
    let held = match Args::parse().bench {
        Bench::Accuracy(args) => accuracy::run(&args),
        Bench::Streams(args) => streams::run(&args),
        Bench::Cost(args) => cost::run(&args),
        Bench::Passive(args) => passive::run(&args),
        Bench::FirstPaint(args) => first_paint::run(&args),
        Bench::Hover(args) => hover::run(&args),
        Bench::Large(args) => large::run(&args),
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
