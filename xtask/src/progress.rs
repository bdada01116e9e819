//! Live progress of a long cargo build: how many crates of how many, and for how long.

use std::{
    collections::VecDeque,
    io::{IsTerminal as _, Write as _},
    process::{Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

use crate::{exec::shown, lines};

/// How often a log (not a terminal) gets a line.
const LOG_EVERY: Duration = Duration::from_secs(15);
/// How many of cargo's last lines an error shows.
const TAIL: usize = 30;

/// What a line of cargo's output tells about the progress.
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
    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot start `{}`", shown(command)))?;
    let stderr = child.stderr.take().context("cargo's error stream is piped")?;
    let (sender, receiver) = mpsc::channel();
    // Reading in a thread of its own lets the elapsed time go on while cargo says nothing.
    thread::spawn(move || {
        lines::for_each_line(stderr, |bytes| {
            // The receiver is gone only when this process is ending.
            let _ = sender.send(String::from_utf8_lossy(bytes).into_owned());
        })
    });

    let mut display = Display::new(start);
    let mut tail = VecDeque::new();
    loop {
        match receiver.recv_timeout(Duration::from_secs(1)) {
            Ok(text) => match parse(&text) {
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
    }
    display.finish();
    let status = child.wait()?;
    if !status.success() {
        let from_error = tail.iter().skip_while(|text| !text.starts_with("error"));
        let reason: Vec<&str> = from_error.map(String::as_str).collect();
        bail!("`{}` failed ({status})\n{}", shown(command), reason.join("\n"));
    }
    Ok(())
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
