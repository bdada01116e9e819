//! `npm`: the npm package, put together in `target/npm`: the sources of `www/npm`, the parts that are WebAssembly, and the passive
//! part in one file for pages that have no bundler.

mod module;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use crate::{setup, size, workspace::Workspace};
use module::MODULES;

/// The most that the passive part may take, in bytes after brotli.
const PASSIVE_BUDGET: usize = 6_000;

/// Modules of the passive part, each after those that it imports from.
const PASSIVE: [&str; 7] = ["figures", "visible", "page", "network", "record", "body", "observe"];
/// What the passive part gives.
const GIVES: &str = "export { observe, wrapFetch };\n";

/// Where the package is put together.
pub fn dir(ws: &Workspace) -> PathBuf {
    ws.target().join("npm")
}

/// `npm`: what it needs, the package, its sizes; false over budget.
pub fn run(ws: &Workspace) -> Result<bool> {
    setup::run(ws, false)?;
    build(ws)?;
    report(ws)
}

/// Puts the package together.
pub fn build(ws: &Workspace) -> Result<()> {
    let dir = dir(ws);
    if dir.exists() {
        fs::remove_dir_all(&dir)?;
    }
    copy(&ws.root.join("www/npm"), &dir)?;
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(ws.root.join(license), dir.join(license))?;
    }
    fs::write(dir.join("passive.min.js"), passive(ws)?)?;
    MODULES.iter().try_for_each(|module| module.build(ws, &dir))
}

/// Prints the sizes of the parts of the built package; false if one is over budget.
pub fn report(ws: &Workspace) -> Result<bool> {
    let bytes = size::brotli(passive(ws)?.as_bytes())?;
    let within = bytes <= PASSIVE_BUDGET;
    println!("{bytes} of {PASSIVE_BUDGET} bytes of the passive part's budget{}", if within { "" } else { ": OVER BUDGET" });
    let (dir, mut all) = (dir(ws), within);
    for module in &MODULES {
        all &= module.report(&dir)?;
    }
    Ok(all)
}

fn passive(ws: &Workspace) -> Result<String> {
    let mut joined = "// Firstlight, the passive part; the sources with their comments are in passive/.\n".to_owned();
    for module in PASSIVE {
        let path = ws.root.join("www/npm/passive").join(module).with_extension("js");
        let source = fs::read_to_string(&path).with_context(|| format!("{} is missing", path.display()))?;
        joined.push_str(&bare(&source));
    }
    Ok(joined + GIVES)
}

/// A module without what joins it to others, and without comments and indentation. It knows only the comments that stand in lines of
/// their own, and no text of several lines: that is how these modules are written.
fn bare(source: &str) -> String {
    let mut bare = String::new();
    let mut in_comment = false;
    for line in source.lines().map(str::trim) {
        let begins = !in_comment && line.starts_with("/*");
        if in_comment || begins {
            in_comment = !line.ends_with("*/");
        } else if !(line.is_empty() || line.starts_with("//") || line.starts_with("import ")) {
            bare.push_str(line.strip_prefix("export ").unwrap_or(line));
            bare.push('\n');
        }
    }
    bare
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("no package in {}", from.display()))? {
        let path = entry?.path();
        let target = to.join(path.file_name().context("a file has a name")?);
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn comments_imports_and_exports_are_left_out() {
        let source = "// Why?\nimport { a } from \"./a.js\";\n\n/**\n * @param {number} n\n */\nexport function f(n) {\n  // Because.\n  \
                      return a(n); // so\n}\n/** One. */\nexport const g = 1;\n";
        assert_eq!(bare(source), "function f(n) {\nreturn a(n); // so\n}\nconst g = 1;\n");
    }
}
