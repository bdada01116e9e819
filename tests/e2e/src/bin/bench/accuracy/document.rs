//! `docs/accuracy.md`: the tables, the machine, the versions.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use firstlight_e2e::{engine, places};

use super::condition::{Condition, Extent};
use super::traced::Traced;
use super::{Measured, conditions};

/// What the columns mean.
const LEGEND: &str = "Milliseconds. *Arrival*: the page's stamp of the first answer minus the server's write of it. *Error*: the page's \
value minus the pixels; only Chromium gives one. *Inside*: the pixels changed between the page's bounds, of the requests that have \
both, with Wilson's interval. *No upper bound*: the page flags its own paint as not bounded. *Last*: the same for the last of the \
answer, against the last change of its place in a series without a pause of 50 ms. *Block \
flagged*: requests of which the page says that its main thread was blocked before the first of the answer was on the screen. *No truth*: the screen leaves doubt which request changed it. *Clocks*: the page's and the server's are joined with no larger \
error.";

/// What is written down.
pub struct Outcome<'a> {
    /// Every condition.
    pub measured: &'a [Measured],
    /// The check against Chromium's trace.
    pub traced: Option<&'a Traced>,
    /// Promises that are not kept.
    pub broken: &'a [String],
}

/// Every table, one for each engine and way.
pub fn tables(measured: &[Measured]) -> String {
    let mut groups: BTreeMap<usize, (String, Vec<&Measured>)> = BTreeMap::new();
    for one in measured {
        let name = way(&one.0);
        let known = groups.values().position(|(n, _)| *n == name).unwrap_or(groups.len());
        groups.entry(known).or_insert_with(|| (name, Vec::new())).1.push(one);
    }
    let mut text = String::new();
    for (name, group) in groups.values() {
        // Writing to a string can't fail.
        let _ = write!(text, "### {name}\n\n{}\n", conditions(group));
    }
    text
}

fn way(condition: &Condition) -> String {
    let isolated = if condition.isolated { "isolated" } else { "not isolated" };
    let thread = if condition.worker { "read in a worker" } else { "read on the main thread" };
    format!("{:?}, {isolated}, {thread}", condition.engine)
}

/// Where it stands.
fn file() -> PathBuf {
    places::root().join("docs").join("accuracy.md")
}

/// Writes it after a full run; after a quick one only if there is none.
pub fn write(extent: Extent, whole: bool, outcome: &Outcome) -> Result<()> {
    let Outcome { measured, traced, broken } = outcome;
    let file = file();
    if !whole {
        println!("{} is left as it is: not every condition was measured", file.display());
        return Ok(());
    }
    if extent == Extent::Quick && file.is_file() {
        println!("{} is left as it is: a quick run does not replace it", file.display());
        return Ok(());
    }
    let seconds: u64 = measured.iter().map(|(_, part)| part.seconds).sum::<u64>() + traced.map_or(0, |traced| traced.seconds);
    let command = if extent == Extent::Quick { "cargo xtask bench accuracy --quick" } else { "cargo xtask bench accuracy" };
    let mut text = String::new();
    let _ = write!(
        text,
        "# How true the figures are\n\nWritten by `{command}` in {} minutes. Do not edit.\n\n{}\n\n{LEGEND}\n\n{}",
        seconds.div_ceil(60),
        circumstances(),
        tables(measured)
    );
    if let Some(traced) = traced {
        let _ = write!(text, "{}\n\n", traced.text());
    }
    if broken.is_empty() {
        text.push_str("Every promise is kept.\n");
    } else {
        let _ = write!(text, "Promises that are not kept:\n\n");
        broken.iter().for_each(|what| text.push_str(&format!("- {what}\n")));
    }
    std::fs::write(&file, text).with_context(|| format!("{} can't be written", file.display()))?;
    println!("wrote {}", file.display());
    Ok(())
}

/// The machine and the versions.
fn circumstances() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map_or("unknown", |(_, m)| m);
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let system = said("uname", &["-sr"]).unwrap_or_default();
    let chromium = said("chromium", &["--version"]);
    let firefox = said("firefox-esr", &["--version"]).or_else(|| said("firefox", &["--version"]));
    let webkit = engine::mini_browser().ok().and_then(|path| said(&path.to_string_lossy(), &["--version"]));
    let versions: Vec<String> = [chromium, firefox, webkit].into_iter().flatten().collect();
    format!(
        "Machine: {cores} × {model}, {system}; a virtual screen of 60 Hz (Xvfb), drawn without a graphics card. Versions: Firstlight {}, {}.",
        env!("CARGO_PKG_VERSION"),
        versions.join(", ")
    )
}

/// The first line that a program says.
fn said(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().next().map(|line| line.trim().to_owned())
}
