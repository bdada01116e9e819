//! Firefox's WebDriver, which Debian does not package.

use anyhow::Result;

use super::{Outcome, announce, source, version_of};
use crate::workspace::Workspace;

const PINNED: &str = "0.37.1";

pub fn ensure(ws: &Workspace) -> Result<Outcome> {
    if let Some(found) = version_of(ws, "geckodriver") {
        return Ok(Outcome::Present(format!("geckodriver {found}")));
    }
    let what = format!("geckodriver {PINNED}");
    announce(&what, "drives Firefox in the tests; building from source, about 3 minutes on two cores");
    source::install(ws, &source::Crate { name: "geckodriver", version: PINNED, args: &[] })?;
    Ok(Outcome::Installed(what))
}
