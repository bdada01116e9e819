//! How true the page is: its stamps against the server's writes, and its paints against the pixels of a screen.
//!
//! Nothing drives the browser: it is started on the page with a job, as the command line does it. The truths are the built-in
//! endpoint's and a thread's that looks at the screen's memory; both stamp with the same monotonic clock.

mod condition;
mod document;
mod measure;
mod sample;
mod traced;
mod verdict;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

use condition::{Condition, Extent};
use measure::{Part, measure};

use crate::figures::table;

/// What to run.
#[derive(clap::Args)]
pub struct Args {
    /// Every shape once in each engine: about five minutes
    #[arg(long)]
    quick: bool,
    /// Only conditions whose name holds this, such as firefox or quiet/isolated
    #[arg(long)]
    only: Option<String>,
    /// Another number of measured requests in each condition
    #[arg(long)]
    requests: Option<u32>,
    /// Keep each condition's measurements in this directory, and take those that are there already: a full run in pieces
    #[arg(long)]
    parts: Option<PathBuf>,
}

/// A condition and what came of it.
type Measured = (Condition, Part);

/// Runs, prints and writes `docs/accuracy.md`; false if a promise is not kept.
pub fn run(args: &Args) -> Result<bool> {
    let extent = if args.quick { Extent::Quick } else { Extent::Full };
    let mut measured: Vec<Measured> = Vec::new();
    let all = Condition::all(extent);
    let wanted = |condition: &&Condition| args.only.as_ref().is_none_or(|only| condition.to_string().contains(only.as_str()));
    for condition in all.iter().filter(wanted) {
        let mut condition = *condition;
        condition.requests = args.requests.unwrap_or(condition.requests);
        let name = condition.to_string().replace('/', "_");
        let part = kept_or(&name, args.parts.as_deref(), || measure(&condition)).with_context(|| condition.to_string())?;
        eprintln!("{condition}: {} requests in {} s", part.samples.len(), part.seconds);
        measured.push((condition, part));
    }
    let traced = match all.iter().find(|condition| wanted(condition) && condition.is_for_trace()) {
        Some(condition) => Some(kept_or("chromium_trace", args.parts.as_deref(), || traced::measure(condition))?),
        None => None,
    };
    println!("{}", document::tables(&measured));
    if let Some(traced) = &traced {
        println!("{}\n", traced.text());
    }
    let mut broken: Vec<String> = measured
        .iter()
        .flat_map(|(condition, part)| {
            verdict::broken(condition, part).into_iter().map(move |what| format!("{condition}: {what}"))
        })
        .collect();
    broken.extend(traced.as_ref().and_then(traced::Traced::broken));
    broken.iter().for_each(|what| println!("{what}"));
    let outcome = document::Outcome { measured: &measured, traced: traced.as_ref(), broken: &broken };
    document::write(extent, measured.len() == all.len(), &outcome)?;
    Ok(broken.is_empty())
}

/// What is in the directory of parts under a name; else what is measured now, and kept there.
fn kept_or<T: Serialize + DeserializeOwned>(
    name: &str,
    parts: Option<&Path>,
    measure: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let Some(dir) = parts else { return measure() };
    let file = dir.join(name).with_extension("json");
    if file.is_file() {
        return serde_json::from_slice(&std::fs::read(&file)?).with_context(|| format!("in {}", file.display()));
    }
    let part = measure()?;
    std::fs::create_dir_all(dir)?;
    std::fs::write(&file, serde_json::to_vec(&part)?)?;
    Ok(part)
}

/// One table of conditions.
fn conditions(measured: &[&Measured]) -> String {
    let rows: Vec<Vec<String>> = measured.iter().map(|(condition, part)| verdict::row(condition, part)).collect();
    table(&verdict::HEAD, &rows)
}
