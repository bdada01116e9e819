//! `setup`: installs what is missing, and says what it does and why.
//!
//! Each tool is taken from PATH if its version fits, else from `.tools/`, else as a prebuilt
//! release, else built from source. Nothing is installed outside the project, except Debian
//! packages and the Rust target.

mod browsers;
mod cargo_fuzz;
mod debian;
mod debian_target;
mod geckodriver;
mod histograms;
mod nginx;
mod prebuilt;
mod python;
mod snippets;
mod source;
mod trunk;
mod version;
mod wasm_bindgen;
mod wasm_target;

use std::{
    fs::{self, File, TryLockError},
    time::Instant,
};

use anyhow::{Context, Result};

use crate::{exec, progress::duration, workspace::Workspace};

pub use wasm_target::{cargo_for_wasm, select_toolchain};

/// How a step ended.
enum Outcome {
    /// Was there already; the text is the tool with its version.
    Present(String),
    /// Was installed just now.
    Installed(String),
}

type Step = fn(&Workspace) -> Result<Outcome>;

/// Installs whatever is missing.
pub fn run(ws: &Workspace, browsers: bool) -> Result<()> {
    let mut steps: Vec<Step> = vec![wasm_target::ensure, wasm_bindgen::ensure, trunk::ensure];
    if browsers {
        steps.extend([browsers::ensure as Step, geckodriver::ensure, nginx::ensure, python::llama, python::litellm]);
        steps.extend([python::histograms as Step, histograms::javascript, python::otlp]);
        steps.extend([python::fastapi as Step, snippets::express]);
    }
    install(ws, &steps)
}

/// Installs what `fuzz` needs.
pub fn fuzz(ws: &Workspace) -> Result<()> {
    install(ws, &[cargo_fuzz::ensure])
}

fn install(ws: &Workspace, steps: &[Step]) -> Result<()> {
    fs::create_dir_all(ws.tools().join("bin"))?;
    let _lock = lock(ws)?;
    let start = Instant::now();
    let mut present = Vec::new();
    let mut all = true;
    for step in steps {
        let began = Instant::now();
        match step(ws)? {
            Outcome::Present(what) => present.push(what),
            Outcome::Installed(what) => {
                all = false;
                eprintln!("  {what}: installed ({})", duration(began.elapsed()));
            }
        }
    }
    source::clean(ws)?;
    let list = present.join(", ");
    if all {
        eprintln!("setup: nothing to do: {list}");
    } else {
        eprintln!("setup: done in {}; was there: {list}", duration(start.elapsed()));
    }
    Ok(())
}

/// Two setups at a time would install over each other (two terminals, or two tests).
fn lock(ws: &Workspace) -> Result<File> {
    let path = ws.tools().join("setup.lock");
    let file = File::create(&path).with_context(|| format!("cannot create {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            eprintln!("setup: another setup is running in this checkout; waiting for it");
            file.lock()?;
        }
        Err(TryLockError::Error(error)) => {
            return Err(error).context("cannot lock .tools/setup.lock");
        }
    }
    Ok(file)
}

/// The version of the first such program on the extended PATH.
fn version_of(ws: &Workspace, program: &str) -> Option<String> {
    ws.which(program)?;
    version::find(&exec::ask(ws.command(program).arg("--version"))?).map(str::to_owned)
}

/// Says that a step begins, and why.
fn announce(what: &str, why: &str) {
    eprintln!("  {what}: {why}");
}
