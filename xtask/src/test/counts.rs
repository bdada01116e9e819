//! Counting tests from what `cargo test` prints.

/// What came out of one suite, or of all.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
    pub ignored: usize,
    /// Lines for the end, about suites and about failures that are not tests.
    pub notes: Vec<String>,
    /// What failed tests said, for the end too: it stands far up by then.
    pub said: Vec<String>,
}

impl Tally {
    /// Counts a failure that is not a test's own.
    pub fn fail(&mut self, note: String) {
        self.failed += 1;
        self.notes.push(note);
    }

    pub fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
        self.notes.extend(other.notes);
        self.said.extend(other.said);
    }
}

/// Lines that are kept of what a failed test says, and characters of each: more stands where it was printed.
const LINES_KEPT: usize = 8;
const CHARS_KEPT: usize = 600;

/// Reads lines and counts.
#[derive(Debug, Default)]
pub struct Counter {
    pub tally: Tally,
    /// Names of test targets (as in `target/debug/deps/NAME-hash`) with the number of tests executed.
    pub targets: Vec<(String, usize)>,
    /// So many lines more are kept of what a failed test says.
    left: usize,
}

impl Counter {
    pub fn line(&mut self, line: &str) {
        self.keep(line);
        if let Some(name) = target(line) {
            self.targets.push((name.to_owned(), 0));
        } else if let Some((passed, failed, ignored)) = result(line) {
            self.tally.passed += passed;
            self.tally.failed += failed;
            self.tally.ignored += ignored;
            if let Some((_, executed)) = self.targets.last_mut() {
                *executed += passed + failed;
            }
        }
    }

    /// Keeps the beginning of what a failed test says, up to where its stack is listed.
    fn keep(&mut self, line: &str) {
        if let Some(test) = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----")) {
            self.tally.said.push(format!("FAILED {test}"));
            self.left = LINES_KEPT;
        } else if line.starts_with("stack backtrace:") || line == "failures:" {
            self.left = 0;
        } else if self.left > 0 && !line.trim().is_empty() {
            self.left -= 1;
            self.tally.said.push(format!("    {}", line.chars().take(CHARS_KEPT).collect::<String>()));
        }
    }
}

/// `     Running unittests src/lib.rs (target/debug/deps/firstlight_core-0123)` → `firstlight_core`
fn target(line: &str) -> Option<&str> {
    let line = line.trim();
    if let Some(name) = line.strip_prefix("Doc-tests ") {
        return Some(name);
    }
    let path = line.strip_prefix("Running ")?.rsplit_once('(')?.1.strip_suffix(')')?;
    let file = path.rsplit(['/', '\\']).next()?;
    Some(file.rsplit_once('-')?.0)
}

/// `test result: ok. 3 passed; 1 failed; 2 ignored; …` → passed, failed, ignored
fn result(line: &str) -> Option<(usize, usize, usize)> {
    let line = line.trim();
    let counts = line.strip_prefix("test result: ")?.split_once(". ")?.1;
    let number = |what: &str| counts.split(';').find_map(|part| part.trim().strip_suffix(what)?.trim().parse().ok());
    Some((number("passed")?, number("failed")?, number("ignored").unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines_are_counted() {
        let ok = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.02s";
        assert_eq!(result(ok), Some((12, 0, 1)));
        let bad = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 7 filtered out";
        assert_eq!(result(bad), Some((3, 2, 0)));
        assert_eq!(result("test tests::result ... ok"), None);
        assert_eq!(result("test result: ok."), None);
    }

    #[test]
    fn targets_are_recognised() {
        let line = "     Running unittests src/lib.rs (target/debug/deps/firstlight_core-b7ef0012ab)";
        assert_eq!(target(line), Some("firstlight_core"));
        let line = "     Running tests/page-load.rs (/some/dir/debug/deps/page_load-1a2b)";
        assert_eq!(target(line), Some("page_load"));
        assert_eq!(target("   Doc-tests firstlight_core"), Some("firstlight_core"));
        assert_eq!(target("Running out of time"), None);
    }

    #[test]
    fn tests_are_attributed_to_the_target_before_them() {
        let mut counter = Counter::default();
        for line in [
            "     Running unittests src/lib.rs (target/debug/deps/one-1)",
            "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            "     Running unittests src/lib.rs (target/debug/deps/two-2)",
            "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
        ] {
            counter.line(line);
        }
        assert_eq!(counter.targets, [("one".to_owned(), 2), ("two".to_owned(), 0)]);
        assert_eq!(counter.tally.passed, 2);
    }

    #[test]
    fn what_a_failed_test_says_is_kept_for_the_end() {
        let mut counter = Counter::default();
        let long = "x".repeat(CHARS_KEPT + 1);
        for line in ["test a ... FAILED", "failures:", "---- a stdout ----", "", "thread 'a' panicked at a.rs:1:2:", "1 is 2"] {
            counter.line(line);
        }
        for line in ["stack backtrace:", "   0: rust", "---- b stdout ----", &long, "failures:", "    a"] {
            counter.line(line);
        }
        assert_eq!(counter.tally.said[..3], ["FAILED a", "    thread 'a' panicked at a.rs:1:2:", "    1 is 2"]);
        assert_eq!(counter.tally.said[3..], ["FAILED b".to_owned(), format!("    {}", "x".repeat(CHARS_KEPT))]);
    }

    #[test]
    fn a_failure_that_is_no_test_still_fails() {
        let mut tally = Tally::default();
        tally.fail("not compiled".to_owned());
        let mut sum = Tally { passed: 3, ..Tally::default() };
        sum.add(tally);
        assert_eq!((sum.passed, sum.failed), (3, 1));
        assert_eq!(sum.notes, ["not compiled"]);
    }
}
