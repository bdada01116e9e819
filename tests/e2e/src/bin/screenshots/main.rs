//! Pictures of the page, taken in Chromium: every view in both languages, light and dark, wide and narrow; and the one of
//! the README, of a real measurement.

mod views;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;

use firstlight_e2e::llama::{Llama, Options};
use firstlight_e2e::page::Setup;
use firstlight_e2e::{Browser, Engine, Served, places};

use views::{Kind, Look, Theme, Wanted};

/// Pictures of the page.
#[derive(Parser)]
struct Args {
    /// Measure a real llama.cpp server and write docs/screenshot.png
    #[arg(long)]
    readme: bool,
    /// Write the pictures of docs/screens: every view, in English, light and dark, wide and narrow
    #[arg(long, conflicts_with_all = ["readme", "directory"])]
    docs: bool,
    /// Only what the window shows, not the whole page
    #[arg(long)]
    viewport: bool,
    /// The directory to write to
    #[arg(default_value = "target/screenshots")]
    directory: PathBuf,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<()> {
    let browser = Browser::start(Engine::Chromium)?;
    let served = Served::start()?;
    if args.readme {
        return readme(&browser, &served, &places::root().join("docs/screenshot.png"));
    }
    let docs = places::root().join("docs/screens");
    let (directory, languages, kind): (_, &[&str], _) = match args.docs {
        true => (&docs, &["en"], Kind::Webp),
        false => (&args.directory, &["en", "ko"], Kind::Png),
    };
    std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    views::all(&browser, &served, &Wanted { directory, languages, kind, viewport: args.viewport })
}

/// A real measurement: both modes side by side, with one request's waterfall.
fn readme(browser: &Browser, served: &Served, path: &Path) -> Result<()> {
    let llama = Llama::start(Options::SLOW)?;
    Look { width: 1280, height: 900, theme: Theme::Light }.apply(browser)?;
    let page = served.open(browser)?;
    page.set("language", "en")?;
    let setup = Setup::own(&llama.chat_url())
        .with("prompt", "Explain in three sentences why the sky is blue.")
        .with("mode", "both")
        .with("requests", 40)
        .with("warmup", 2)
        .with("max-tokens", 60);
    page.measure(&setup, views::LIMIT)?;
    views::write(path, &views::capture(browser, Kind::Png, false)?)
}
