//! A browser's processes: one group, ended as a whole, with the last lines of their standard error.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Lines of standard error that are kept.
const KEPT_LINES: usize = 20;
/// The longest line that is kept, in characters.
const KEPT_CHARS: usize = 500;
/// Chromium says this over and over where there is no message bus, as in every container. It is never the reason.
const NOISE: &str = ":ERROR:dbus/";
/// Attempts at waiting for the whole group to be gone.
const GONE_ATTEMPTS: u32 = 40;

type Lines = Arc<Mutex<VecDeque<String>>>;

/// How a browser ended by itself.
#[derive(Clone, Debug)]
pub struct Exit {
    /// Its exit status.
    pub status: ExitStatus,
    /// The last lines of its standard error.
    pub last_lines: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    lines: Lines,
}

impl Process {
    pub(super) fn start(mut command: Command) -> io::Result<Process> {
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt as _;
            // A group of its own, so that its children can be ended with it.
            command.process_group(0);
        }
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let lines = Lines::default();
        if let Some(stderr) = child.stderr.take() {
            let kept = Arc::clone(&lines);
            // A thread, because the pipe may outlive the browser: it ends when the last process closes it.
            std::thread::spawn(move || {
                for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
                    let text: String = String::from_utf8_lossy(&line).chars().take(KEPT_CHARS).collect();
                    if text.contains(NOISE) {
                        continue;
                    }
                    let mut lines = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    if lines.len() == KEPT_LINES {
                        lines.pop_front();
                    }
                    lines.push_back(text);
                }
            });
        }
        Ok(Process { child, lines })
    }

    pub(super) fn exited(&mut self) -> Option<Exit> {
        let status = self.child.try_wait().ok()??;
        // What it wrote last may still be on its way through the pipe.
        std::thread::sleep(Duration::from_millis(50));
        Some(Exit { status, last_lines: self.last_lines() })
    }

    pub(super) fn last_lines(&self) -> Vec<String> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Ends all processes and waits until they are gone.
    pub(super) fn end(&mut self) {
        self.kill();
        // It may have ended by itself.
        let _status = self.child.wait();
        for _attempt in 0..GONE_ATTEMPTS {
            if self.gone() {
                return;
            }
            std::thread::sleep(Duration::from_millis(25));
        }
    }

    #[cfg(unix)]
    fn group(&self) -> Option<rustix::process::Pid> {
        rustix::process::Pid::from_raw(i32::try_from(self.child.id()).ok()?)
    }

    #[cfg(unix)]
    fn kill(&mut self) {
        if let Some(group) = self.group() {
            // An error means that nobody is left.
            let _gone = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }

    #[cfg(unix)]
    fn gone(&self) -> bool {
        self.group().is_none_or(|group| rustix::process::test_kill_process_group(group).is_err())
    }

    #[cfg(not(unix))]
    fn kill(&mut self) {
        let _gone = self.child.kill();
    }

    #[cfg(not(unix))]
    fn gone(&self) -> bool {
        true
    }
}
