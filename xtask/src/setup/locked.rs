//! npm packages that a lock file of the project pins with checksums. Nothing of them is run while they are installed.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result};

use super::{Outcome, announce};
use crate::{exec, workspace::Workspace};

/// A set of packages.
pub struct Locked {
    /// What it is called.
    pub what: &'static str,
    /// What it is for, and how much it is.
    pub why: &'static str,
    /// Where its `package.json` and lock file are, in the checkout.
    pub from: &'static str,
    /// Its folder in `.tools/npm`.
    pub folder: &'static str,
}

impl Locked {
    /// Where it is installed.
    pub fn dir(&self, ws: &Workspace) -> PathBuf {
        ws.tools().join("npm").join(self.folder)
    }

    /// Installs it unless it is there as the lock file has it.
    pub(super) fn ensure(&self, ws: &Workspace) -> Result<Outcome> {
        let (from, dir) = (ws.root.join(self.from), self.dir(ws));
        // Written last, so that an interrupted installation is not taken for a finished one.
        let marker = dir.join("firstlight-lock.json");
        let lock = read(&from)?;
        if fs::read_to_string(&marker).is_ok_and(|text| text == lock) {
            return Ok(Outcome::Present(self.what.to_owned()));
        }
        announce(self.what, self.why);
        fs::create_dir_all(&dir)?;
        for file in ["package.json", "package-lock.json"] {
            fs::copy(from.join(file), dir.join(file))?;
        }
        let mut npm = ws.command("npm");
        npm.current_dir(&dir).args(["ci", "--loglevel=error", "--ignore-scripts", "--no-audit", "--no-fund"]);
        exec::run_limited(&mut npm, Duration::from_secs(300))
            .with_context(|| format!("{} can't be fetched; `npm` must be there (Debian: the package npm)", self.what))?;
        fs::write(&marker, lock)?;
        Ok(Outcome::Installed(self.what.to_owned()))
    }
}

fn read(from: &Path) -> Result<String> {
    let file = from.join("package-lock.json");
    fs::read_to_string(&file).with_context(|| format!("the lock file {} can't be read", file.display()))
}
