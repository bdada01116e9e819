//! Whether the passive part and the measuring part say the same of the same requests: a chat page before llama.cpp, which by turns talks
//! and has the measuring part ask.

use anyhow::{Context, Result};

use firstlight_e2e::chat::{Chat, compared, seen};
use firstlight_e2e::{Browser, Engine};

use crate::figures::{ms, table};

/// What to run.
#[derive(clap::Args)]
pub struct Args {
    /// Blocks; in each both parts ask, and neither is always the first
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(8..))]
    blocks: u32,
    /// Measured requests of each part in each block
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    requests: u32,
    /// Only this engine: chromium, firefox or webkit
    #[arg(long)]
    only: Option<String>,
}

/// Runs the engines and prints; false if a figure's interval is not within its bound.
pub fn run(args: &Args) -> Result<bool> {
    println!(
        "passive − measuring part, in ms, without what llama.cpp reports of itself; {} blocks of {} requests of each by turns; of each \
         block the difference of the medians, of these the median's 95 % interval",
        args.blocks, args.requests
    );
    let mut rows = Vec::new();
    let mut holds = true;
    let wanted = |engine: &Engine| args.only.as_ref().is_none_or(|only| format!("{engine:?}").eq_ignore_ascii_case(only));
    for engine in [Engine::Chromium, Engine::Firefox, Engine::WebKit].into_iter().filter(wanted) {
        let browser = Browser::start(engine)?;
        let chat = Chat::open(&browser)?;
        let blocks = chat.blocks(args.blocks as usize, args.requests as usize).with_context(|| format!("{engine:?}"))?;
        for both in compared(&blocks)? {
            let (lower, upper) = both.interval;
            rows.push(vec![
                format!("{engine:?}"),
                both.what.to_owned(),
                both.blocks.to_string(),
                format!("{} to {}", ms(lower), ms(upper)),
                format!("±{}", ms(both.bound)),
            ]);
            holds &= both.agrees();
        }
        let seen = seen(&blocks);
        if seen.told > 0 {
            println!(
                "{engine:?}: Element Timing tells of {} first texts: {} of {} before the passive part's lower bound, {} of {} after its upper",
                seen.told, seen.before, seen.bounded_below, seen.after, seen.bounded_above
            );
        }
    }
    println!("\n{}", table(&["engine", "from sending to", "blocks", "95 % interval", "bound"], &rows));
    Ok(holds)
}
