//! The suites: which commands run which tests, and what each is for.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};

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
pub fn native(ws: &Workspace, filter: Option<&str>) -> Result<Suite> {
    let mut command = ws.native(&["test", "--no-fail-fast", "--lib", "--bins", "--examples"]);
    for name in tests_of(&ws.root.join("crates/server"))? {
        command.args(["--test", &name]);
    }
    command.args(filter);
    Ok(Suite {
        name: "native",
        why: "decoding, metrics, statistics, the engine and the server",
        command,
        expected: &["firstlight_core", "firstlight_engine", "firstlight_server", "xtask"],
    })
}

/// The test programs of a package.
fn tests_of(package: &Path) -> Result<Vec<String>> {
    let is_program = |path: &PathBuf| path.extension().is_some_and(|ext| ext == "rs") || path.join("main.rs").is_file();
    let entries = fs::read_dir(package.join("tests"))?.collect::<Result<Vec<_>, _>>()?;
    let programs = entries.iter().map(|entry| entry.path()).filter(is_program);
    Ok(programs.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect())
}

/// Tests of the page's own code inside Chromium.
pub fn browser(ws: &Workspace, filter: Option<&str>) -> Result<Suite> {
    let dir = ws.root.join("tests").join("browser");
    let driver = ws.which("chromedriver").context("chromedriver is not on PATH")?;
    let mut command =
        setup::cargo_for_wasm(ws, &["test", "--package", "firstlight-web", "--target", WASM, "--test", "browser"]);
    command
        .args(filter)
        // Eight short tests: they are compiled longer than they run.
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
        .env("CHROMEDRIVER", driver)
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", dir.join("webdriver.json"));
    Ok(Suite { name: "browser", why: "the code that touches web APIs, inside Chromium", command, expected: &[] })
}

/// The built page in real browsers against real servers.
pub fn end_to_end(ws: &Workspace, filter: Option<&str>) -> Result<Suite> {
    let mut command = ws.native(&["test", "--no-fail-fast"]);
    for name in tests_of(&ws.root.join("tests/e2e"))? {
        command.args(["--test", &name]);
    }
    // Those that measure time see to it that they are alone.
    command.args(["--", "--test-threads=2"]).args(filter);
    ws.with_e2e_env(&mut command, "debug");
    Ok(Suite { name: "end to end", why: "the built page in real browsers against real servers", command, expected: &[] })
}
