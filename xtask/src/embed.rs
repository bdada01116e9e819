//! `npm`: the npm package, put together in `target/npm`: the sources of `www/npm`, the parts that are WebAssembly, and the passive
//! part in one file for pages that have no bundler.

mod map;
mod module;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use crate::{page, setup, size, workspace::Workspace};
use map::Map;
use module::MODULES;

/// The most that the passive part may take, in bytes after brotli.
const PASSIVE_BUDGET: usize = 6_000;

/// Modules of the passive part, each after those that it imports from.
const PASSIVE: [&str; 7] = ["figures", "visible", "page", "network", "record", "body", "observe"];
/// What the passive part gives, and where its map is.
const GIVES: &str = "export { observe, wrapFetch };\n//# sourceMappingURL=passive.min.js.map\n";
/// The passive part in one file.
const JOINED: &str = "passive.min.js";

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

/// Builds the package unless it is up to date.
pub fn build(ws: &Workspace) -> Result<()> {
    let dir = dir(ws);
    // Beside it: what is in it is published.
    let stamp = dir.with_extension("stamp");
    let wanted = page::fingerprint(&ws.root)?;
    if dir.join("package.json").exists() && fs::read_to_string(&stamp).is_ok_and(|old| old == wanted) {
        return Ok(());
    }
    make(ws, &dir)?;
    Ok(fs::write(stamp, wanted)?)
}

fn make(ws: &Workspace, dir: &Path) -> Result<()> {
    if dir.exists() {
        fs::remove_dir_all(dir)?;
    }
    copy(&ws.root.join("www/npm"), dir)?;
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(ws.root.join(license), dir.join(license))?;
    }
    let (joined, map) = passive(ws)?;
    fs::write(dir.join(JOINED), joined)?;
    fs::write(dir.join(JOINED).with_extension("js.map"), map)?;
    MODULES.iter().try_for_each(|module| module.build(ws, dir))
}

/// Where the page for frames is, inside the built page.
pub const FRAME: &str = "embed";
/// What it is made of.
const FRAME_FILES: [&str; 5] = ["embed.js", "element.js", "race.js", "element-worker.js", "measure/report.js"];
const FRAME_FOLDERS: [&str; 2] = ["element", "embed"];

/// Puts the page for frames, which is a part of the package, beside the built page.
pub fn put_frame(ws: &Workspace) -> Result<()> {
    let (package, frame) = (dir(ws), ws.dist().join(FRAME));
    if frame.exists() {
        fs::remove_dir_all(&frame)?;
    }
    fs::create_dir_all(frame.join("measure"))?;
    fs::copy(package.join("embed.html"), frame.join("index.html"))?;
    for file in FRAME_FILES {
        fs::copy(package.join(file), frame.join(file)).with_context(|| format!("{file} is not in the package"))?;
    }
    FRAME_FOLDERS.iter().try_for_each(|folder| copy(&package.join(folder), &frame.join(folder)))
}

/// Prints the sizes of the parts of the built package; false if one is over budget.
pub fn report(ws: &Workspace) -> Result<bool> {
    let bytes = size::brotli(passive(ws)?.0.as_bytes())?;
    let within = bytes <= PASSIVE_BUDGET;
    println!("{bytes} of {PASSIVE_BUDGET} bytes of the passive part's budget{}", if within { "" } else { ": OVER BUDGET" });
    let (dir, mut all) = (dir(ws), within);
    for module in &MODULES {
        all &= module.report(&dir)?;
    }
    Ok(all)
}

/// The file and its source map.
fn passive(ws: &Workspace) -> Result<(String, String)> {
    let mut joined = "// Firstlight, the passive part; the sources with their comments are in passive/.\n".to_owned();
    let mut map = Map::default();
    map.line(None);
    for module in PASSIVE {
        let path = ws.root.join("www/npm/passive").join(module).with_extension("js");
        let source = fs::read_to_string(&path).with_context(|| format!("{} is missing", path.display()))?;
        map.source(format!("passive/{module}.js"));
        for (line, column, text) in bare(&source) {
            map.line(Some((line, column)));
            joined.push_str(text);
            joined.push('\n');
        }
    }
    Ok((joined + GIVES, map.finish(JOINED)))
}

/// The lines of a module without what joins it to others, and without comments and indentation, each with the line and column that it
/// stands at. It knows only the comments that stand in lines of their own, and no text of several lines: that is how these modules are
/// written.
fn bare(source: &str) -> Vec<(usize, usize, &str)> {
    let mut bare = Vec::new();
    let mut in_comment = false;
    for (number, whole) in source.lines().enumerate() {
        let line = whole.trim();
        let begins = !in_comment && line.starts_with("/*");
        if in_comment || begins {
            in_comment = !line.ends_with("*/");
        } else if !(line.is_empty() || line.starts_with("//") || line.starts_with("import ")) {
            let text = line.strip_prefix("export ").unwrap_or(line);
            bare.push((number, whole.trim_end().len() - text.len(), text));
        }
    }
    bare
}

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("there is no {}", from.display()))? {
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
        let lines = [(6, 7, "function f(n) {"), (8, 2, "return a(n); // so"), (9, 0, "}"), (11, 7, "const g = 1;")];
        assert_eq!(bare(source), lines);
    }
}
