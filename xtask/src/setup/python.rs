//! What the tests take from PyPI, real servers and readers of what is exported, each in a virtual environment of its own: their dependencies may disagree.

use std::{fs, time::Duration};

use anyhow::{Context, Result, bail};

use super::{Outcome, announce};
use crate::{exec, progress, workspace::Workspace};

/// One environment.
struct Environment {
    name: &'static str,
    /// Its folder in `.tools`.
    folder: &'static str,
    why: &'static str,
    pins: &'static [&'static str],
}

/// llama.cpp with its server; writing tiny models for it.
const LLAMA: Environment = Environment {
    name: "llama.cpp",
    folder: "venv",
    why: "a real inference server for the tests; about 60 MB from PyPI",
    pins: &["xllamacpp==2026.10.11549", "gguf==0.19.0", "numpy==2.4.6"],
};

/// A real gateway in front of it.
const LITELLM: Environment = Environment {
    name: "LiteLLM",
    folder: "litellm",
    why: "a real gateway for the tests; 760 MB on disk, from PyPI, about 4 minutes",
    pins: &["litellm[proxy]==1.108.7"],
};

/// Other readers of run files and of what is written from them.
const HISTOGRAMS: Environment = Environment {
    name: "hdrhistogram, pandas and jsonschema",
    folder: "hdrhistogram",
    why: "read histograms, samples and run files back in the tests; 200 MB on disk, from PyPI",
    pins: &["hdrhistogram==0.10.8", "jsonschema==4.26.0", "pandas==3.1.1"],
};

/// OpenTelemetry's own definitions of what a collector is sent.
const OTLP: Environment = Environment {
    name: "opentelemetry-proto",
    folder: "otlp",
    why: "reads in the tests what collectors are sent; small, from PyPI",
    pins: &["opentelemetry-proto==1.45.2", "protobuf==7.36.2"],
};

/// What one of the snippets in the documentation stands on.
const FASTAPI: Environment = Environment {
    name: "FastAPI",
    folder: "fastapi",
    why: "runs one of the snippets in the tests; small, from PyPI",
    pins: &["fastapi==0.165.0", "uvicorn==0.54.0"],
};

pub fn fastapi(ws: &Workspace) -> Result<Outcome> {
    ensure(ws, &FASTAPI)
}

pub fn histograms(ws: &Workspace) -> Result<Outcome> {
    ensure(ws, &HISTOGRAMS)
}

pub fn otlp(ws: &Workspace) -> Result<Outcome> {
    ensure(ws, &OTLP)
}

pub fn llama(ws: &Workspace) -> Result<Outcome> {
    ensure(ws, &LLAMA)
}

pub fn litellm(ws: &Workspace) -> Result<Outcome> {
    ensure(ws, &LITELLM)
}

fn ensure(ws: &Workspace, environment: &Environment) -> Result<Outcome> {
    let venv = ws.tools().join(environment.folder);
    // Written last, so that an interrupted installation is not taken for a finished one.
    let marker = venv.join("firstlight-pins.txt");
    let pins = environment.pins.join("\n");
    let what = environment.name.to_owned();
    if fs::read_to_string(&marker).is_ok_and(|text| text == pins) {
        return Ok(Outcome::Present(what));
    }
    announce(&what, environment.why);
    if ws.which("python3").is_none() {
        bail!("python3 is not on PATH; by hand: `sudo apt-get install python3 python3-venv`");
    }
    let mut create = ws.command("python3");
    create.args(["-m", "venv", "--clear"]).arg(&venv);
    exec::run_limited(&mut create, Duration::from_secs(120))
        .context("cannot make a virtual environment; by hand: `sudo apt-get install python3-venv`")?;
    let mut pip = ws.command(&venv.join("bin").join("pip").to_string_lossy());
    pip.args(["install", "--disable-pip-version-check", "--no-input"]).args(environment.pins);
    let by_hand = format!("by hand: `.tools/{}/bin/pip install '{}'`", environment.folder, environment.pins.join("' '"));
    progress::run_pip(&mut pip, Duration::from_secs(1800)).context(by_hand)?;
    fs::write(&marker, pins)?;
    Ok(Outcome::Installed(what))
}
