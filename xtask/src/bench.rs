//! `bench` and `screenshots`: the programs of the end-to-end crate, in real browsers.

use std::fs;

use anyhow::Result;

use crate::{embed, exec, hosts, npm, page, setup, workspace::WASM, workspace::Workspace};

/// Builds everything with optimisation, then runs one program of `firstlight-e2e`.
pub fn run(ws: &Workspace, program: &str, args: &[String]) -> Result<()> {
    // No browser and no page: the server's own example.
    if program == "bench" && args.first().is_some_and(|bench| bench == "plan") {
        let run = ["run", "--release", "--package", "firstlight-server", "--example", "plan"];
        return exec::run(&mut ws.cargo(&run));
    }
    setup::run(ws, true)?;
    if program == "bench" && args.first().is_some_and(|bench| bench == "decode") {
        decode_page(ws)?;
    } else {
        page::build(ws)?;
    }
    let embedded = args.first().filter(|_| program == "bench").map_or("", String::as_str);
    if ["passive", "first-paint"].contains(&embedded) {
        embed::build(ws)?;
    }
    if embedded == "first-paint" {
        hosts::build(ws)?;
    }
    // Both in one call, so that shared crates are compiled once, with the same features.
    let build = ["build", "--release", "--package", "firstlight-server", "--package", "firstlight-e2e", "--bins"];
    exec::run(&mut ws.cargo(&build))?;
    let mut command = ws.command(&ws.target().join("release").join(program).to_string_lossy());
    ws.with_e2e_env(&mut command, "release");
    exec::run(command.args(args))
}

/// The page of `bench decode`: its own files, the decoder as a module, and the parser that it is held against.
fn decode_page(ws: &Workspace) -> Result<()> {
    const PACKAGE: &str = "firstlight-decode-bench";
    let page = ws.decode_bench();
    exec::run(&mut setup::cargo_for_wasm(ws, &["build", "--profile", "page", "--target", WASM, "--package", PACKAGE]))?;
    let module = ws.target().join(WASM).join("page").join(PACKAGE.replace('-', "_")).with_extension("wasm");
    let mut bindgen = ws.command("wasm-bindgen");
    bindgen.args(["--target", "web", "--no-typescript", "--out-name", "decode_bench", "--out-dir"]);
    exec::run(bindgen.arg(&page).arg(module))?;
    let parser = npm::EVENTSOURCE_PARSER.fetch(ws)?.join("dist");
    copy(&ws.root.join("tests").join("decode-bench").join("www"), &page)?;
    copy(&parser, &page.join("eventsource-parser"))
}

/// The files of one directory, without what is in directories below it.
fn copy(from: &std::path::Path, to: &std::path::Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        if let (true, Some(name)) = (path.is_file(), path.file_name()) {
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}
