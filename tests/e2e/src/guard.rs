//! Child processes that end with us, however we end, and take their own children with them.
//!
//! A small shell stands between: it leads a process group and waits for its standard input to close, which the kernel does
//! also when a test run is killed. A browser left over by one run would disturb the times of the next.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

/// The outer shell gives the program a folder for temporary files and removes it at the end, whatever happens inside.
const OUTER: &str = r#"
dir=$(mktemp -d -t firstlight-e2e.XXXXXX) || exit 1
exec 3<&0
TMPDIR=$dir setsid sh -c "$INNER" guard "$@" <&3 &
exec >/dev/null 2>&1 3<&-
wait
rm -rf "$dir"
"#;

/// The inner shell leads the group. The child tells both process numbers before it becomes the program: nothing that the program
/// prints can come first. It ends it politely, then by force; `trap :` keeps the shell itself alive through its own
/// signal without passing that on.
const INNER: &str = r#"
trap : TERM
sh -c 'echo "guard $PPID $$"; exec "$@"' sh "$@" 2>&1 &
child=$!
exec >/dev/null 2>&1
read -r _
kill -TERM 0
(sleep 3; kill -KILL $child) &
wait $child
kill -KILL 0
"#;

/// How many of the last lines are kept for a message.
const KEPT: usize = 40;

/// A running program with everything that it started.
pub struct Guarded {
    name: String,
    shell: Child,
    group: Pid,
    child: Pid,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    log: Arc<Mutex<VecDeque<String>>>,
}

impl Guarded {
    /// Starts a program; its output and errors can be waited for as lines.
    pub fn start(program: &Path, args: &[OsString], env: &[(&str, OsString)]) -> Result<Guarded> {
        let name = program.display().to_string();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", OUTER, "guard"]).arg(program).args(args);
        command.envs(env.iter().map(|(k, v)| (k, v))).env("INNER", INNER);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
        let mut shell = command.spawn().with_context(|| format!("cannot start {name}"))?;
        let stdin = shell.stdin.take();
        let stdout = shell.stdout.take().context("no pipe")?;
        let mut output = BufReader::new(stdout);
        let mut first = String::new();
        output.read_line(&mut first)?;
        let mut pids = first.split_whitespace().skip(1).map(|pid| pid.parse().ok().and_then(Pid::from_raw));
        let (group, child) = (pids.next().flatten(), pids.next().flatten());
        let (group, child) = group.zip(child).with_context(|| format!("no guard for {name}: {first:?}"))?;
        let (sender, lines) = channel();
        let log = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&log);
        // Reads to the end, so that the program never blocks on a full pipe.
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if let Ok(mut kept) = kept.lock() {
                    kept.push_back(line.clone());
                    let surplus = kept.len().saturating_sub(KEPT);
                    kept.drain(..surplus);
                }
                // Nobody may be waiting any more.
                let _ = sender.send(line);
            }
        });
        Ok(Guarded { name, shell, group, child, stdin, lines, log })
    }

    /// Waits for a line that `wanted` recognises.
    pub fn wait_for<T>(&self, limit: Duration, wanted: impl Fn(&str) -> Option<T>) -> Result<T> {
        let end = Instant::now() + limit;
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    if let Some(found) = wanted(&line) {
                        return Ok(found);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    bail!("{} was not ready after {limit:?}; it said:\n{}", self.name, self.log())
                }
                Err(RecvTimeoutError::Disconnected) => bail!("{} ended; it said:\n{}", self.name, self.log()),
            }
        }
    }

    /// The last lines that it printed.
    pub fn log(&self) -> String {
        self.log.lock().map(|lines| lines.iter().cloned().collect::<Vec<_>>().join("\n")).unwrap_or_default()
    }

    /// Ends the whole group at once, without a chance to say goodbye. The program is gone when this returns.
    pub fn kill(&mut self) -> Result<()> {
        kill_process_group(self.group, Signal::KILL).with_context(|| format!("cannot kill {}", self.name))?;
        wait_for_end(self.child)?;
        self.shell.wait()?;
        Ok(())
    }
}

/// Waits until a process that need not be our own child has ended.
fn wait_for_end(pid: Pid) -> Result<()> {
    let process = match pidfd_open(pid, PidfdFlags::empty()) {
        Ok(process) => process,
        Err(Errno::SRCH) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let limit = Timespec { tv_sec: 10, tv_nsec: 0 };
    let ended = poll(&mut [PollFd::new(&process, PollFlags::IN)], Some(&limit))?;
    anyhow::ensure!(ended == 1, "process {} does not end", pid.as_raw_nonzero());
    Ok(())
}

impl Drop for Guarded {
    fn drop(&mut self) {
        drop(self.stdin.take());
        // Bounded by the shell itself.
        let _ = self.shell.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Guarded {
        let args = ["-c", script].map(OsString::from);
        Guarded::start(Path::new("/bin/sh"), &args, &[]).expect("sh")
    }

    /// Its end is under way already; this waits for the kernel to finish it.
    fn ends(pid: Pid) {
        wait_for_end(pid).expect("it ends");
    }

    fn pid_after(line: &str, word: &str) -> Option<Pid> {
        Pid::from_raw(line.strip_prefix(word)?.trim().parse().ok()?)
    }

    #[test]
    fn a_line_is_waited_for_and_children_of_children_end_too() {
        let program = sh("sleep 60 & echo child $!; wait");
        let pid = program.wait_for(Duration::from_secs(10), |line| pid_after(line, "child")).expect("a line");
        drop(program);
        ends(pid);
    }

    #[test]
    fn a_program_that_ignores_polite_requests_ends_too() {
        let program = sh("trap '' TERM; echo ready $$; while :; do sleep 1; done");
        let pid = program.wait_for(Duration::from_secs(10), |line| pid_after(line, "ready")).expect("a line");
        drop(program);
        ends(pid);
    }

    #[test]
    fn an_early_end_is_said_with_the_last_words() {
        let program = sh("echo broken >&2; exit 3");
        let error = program.wait_for(Duration::from_secs(10), |_| None::<()>).expect_err("ended").to_string();
        assert!(error.contains("ended") && error.contains("broken"), "{error}");
    }

    #[test]
    fn killing_is_immediate() {
        let mut program = sh("trap '' TERM; echo ready $$; while :; do sleep 1; done");
        let pid = program.wait_for(Duration::from_secs(10), |line| pid_after(line, "ready")).expect("a line");
        let begun = Instant::now();
        program.kill().expect("killed");
        ends(pid);
        drop(program);
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    }
}
