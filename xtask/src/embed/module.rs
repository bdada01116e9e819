//! The parts of the npm package that are WebAssembly: each a crate, compiled like the page, with its own JavaScript half.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use crate::{
    exec, setup, size,
    workspace::{WASM, Workspace},
};

/// One part.
pub struct Module {
    /// What it is called, in the package and here: its files are in a folder of this name.
    name: &'static str,
    /// The crate.
    package: &'static str,
    /// What a page downloads of it besides that folder.
    files: &'static [&'static str],
    /// The most that all of it may take, in bytes after brotli.
    budget: usize,
}

/// All of them.
pub const MODULES: [Module; 2] = [
    Module { name: "measure", package: "firstlight-embed", files: &["measure.js", "measure-worker.js"], budget: 350_000 },
    Module {
        name: "element",
        package: "firstlight-element",
        files: &["element.js", "race.js", "element-worker.js", "measure/report.js"],
        // The goal is 220,000: nine tenths of it are what `measure` is made of, the rest texts and views.
        budget: 425_000,
    },
];

impl Module {
    /// Compiles it into the package.
    pub fn build(&self, ws: &Workspace, package: &Path) -> Result<()> {
        let args = ["build", "--quiet", "--package", self.package, "--lib", "--profile", "page", "--target", WASM];
        exec::run(&mut setup::cargo_for_wasm(ws, &args)).with_context(|| format!("the part `{}` can't be built", self.name))?;
        let wasm = ws.target().join(WASM).join("page").join(self.package.replace('-', "_")).with_extension("wasm");
        let mut bindgen = ws.command("wasm-bindgen");
        // A file with this name is found beside its JavaScript by every bundler, and without one.
        bindgen.args(["--target", "web", "--no-typescript", "--remove-name-section", "--remove-producers-section"]);
        bindgen.arg("--out-name").arg(format!("firstlight_{}", self.name));
        exec::run(bindgen.arg("--out-dir").arg(package.join(self.name)).arg(wasm))
    }

    /// Prints the sizes of its files; false over budget.
    pub fn report(&self, package: &Path) -> Result<bool> {
        let folder = fs::read_dir(package.join(self.name)).with_context(|| format!("the part `{}` is not built", self.name))?;
        let mut files: Vec<PathBuf> = self.files.iter().map(|file| package.join(file)).collect();
        for entry in folder {
            files.push(entry?.path());
        }
        files.retain(|file| file.extension().is_some_and(|ext| ext == "js" || ext == "wasm"));
        files.sort();
        let mut sum = 0;
        for file in files {
            let bytes = size::brotli(&fs::read(&file).with_context(|| format!("{} is missing", file.display()))?)?;
            println!("{bytes:>10}  {}", file.strip_prefix(package)?.display());
            sum += bytes;
        }
        let within = sum <= self.budget;
        let over = if within { "" } else { ": OVER BUDGET" };
        println!("{sum} of {} bytes of the budget of `{}`, after brotli{over}", self.budget, self.name);
        Ok(within)
    }
}
