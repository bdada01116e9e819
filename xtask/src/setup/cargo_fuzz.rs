//! cargo-fuzz, which only `cargo xtask fuzz` needs.

use anyhow::Result;

use super::{Outcome, announce, source};
use crate::{exec, workspace::Workspace};

const VERSION: &str = "0.13.2";

pub fn ensure(ws: &Workspace) -> Result<Outcome> {
    let what = format!("cargo-fuzz {VERSION}");
    // Any version that is here will do.
    if let Some(found) = exec::ask(&mut ws.cargo(&["fuzz", "--version"])) {
        return Ok(Outcome::Present(found));
    }
    announce(&what, "drives the fuzz targets; building from source, about 1 minute on two cores");
    source::install(ws, &source::Crate { name: "cargo-fuzz", version: VERSION, args: &[] })?;
    Ok(Outcome::Installed(what))
}
