//! `fuzz`: arbitrary replies for the decoder, for as many minutes as one likes. Not part of `ci`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use crate::{exec, setup, workspace::Workspace};

/// The targets of `fuzz/`.
pub const TARGETS: [&str; 7] = ["sse", "values", "lines", "aws", "text", "body", "json"];

/// Runs targets one after another, each for these minutes; the first finding ends it.
pub fn run(ws: &Workspace, minutes: u32, targets: &[String]) -> Result<()> {
    if let Some(unknown) = targets.iter().find(|target| !TARGETS.contains(&target.as_str())) {
        bail!("there is no target `{unknown}`; there are {}", TARGETS.join(", "));
    }
    if exec::ask(&mut ws.cargo(&["+nightly", "--version"])).is_none() {
        bail!("fuzzing needs the nightly compiler: `rustup toolchain install nightly --profile minimal`");
    }
    setup::fuzz(ws)?;
    for target in TARGETS.iter().filter(|target| targets.is_empty() || targets.iter().any(|t| t == *target)) {
        let (found, seeds) = (corpus(ws, target), ws.target().join("fuzz-seeds").join(target));
        write_seeds(ws, target, &seeds)?;
        fs::create_dir_all(&found)?;
        println!("\n##### {target}: {minutes} min");
        let mut fuzz = ws.cargo(&["+nightly", "fuzz", "run", "--fuzz-dir", "fuzz"]);
        // Core has no unsafe code, so that a sanitizer would only take time.
        fuzz.args(["--sanitizer", "none", "--target-dir"]).arg(ws.target().join("fuzz")).arg(target).args([&found, &seeds]);
        fuzz.args(["--", "-max_len=2048", "-timeout=10", "-print_final_stats=1", &format!("-max_total_time={}", minutes * 60)]);
        exec::run(&mut fuzz).with_context(|| {
            format!("`{target}` found something; its input is in fuzz/artifacts/{target}, and begins again what goes wrong")
        })?;
    }
    Ok(())
}

/// Inputs that led to new code, kept for the next time.
fn corpus(ws: &Workspace, target: &str) -> PathBuf {
    ws.root.join("fuzz").join("corpus").join(target)
}

/// The recorded replies as first inputs: for `json` their parts that may be JSON, else their bodies behind a block of settings.
fn write_seeds(ws: &Workspace, target: &str, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(ws.root.join("tests").join("corpus"))? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|name| name.ends_with(".raw")) else {
            continue;
        };
        let body = body(&fs::read(&path)?);
        if target == "json" {
            let lines = body.split(|byte| *byte == b'\n').map(|line| line.strip_prefix(b"data: ").unwrap_or(line));
            for (n, line) in lines.filter(|line| line.len() > 8).enumerate().take(20) {
                fs::write(to.join(format!("{name}-{n}")), line)?;
            }
            continue;
        }
        // No dialect is fixed, and no flag set.
        let settings = [0, 255, 0, 0, 1, 0, 50, 0, 200, 0, 0, 1, 0, 2, 0, 4];
        fs::write(to.join(name), [&settings, body.as_slice()].concat())?;
    }
    Ok(())
}

/// The body of a recorded reply, without the pieces in which it was sent.
fn body(raw: &[u8]) -> Vec<u8> {
    let Some(at) = find(raw, b"\r\n\r\n") else { return raw.to_vec() };
    let (head, mut rest) = (&raw[..at], &raw[at + 4..]);
    if !head.to_ascii_lowercase().windows(7).any(|word| word == b"chunked") {
        return rest.to_vec();
    }
    let mut body = Vec::new();
    while let Some(at) = find(rest, b"\r\n") {
        let size = std::str::from_utf8(&rest[..at]).ok().and_then(|digits| usize::from_str_radix(digits.trim(), 16).ok());
        let piece = size.filter(|size| *size > 0).and_then(|size| rest.get(at + 2..at + 2 + size));
        let Some(piece) = piece else { break };
        body.extend_from_slice(piece);
        rest = rest.get(at + 4 + piece.len()..).unwrap_or_default();
    }
    body
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_what_was_sent_in_pieces() {
        assert_eq!(body(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n"), b"abcd");
        assert_eq!(body(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n9\r\nd"), b"abc");
        assert_eq!(body(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab"), b"ab");
    }
}
