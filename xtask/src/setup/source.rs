//! Building a tool from its source with `cargo install`, quickly rather than perfectly.

use std::{fs, io::ErrorKind, process::Command};

use anyhow::{Context, Result};

use super::announce;
use crate::{exec, progress, workspace::Workspace};

/// What cargo says when a lock file names a version that the registry does not have.
const UNSATISFIABLE: &str = "failed to select a version";

/// A tool as crates.io has it.
pub struct Crate<'a> {
    /// Package name.
    pub name: &'a str,
    /// Exact version.
    pub version: &'a str,
    /// Further arguments, e.g. features.
    pub args: &'a [&'a str],
}

/// Builds and installs into `.tools/bin`.
pub fn install(ws: &Workspace, package: &Crate) -> Result<()> {
    let built = progress::run_cargo(&mut command(ws, package, true)).or_else(|error| {
        // A version of the tool's lock file may be withdrawn, or not yet on a mirror.
        if !error.to_string().contains(UNSATISFIABLE) {
            return Err(error);
        }
        announce(package.name, "its lock file cannot be satisfied here; taking compatible versions");
        progress::run_cargo(&mut command(ws, package, false))
    });
    built.with_context(|| {
        let by_hand = exec::shown(&command(ws, package, false));
        format!("cannot build {} {}; by hand: `{by_hand}`", package.name, package.version)
    })
}

fn command(ws: &Workspace, package: &Crate, locked: bool) -> Command {
    let mut command = ws.command("cargo");
    command
        .args(["install", package.name, "--version", package.version, "--force", "--root", ".tools"])
        .args(package.args)
        // A directory of its own: the project's one is locked while the project builds.
        .env("CARGO_TARGET_DIR", ws.tools().join("build"))
        // These tools run for seconds; optimising them takes two to three times as long to build.
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
        .env_remove("RUSTFLAGS");
    if locked {
        command.arg("--locked");
    }
    command
}

/// Deletes what builds and downloads left (a gigabyte after builds).
pub fn clean(ws: &Workspace) -> Result<()> {
    for dir in ["build", "download"] {
        match fs::remove_dir_all(ws.tools().join(dir)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot delete .tools/{dir}; by hand: `rm -r .tools/{dir}`"));
            }
            _ => {}
        }
    }
    Ok(())
}
