//! The suites: which commands run which tests, and what each is for.

use std::{fs, process::Command};

use anyhow::{Context, Result, bail};

use crate::{
    setup,
    workspace::{WASM, Workspace},
};

/// One call of `cargo test`.
pub struct Suite {
    pub name: &'static str,
    pub why: &'static str,
    pub command: Command,
    /// Test targets in which at least one test must be executed.
    pub expected: &'static [&'static str],
}

/// Everything without a browser.
pub fn native(ws: &Workspace, filter: Option<&str>) -> Suite {
    let mut command = ws.cargo(&["test", "--no-fail-fast"]);
    for package in ["firstlight-core", "firstlight-engine", "firstlight-server", "xtask"] {
        command.args(["--package", package]);
    }
    command.args(filter);
    Suite {
        name: "native",
        why: "decoding, metrics, statistics, the engine and the server",
        command,
        expected: &["firstlight_core", "firstlight_engine", "firstlight_server", "xtask"],
    }
}

/// Tests of the page's own code inside Chromium; `None` if there are no files.
pub fn browser(ws: &Workspace, filter: Option<&str>) -> Result<Option<Suite>> {
    let dir = ws.root.join("tests").join("browser");
    let has_tests = fs::read_dir(&dir)
        .is_ok_and(|entries| entries.flatten().any(|entry| entry.path().extension().is_some_and(|ext| ext == "rs")));
    if !has_tests {
        return Ok(None);
    }
    if !dir.join("main.rs").is_file() {
        bail!("tests/browser has tests but no main.rs to run them");
    }
    let driver = ws.which("chromedriver").context("chromedriver is not on PATH")?;
    let mut command =
        setup::cargo_for_wasm(ws, &["test", "--package", "firstlight-web", "--target", WASM, "--test", "browser"]);
    command
        .args(filter)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
        .env("CHROMEDRIVER", driver)
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", dir.join("webdriver.json"));
    Ok(Some(Suite { name: "browser", why: "the code that touches web APIs, inside Chromium", command, expected: &[] }))
}

/// The built page in real browsers against real servers.
pub fn end_to_end(ws: &Workspace, filter: Option<&str>) -> Suite {
    let mut command = ws.cargo(&["test", "--package", "firstlight-e2e", "--no-fail-fast", "--"]);
    // Those that measure time see to it that they are alone.
    command.arg("--test-threads=2").args(filter);
    ws.with_e2e_env(&mut command, "debug");
    Suite { name: "end to end", why: "the built page in real browsers against real servers", command, expected: &[] }
}
