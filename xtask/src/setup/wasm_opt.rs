//! wasm-opt (binaryen), which makes the page about a fifth smaller. The page works without it.

use std::{fs, time::Duration};

use anyhow::{Context as _, Result, bail};

use super::{Outcome, announce, debian, version_of};
use crate::{exec, workspace::Workspace};

/// Newest npm package that was tried with this page.
const NPM_PACKAGE: &str = "binaryen@132.0.0";

const BY_HAND: &str = "By hand: put a `wasm-opt` of binaryen (https://github.com/WebAssembly/binaryen/releases) on PATH";

pub fn ensure(ws: &Workspace) -> Result<Outcome> {
    if let Some(found) = version_of(ws, "wasm-opt") {
        return Ok(Outcome::Present(format!("wasm-opt {found}")));
    }
    announce("wasm-opt", "makes the page smaller");
    let installed = if debian::can_install(ws) {
        debian::install(ws, &["binaryen"]).or_else(|error| {
            announce("wasm-opt", &format!("{error:#}; trying npm"));
            from_npm(ws)
        })
    } else {
        from_npm(ws)
    };
    let installed =
        installed.and_then(|()| version_of(ws, "wasm-opt").context("wasm-opt was installed, but does not run from PATH"));
    Ok(match installed {
        Ok(version) => Outcome::Installed(format!("wasm-opt {version}")),
        Err(error) => Outcome::Without(format!("wasm-opt: {error:#}. The page is built without it, and larger. {BY_HAND}")),
    })
}

fn from_npm(ws: &Workspace) -> Result<()> {
    if ws.which("npm").is_none() || ws.which("node").is_none() {
        bail!("neither a Debian package (needs root) nor npm can be had");
    }
    let prefix = ws.tools().join("npm");
    let mut npm = ws.command("npm");
    npm.args(["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"]).arg(&prefix).arg(NPM_PACKAGE);
    exec::run_limited(&mut npm, Duration::from_secs(180))?;
    let program = prefix.join("node_modules").join("binaryen").join("bin").join("wasm-opt");
    if !program.is_file() {
        bail!("{NPM_PACKAGE} has no bin/wasm-opt");
    }
    link(&program, &ws.tools().join("bin").join("wasm-opt"))
}

/// A link, because the program finds its library beside itself.
fn link(program: &std::path::Path, name: &std::path::Path) -> Result<()> {
    if name.is_symlink() {
        fs::remove_file(name)?;
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(program, name)?;
    #[cfg(not(unix))]
    bail!("cannot link {} to {}", name.display(), program.display());
    #[cfg(unix)]
    Ok(())
}
