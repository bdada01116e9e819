//! Building the page with Trunk into `dist/`, only when something it is made of has changed.

use std::{
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};

use crate::{embed, exec, progress::duration, setup, workspace::Workspace};

/// Everything that the page is made of.
const SOURCES: &[&str] = &[
    ".cargo/config.toml",
    "Cargo.toml",
    "Cargo.lock",
    "Trunk.toml",
    "index.html",
    "src",
    "www/icon.svg",
    "www/loader.js",
    "www/styles",
    "www/worker.js",
    "www/npm",
    "crates/core",
    "crates/element",
    "crates/embed",
    "crates/engine",
    "crates/json",
    "xtask/src/embed",
    "xtask/src/embed.rs",
];

/// Builds the page unless `dist/` is up to date.
pub fn build(ws: &Workspace) -> Result<()> {
    // Not in the target directory: checkouts may share that.
    let stamp = ws.tools().join("page.stamp");
    // cargo may update Cargo.lock, so it is fetched for before the lock file is read.
    let mut fetch = setup::cargo_for_wasm(ws, &["fetch", "--quiet"]);
    exec::run_limited(&mut fetch, Duration::from_secs(600)).context("the page's crates cannot be fetched")?;

    let wanted = fingerprint(&ws.root)?;
    if ws.dist().join("index.html").exists() && fs::read_to_string(&stamp).is_ok_and(|old| old == wanted) {
        eprintln!("page: dist is up to date");
        return Ok(());
    }
    eprintln!("page: building with Trunk (the first time about 3 minutes)");
    let start = Instant::now();
    trunk(ws)?;
    embed::build(ws)?;
    embed::put_frame(ws)?;
    fs::create_dir_all(stamp.parent().context("the stamp is in a directory")?)?;
    fs::write(&stamp, wanted)?;
    eprintln!("page: built in {}", duration(start.elapsed()));
    Ok(())
}

fn trunk(ws: &Workspace) -> Result<()> {
    let mut trunk = ws.command("trunk");
    trunk
        .arg("build")
        // Trunk refuses NO_COLOR=1, which other programs accept.
        .env_remove("NO_COLOR")
        // A compile error of the page is no news about Trunk's own code.
        .env("RUST_BACKTRACE", "0");
    setup::select_toolchain(ws, &mut trunk);
    exec::run(&mut trunk).context("the page cannot be built; after `cargo xtask setup`, by hand: `trunk build`")
}

/// It changes when a file of the page or of the package changes, appears or goes.
pub fn fingerprint(root: &Path) -> Result<String> {
    fingerprint_of(root, SOURCES)
}

/// It changes when a file of these sources changes, appears or goes.
pub fn fingerprint_of(root: &Path, sources: &[&str]) -> Result<String> {
    let mut files = Vec::new();
    for source in sources {
        collect(&root.join(source), &mut files)?;
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.strip_prefix(root)?.hash(&mut hasher);
        fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if path.is_file() {
        files.push(path.to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_follows_content_and_names() {
        let root = std::env::temp_dir().join(format!("firstlight-page-{}", std::process::id()));
        fs::create_dir_all(root.join("src")).expect("temporary directory");
        let write = |name: &str, text: &str| fs::write(root.join(name), text).expect("temporary file");
        let print = || fingerprint(&root).expect("readable");
        write("src/a.rs", "one");
        let first = print();
        assert_eq!(first, print());
        write("src/a.rs", "two");
        let second = print();
        assert_ne!(first, second);
        fs::rename(root.join("src/a.rs"), root.join("src/b.rs")).expect("rename");
        assert_ne!(second, print());
        write("unrelated.txt", "x");
        let third = print();
        write("unrelated.txt", "y");
        assert_eq!(third, print());
        fs::remove_dir_all(&root).expect("temporary directory goes");
    }
}
