//! `ci`: everything that must hold before a change is merged.
//!
//! Every step runs, also after a failure, so that one run shows all there is to mend. Only tests
//! count as passed; a failed check adds to the failures.

mod lint;
mod purity;
mod tidy;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::{embed, page, progress::duration, setup, size, test, workspace::Workspace};

struct Check {
    name: &'static str,
    why: &'static str,
    run: fn(&Workspace) -> Result<()>,
}

const BEFORE_TESTS: &[Check] = &[
    Check { name: "setup", why: "the other steps need the tools", run: |ws| setup::run(ws, true) },
    Check { name: "format", why: "one layout, so that differences show changes only", run: lint::format },
    Check { name: "clippy, native", why: "lints of Cargo.toml, as errors", run: lint::native },
    Check { name: "clippy, wasm", why: "also forbids what compiles for wasm and then panics", run: lint::wasm },
    Check {
        name: "core is pure",
        why: "metrics must be functions of recorded data: no browser, no clock, no runtime",
        run: purity::check,
    },
    Check { name: "tidy", why: "file sizes, module docs, versions, paths of one machine", run: tidy::check },
];

const AFTER_TESTS: &[Check] = &[
    Check { name: "size", why: "the page must stay quick to load", run: within_budget },
    Check { name: "docs", why: "links in the documentation must lead somewhere", run: lint::docs },
];

/// Runs all checks and tests; false if anything failed.
pub fn run(ws: &Workspace) -> Result<bool> {
    let mut report = Vec::new();
    run_checks(ws, BEFORE_TESTS, &mut report);
    let start = Instant::now();
    println!("\n##### tests: every test there is");
    let tests = test::all(ws, None);
    let test_time = start.elapsed();
    run_checks(ws, AFTER_TESTS, &mut report);

    println!("\n##### summary");
    for (name, time, error) in &report {
        let result = if error.is_some() { "FAILED" } else { "ok" };
        println!("{name}: {result} ({})", duration(*time));
    }
    for line in &tests.said {
        println!("{line}");
    }
    println!("tests: {}", duration(test_time));
    for note in &tests.notes {
        println!("  {note}");
    }
    let failed = report.iter().filter(|(_, _, error)| error.is_some()).count();
    for (name, _, error) in &report {
        if let Some(error) = error {
            println!("FAILED {name}: {error}");
        }
    }
    println!("checks: {} passed, {failed} failed", report.len() - failed);
    println!("{} passed, {} failed", tests.passed, tests.failed + failed);
    Ok(tests.failed + failed == 0)
}

type Report = Vec<(&'static str, Duration, Option<String>)>;

fn run_checks(ws: &Workspace, checks: &[Check], report: &mut Report) {
    for check in checks {
        println!("\n##### {}: {}", check.name, check.why);
        let start = Instant::now();
        let error = (check.run)(ws).err().map(|error| format!("{error:#}"));
        if let Some(error) = &error {
            println!("FAILED: {error}");
        }
        println!("##### {} took {}", check.name, duration(start.elapsed()));
        report.push((check.name, start.elapsed(), error));
    }
}

fn within_budget(ws: &Workspace) -> Result<()> {
    page::build(ws)?;
    if !size::report(&ws.dist())? {
        bail!("the page is over its budget of {} bytes", size::BUDGET);
    }
    embed::build(ws)?;
    if !embed::report(ws)? {
        bail!("a part of the npm package is over its budget");
    }
    Ok(())
}
