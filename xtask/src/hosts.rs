//! `hosts`: the example host pages of `examples/hosts`, built in `target/hosts` as their teams would build them: with the packed npm
//! package, installed by npm.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};

use crate::{embed, exec, page, progress::duration, setup, workspace::Workspace};

/// Where the sources are, in the checkout.
const FROM: &str = "examples/hosts";
/// The sources: not what npm may have put beside them.
const FILES: [&str; 3] = ["build.js", "package.json", "tsconfig.json"];
const FOLDERS: [&str; 6] = ["shared", "plain", "react", "vue", "svelte", "export"];

/// `hosts`: what it needs, the package, the pages.
pub fn run(ws: &Workspace) -> Result<()> {
    setup::hosts(ws)?;
    embed::build(ws)?;
    build(ws)
}

/// Builds the pages, unless neither they nor the package have changed. The package must be built.
pub fn build(ws: &Workspace) -> Result<()> {
    let (from, place, to) = (ws.root.join(FROM), setup::hosts_dir(ws), ws.hosts());
    let stamp = to.join("built.stamp");
    let sources = page::fingerprint_of(&from, &[&FILES[..], &FOLDERS[..]].concat())?;
    let wanted = format!("{sources} {}", page::fingerprint_of(&embed::dir(ws), &[""])?);
    if fs::read_to_string(&stamp).is_ok_and(|old| old == wanted) {
        eprintln!("hosts: the example pages are up to date");
        return Ok(());
    }
    eprintln!("hosts: building the example pages (about 10 s)");
    let start = Instant::now();
    install(ws, &place)?;
    for folder in FOLDERS {
        let target = place.join(folder);
        if target.exists() {
            fs::remove_dir_all(&target)?;
        }
        embed::copy(&from.join(folder), &target)?;
    }
    for file in FILES {
        fs::copy(from.join(file), place.join(file))?;
    }
    let mut types = ws.command("npm");
    exec::run(types.current_dir(&place).args(["run", "--silent", "types"]))
        .context("the example pages do not agree with the package's types")?;
    exec::run(ws.command("node").current_dir(&place).arg("build.js").arg(&to)).context("the example pages can't be built")?;
    fs::write(&stamp, wanted)?;
    eprintln!("hosts: built in {}", duration(start.elapsed()));
    Ok(())
}

/// Packs the package and installs it beside the pages' other packages. What npm has of the same version is taken away before: it
/// would be left as it is. The lock file says what the others are: without it npm would ask its registry, or a cache that another
/// machine need not have.
fn install(ws: &Workspace, place: &Path) -> Result<()> {
    let limit = Duration::from_secs(120);
    let mut pack = ws.command("npm");
    pack.current_dir(embed::dir(ws)).args(["pack", "--silent", "--pack-destination"]).arg(place).stdout(Stdio::null());
    exec::run_limited(&mut pack, limit).context("the npm package can't be packed")?;
    let old = place.join("node_modules/firstlight");
    if old.exists() {
        fs::remove_dir_all(&old)?;
    }
    let mut npm = ws.command("npm");
    npm.current_dir(place).args(["install", "--loglevel=error", "--no-save", "--offline", "--ignore-scripts"]);
    npm.args(["--no-audit", "--no-fund"]).arg(archive(place)?);
    exec::run_limited(&mut npm, limit).context("the packed package can't be installed")
}

/// What `npm pack` made; it names the file by the version, which is the workspace's and xtask's too.
fn archive(place: &Path) -> Result<PathBuf> {
    let file = place.join(concat!("firstlight-", env!("CARGO_PKG_VERSION"), ".tgz"));
    file.is_file().then_some(()).with_context(|| format!("`npm pack` made no {}", file.display()))?;
    Ok(file)
}
