//! The real binary, serving.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use super::host;

/// `firstlight serve` on free ports; ended on drop.
pub struct Binary {
    child: Child,
    stdout: BufReader<ChildStdout>,
    printed: String,
    /// The hosts and ports of both origins.
    pub page: String,
    pub second: String,
    _dist: tempfile::TempDir,
}

/// `firstlight serve` with these arguments, on free ports.
pub fn command(dist: &tempfile::TempDir, args: &[&str]) -> Command {
    std::fs::write(dist.path().join("index.html"), "<!doctype html><title>t</title>").expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_firstlight"));
    command.args(["serve", "--port", "0", "--second-port", "0", "--dist"]).arg(dist.path()).args(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What it says when it can't start.
pub fn refused(args: &[&str]) -> Output {
    command(&tempfile::tempdir().expect("a directory"), args).output().expect("started")
}

impl Binary {
    pub fn start(args: &[&str], env: &[(&str, &str)]) -> Binary {
        let dist = tempfile::tempdir().expect("a directory");
        let mut child = command(&dist, args).envs(env.iter().copied()).spawn().expect("started");
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout"));
        let mut printed = String::new();
        while !printed.contains("Ctrl-C stops it.\n") {
            assert!(stdout.read_line(&mut printed).expect("a line") > 0, "ended early: {printed}");
        }
        let after = |words: &str| {
            let line = printed.lines().find_map(|line| line.strip_prefix(words));
            host(line.unwrap_or_else(|| panic!("no {words:?} in {printed}")))
        };
        let (page, second) = (after("Page: "), after("Second origin for cross-origin requests: "));
        Binary { child, stdout, printed, page, second, _dist: dist }
    }

    /// The page's own origin.
    pub fn origin(&self) -> String {
        format!("http://{}", self.page)
    }

    /// Stops it and gives all that it printed.
    pub fn stop(mut self) -> String {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).expect("signalled");
        let mut all = std::mem::take(&mut self.printed);
        self.stdout.read_to_string(&mut all).expect("stdout");
        self.child.stderr.take().expect("stderr").read_to_string(&mut all).expect("stderr");
        assert!(self.child.wait().expect("ended").success());
        all
    }
}

impl Drop for Binary {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _status = self.child.wait();
    }
}
