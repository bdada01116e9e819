//! The wasm32 target of the compiler: from rustup, or else from Debian's own compiler.

use std::{fs, path::Path, process::Command, time::Duration};

use anyhow::{Context, Result};

use super::{Outcome, announce, debian_target};
use crate::{
    exec,
    workspace::{WASM, Workspace},
};

/// Enough for the 20 MB of the target on a slow line.
const LIMIT: Duration = Duration::from_secs(120);

pub fn ensure(ws: &Workspace) -> Result<Outcome> {
    if has_target(ws, None) {
        return Ok(Outcome::Present(WASM.to_owned()));
    }
    if has_target(ws, Some(debian_target::TOOLCHAIN)) {
        return Ok(Outcome::Present(format!("{WASM} (Debian's compiler)")));
    }
    announce(WASM, "the page is compiled to WebAssembly; asking rustup");
    let mut rustup = ws.command("rustup");
    rustup.args(["target", "add", WASM]);
    match exec::run_limited(&mut rustup, LIMIT) {
        Ok(()) => Ok(Outcome::Installed(WASM.to_owned())),
        Err(error) => {
            announce(WASM, &format!("{error:#}; falling back to Debian's compiler, about 4 minutes"));
            debian_target::install(ws).with_context(|| format!("no wasm32 target; by hand: `rustup target add {WASM}`"))?;
            Ok(Outcome::Installed(format!("{WASM} (Debian's compiler)")))
        }
    }
}

/// Cargo with a toolchain that has the target: the current one, or else the fallback.
pub fn cargo_for_wasm(ws: &Workspace, args: &[&str]) -> Command {
    let mut command = ws.cargo(args);
    select_toolchain(ws, &mut command);
    command
}

/// Makes a command (Trunk, which calls cargo) use a toolchain that has the target.
pub fn select_toolchain(ws: &Workspace, command: &mut Command) {
    if !has_target(ws, None) && has_target(ws, Some(debian_target::TOOLCHAIN)) {
        command.env("RUSTUP_TOOLCHAIN", debian_target::TOOLCHAIN);
    }
}

fn has_target(ws: &Workspace, toolchain: Option<&str>) -> bool {
    let mut rustc = ws.command("rustc");
    rustc.args(["--print", "target-libdir", "--target", WASM]);
    if let Some(toolchain) = toolchain {
        rustc.env("RUSTUP_TOOLCHAIN", toolchain);
    }
    exec::ask(&mut rustc).is_some_and(|dir| has_core(Path::new(&dir)))
}

/// rustc names the directory whether or not the standard library is in it.
fn has_core(dir: &Path) -> bool {
    fs::read_dir(dir)
        .is_ok_and(|entries| entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-")))
}
