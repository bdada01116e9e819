//! `test`: every test there is, counted.

mod counts;
mod suites;

use std::time::Instant;

use anyhow::{Result, bail};

pub use counts::Tally;
use suites::Suite;

use crate::{embed, lines, page, progress::duration, serve, setup, workspace::Workspace};

/// Runs every test and prints the count as its last line; false if any failed.
pub fn run(ws: &Workspace, filter: Option<&str>) -> Result<bool> {
    let tally = all(ws, filter);
    for line in tally.said.iter().chain(&tally.notes) {
        println!("{line}");
    }
    println!("{} passed, {} failed", tally.passed, tally.failed);
    Ok(tally.failed == 0)
}

/// Runs every suite, also after failures. What cannot even be prepared counts as one failure.
pub fn all(ws: &Workspace, filter: Option<&str>) -> Tally {
    let mut tally = Tally::default();
    if let Err(error) = setup::run(ws, true) {
        // Not the end: the native tests need none of the tools.
        tally.fail(format!("setup: {error:#}"));
    }
    let mut suites = vec![suites::native(ws, filter)];
    match suites::browser(ws, filter) {
        Ok(Some(suite)) => suites.push(suite),
        Ok(None) => tally.notes.push("browser: NOT TESTED, tests/browser is empty".to_owned()),
        Err(error) => tally.fail(format!("browser: {error:#}")),
    }
    match page::build(ws).and_then(|()| embed::build(ws)).and_then(|()| serve::build_server(ws)) {
        Ok(()) => suites.push(suites::end_to_end(ws, filter)),
        Err(error) => tally.fail(format!("end to end: NOT TESTED, {error:#}")),
    }
    for mut suite in suites {
        let start = Instant::now();
        println!("\n=== {}: {}", suite.name, suite.why);
        match run_suite(&mut suite, filter.is_some()) {
            Ok(counted) => {
                tally.notes.push(format!(
                    "{}: {} passed, {} failed, {} ignored ({})",
                    suite.name,
                    counted.passed,
                    counted.failed,
                    counted.ignored,
                    duration(start.elapsed())
                ));
                tally.add(counted);
            }
            Err(error) => tally.fail(format!("{}: {error:#}", suite.name)),
        }
    }
    if tally.passed + tally.failed == 0 {
        tally.fail("no test was executed".to_owned());
    }
    tally
}

/// Runs one suite. With a filter, targets without a matching test are no failure.
fn run_suite(suite: &mut Suite, filtered: bool) -> Result<Tally> {
    let mut counter = counts::Counter::default();
    let status = lines::run(&mut suite.command, |line| counter.line(line))?;
    let mut tally = counter.tally;
    if !status.success() && tally.failed == 0 {
        // Not compiled, or a test program that died before it could report.
        tally.fail(format!("{}: `cargo test` ended with {status}", suite.name));
    }
    if !filtered {
        for name in suite.expected {
            if !counter.targets.iter().any(|(target, count)| target == name && *count > 0) {
                tally.fail(format!("{}: no test was executed in {name}", suite.name));
            }
        }
        if tally.passed + tally.failed == 0 {
            bail!("no test was executed");
        }
    }
    Ok(tally)
}
