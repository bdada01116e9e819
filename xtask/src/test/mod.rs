//! `test`: every test there is, counted.

mod counts;
mod suites;

use std::{thread, time::Instant};

use anyhow::{Result, bail};

pub use counts::Tally;
use suites::Suite;

use crate::{embed, hosts, lines, page, progress::duration, serve, setup, workspace::Workspace};

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
    // The linker of the page is one thread for minutes: the native tests go on beside it.
    let (page, examples) = thread::scope(|scope| {
        let page = scope.spawn(|| {
            let page = page::build(ws).and_then(|()| embed::build(ws));
            // They are made with the package. Most of the tests need none of them.
            let examples = if page.is_ok() { hosts::build(ws) } else { Ok(()) };
            (page, examples)
        });
        tally.run(suites::native(ws, filter), filter.is_some());
        page.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    if let Err(error) = examples {
        tally.fail(format!("example pages: {error:#}"));
    }
    tally.run(suites::browser(ws, filter), filter.is_some());
    let built = page.and_then(|()| serve::build_server(ws));
    tally.run(built.and_then(|()| suites::end_to_end(ws, filter)), filter.is_some());
    if tally.passed + tally.failed == 0 {
        tally.fail("no test was executed".to_owned());
    }
    tally
}

impl Tally {
    /// Runs a suite and adds what came of it; what can't be prepared counts as one failure.
    fn run(&mut self, suite: Result<Suite>, filtered: bool) {
        let mut suite = match suite {
            Ok(suite) => suite,
            Err(error) => return self.fail(format!("NOT TESTED: {error:#}")),
        };
        let start = Instant::now();
        println!("\n=== {}: {}", suite.name, suite.why);
        match run_suite(&mut suite, filtered) {
            Ok(counted) => {
                let (passed, failed, ignored) = (counted.passed, counted.failed, counted.ignored);
                let time = duration(start.elapsed());
                self.notes.push(format!("{}: {passed} passed, {failed} failed, {ignored} ignored ({time})", suite.name));
                self.add(counted);
            }
            Err(error) => self.fail(format!("{}: {error:#}", suite.name)),
        }
    }
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
