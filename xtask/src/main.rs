//! The developer's commands: `cargo xtask setup`, `serve`, `test`, `ci`, `size`, `npm`, `hosts`, `bench`, `fuzz`, `screenshots`.
//!
//! Everything these commands install stays inside the project, under `.tools/`; the exceptions
//! are Debian packages and the rustup target, which have no other place to live.

mod bench;
mod ci;
mod embed;
mod exec;
mod fuzz;
mod hosts;
mod lines;
mod npm;
mod page;
mod progress;
mod serve;
mod setup;
mod size;
mod test;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::workspace::Workspace;

/// The developer's commands of Firstlight.
#[derive(Parser)]
#[command(bin_name = "cargo xtask", arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install the missing tools (wasm target, wasm-bindgen, Trunk)
    Setup {
        /// Also what the tests need: browsers, their drivers, a proxy, a real inference server and a gateway
        #[arg(long)]
        browsers: bool,
    },
    /// Build the page and the server, then serve the page
    Serve {
        /// Port to listen on
        #[arg(long)]
        port: Option<u16>,
        /// Further arguments of `firstlight serve`, after `--`
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Run every test: native, in the browser, and end to end
    Test {
        /// Run only tests whose name contains this text
        filter: Option<String>,
    },
    /// Everything that must hold before a change is merged
    Ci,
    /// Print the sizes of the built page and of the npm package against their budgets
    Size,
    /// Put the npm package together in `target/npm`
    Npm,
    /// Build the example host pages of `examples/hosts` in `target/hosts`
    Hosts,
    /// Run a bench in real browsers: `bench accuracy`, `bench streams`, `bench cost`, `bench passive`, `bench decode`, `bench first-paint`, `bench plan`
    Bench {
        /// Name of the bench, and its arguments
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Feed arbitrary replies to the decoder (needs the nightly compiler; not part of `ci`)
    Fuzz {
        /// Minutes for each target
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
        minutes: u32,
        /// Targets; all if none is named
        targets: Vec<String>,
    },
    /// Take the screenshots of the documentation
    Screenshots {
        /// Arguments of the screenshot program
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
}

fn main() -> ExitCode {
    let result = Workspace::find().and_then(|ws| match Cli::parse().command {
        Task::Setup { browsers } => setup::run(&ws, browsers).map(|()| true),
        Task::Serve { port, args } => serve::run(&ws, port, &args).map(|()| true),
        Task::Test { filter } => test::run(&ws, filter.as_deref()),
        Task::Ci => ci::run(&ws),
        Task::Size => size::run(&ws),
        Task::Npm => embed::run(&ws),
        Task::Hosts => hosts::run(&ws).map(|()| true),
        Task::Bench { args } => bench::run(&ws, "bench", &args).map(|()| true),
        Task::Fuzz { minutes, targets } => fuzz::run(&ws, minutes, &targets).map(|()| true),
        Task::Screenshots { args } => bench::run(&ws, "screenshots", &args).map(|()| true),
    });
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}
