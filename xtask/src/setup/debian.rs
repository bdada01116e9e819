//! Debian packages: the only thing that is installed outside the project, and only as root; or one program of a package, unpacked
//! inside it.

use std::{fs, path::Path, time::Duration};

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
    update(ws)?;
    let mut install = ws.command("apt-get");
    install
        .args(["install", "--yes", "--quiet", "--quiet", "--no-install-recommends", "--option=Dpkg::Use-Pty=0"])
        .args(packages)
        .env("DEBIAN_FRONTEND", "noninteractive");
    exec::run_limited(&mut install, Duration::from_secs(1200)).with_context(|| format!("by hand: `{by_hand}`"))
}

fn update(ws: &Workspace) -> Result<()> {
    let mut update = ws.command("apt-get");
    update.args(["update", "--quiet", "--quiet"]);
    exec::run_limited(&mut update, Duration::from_secs(180)).context("the package lists cannot be fetched")
}

/// Takes one program out of a package into `.tools/bin`, without installing it: nothing of it is configured or started.
pub fn unpack_program(ws: &Workspace, package: &str, program: &str) -> Result<()> {
    let dir = ws.tools().join("download").join(package);
    // What is left from a broken download must not be taken for this one.
    if dir.exists() {
        fs::remove_dir_all(&dir)?;
    }
    fs::create_dir_all(&dir)?;
    // Only root may fetch the lists; others take those that are there.
    if can_install(ws) {
        update(ws)?;
    }
    let mut download = ws.command("apt-get");
    download.current_dir(&dir).args(["download", "--quiet", "--quiet", package]);
    // As root it would fetch as another user, who may not write here, and say so at length.
    download.arg("--option=APT::Sandbox::User=root");
    exec::run_limited(&mut download, Duration::from_secs(180)).with_context(|| format!("{package} cannot be fetched"))?;
    let mut archives = fs::read_dir(&dir)?.flatten().map(|entry| entry.path());
    let archive = archives.find(|file| file.extension().is_some_and(|ext| ext == "deb"));
    let archive = archive.with_context(|| format!("apt-get left no package in {}", dir.display()))?;
    let mut unpack = ws.command("dpkg-deb");
    exec::run(unpack.arg("--extract").arg(&archive).arg(&dir))?;
    let name = Path::new(program).file_name().context("a program has a name")?;
    fs::copy(dir.join(program), ws.tools().join("bin").join(name)).with_context(|| format!("{package} holds no {program}"))?;
    Ok(fs::remove_dir_all(&dir)?)
}
