//! The `firstlight` command: serves the page, or measures from the command line with a real browser.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
