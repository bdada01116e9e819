//! The fallback when rustup cannot fetch the wasm32 target: Debian's compiler, kept beside
//! rustup's, and its standard library compiled for wasm32 here.

use std::{fs, path::Path, process::Command};

use anyhow::{Context, Result, bail};

use super::{announce, debian};
use crate::{
    exec, progress,
    workspace::{WASM, Workspace},
};

/// Name under which rustup knows Debian's compiler.
pub const TOOLCHAIN: &str = "firstlight-debian";
const PACKAGES: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm", "rust-web-clippy"];

pub fn install(ws: &Workspace) -> Result<()> {
    let missing = debian::missing(ws, PACKAGES);
    if !missing.is_empty() {
        debian::install(ws, &missing)?;
    }
    install_linker(ws)?;
    build_std(ws)?;
    let mut link = ws.command("rustup");
    link.args(["toolchain", "link", TOOLCHAIN, "/usr"]);
    exec::run(&mut link)
}

/// `/usr/bin/rust-lld` is a link into a package that nothing depends on; its name has LLVM's version.
fn install_linker(ws: &Workspace) -> Result<()> {
    let link = Path::new("/usr/bin/rust-lld");
    if link.exists() {
        return Ok(());
    }
    let target = fs::read_link(link).context("/usr/bin/rust-lld is missing: linking to wasm is impossible")?;
    let package =
        linker_package(&target.to_string_lossy()).with_context(|| format!("no package is known for {}", target.display()))?;
    debian::install(ws, &[&package])
}

/// `lld-22` of `lld-22` or of `../lib/llvm-22/bin/lld`.
fn linker_package(target: &str) -> Option<String> {
    let version: String = target
        .rsplit("lld-")
        .next()
        .filter(|rest| !rest.contains("llvm-"))
        .or_else(|| target.split("llvm-").nth(1))?
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    (!version.is_empty()).then(|| format!("lld-{version}"))
}

/// Compiles the standard library through an empty crate, and puts it where rustc looks for it.
fn build_std(ws: &Workspace) -> Result<()> {
    let empty = ws.tools().join("build").join("std");
    fs::create_dir_all(empty.join("src"))?;
    fs::write(empty.join("Cargo.toml"), "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n")?;
    fs::write(empty.join("src/lib.rs"), "")?;
    announce("standard library", "compiling it for wasm32, about 75 s on two cores");
    let mut cargo = debian_cargo(ws)?;
    cargo
        .current_dir(&empty)
        .args(["build", "--release", "--target", WASM])
        .args(["-Z", "build-std=std,panic_abort,proc_macro,test"])
        .env("CARGO_TARGET_DIR", empty.join("target"))
        .env("RUSTC_BOOTSTRAP", "1")
        // Without its bitcode, link-time optimisation of the page fails.
        .env("RUSTFLAGS", "-Cembed-bitcode=yes");
    progress::run_cargo(&mut cargo)?;

    let deps = empty.join("target").join(WASM).join("release/deps");
    let sysroot = Path::new("/usr/lib/rustlib").join(WASM).join("lib");
    fs::create_dir_all(&sysroot)?;
    for entry in fs::read_dir(&deps)? {
        let file = entry?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libempty-") {
            fs::copy(&file, sysroot.join(&name))?;
        }
    }
    Ok(())
}

/// Debian's cargo with Debian's rustc: rustup's own directories must not come first.
fn debian_cargo(ws: &Workspace) -> Result<Command> {
    if !Path::new("/usr/bin/cargo").exists() {
        bail!("/usr/bin/cargo is missing although cargo-web is installed");
    }
    let mut command = ws.command("/usr/bin/cargo");
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("/usr/bin:{path}")).env("RUSTC", "/usr/bin/rustc").env_remove("RUSTUP_TOOLCHAIN");
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_linker_package_is_read_from_the_link() {
        assert_eq!(linker_package("lld-22").as_deref(), Some("lld-22"));
        assert_eq!(linker_package("../lib/llvm-22/bin/lld").as_deref(), Some("lld-22"));
        assert_eq!(linker_package("/usr/bin/ld"), None);
    }
}
