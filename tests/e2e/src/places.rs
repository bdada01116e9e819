//! Where things are: the built page, private tools, programs.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The workspace's root.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// The built page: `FIRSTLIGHT_DIST`, else `dist` in the workspace.
pub fn dist() -> PathBuf {
    env::var_os("FIRSTLIGHT_DIST").map_or_else(|| root().join("dist"), PathBuf::from)
}

/// The npm package: `FIRSTLIGHT_NPM`, else `target/npm` in the workspace.
pub fn npm() -> PathBuf {
    env::var_os("FIRSTLIGHT_NPM").map_or_else(|| root().join("target/npm"), PathBuf::from)
}

/// Copies what a page loads of one folder of the npm package.
pub fn copy_npm(part: &str, to: &Path) -> Result<()> {
    let from = npm().join(part);
    let files = std::fs::read_dir(&from)
        .with_context(|| format!("there is no package in {}: run `cargo xtask npm`, or set FIRSTLIGHT_NPM", from.display()))?;
    std::fs::create_dir_all(to)?;
    for file in files {
        let path = file?.path();
        let loaded = path.extension().is_some_and(|ext| ext == "js" || ext == "wasm");
        if let Some(name) = path.file_name().filter(|_| loaded) {
            std::fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

/// The example host pages: `FIRSTLIGHT_HOSTS`, else `target/hosts` in the workspace.
pub fn hosts() -> PathBuf {
    env::var_os("FIRSTLIGHT_HOSTS").map_or_else(|| root().join("target/hosts"), PathBuf::from)
}

/// Copies the built page, but no packed files: whoever copies it changes it, and they would stay as they were.
pub fn copy_dist(to: &Path) -> Result<()> {
    copy_page(&dist(), to)
}

fn copy_page(dist: &Path, to: &Path) -> Result<()> {
    let entries = std::fs::read_dir(dist).with_context(|| {
        format!("there is no page in {}: build it with `cargo xtask serve`, or set FIRSTLIGHT_DIST", dist.display())
    })?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            // The page for frames.
            let folder = to.join(path.file_name().context("a folder has a name")?);
            std::fs::create_dir_all(&folder)?;
            copy_page(&path, &folder)?;
        } else if let Some(name) = path.file_name().filter(|_| path.extension().is_none_or(|ext| ext != "br")) {
            std::fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

/// Private tools: `FIRSTLIGHT_TOOLS`, else `.tools` in the workspace.
pub fn tools() -> PathBuf {
    env::var_os("FIRSTLIGHT_TOOLS").map_or_else(|| root().join(".tools"), PathBuf::from)
}

/// The `firstlight` command: `FIRSTLIGHT_BIN`, else the workspace's debug build.
pub fn firstlight() -> Result<PathBuf> {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir));
    let path = env::var_os("FIRSTLIGHT_BIN").map_or_else(|| target.join("debug/firstlight"), PathBuf::from);
    path.is_file()
        .then_some(())
        .with_context(|| format!("{} is missing: build it with `cargo build --package firstlight-server`", path.display()))?;
    Ok(path)
}

/// A program from the private tools or from PATH; else what to install.
pub fn program(name: &str, package: &str) -> Result<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    std::iter::once(tools().join("bin"))
        .chain(env::split_paths(&path))
        .map(|dir| dir.join(name))
        .find(|file| file.is_file())
        .with_context(|| format!("{name} is missing: install {package}, or run `cargo xtask setup --browsers`"))
}
