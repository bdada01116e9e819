//! `serve`: the page and the server, ready in one command.

use std::process::Command;

use anyhow::{Context, Result};

use crate::{exec, page, setup, workspace::Workspace};

/// Builds what is out of date, then runs the server until it is stopped.
pub fn run(ws: &Workspace, port: Option<u16>, args: &[String]) -> Result<()> {
    setup::run(ws, false)?;
    page::build(ws)?;
    build_server(ws)?;
    let mut server = ws.command(&ws.target().join("debug").join("firstlight").to_string_lossy());
    server.arg("serve").arg("--dist").arg(ws.dist());
    if let Some(port) = port {
        server.arg("--port").arg(port.to_string());
    }
    server.args(args);
    replace_with(&mut server)
}

/// Builds the native binary for development and tests.
pub fn build_server(ws: &Workspace) -> Result<()> {
    exec::run(&mut ws.native(&["build", "--bin", "firstlight"])).context("the server cannot be built")
}

/// Becomes the server: Ctrl-C then reaches it directly and nothing is left behind.
#[cfg(unix)]
fn replace_with(command: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt as _;
    let shown = exec::shown(command);
    Err(command.exec()).with_context(|| format!("cannot start `{shown}`"))
}

#[cfg(not(unix))]
fn replace_with(command: &mut Command) -> Result<()> {
    exec::run(command)
}
