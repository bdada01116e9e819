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
mod hosts;
mod locked;
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
    thread,
    time::Instant,
};

use anyhow::{Context, Result};

use crate::{exec, progress::duration, workspace::Workspace};

pub use hosts::dir as hosts_dir;
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
    // Alone: it may ask for Debian packages, as the browsers do.
    let first: &[Step] = &[wasm_target::ensure];
    let tools: &[Step] = &[wasm_bindgen::ensure, trunk::ensure];
    if !browsers {
        return install(ws, first, &[tools]);
    }
    // What compiles, beside what mostly downloads.
    let compiled = [tools, &[geckodriver::ensure]].concat();
    let downloaded: &[Step] = &[
        browsers::ensure,
        nginx::ensure,
        python::llama,
        python::litellm,
        python::histograms,
        histograms::javascript,
        python::otlp,
        python::fastapi,
        snippets::express,
        hosts::ensure,
    ];
    install(ws, first, &[&compiled, downloaded])
}

/// Installs what `hosts` needs.
pub fn hosts(ws: &Workspace) -> Result<()> {
    let first: &[Step] = &[wasm_target::ensure];
    let (tools, pages): (&[Step], &[Step]) = (&[wasm_bindgen::ensure], &[hosts::ensure]);
    install(ws, first, &[tools, pages])
}

/// Installs what `fuzz` needs.
pub fn fuzz(ws: &Workspace) -> Result<()> {
    install(ws, &[], &[&[cargo_fuzz::ensure]])
}

/// The first steps, then each lane in its order, the lanes at the same time.
fn install(ws: &Workspace, first: &[Step], lanes: &[&[Step]]) -> Result<()> {
    fs::create_dir_all(ws.tools().join("bin"))?;
    let _lock = lock(ws)?;
    let start = Instant::now();
    let first = run_lane(ws, first)?;
    let ended: Vec<Result<Lane>> = thread::scope(|scope| {
        let running: Vec<_> = lanes.iter().map(|steps| scope.spawn(|| run_lane(ws, steps))).collect();
        running.into_iter().map(|lane| lane.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    source::clean(ws)?;
    let lanes = [Ok(first)].into_iter().chain(ended).collect::<Result<Vec<Lane>>>()?;
    let list = lanes.iter().flat_map(|lane| &lane.present).map(String::as_str).collect::<Vec<_>>().join(", ");
    if lanes.iter().all(|lane| lane.installed == 0) {
        eprintln!("setup: nothing to do: {list}");
    } else {
        eprintln!("setup: done in {}; was there: {list}", duration(start.elapsed()));
    }
    Ok(())
}

/// What came of a lane.
#[derive(Default)]
struct Lane {
    present: Vec<String>,
    installed: usize,
}

fn run_lane(ws: &Workspace, steps: &[Step]) -> Result<Lane> {
    let mut lane = Lane::default();
    for step in steps {
        let began = Instant::now();
        match step(ws)? {
            Outcome::Present(what) => lane.present.push(what),
            Outcome::Installed(what) => {
                lane.installed += 1;
                eprintln!("  {what}: installed ({})", duration(began.elapsed()));
            }
        }
    }
    Ok(lane)
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
