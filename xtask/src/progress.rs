//! Live progress of what takes minutes, cargo builds and pip: how much is done, and for how long.

use std::{
    collections::VecDeque,
    io::{self, IsTerminal as _, Read, Write as _},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

use crate::{exec::shown, lines};

/// How often a log (not a terminal) gets a line.
const LOG_EVERY: Duration = Duration::from_secs(15);
/// How many of the last lines an error shows.
const TAIL: usize = 30;

/// What a line of output tells about the progress.
#[derive(Debug, PartialEq, Eq)]
pub enum Progress {
    /// `Building [==> ] 213/617: syn`
    Compiling { done: u32, total: u32 },
    /// `Downloading 12 crates`, `Updating index` and the like: the first word, in lower case.
    Phase(String),
}

/// Reads one line of cargo's progress output.
pub fn parse(line: &str) -> Option<Progress> {
    let line = line.trim();
    let word = line.split_whitespace().next()?;
    match word {
        "Building" => {
            let after = line.split(']').nth(1)?;
            let (done, rest) = after.trim_start().split_once('/')?;
            let total: String = rest.chars().take_while(char::is_ascii_digit).collect();
            Some(Progress::Compiling { done: done.parse().ok()?, total: total.parse().ok()? })
        }
        "Updating" | "Fetch" | "Downloading" | "Downloaded" | "Locking" | "Installing" => {
            Some(Progress::Phase(word.to_lowercase()))
        }
        _ => None,
    }
}

/// The line to show, e.g. `compiling 213/617, 1 min 34 s`.
pub fn line(progress: &Progress, elapsed: Duration) -> String {
    match progress {
        Progress::Compiling { done, total } => {
            format!("compiling {done}/{total}, {}", duration(elapsed))
        }
        Progress::Phase(name) => format!("{name}, {}", duration(elapsed)),
    }
}

/// A duration as people read it: `0.4 s`, `12 s`, `3 min 05 s`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        _ => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

/// Runs a cargo build quietly with live progress. If it fails, the error has cargo's last lines.
pub fn run_cargo(command: &mut Command) -> Result<()> {
    command
        .env("CARGO_TERM_PROGRESS_WHEN", "always")
        .env("CARGO_TERM_PROGRESS_WIDTH", "80")
        .env("CARGO_TERM_COLOR", "never")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start `{}`", shown(command)))?;
    let stderr = child.stderr.take().context("cargo's error stream is piped")?;
    let (status, tail) = follow(&mut child, stderr, None, parse)?;
    if !status.success() {
        let from_error = tail.iter().skip_while(|text| !text.starts_with("error"));
        let reason: Vec<&str> = from_error.map(String::as_str).collect();
        bail!("`{}` failed ({status})\n{}", shown(command), reason.join("\n"));
    }
    Ok(())
}

/// Runs an installation by pip quietly with live progress, at most as long as the limit. If it fails, the error has its last lines.
pub fn run_pip(command: &mut Command, limit: Duration) -> Result<()> {
    let (reader, writer) = io::pipe()?;
    command.env("PIP_PROGRESS_BAR", "off").stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| format!("cannot start `{}`", shown(command)))?;
    // The command still holds the pipe's writing ends; reading would never end with them open.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut found = 0;
    let (status, tail) = follow(&mut child, reader, Some(limit), |line| pip_progress(line, &mut found))?;
    if !status.success() {
        let tail: Vec<&str> = tail.iter().map(String::as_str).collect();
        bail!("`{}` failed ({status})\n{}", shown(command), tail.join("\n"));
    }
    Ok(())
}

/// pip does not know beforehand how many packages it needs: those found so far are counted.
fn pip_progress(line: &str, found: &mut u32) -> Option<Progress> {
    if line.starts_with("Installing collected packages") {
        return Some(Progress::Phase(format!("installing {found} packages")));
    }
    *found += u32::from(line.starts_with("Collecting "));
    let known = ["Collecting ", "  Downloading ", "  Using cached ", "Requirement already satisfied"];
    known.iter().any(|start| line.starts_with(start)).then(|| Progress::Phase(format!("packages found: {found}")))
}

/// Reads a program's output to its end and shows its progress; gives the last lines that told none.
fn follow(
    child: &mut Child,
    output: impl Read + Send + 'static,
    limit: Option<Duration>,
    mut read: impl FnMut(&str) -> Option<Progress>,
) -> Result<(ExitStatus, VecDeque<String>)> {
    let (sender, receiver) = mpsc::channel();
    // Reading in a thread of its own lets the elapsed time go on while nothing is said.
    thread::spawn(move || {
        lines::for_each_line(output, |bytes| {
            // The receiver is gone only when nobody waits any more.
            let _ = sender.send(String::from_utf8_lossy(bytes).into_owned());
        })
    });
    let mut display = Display::new(Instant::now());
    let mut tail = VecDeque::new();
    loop {
        match receiver.recv_timeout(Duration::from_secs(1)) {
            Ok(text) => match read(&text) {
                Some(progress) => display.update(progress),
                None if !text.trim().is_empty() => {
                    if tail.len() == TAIL {
                        tail.pop_front();
                    }
                    tail.push_back(text);
                }
                None => {}
            },
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        display.draw();
        if let Some(limit) = limit.filter(|limit| display.start.elapsed() > *limit) {
            display.finish();
            child.kill()?;
            child.wait()?;
            bail!("it did not finish within {} s", limit.as_secs());
        }
    }
    display.finish();
    Ok((child.wait()?, tail))
}

/// One line that is redrawn on a terminal, or a line now and then in a log.
struct Display {
    start: Instant,
    terminal: bool,
    now: Option<Progress>,
    logged: Instant,
}

impl Display {
    fn new(start: Instant) -> Self {
        Self { start, terminal: std::io::stderr().is_terminal(), now: None, logged: start }
    }

    fn update(&mut self, progress: Progress) {
        self.now = Some(progress);
    }

    fn draw(&mut self) {
        let Some(now) = &self.now else { return };
        let text = line(now, self.start.elapsed());
        if self.terminal {
            eprint!("\r\u{1b}[2K    {text}");
            // Progress is a courtesy; a terminal that is gone is no reason to stop.
            let _ = std::io::stderr().flush();
        } else if self.logged.elapsed() >= LOG_EVERY {
            self.logged = Instant::now();
            eprintln!("    {text}");
        }
    }

    fn finish(&self) {
        if self.terminal {
            eprint!("\r\u{1b}[2K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_progress_is_understood() {
        let bar = "    Building [=======>                 ] 213/617: syn, serde(build)";
        assert_eq!(parse(bar), Some(Progress::Compiling { done: 213, total: 617 }));
        assert_eq!(parse(" Downloading 3 crates"), Some(Progress::Phase("downloading".into())));
        assert_eq!(parse("   Compiling syn v2.0.1"), None);
        assert_eq!(parse("    Building something else"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn the_packages_of_pip_are_counted() {
        let mut found = 0;
        let mut shown =
            |line: &str| pip_progress(line, &mut found).map(|progress| super::line(&progress, Duration::from_secs(3)));
        assert_eq!(
            shown("Collecting aiohttp<4,>=3 (from litellm[proxy]==1.108.7)").as_deref(),
            Some("packages found: 1, 3.0 s")
        );
        assert_eq!(shown("  Downloading aiohttp-3.14.5.whl (1.7 MB)").as_deref(), Some("packages found: 1, 3.0 s"));
        assert_eq!(shown("Collecting idna").as_deref(), Some("packages found: 2, 3.0 s"));
        assert_eq!(shown("ERROR: No matching distribution found for x"), None);
        assert_eq!(shown("Installing collected packages: a, b").as_deref(), Some("installing 2 packages, 3.0 s"));
    }

    #[cfg(unix)]
    #[test]
    fn pip_is_stopped_at_its_limit_and_its_last_words_are_told() {
        let mut slow = Command::new("sleep");
        let error = run_pip(slow.arg("20"), Duration::from_millis(10)).expect_err("too slow");
        assert!(error.to_string().contains("did not finish"), "{error}");
        let mut wrong = Command::new("sh");
        let error = run_pip(wrong.args(["-c", "echo 'ERROR: no such thing' >&2; exit 1"]), Duration::from_secs(20));
        assert!(error.is_err_and(|error| error.to_string().contains("no such thing")));
    }

    #[test]
    fn progress_is_shown_with_time() {
        let progress = Progress::Compiling { done: 213, total: 617 };
        assert_eq!(line(&progress, Duration::from_secs(94)), "compiling 213/617, 1 min 34 s");
    }

    #[test]
    fn durations_are_readable() {
        assert_eq!(duration(Duration::from_millis(440)), "0.4 s");
        assert_eq!(duration(Duration::from_secs(12)), "12 s");
        assert_eq!(duration(Duration::from_secs(185)), "3 min 05 s");
    }
}
