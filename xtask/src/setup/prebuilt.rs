//! Prebuilt releases: minutes faster than a build, where they can be reached.

use std::{fs, time::Duration};

use anyhow::{Context, Result, bail};

use crate::{exec, workspace::Workspace};

/// An archive with programs, as a project publishes it.
pub struct Release<'a> {
    /// Address of the `.tar.gz`.
    pub url: String,
    /// What is appended to the address for the checksum file, e.g. `.sha256`.
    pub checksum: &'a str,
    /// Programs to take out of the archive.
    pub programs: &'a [&'a str],
}

/// Name of this machine in release archives, e.g. `x86_64-unknown-linux-gnu`.
pub fn machine(linux_libc: &str) -> Option<String> {
    let arch = std::env::consts::ARCH;
    match std::env::consts::OS {
        "linux" => Some(format!("{arch}-unknown-linux-{linux_libc}")),
        "macos" => Some(format!("{arch}-apple-darwin")),
        _ => None,
    }
}

/// Downloads, verifies and unpacks into `.tools/bin`.
///
/// An error means that the release was not installed, for whatever reason; the caller then
/// builds from source. A checksum that differs is such an error: nothing unverified is unpacked.
pub fn install(ws: &Workspace, release: &Release) -> Result<()> {
    let dir = ws.tools().join("download");
    // What is left from a broken download must not be taken for this one.
    if dir.exists() {
        fs::remove_dir_all(&dir)?;
    }
    fs::create_dir_all(&dir)?;
    let archive = dir.join("archive.tar.gz");
    let checksum = dir.join("archive.sha256");
    fetch(ws, &format!("{}{}", release.url, release.checksum), &checksum)?;
    fetch(ws, &release.url, &archive)?;

    let expected = fs::read_to_string(&checksum)?;
    let expected = expected.split_whitespace().next().unwrap_or_default().to_lowercase();
    let archive_text = archive.to_string_lossy().into_owned();
    let actual = exec::ask(ws.command("sha256sum").arg(&archive_text))
        .or_else(|| exec::ask(ws.command("shasum").args(["-a", "256", &archive_text])))
        .context("neither `sha256sum` nor `shasum` is here to verify the download")?;
    if expected.len() != 64 || !actual.starts_with(&expected) {
        bail!("the checksum of {} is not the published one", release.url);
    }

    let mut tar = ws.command("tar");
    tar.arg("-xzf").arg(&archive).arg("-C").arg(&dir);
    exec::run(&mut tar)?;
    let files = files_below(&dir)?;
    for program in release.programs {
        let file = files
            .iter()
            .find(|file| file.file_name().is_some_and(|name| name == *program))
            .with_context(|| format!("{} has no `{program}`", release.url))?;
        fs::copy(file, ws.tools().join("bin").join(program))?;
    }
    fs::remove_dir_all(&dir)?;
    Ok(())
}

fn fetch(ws: &Workspace, url: &str, to: &std::path::Path) -> Result<()> {
    let mut curl = ws.command("curl");
    curl.args(["--fail", "--silent", "--location", "--proto", "=https"])
        // A network that swallows packets must not cost minutes before the build starts.
        .args(["--connect-timeout", "5", "--speed-limit", "10000", "--speed-time", "10", "--max-time", "120"])
        .arg("--output")
        .arg(to)
        .arg(url);
    exec::run_limited(&mut curl, Duration::from_secs(130)).with_context(|| format!("cannot download {url}"))
}

fn files_below(dir: &std::path::Path) -> Result<Vec<std::path::PathBuf>> {
    let mut files = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(dir)? {
            let path = entry?.path();
            if path.is_dir() {
                dirs.push(path);
            } else {
                files.push(path);
            }
        }
    }
    Ok(files)
}
