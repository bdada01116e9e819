//! A real inference server for the tests: llama.cpp, from PyPI, in a virtual environment.

use std::{fs, time::Duration};

use anyhow::{Context, Result, bail};

use super::{Outcome, announce};
use crate::{exec, workspace::Workspace};

/// llama.cpp with its server; writing tiny models for it.
const PINS: &[&str] = &["xllamacpp==2026.10.11549", "gguf==0.19.0", "numpy==2.4.6"];

pub fn ensure(ws: &Workspace) -> Result<Outcome> {
    let venv = ws.tools().join("venv");
    // Written last, so that an interrupted installation is not taken for a finished one.
    let marker = venv.join("firstlight-pins.txt");
    let pins = PINS.join("\n");
    let what = "llama.cpp".to_owned();
    if fs::read_to_string(&marker).is_ok_and(|text| text == pins) {
        return Ok(Outcome::Present(what));
    }
    announce(&what, "a real inference server for the tests; about 60 MB from PyPI");
    if ws.which("python3").is_none() {
        bail!("python3 is not on PATH; by hand: `sudo apt-get install python3 python3-venv`");
    }
    let mut create = ws.command("python3");
    create.args(["-m", "venv", "--clear"]).arg(&venv);
    exec::run_limited(&mut create, Duration::from_secs(120))
        .context("cannot make a virtual environment; by hand: `sudo apt-get install python3-venv`")?;
    let mut pip = ws.command(&venv.join("bin").join("pip").to_string_lossy());
    pip.args(["install", "--quiet", "--disable-pip-version-check", "--no-input"]).args(PINS);
    let by_hand = format!("by hand: `.tools/venv/bin/pip install {}`", PINS.join(" "));
    exec::run_limited(&mut pip, Duration::from_secs(900)).context(by_hand)?;
    fs::write(&marker, pins)?;
    Ok(Outcome::Installed(what))
}
