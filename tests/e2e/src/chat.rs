//! A chat page before a real engine: by turns it talks, watched by the package's passive part, and has the package's measuring part ask
//! the same. What the two say of the same kind of request is held against each other.

use anyhow::{Context, Result, anyhow, ensure};
use firstlight_core::Micros;
use firstlight_core::mark::Mark;
use firstlight_core::report::Run;
use firstlight_core::server_report::Boundary;
use firstlight_core::stats::{Distribution, Interval, P50};
use firstlight_core::trace::Trace;
use firstlight_server::Options;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::llama::{Llama, Options as Size};
use crate::tape::Tape;
use crate::{Browser, Page, Served, places};

const PAGE: [(&str, &str); 3] = [
    ("index.html", include_str!("../pages/chat.html")),
    ("chat.css", include_str!("../pages/chat.css")),
    ("chat.js", include_str!("../pages/chat.js")),
];
/// Calls a scenario of the page.
const CALL: &str = "const page = window.wrappedJSObject ?? window;\
    return await new Promise((give, fail) => page.host(args[0], args[1]).then((said) => give(String(said)), (error) => fail(String(error))));";

/// Answers of some dozens of milliseconds: more than a frame, so that streams are streams.
const ENGINE: Size = Size { slots: 2, context: 1024, layers: 4, width: 256 };
/// Of each answer.
pub const TOKENS: u32 = 16;

/// Both ask at this rate: an engine that has just ended an answer is slower to begin the next.
const PER_SECOND: u32 = 5;

/// So far apart the two may be, in the median, of what lies outside the server's own report, µs.
pub const ARRIVAL: i64 = 4_000;
/// And with the earliest instant of the first text: a frame more.
pub const SEEN: i64 = ARRIVAL + 16_667;
/// Presentation times are multiples of this, rounded up, µs.
const ROUNDED_UP: i64 = 4_000;
/// The clock's, µs.
const STEP: i64 = 100;

/// The page, opened, and the engine.
pub struct Chat<'a> {
    page: Page<'a>,
    /// What the page and the engine say to each other.
    pub tape: Tape,
    _served: Served,
    _llama: Llama,
    _site: TempDir,
}

/// As many requests by each part, one after the other.
pub struct Block {
    /// By the measuring part.
    pub measured: Vec<Trace>,
    /// By the chat: `report` of the passive part, `read` by the page, its own instants `between` which each mark lies, and when
    /// the first text was `presented`.
    pub chats: Vec<Value>,
}

/// One figure of both parts.
pub struct Compared {
    /// Which.
    pub what: &'static str,
    /// In so many blocks.
    pub blocks: usize,
    /// Passive − measured: of each block the medians' difference, of these the median's 95 % interval, µs.
    pub interval: (i64, i64),
    /// So far apart they may be, µs.
    pub bound: i64,
}

impl Compared {
    /// The whole interval lies within the bound.
    pub fn agrees(&self) -> bool {
        let (lower, upper) = self.interval;
        -self.bound <= lower && upper <= self.bound
    }
}

impl<'a> Chat<'a> {
    /// Starts the engine and opens the page.
    pub fn open(browser: &'a Browser) -> Result<Chat<'a>> {
        let llama = Llama::start(ENGINE)?;
        let tape = Tape::before(&llama.chat_url())?;
        let site = tempfile::tempdir()?;
        for (name, text) in PAGE {
            std::fs::write(site.path().join(name), text)?;
        }
        for part in ["", "measure", "passive"] {
            places::copy_npm(part, &site.path().join("firstlight").join(part))?;
        }
        let served = Served::start_as(Options { dist: Some(site.path().to_owned()), ..Options::default() })?;
        let page = Page::open(browser, &served.running().page_url())?;
        Ok(Chat { page, tape, _served: served, _llama: llama, _site: site })
    }

    /// So many blocks of so many requests by each part. Neither is always the first.
    pub fn blocks(&self, count: usize, requests: usize) -> Result<Vec<Block>> {
        let config = json!({
            "url": self.tape.url(), "prompt": "Why is the sky blue?", "max_tokens": TOKENS, "requests": requests,
            "load": {"shape": {"open": {"per_second": PER_SECOND, "spacing": "even"}}, "max_in_flight": 1},
        });
        (0..count).map(|number| self.block(&config, number).with_context(|| format!("block {number}"))).collect()
    }

    fn block(&self, config: &Value, number: usize) -> Result<Block> {
        let said = self.ask("block", &json!([config, number]))?;
        let run = Run::from_json(&said["run"].to_string()).map_err(|error| anyhow!("{error}"))?;
        let measured = run.traces.into_iter().filter(|trace| !trace.planned.warmup).collect();
        let chats = said["chats"].as_array().context("no list of chats")?.clone();
        Ok(Block { measured, chats })
    }

    /// What went wrong in the page.
    pub fn problems(&self) -> Result<Value> {
        self.ask("left", &json!([]))
    }

    fn ask(&self, scenario: &str, args: &Value) -> Result<Value> {
        let said = self.page.browser().execute_async(CALL, vec![json!(scenario), json!(args.to_string())])?;
        Ok(serde_json::from_str(said.as_str().context("no text")?)?)
    }
}

type OfTrace = fn(&Trace) -> Option<i64>;
type OfChat = fn(&Value) -> Option<i64>;

/// What both parts say of a request, and how far apart they may be.
const BOTH: [(&str, i64, OfTrace, OfChat); 4] = [
    (
        "first read",
        ARRIVAL,
        |trace| outside(trace, trace.marks.get(Mark::FirstRead).ok()?, false),
        |chat| outside_chat(chat, &chat["report"]["marks"]["firstRead"], false),
    ),
    (
        "last read",
        ARRIVAL,
        |trace| outside(trace, trace.reads.last()?.at, true),
        |chat| outside_chat(chat, &chat["report"]["marks"]["lastRead"], true),
    ),
    (
        "end of the body",
        ARRIVAL,
        |trace| outside(trace, trace.marks.get(Mark::BodyEnd).ok()?, true),
        |chat| outside_chat(chat, &chat["report"]["marks"]["bodyEnd"], true),
    ),
    (
        "first text, earliest",
        SEEN,
        |trace| outside(trace, trace.first_visible.ok()?.earliest, false),
        |chat| outside_chat(chat, &chat["report"]["firstVisible"]["earliest"], false),
    ),
];

/// Every figure that both have.
pub fn compared(blocks: &[Block]) -> Result<Vec<Compared>> {
    BOTH.into_iter().map(|(what, bound, of_trace, of_chat)| compare(what, bound, blocks, of_trace, of_chat)).collect()
}

fn compare(what: &'static str, bound: i64, blocks: &[Block], of_trace: OfTrace, of_chat: OfChat) -> Result<Compared> {
    let median = |values: Vec<i64>| Distribution::new(values, Vec::new()).median();
    let of = |block: &Block| {
        let measured = median(block.measured.iter().filter_map(of_trace).collect())?;
        Some(median(block.chats.iter().filter_map(of_chat).collect())? - measured)
    };
    let differences: Vec<i64> = blocks.iter().filter_map(of).collect();
    let n = differences.len();
    // What is not in one block in five is not compared by the rest.
    ensure!(n * 5 >= blocks.len() * 4, "{what}: in {n} of {} blocks", blocks.len());
    match Distribution::new(differences, Vec::new()).interval(P50) {
        Interval::Between { lower, upper } => Ok(Compared { what, blocks: n, interval: (lower.value, upper.value), bound }),
        Interval::Needs { at_least, has } => Err(anyhow!("{what}: needs {at_least} blocks, has {has}")),
    }
}

/// From sending to an instant, without what the server says of itself: of the measuring part …
fn outside(trace: &Trace, instant: Micros, with_decode: bool) -> Option<i64> {
    let reported = |boundary: Boundary| Some(trace.spans.iter().find(|span| span.boundary == boundary)?.value.0);
    let decode = if with_decode { reported(Boundary::Decode)? } else { 0 };
    Some((instant - trace.marks.get(Mark::Sent).ok()?).0 - reported(Boundary::Prefill)? - decode)
}

/// … and of the passive part; none where the instant is absent.
fn outside_chat(chat: &Value, instant: &Value, with_decode: bool) -> Option<i64> {
    let report = &chat["report"];
    let decode = if with_decode { us(&report["counts"]["predicted_ms"])? } else { 0 };
    Some(us(instant)? - us(&report["marks"]["sent"])? - us(&report["counts"]["prompt_ms"])? - decode)
}

/// Of milliseconds.
fn us(ms: &Value) -> Option<i64> {
    Some((ms.as_f64()? * 1_000.0).round() as i64)
}

/// What Element Timing tells of an element that the chat itself marked when it made it, against the bounds of the passive part.
#[derive(Debug, Default)]
pub struct Seen {
    /// Answers of which it tells.
    pub told: usize,
    /// Of these, with a lower bound.
    pub bounded_below: usize,
    /// Seen before that.
    pub before: usize,
    /// With an upper bound.
    pub bounded_above: usize,
    /// Seen after that.
    pub after: usize,
}

/// Counts over all chats.
pub fn seen(blocks: &[Block]) -> Seen {
    let mut counts = Seen::default();
    for chat in blocks.iter().flat_map(|block| &block.chats) {
        let Some(seen) = us(&chat["presented"]) else { continue };
        let bounds = &chat["report"]["firstVisible"];
        counts.told += 1;
        if let Some(earliest) = us(&bounds["earliest"]) {
            counts.bounded_below += 1;
            counts.before += usize::from(seen + STEP < earliest);
        }
        if let Some(latest) = us(&bounds["latest"]) {
            counts.bounded_above += 1;
            counts.after += usize::from(seen - ROUNDED_UP - STEP > latest);
        }
    }
    counts
}
