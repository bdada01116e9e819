//! The proof that `firstlight-core` is pure: it depends on no browser and no runtime, and reads no clock.

use std::fs;

use anyhow::{Context, Result, bail};

use super::tidy;
use crate::{exec, workspace::Workspace};

/// Crates that would let the browser, a clock or IO into core.
const FORBIDDEN: &[&str] = &["web-sys", "js-sys", "wasm-bindgen", "tokio", "leptos", "web-time", "getrandom", "reqwest"];
/// Calls that core's own code must not make, even through the standard library.
const CALLS: &[&str] =
    &["Instant::now", "SystemTime::now", "thread::spawn", "TcpStream", "TcpListener", "UdpSocket", "std::process"];

pub fn check(ws: &Workspace) -> Result<()> {
    let mut tree = ws.cargo(&["tree", "--package", "firstlight-core", "--edges", "normal,build"]);
    tree.args(["--target", "all", "--prefix", "none", "--format", "{p}"]);
    let tree = exec::ask(&mut tree).context("`cargo tree` failed")?;
    let packages = packages(&tree);
    if packages.first() != Some(&"firstlight-core") {
        bail!("`cargo tree` did not list firstlight-core");
    }
    let found: Vec<_> = FORBIDDEN.iter().filter(|name| packages.contains(name)).collect();
    if !found.is_empty() {
        bail!("firstlight-core depends on {found:?}; `cargo tree -p firstlight-core -i NAME` shows how");
    }
    println!("{} packages, none of {FORBIDDEN:?}", packages.len());

    for file in tidy::files(ws)? {
        if ["crates/core/src/", "crates/json/src/"].iter().any(|dir| file.starts_with(dir)) && file.ends_with(".rs") {
            let text = fs::read_to_string(ws.root.join(&file))?;
            if let Some((number, call)) = forbidden_call(&text) {
                bail!("{file}:{number}: `{call}` in core; time stamps and data enter it from outside");
            }
        }
    }
    Ok(())
}

/// Names in `cargo tree --prefix none` output, without repetitions.
fn packages(tree: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for name in tree.lines().filter_map(|line| line.split_whitespace().next()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn forbidden_call(text: &str) -> Option<(usize, &'static str)> {
    text.lines().enumerate().find_map(|(index, line)| {
        let code = line.split("//").next().unwrap_or_default();
        let call = CALLS.iter().find(|call| code.contains(**call))?;
        Some((index + 1, *call))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_read_once_each() {
        let tree = "firstlight-core v0.1.0 (/x)\nserde v1.0.0\nserde_core v1.0.0\nserde v1.0.0 (*)\n";
        assert_eq!(packages(tree), ["firstlight-core", "serde", "serde_core"]);
    }

    #[test]
    fn clocks_are_found_in_code_and_not_in_comments() {
        assert_eq!(forbidden_call("// not Instant::now\nlet t = Instant::now();"), Some((2, "Instant::now")));
        assert_eq!(forbidden_call("/// see `SystemTime::now`"), None);
    }
}
