//! Rules that no compiler knows: file sizes, module docs, equal versions, no machine's own paths.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::{exec, workspace::Workspace};

/// Longer files are hard to read; most are below 150 lines.
const MAX_LINES: usize = 500;

pub fn check(ws: &Workspace) -> Result<()> {
    let version = workspace_version(&fs::read_to_string(ws.root.join("Cargo.toml"))?)?;
    let private = private_paths(ws);
    let mut problems = Vec::new();
    let files = files(ws)?;
    for file in &files {
        // Recorded streams and pictures are not text that we wrote.
        let Ok(text) = fs::read_to_string(ws.root.join(file)) else {
            continue;
        };
        problems.extend(problems_of(file, &text, &version, &private).into_iter().map(|p| format!("{file}: {p}")));
    }
    for problem in &problems {
        println!("{problem}");
    }
    if !problems.is_empty() {
        bail!("{} problems, listed above", problems.len());
    }
    println!("{} files", files.len());
    Ok(())
}

/// Files of the project, as git sees them: not what is built, fetched or ignored.
pub fn files(ws: &Workspace) -> Result<Vec<String>> {
    let mut git = ws.command("git");
    git.args(["ls-files", "--cached", "--others", "--exclude-standard"]);
    let list = exec::ask(&mut git).context("`git ls-files` failed; the check needs a git checkout")?;
    // A file that is deleted but not yet committed is listed too.
    Ok(list.lines().filter(|file| ws.root.join(file).is_file()).map(str::to_owned).collect())
}

/// Directories that exist on this machine only: the checkout's and the user's own.
fn private_paths(ws: &Workspace) -> Vec<String> {
    let mut paths = vec![ws.root.to_string_lossy().into_owned()];
    if let Ok(home) = std::env::var("HOME") {
        paths.push(format!("{home}/"));
    }
    // Shorter ones (`/`, `/app`) are no names and would be found in any text.
    paths.retain(|path| path.len() > 5);
    paths
}

fn problems_of(file: &str, text: &str, version: &str, private: &[String]) -> Vec<String> {
    let mut problems = Vec::new();
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    let lines = text.lines().count();
    if matches!(extension, "rs" | "js") && lines > MAX_LINES {
        problems.push(format!("{lines} lines, more than {MAX_LINES}: split it"));
    }
    if extension == "rs" && !has_module_doc(text) {
        problems.push("does not begin with a `//!` comment that says what it is for".to_owned());
    }
    if let Some(path) = private.iter().find(|path| text.contains(path.as_str())) {
        problems.push(format!("contains {path}, a directory of this machine"));
    }
    if file.ends_with("package.json") && json_version(text).is_some_and(|found| found != version) {
        problems.push(format!("its version is not the workspace's, {version}"));
    }
    if file.ends_with("Cargo.toml") && text.contains("\n[package]") && !text.contains("\nversion.workspace = true") {
        problems.push("its version must be the workspace's: `version.workspace = true`".to_owned());
    }
    problems
}

/// Attributes may come before the documentation, e.g. `#![cfg(…)]`.
fn has_module_doc(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty() && !line.starts_with("#![")).is_some_and(|line| line.starts_with("//!"))
}

fn workspace_version(manifest: &str) -> Result<String> {
    let section = manifest.split("[workspace.package]").nth(1).context("Cargo.toml has no [workspace.package]")?;
    section
        .lines()
        .find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
        .map(str::to_owned)
        .context("[workspace.package] has no version")
}

fn json_version(text: &str) -> Option<&str> {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("\"version\":"))?;
    line.split('"').nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(file: &str, text: &str) -> usize {
        problems_of(file, text, "0.1.0", &["/home/someone/".to_owned()]).len()
    }

    #[test]
    fn module_docs_come_first() {
        assert_eq!(problems("a.rs", "//! Doc\nfn f() {}"), 0);
        assert_eq!(problems("a.rs", "#![no_std]\n\n//! Doc"), 0);
        assert_eq!(problems("a.rs", "use std::fs;\n//! Doc"), 1);
    }

    #[test]
    fn long_files_and_private_paths_are_found() {
        assert_eq!(problems("a.js", &"x\n".repeat(501)), 1);
        assert_eq!(problems("a.json", &"x\n".repeat(501)), 0);
        assert_eq!(problems("README.md", "see /home/someone/notes"), 1);
    }

    #[test]
    fn versions_must_agree() {
        assert_eq!(problems("www/package.json", "{\n  \"version\": \"0.1.0\"\n}"), 0);
        assert_eq!(problems("www/package.json", "{\n  \"version\": \"0.2.0\"\n}"), 1);
        assert_eq!(problems("x/Cargo.toml", "\n[package]\nversion = \"3.0.0\""), 1);
        let manifest = "[workspace.package]\nversion = \"0.1.0\"\n";
        assert_eq!(workspace_version(manifest).ok().as_deref(), Some("0.1.0"));
    }
}
