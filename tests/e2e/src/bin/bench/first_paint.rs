//! Whether a product's page shows its first content later with Firstlight in it: the plain example page with and without, by turns.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::json;

use firstlight_core::stats::{P50, P95};
use firstlight_e2e::rt::block_on;
use firstlight_e2e::site::{Files, Site};
use firstlight_e2e::{Browser, Engine, places};

use crate::figures::{difference_of_medians, percentile, spread, table};

/// The promise: the ratio's interval ends below this.
const PROMISE: f64 = 1.05;
/// What of the page is there for Firstlight alone stands between these.
const FROM: &str = "<!-- Firstlight -->";
const TO: &str = "<!-- / -->";
/// A natural logarithm in whole numbers, fine enough for a ratio.
const SCALE: f64 = 1e9;

/// The browser's own stamp. It is there long before anybody asks.
const PAINT: &str = "for (const end = performance.now() + 20000; performance.now() < end;) {\
    const paint = performance.getEntriesByName('first-contentful-paint')[0];\
    if (paint) return paint.startTime;\
    await new Promise((later) => setTimeout(later, 20));\
    } throw new Error('no first contentful paint');";
/// Until the element is there, so that nothing of it goes on in the next page.
const READY: &str = "while (!document.querySelector('firstlight-test')?.shadowRoot?.querySelector('[part=start]'))\
    await new Promise((later) => setTimeout(later, 20));";

/// What to run.
#[derive(clap::Args)]
pub struct Args {
    /// Rounds; in each, the page is opened once with and once without
    #[arg(long, default_value_t = 80, value_parser = clap::value_parser!(u32).range(20..))]
    rounds: u32,
    /// As few rounds as show anything
    #[arg(long)]
    quick: bool,
}

/// Over which line the page comes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    /// As it is on this machine.
    Loopback,
    /// As in a mobile network: Chromium alone can be told to.
    Slow,
}

impl Line {
    fn name(self) -> &'static str {
        match self {
            Line::Loopback => "this machine",
            Line::Slow => "1.6 Mbit/s, 150 ms",
        }
    }
}

/// Prints; false if the page with Firstlight may be later than promised.
pub fn run(args: &Args) -> Result<bool> {
    let rounds = if args.quick { 20 } else { args.rounds };
    let folder = places::hosts().join("plain");
    let html = std::fs::read_to_string(folder.join("index.html"))
        .with_context(|| format!("there is no page in {}: run `cargo xtask hosts`", folder.display()))?;
    let exchange = parts(&html)?.into_iter().map(|part| (part, String::new())).collect();
    let without = Site::start(Files { folder: folder.clone(), exchange, ..Files::default() })?;
    let with = Site::start(Files { folder, ..Files::default() })?;
    println!(
        "first contentful paint of examples/hosts/plain, by the browser's own stamp, ms from the navigation's start; {rounds} rounds by \
         turns, nothing cached; ratio of the medians, with its 95 % interval"
    );
    let (mut rows, mut holds) = (Vec::new(), true);
    for (engine, lines) in [(Engine::Chromium, &[Line::Loopback, Line::Slow][..]), (Engine::Firefox, &[Line::Loopback][..])] {
        let browser = Browser::start(engine)?;
        for line in lines {
            if *line == Line::Slow {
                browser.cdp("Network.enable", json!({}))?;
                let slow = json!({"offline": false, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750});
                browser.cdp("Network.emulateNetworkConditions", slow)?;
            }
            let [without, with] = by_turns(&browser, *line, [&without, &with], rounds)?;
            let (ratio, (low, high)) = ratio(&without, &with).context("too few rounds for an interval")?;
            holds &= high < PROMISE;
            let [without, with] = [without, with].map(|us| spread(&us, &[P50, P95], false));
            let ratio = format!("{ratio:.3} ({low:.3} to {high:.3})");
            rows.push(vec![format!("{engine:?}"), line.name().to_owned(), rounds.to_string(), without, with, ratio]);
        }
    }
    println!("{}", table(&["browser", "line", "n", "without: p50 / p95", "with: p50 / p95", "ratio"], &rows));
    println!("promised: the interval ends below {PROMISE}");
    Ok(holds)
}

/// What the page has for Firstlight alone.
fn parts(html: &str) -> Result<Vec<String>> {
    let parts: Vec<String> =
        html.split(FROM).skip(1).filter_map(|rest| rest.split_once(TO)).map(|(part, _)| format!("{FROM}{part}{TO}")).collect();
    let all = parts.concat();
    if !(all.contains("element.js") && all.contains("<firstlight-test")) {
        bail!("the page does not say which parts of it are there for Firstlight");
    }
    Ok(parts)
}

/// The µs until the first paint of both pages, each opened as often; who is first changes every round.
fn by_turns(browser: &Browser, line: Line, pages: [&Site; 2], rounds: u32) -> Result<[Vec<i64>; 2]> {
    let mut took = [Vec::new(), Vec::new()];
    // The first of each is no figure: there is nothing of a renderer yet.
    for round in 0..=rounds {
        let order = if round % 2 == 0 { [0, 1] } else { [1, 0] };
        for which in order {
            block_on(browser.client().goto(pages[which].origin()))?;
            let ms = browser.execute_async(PAINT, vec![])?.as_f64().context("no number")?;
            if which == 1 && line == Line::Loopback {
                browser.execute_async(READY, vec![])?;
            }
            if round > 0 {
                took[which].push((ms * 1000.0).round() as i64);
            }
            block_on(browser.client().goto("about:blank"))?;
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    Ok(took)
}

/// Of the medians, `b` to `a`, with its interval. The logarithm keeps the order, so that of a median is the median of logarithms, and a
/// difference of those is a ratio.
fn ratio(a: &[i64], b: &[i64]) -> Option<(f64, (f64, f64))> {
    let [a, b] = [a, b].map(|us| us.iter().map(|us| ((*us as f64).ln() * SCALE).round() as i64).collect::<Vec<i64>>());
    let (low, high) = difference_of_medians(&a, &b)?;
    let of = |log: i64| (log as f64 / SCALE).exp();
    Some((of(percentile(&b, P50)? - percentile(&a, P50)?), (of(low), of(high))))
}

#[cfg(test)]
mod tests {
    use super::{parts, ratio};

    #[test]
    fn a_ratio_lies_in_its_interval() {
        let a: Vec<i64> = (0..80).map(|n| 100_000 + n * 7 % 40 * 500).collect();
        let b: Vec<i64> = a.iter().map(|us| us * 11 / 10).collect();
        let (of, (low, high)) = ratio(&a, &b).expect("a ratio");
        assert!((of - 1.1).abs() < 1e-4 && low < of && of < high, "{of} {low} {high}");
        let (same, (low, high)) = ratio(&a, &a).expect("a ratio");
        assert!((same - 1.0).abs() < 1e-9 && low < 1.0 && high > 1.0, "{same} {low} {high}");
    }

    #[test]
    fn the_example_page_says_what_is_for_firstlight() {
        let html = include_str!("../../../../../examples/hosts/plain/index.html");
        let parts = parts(html).expect("its parts");
        let rest = parts.iter().fold(html.to_owned(), |page, part| page.replace(part, ""));
        assert!(!rest.to_lowercase().contains("firstlight") && !rest.contains("<script"), "{rest}");
        assert!(rest.contains("page.css") && rest.contains("<h1>"), "{rest}");
    }
}
