//! Debian packages: the only thing that is installed outside the project, and only as root.

use std::{path::Path, time::Duration};

use anyhow::{Context, Result, bail};

use super::announce;
use crate::{exec, workspace::Workspace};

/// Whether packages come from apt here.
pub fn is_debian(ws: &Workspace) -> bool {
    Path::new("/etc/debian_version").exists() && ws.which("apt-get").is_some()
}

/// Whether this user may install them.
pub fn can_install(ws: &Workspace) -> bool {
    is_debian(ws) && exec::ask(ws.command("id").arg("-u")).as_deref() == Some("0")
}

/// Those of the packages that are not installed.
pub fn missing<'a>(ws: &Workspace, packages: &[&'a str]) -> Vec<&'a str> {
    packages
        .iter()
        .filter(|package| {
            let mut query = ws.command("dpkg-query");
            query.args(["--show", "--showformat=${Status}", package]);
            exec::ask(&mut query).as_deref() != Some("install ok installed")
        })
        .copied()
        .collect()
}

/// Installs packages; without the right to do so, an error that names the command.
pub fn install(ws: &Workspace, packages: &[&str]) -> Result<()> {
    let by_hand = format!("apt-get install --no-install-recommends {}", packages.join(" "));
    if !is_debian(ws) {
        bail!("this is not Debian; install what these Debian packages hold: {}", packages.join(" "));
    }
    if !can_install(ws) {
        bail!("Debian packages are missing, and only root can install them; by hand: `sudo {by_hand}`");
    }
    announce("apt-get", &format!("installing {}", packages.join(", ")));
    let mut update = ws.command("apt-get");
    update.args(["update", "--quiet", "--quiet"]);
    exec::run_limited(&mut update, Duration::from_secs(180)).context("the package lists cannot be fetched")?;
    let mut install = ws.command("apt-get");
    install
        .args(["install", "--yes", "--quiet", "--quiet", "--no-install-recommends", "--option=Dpkg::Use-Pty=0"])
        .args(packages)
        .env("DEBIAN_FRONTEND", "noninteractive");
    exec::run_limited(&mut install, Duration::from_secs(1200)).with_context(|| format!("by hand: `{by_hand}`"))
}
