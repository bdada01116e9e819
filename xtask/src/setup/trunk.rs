//! Trunk, which turns the crate and `index.html` into the page.

use anyhow::Result;

use super::{Outcome, announce, prebuilt, source, version, version_of};
use crate::workspace::Workspace;

/// The version to install.
const PINNED: &str = "0.21.14";
/// Release lines that read our Trunk.toml; any of them is used if it is there.
const COMPATIBLE: &[&str] = &["0.21", "0.22"];

pub fn ensure(ws: &Workspace) -> Result<Outcome> {
    let found = version_of(ws, "trunk");
    if let Some(found) = found.as_deref().filter(|found| version::in_lines(found, COMPATIBLE)) {
        return Ok(Outcome::Present(format!("trunk {found}")));
    }
    let what = format!("trunk {PINNED}");
    match found {
        Some(other) => announce(&what, &format!("found {other}, which is not one of {COMPATIBLE:?}")),
        None => announce(&what, "builds the page"),
    }
    let release = prebuilt::machine("gnu").map(|machine| prebuilt::Release {
        url: format!("https://github.com/trunk-rs/trunk/releases/download/v{PINNED}/trunk-{machine}.tar.gz"),
        checksum: ".sha256",
        programs: &["trunk"],
    });
    if let Some(release) = release {
        match prebuilt::install(ws, &release) {
            Ok(()) => return Ok(Outcome::Installed(format!("{what} (prebuilt)"))),
            Err(error) => announce(&what, &format!("no prebuilt release: {error}")),
        }
    }
    announce(&what, "building from source, about 7 minutes on two cores");
    source::install(
        ws,
        &source::Crate {
            name: "trunk",
            version: PINNED,
            // Without the check for newer versions; rustls needs no system library.
            args: &["--no-default-features", "--features", "rustls"],
        },
    )?;
    Ok(Outcome::Installed(what))
}
