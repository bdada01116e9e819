//! What the servers of `docs/snippets` stand on, for the test that runs them.

use std::{fs, time::Duration};

use anyhow::{Context, Result};

use super::{Outcome, announce};
use crate::{exec, workspace::Workspace};

/// Express with all that it needs, as the snippet's own lock file pins it with checksums. Nothing of it is run while it is installed.
pub fn express(ws: &Workspace) -> Result<Outcome> {
    let dir = ws.tools().join("npm").join("snippet-express");
    let snippet = ws.root.join("docs/snippets/express");
    // Written last, so that an interrupted installation is not taken for a finished one.
    let marker = dir.join("firstlight-lock.json");
    let what = "Express".to_owned();
    let lock = fs::read_to_string(snippet.join("package-lock.json")).context("the snippet's lock file can't be read")?;
    if fs::read_to_string(&marker).is_ok_and(|text| text == lock) {
        return Ok(Outcome::Present(what));
    }
    announce(&what, "runs one of the snippets in the tests; 5 MB from npm");
    fs::create_dir_all(&dir)?;
    for file in ["package.json", "package-lock.json"] {
        fs::copy(snippet.join(file), dir.join(file))?;
    }
    let mut npm = ws.command("npm");
    npm.current_dir(&dir).args(["ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"]);
    exec::run_limited(&mut npm, Duration::from_secs(180))
        .context("Express can't be fetched; `npm` must be there (Debian: the package npm)")?;
    fs::write(&marker, lock)?;
    Ok(Outcome::Installed(what))
}
