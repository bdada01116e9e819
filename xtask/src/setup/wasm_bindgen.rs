//! wasm-bindgen's command-line tool, at exactly the version that the page is compiled with.

use std::fs;

use anyhow::{Context, Result};

use super::{Outcome, announce, prebuilt, source, version, version_of};
use crate::workspace::Workspace;

pub fn ensure(ws: &Workspace) -> Result<Outcome> {
    let lock = fs::read_to_string(ws.root.join("Cargo.lock")).context("cannot read Cargo.lock")?;
    let wanted = version::locked(&lock, "wasm-bindgen").context("Cargo.lock has no wasm-bindgen")?;
    let found = version_of(ws, "wasm-bindgen");
    let what = format!("wasm-bindgen {wanted}");
    if found.as_deref() == Some(wanted) && ws.which("wasm-bindgen-test-runner").is_some() {
        return Ok(Outcome::Present(what));
    }
    match found {
        Some(other) => announce(&what, &format!("found {other}, but it must equal the version in Cargo.lock")),
        None => announce(&what, "makes the JavaScript side of the page"),
    }
    let release = prebuilt::machine("musl").map(|machine| prebuilt::Release {
        url: format!(
            "https://github.com/wasm-bindgen/wasm-bindgen/releases/download/{wanted}/wasm-bindgen-{wanted}-{machine}.tar.gz"
        ),
        checksum: ".sha256sum",
        programs: &["wasm-bindgen", "wasm-bindgen-test-runner"],
    });
    if let Some(release) = release {
        match prebuilt::install(ws, &release) {
            Ok(()) => return Ok(Outcome::Installed(format!("{what} (prebuilt)"))),
            Err(error) => announce(&what, &format!("no prebuilt release: {error}")),
        }
    }
    announce(&what, "building from source, about 3 minutes on two cores");
    source::install(ws, &source::Crate { name: "wasm-bindgen-cli", version: wanted, args: &[] })?;
    Ok(Outcome::Installed(what))
}
