//! How fast streams are decoded: Firstlight's decoder as the page runs it, against `eventsource-parser` and `JSON.parse`, on the
//! same bytes in the same browser, by turns. The page of the bench compares the two answers in every round.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::json;

use firstlight_e2e::rt::block_on;
use firstlight_e2e::{Browser, Engine};
use firstlight_server::{Options, Server};

/// The promise: this many times as fast.
const PROMISE: f64 = 2.0;
const STREAMS: [(&str, &str); 2] = [("openai", "OpenAI chat"), ("anthropic", "Anthropic")];
const READS: [u32; 3] = [1 << 10, 16 << 10, 64 << 10];

/// What to run.
#[derive(clap::Args)]
pub struct Args {
    /// Megabytes of each stream
    #[arg(long, default_value_t = 10)]
    megabytes: u32,
    /// Rounds that count; in each, both decode the whole stream
    #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Rounds before them
    #[arg(long, default_value_t = 5)]
    warmup: u32,
    /// As few rounds as show anything
    #[arg(long)]
    quick: bool,
}

/// What the page of the bench gives.
#[derive(Deserialize)]
struct Measured {
    bytes: f64,
    events: f64,
    chars: u64,
    /// Milliseconds of each round.
    firstlight: Vec<f64>,
    javascript: Vec<f64>,
}

/// Runs both browsers and prints; false if the promise is not kept.
pub fn run(args: &Args) -> Result<bool> {
    let dist = std::env::var_os("FIRSTLIGHT_DECODE_BENCH").map(PathBuf::from);
    let dist = dist.context("the bench's page is not built: run `cargo xtask bench decode`")?;
    let (rounds, warmup) = if args.quick { (5, 2) } else { (args.rounds, args.warmup) };
    println!("{} MB of each stream, {rounds} rounds after {warmup}, both decoders by turns", args.megabytes);
    println!("medians; the ratio is the median of the rounds' own ratios, with the middle half of them");
    let running = block_on(Server::start(Options { dist: Some(dist), ..Options::default() }))?;
    let mut holds = true;
    for engine in [Engine::Chromium, Engine::Firefox] {
        let browser = Browser::start(engine)?;
        println!("\n{engine:?} {}", version(&browser)?);
        println!("{:<12} {:>6}  {:>17} {:>17} {:>21}  answer", "", "reads", "Firstlight", "JavaScript", "ratio");
        for (stream, name) in STREAMS {
            for read in READS {
                block_on(browser.client().goto(&running.page_url()))?;
                let ask = vec![json!(stream), json!(args.megabytes), json!(read), json!(rounds), json!(warmup)];
                let answer = browser.execute_async("return await (await import('./bench.js')).bench(...args)", ask)?;
                let measured: Measured = serde_json::from_value(answer).context("no figures came")?;
                holds &= measured.print(name, read) >= PROMISE;
            }
        }
    }
    block_on(running.stop());
    if !holds {
        println!("\nnot {PROMISE} times as fast everywhere");
    }
    Ok(holds)
}

fn version(browser: &Browser) -> Result<String> {
    let agent = browser.execute("return navigator.userAgent", Vec::new())?;
    Ok(agent
        .as_str()
        .and_then(|agent| agent.split_whitespace().find(|w| w.contains("Chrome/") || w.contains("Firefox/")))
        .unwrap_or_default()
        .to_owned())
}

impl Measured {
    /// Prints a line; gives the ratio.
    fn print(&self, name: &str, read: u32) -> f64 {
        let speed = |ms: &[f64]| {
            let ms = quantile(ms, 0.5);
            format!("{:4.0} MB/s {:5.2} µs", self.bytes / ms / 1e3, ms * 1e3 / self.events)
        };
        let ratios: Vec<f64> = self.javascript.iter().zip(&self.firstlight).map(|(js, ours)| js / ours).collect();
        let ratio = quantile(&ratios, 0.5);
        let (low, high) = (quantile(&ratios, 0.25), quantile(&ratios, 0.75));
        let (ours, js) = (speed(&self.firstlight), speed(&self.javascript));
        println!(
            "{name:<12} {:>3} kB  {ours:>17} {js:>17}   {ratio:.2} ({low:.2} to {high:.2})  {} characters in {} events of {:.0} bytes",
            read >> 10,
            self.chars,
            self.events,
            self.bytes / self.events,
        );
        ratio
    }
}

/// Nearest rank.
fn quantile(values: &[f64], q: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (q * sorted.len() as f64).ceil().max(1.0) as usize;
    sorted.get(rank - 1).copied().unwrap_or(f64::NAN)
}
