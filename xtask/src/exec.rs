//! Running other programs: one place for time limits and for error texts that name the command.

use std::{
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

/// The command as one would type it, without its environment.
pub fn shown(command: &Command) -> String {
    std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|word| {
            let word = word.to_string_lossy();
            if word.contains(' ') { format!("'{word}'") } else { word.into_owned() }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// Runs with the caller's output and without input; a failure is an error.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("cannot start `{}`", shown(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", shown(command));
    }
    Ok(())
}

/// Like [`run`], for programs that use the network: stopped when the limit has passed.
pub fn run_limited(command: &mut Command, limit: Duration) -> Result<()> {
    let mut child = command.stdin(Stdio::null()).spawn().with_context(|| format!("cannot start `{}`", shown(command)))?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            if status.success() {
                return Ok(());
            }
            bail!("`{}` failed ({status})", shown(command));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            bail!("`{}` did not finish within {} s", shown(command), limit.as_secs());
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// Standard output of a short question, `None` when it cannot be asked or says no.
pub fn ask(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_typed() {
        let mut command = Command::new("apt-get");
        command.args(["install", "a b"]);
        assert_eq!(shown(&command), "apt-get install 'a b'");
    }

    #[cfg(unix)]
    #[test]
    fn the_time_limit_stops_the_program() {
        let start = Instant::now();
        let error = run_limited(Command::new("sleep").arg("20"), Duration::from_millis(100));
        assert!(error.is_err_and(|e| e.to_string().contains("did not finish")));
        assert!(start.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn a_missing_program_answers_nothing() {
        assert_eq!(ask(&mut Command::new("no-such-program-here")), None);
    }
}
