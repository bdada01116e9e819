//! `bench` and `screenshots`: the programs of the end-to-end crate, in real browsers.

use anyhow::Result;

use crate::{exec, page, setup, workspace::Workspace};

/// Builds everything with optimisation, then runs one program of `firstlight-e2e`.
pub fn run(ws: &Workspace, program: &str, args: &[String]) -> Result<()> {
    setup::run(ws, true)?;
    page::build(ws)?;
    // Both in one call, so that shared crates are compiled once, with the same features.
    let build = ["build", "--release", "--package", "firstlight-server", "--package", "firstlight-e2e", "--bins"];
    exec::run(&mut ws.cargo(&build))?;
    let mut command = ws.command(&ws.target().join("release").join(program).to_string_lossy());
    ws.with_e2e_env(&mut command, "release");
    exec::run(command.args(args))
}
