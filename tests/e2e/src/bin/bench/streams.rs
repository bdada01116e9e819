//! How many streams a page keeps up with: stamping lag over a ladder of parallel streams, Firstlight against a plain page whose
//! texts grow, by turns, over HTTP/2, in one browser that nothing drives.

use std::time::Duration;

use anyhow::{Context, Result};
use serde::Deserialize;

use firstlight_core::Micros;
use firstlight_core::config::{RunConfig, Secrets, ThreadChoice};
use firstlight_core::report::{AutoJob, ClockProbe, Run};
use firstlight_core::stats::{P, P50, P99};
use firstlight_e2e::Served;
use firstlight_e2e::clock::Bounds;
use firstlight_e2e::rt::block_on;
use firstlight_engine::Kind as Piece;
use firstlight_server::browser::{Accept, Browser, Kind, Launch};
use firstlight_server::{Certificate, Options, Truth};

use crate::cost::form_query;
use crate::figures::{ms, percentile, table};
use crate::mailbox::Mailbox;
use crate::stage::{Staging, config, site};

/// The lag that may not be passed at p99: one frame of 60 Hz, in µs.
const FRAME: i64 = 16_700;
/// The promise: this many times the plain page's number of streams.
const TIMES: f64 = 3.0;
/// The streams' first second does not count.
const SETTLING: u64 = 1_000_000;
/// Both pages ask for the clock so often before and so often after.
const PROBES: u32 = 200;
/// The finest step of an isolated page's clock.
const STEP: Micros = Micros(5);
const STARTING: Duration = Duration::from_secs(120);

/// What to run.
#[derive(clap::Args)]
pub struct Args {
    /// Numbers of streams, from few to many
    #[arg(long, value_delimiter = ',', default_value = "5,10,15,20,30,40,60,80,100,150")]
    ladder: Vec<u32>,
    /// How often each number is measured; percentiles are the medians of the rounds'
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Where Firstlight reads replies: in its worker, or on the main thread
    #[arg(long)]
    main_thread: bool,
    /// How long the streams of Firstlight and of the plain page last, in seconds
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(2..=600))]
    seconds: u32,
    /// A short ladder, once
    #[arg(long)]
    quick: bool,
}

/// Stamps of one stream: when, and how many bytes.
type Reads = Vec<(i64, u32)>;

/// What the plain page tells.
#[derive(Deserialize)]
struct Told {
    probes: Vec<ClockProbe>,
    reads: Vec<Reads>,
}

struct Bench {
    served: Served,
    mailbox: Mailbox,
    browser: Option<Browser>,
    thread: ThreadChoice,
    seconds: u32,
}

/// Runs the ladder and prints; false if Firstlight does not keep up with three times as many streams.
pub fn run(args: &Args) -> Result<bool> {
    let (ladder, rounds) = if args.quick { (vec![10, 30, 60, 100], 1) } else { (args.ladder.clone(), args.rounds) };
    let mailbox = Mailbox::open()?;
    let staging = Staging { isolated: true, follow: false, block: None, mark: false, next: true };
    let site = site(staging, &mailbox.url())?;
    let of_default = Options::default();
    let https = Some(Certificate::fresh(&of_default.host)?);
    let served = Served::start_as(Options { dist: Some(site.path().to_owned()), https, ..of_default })?;
    let thread = if args.main_thread { ThreadChoice::Main } else { ThreadChoice::Worker };
    let mut bench = Bench { served, mailbox, browser: None, thread, seconds: args.seconds };
    println!(
        "stamping lag: read stamp − server's write, in ms; 50 chunks/s a stream for {} s over HTTP/2, answers shown",
        args.seconds
    );
    println!("the plain page shows every answer, Firstlight as many as it has places; its replies are read in: {thread:?}\n");
    let mut rows = Vec::new();
    let (mut of_plain, mut of_ours) = (Vec::new(), Vec::new());
    for streams in &ladder {
        let (mut plain, mut ours) = (Vec::new(), Vec::new());
        for round in 0..rounds {
            plain.push(bench.plain(*streams, round).with_context(|| format!("plain page, {streams} streams"))?);
            ours.push(bench.firstlight(*streams, round).with_context(|| format!("Firstlight, {streams} streams"))?);
        }
        let cells = [&plain, &ours].into_iter().flat_map(|lags| {
            let counted = lags.iter().map(Vec::len).sum::<usize>().to_string();
            [P50, P99].map(|p| typical(lags, p).map_or("–".to_owned(), ms)).into_iter().chain([counted])
        });
        let row: Vec<String> = std::iter::once(streams.to_string()).chain(cells).collect();
        eprintln!("{}", row.join("  "));
        rows.push(row);
        of_plain.push(typical(&plain, P99));
        of_ours.push(typical(&ours, P99));
    }
    let head = ["streams", "plain p50", "p99", "n", "Firstlight p50", "p99", "n"];
    println!("{}", table(&head, &rows));
    let (plain, ours) = (passes(&ladder, &of_plain), passes(&ladder, &of_ours));
    let words = |streams: Option<f64>| streams.map_or("the smallest number".to_owned(), |n| format!("{n:.0} streams"));
    println!("p99 passes {} ms at {} in the plain page, at {} in Firstlight", ms(FRAME), words(plain), words(ours));
    println!("expected: at least {TIMES} times as many");
    // A plain page that never keeps up passes it at the smallest number or before.
    let plain = plain.or(ladder.first().map(|least| f64::from(*least)));
    Ok(ours.zip(plain).is_some_and(|(ours, plain)| ours >= TIMES * plain))
}

/// The median of the rounds' percentiles: one hitch of the machine spoils one round.
fn typical(rounds: &[Vec<i64>], p: P) -> Option<i64> {
    let each: Vec<i64> = rounds.iter().filter_map(|lags| percentile(lags, p)).collect();
    percentile(&each, P50)
}

/// The number of streams at which p99 passes a frame: between two of the ladder, after neighbours that fall instead of rising were
/// averaged. The last of the ladder if it never does; none if it does from the start.
fn passes(ladder: &[u32], p99: &[Option<i64>]) -> Option<f64> {
    // Each: first and last number of streams, sum, count.
    let mut levels: Vec<(u32, u32, f64, f64)> = Vec::new();
    for (streams, p99) in ladder.iter().zip(p99) {
        let mut level = (*streams, *streams, (*p99)? as f64, 1.0);
        while let Some(before) = levels.pop_if(|before| before.2 / before.3 > level.2 / level.3) {
            level = (before.0, level.1, before.2 + level.2, before.3 + level.3);
        }
        levels.push(level);
    }
    let frame = FRAME as f64;
    let over = levels.iter().position(|level| level.2 / level.3 > frame);
    let Some(over) = over else { return ladder.last().map(|streams| f64::from(*streams)) };
    let (under, over) = (levels.get(over.checked_sub(1)?)?, levels.get(over)?);
    let (low, high) = (under.2 / under.3, over.2 / over.3);
    Some(f64::from(under.1) + f64::from(over.0 - under.1) * (frame - low) / (high - low))
}

impl Bench {
    fn open(&mut self, url: &str) -> Result<()> {
        match self.browser {
            Some(_) => self.mailbox.go_to(url),
            None => {
                let running = self.served.running();
                let origins = [running.origin(), running.second_origin()];
                let accept = running.certificate().map(|certificate| Accept { certificate, origins: &origins });
                let launch = Launch {
                    kind: Kind::Chromium,
                    binary: None,
                    url,
                    accept,
                    without_env: None,
                    display: None,
                    arguments: &[],
                };
                self.browser = Some(Browser::launch(launch)?);
            }
        }
        Ok(())
    }

    fn limit(&self) -> Duration {
        STARTING + Duration::from_secs(self.seconds.into())
    }

    fn endpoint(&self, rid: &str) -> String {
        let page = self.served.running().page_url();
        format!("{page}v1/chat/completions?preset=fast&ttft_ms=500&gap_ms=20&tokens={}&rid={rid}", 50 * self.seconds)
    }

    fn plain(&mut self, streams: u32, round: u32) -> Result<Vec<i64>> {
        let rid = format!("plain-{streams}-{round}");
        let query = form_query(&[("url", &self.endpoint(&rid)), ("streams", &streams.to_string())]);
        self.open(&format!("{}plain.html?{query}", self.served.running().page_url()))?;
        let told: Told =
            serde_json::from_value(self.mailbox.wait(self.limit())?).context("the plain page said something else")?;
        let truths: Vec<Truth> =
            (0..streams).filter_map(|n| self.served.truths(&format!("{rid}-{n}")).into_iter().next()).collect();
        lags(&told.probes, &told.reads, &truths)
    }

    fn firstlight(&mut self, streams: u32, round: u32) -> Result<Vec<i64>> {
        let rid = format!("ours-{streams}-{round}");
        let one = config(self.endpoint(&rid), streams, 0, self.thread);
        let config = RunConfig { concurrency: streams, timeout_ms: 1000 * self.seconds + 60_000, ..one };
        let job = AutoJob { config, secrets: Secrets::default(), clock_probes: PROBES };
        let automation = self.served.running().submit(job)?;
        self.open(&automation.url)?;
        // The places, which are of no interest here.
        self.mailbox.wait(self.limit())?;
        let report = block_on(async { tokio::time::timeout(self.limit(), automation.report).await });
        let report = report.context("no report")?.context("the server ended")??;
        let file = report.run.with_context(|| report.problems.join("; "))?;
        let run = Run::from_json(&serde_json::to_string(&file)?)?;
        let protocol = run.traces.iter().find_map(|trace| trace.network.as_ref().ok()?.protocol.clone());
        anyhow::ensure!(protocol.as_deref() == Some("h2"), "the protocol is {protocol:?}");
        let mut truths = self.served.truths(&rid);
        truths.sort_by_key(|truth| truth.received_us);
        // One address for all: the nth that was sent is the nth that came, since they share one connection.
        let mut traces: Vec<_> = run.traces.iter().collect();
        traces.sort_by_key(|trace| trace.marks.get(firstlight_core::mark::Mark::Sent).ok());
        let reads: Vec<Reads> =
            traces.iter().map(|trace| trace.reads.iter().map(|read| (read.at.0, read.bytes)).collect()).collect();
        lags(&report.clock_probes, &reads, &truths)
    }
}

/// Of every chunk of the answers: the stamp of the read that completed it behind its write.
fn lags(probes: &[ClockProbe], reads: &[Reads], truths: &[Truth]) -> Result<Vec<i64>> {
    anyhow::ensure!(reads.len() == truths.len(), "{} streams were read, {} were written", reads.len(), truths.len());
    let mut bounds = Bounds::new(STEP);
    probes.iter().for_each(|probe| bounds.probe(probe));
    let join = bounds.join().context("the two clocks drift apart")?;
    let mut lags = Vec::new();
    for (reads, truth) in reads.iter().zip(truths) {
        let mut reads = reads.iter();
        let (mut stamp, mut got, mut written) = (0, 0, 0);
        let begin = truth.pieces.first().map_or(0, |piece| piece.at_us);
        for piece in &truth.pieces {
            written += piece.bytes;
            while got < written {
                let (at, bytes) = reads.next().context("fewer bytes were read than written")?;
                (stamp, got) = (*at, got + *bytes as usize);
            }
            if piece.kind == Piece::Answer && piece.at_us >= begin + SETTLING {
                lags.push(stamp - join.on_page(piece.at_us as i64).0);
            }
        }
    }
    Ok(lags)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_at_which_a_frame_is_passed_lies_between_two_levels() {
        let ms = |all: &[i64]| all.iter().map(|ms| Some(ms * 1000)).collect::<Vec<_>>();
        let at = |all: &[i64]| passes(&[10, 20, 30, 40], &ms(all)).map(|n| (n * 10.0).round() / 10.0);
        assert_eq!(at(&[5, 10, 15, 16]), Some(40.0));
        assert_eq!(at(&[17, 18, 20, 30]), None);
        assert_eq!(at(&[6, 12, 20, 30]), Some(25.9));
        // 18 and 14 are one level of 16.
        assert_eq!(at(&[6, 18, 14, 30]), Some(30.5));
    }
}
