//! Reading a running program's output line by line while it still goes to the screen.

use std::{
    io::{self, BufRead as _, BufReader, Read, Write as _},
    process::{Command, ExitStatus, Stdio},
};

use anyhow::{Context, Result};

use crate::exec::shown;

/// Runs a command; each line of its output and its errors goes to standard output and then to
/// `seen`, without colour codes. Both streams share one pipe so that their order is kept.
pub fn run(command: &mut Command, mut seen: impl FnMut(&str)) -> Result<ExitStatus> {
    let (reader, writer) = io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| format!("cannot start `{}`", shown(command)))?;
    // The command still holds the pipe's writing ends; reading would never end with them open.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    for_each_line(reader, |line| {
        let mut stdout = io::stdout().lock();
        // A closed standard output must not stop the tests; there is nobody left to tell.
        let _ = stdout.write_all(line).and_then(|()| stdout.write_all(b"\n"));
        seen(&without_colour(&String::from_utf8_lossy(line)));
    })?;
    Ok(child.wait()?)
}

/// Calls `seen` for each line; carriage returns end a line too, as progress bars use them.
pub fn for_each_line(input: impl Read, mut seen: impl FnMut(&[u8])) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            break;
        }
        let end = buffer.iter().position(|&byte| byte == b'\n' || byte == b'\r');
        let taken = end.map_or(buffer.len(), |at| at + 1);
        line.extend_from_slice(&buffer[..end.unwrap_or(taken)]);
        input.consume(taken);
        if end.is_some() && !line.is_empty() {
            seen(&line);
            line.clear();
        }
    }
    if !line.is_empty() {
        seen(&line);
    }
    Ok(())
}

/// Removes terminal escape sequences of the form `ESC [ … letter`.
pub fn without_colour(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            plain.push(c);
        } else if chars.next() == Some('[') {
            chars.by_ref().find(char::is_ascii_alphabetic);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(text: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for_each_line(text.as_bytes(), |line| lines.push(String::from_utf8_lossy(line).into_owned()))
            .expect("reading from memory does not fail");
        lines
    }

    #[test]
    fn lines_end_at_newline_or_carriage_return() {
        assert_eq!(lines_of("a\nb\rc\r\nd"), ["a", "b", "c", "d"]);
    }

    #[test]
    fn colour_codes_are_removed() {
        assert_eq!(without_colour("test \u{1b}[32mok\u{1b}[0m. 3"), "test ok. 3");
        assert_eq!(without_colour("plain"), "plain");
    }

    #[cfg(unix)]
    #[test]
    fn both_streams_arrive_in_order() {
        let mut lines = Vec::new();
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo one; echo two >&2; echo three; exit 3"]);
        let status = run(&mut shell, |line| lines.push(line.to_owned())).expect("sh runs");
        assert_eq!(status.code(), Some(3));
        assert_eq!(lines, ["one", "two", "three"]);
    }
}
