//! The compiler's own checks: format, lints, documentation.

use anyhow::Result;

use crate::{
    exec, setup,
    workspace::{WASM, Workspace},
};

/// All native packages; the page's own package is linted for wasm.
const NATIVE: &[&str] = &["--workspace", "--exclude", "firstlight-web"];

pub fn format(ws: &Workspace) -> Result<()> {
    exec::run(&mut ws.cargo(&["fmt", "--all", "--check"]))
}

pub fn native(ws: &Workspace) -> Result<()> {
    let mut clippy = ws.cargo(&["clippy", "--all-targets"]);
    exec::run(clippy.args(NATIVE).args(["--", "-D", "warnings"]))
}

pub fn wasm(ws: &Workspace) -> Result<()> {
    let args = ["clippy", "--package", "firstlight-web", "--target", WASM, "--all-targets", "--", "-D", "warnings"];
    let mut clippy = setup::cargo_for_wasm(ws, &args);
    exec::run(clippy.env("CLIPPY_CONF_DIR", ws.root.join("xtask").join("clippy_wasm")))
}

pub fn docs(ws: &Workspace) -> Result<()> {
    let mut doc = ws.cargo(&["doc", "--no-deps"]);
    exec::run(doc.args(NATIVE).env("RUSTDOCFLAGS", "-D warnings"))
}
