//! The compiler's own checks: format, lints, documentation.

use anyhow::Result;

use crate::{
    exec, setup,
    workspace::{WASM, Workspace},
};

/// All native packages; those for browsers are linted for wasm.
const NATIVE: &[&str] =
    &["--workspace", "--exclude", "firstlight-web", "--exclude", "firstlight-embed", "--exclude", "firstlight-element"];
/// What is compiled for browsers, each by itself: without the page's own features there is less to use.
const WASM_PACKAGES: [&str; 3] = ["firstlight-web", "firstlight-embed", "firstlight-element"];

pub fn format(ws: &Workspace) -> Result<()> {
    exec::run(&mut ws.cargo(&["fmt", "--all", "--check"]))
}

pub fn native(ws: &Workspace) -> Result<()> {
    let mut clippy = ws.cargo(&["clippy", "--all-targets"]);
    exec::run(clippy.args(NATIVE).args(["--", "-D", "warnings"]))
}

pub fn wasm(ws: &Workspace) -> Result<()> {
    WASM_PACKAGES.iter().try_for_each(|package| {
        let args = ["clippy", "--package", package, "--target", WASM, "--all-targets", "--", "-D", "warnings"];
        let mut clippy = setup::cargo_for_wasm(ws, &args);
        exec::run(clippy.env("CLIPPY_CONF_DIR", ws.root.join("xtask").join("clippy_wasm")))
    })
}

pub fn docs(ws: &Workspace) -> Result<()> {
    let mut doc = ws.cargo(&["doc", "--no-deps"]);
    exec::run(doc.args(NATIVE).env("RUSTDOCFLAGS", "-D warnings"))
}
