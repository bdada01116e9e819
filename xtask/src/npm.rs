//! Packages of the npm registry that a bench holds itself against: at a pinned version, with a pinned checksum.

use std::{fs, path::PathBuf, time::Duration};

use anyhow::{Context, Result, bail};

use crate::{exec, workspace::Workspace};

const VERSION: &str = "4.1.3";
/// Of the archive, as `sha512sum` prints it: the `integrity` that the registry publishes, in hexadecimal.
const SHA512: &str = "8d954856295765f031e87db464a2848f975a6dba43f444e6323dee1ec8cc9a00\
                      7304707ab6c1eb99d581e26022cb76a6b4de8c3a85647d7450bb8c1fd67f3c47";

/// The directory of `eventsource-parser`, unpacked under `.tools/npm`. Nothing of it is run outside a browser.
pub fn eventsource_parser(ws: &Workspace) -> Result<PathBuf> {
    let name = format!("eventsource-parser-{VERSION}");
    let dir = ws.tools().join("npm").join(&name);
    if dir.join("dist").is_dir() {
        return Ok(dir);
    }
    let download = ws.tools().join("download");
    fs::create_dir_all(&download)?;
    let package = format!("eventsource-parser@{VERSION}");
    let mut pack = ws.command("npm");
    pack.args(["pack", "--silent", "--pack-destination"]).arg(&download).arg(&package);
    exec::run_limited(&mut pack, Duration::from_secs(120))
        .with_context(|| format!("{package} can't be fetched; `npm` must be there (Debian: the package npm)"))?;
    let archive = download.join(format!("{name}.tgz"));
    let sum = exec::ask(ws.command("sha512sum").arg(&archive))
        .or_else(|| exec::ask(ws.command("shasum").args(["-a", "512"]).arg(&archive)))
        .context("neither `sha512sum` nor `shasum` is here to verify the download")?;
    if !sum.starts_with(SHA512) {
        bail!("the checksum of {} is not the pinned one", archive.display());
    }
    exec::run(ws.command("tar").arg("-xzf").arg(&archive).arg("-C").arg(&download))?;
    fs::create_dir_all(ws.tools().join("npm"))?;
    fs::rename(download.join("package"), &dir)?;
    fs::remove_dir_all(&download)?;
    Ok(dir)
}
