//! How quickly charts of a long run answer a pointer: from a real pointer event, as the browser stamped it, to the presentation
//! of the frame in which every chart in the window shows what it did.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use firstlight_core::Micros;
use firstlight_core::stats::{P50, P95};
use firstlight_e2e::{Browser, Engine, Page, Served};

use crate::figures::{percentile, spread, table};
use crate::large::long_run;

/// The promise, for p95.
const PROMISE: Micros = Micros(50_000);
const LIMIT: Duration = Duration::from_secs(120);
/// Charts with a spot for each request, and one with few.
const CHARTS: [&str; 3] = ["over_time", "ecdf", "by_nines"];
const SCRIPT: &str = include_str!("www/hover.js");

/// What to run.
#[derive(clap::Args)]
pub struct Args {
    /// Requests of the run
    #[arg(long, default_value_t = 10_000)]
    requests: u32,
    /// Movements in each chart; brushes are half of them
    #[arg(long, default_value_t = 60)]
    moves: u32,
}

/// What the pointer does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    /// It moves to another request.
    Hover,
    /// It moves while a brush is being drawn.
    Drag,
    /// It lets go of a brush.
    Brush,
    /// It moves right after that, while the charts outside the window and the list follow.
    HoverAfter,
}

impl Act {
    const ALL: [Act; 4] = [Act::Hover, Act::Drag, Act::Brush, Act::HoverAfter];

    fn name(self) -> &'static str {
        match self {
            Act::Hover => "hover: ring and values",
            Act::Drag => "brush drawn: rectangle and count",
            Act::Brush => "brush let go: selection in every chart in the window",
            Act::HoverAfter => "hover right after a brush",
        }
    }
}

/// Prints; false if a chart answers later than promised.
pub fn run(args: &Args) -> Result<bool> {
    let served = Served::start()?;
    let browser = Browser::start(Engine::Chromium)?;
    let long = long_run(&served, &browser, args.requests)?;
    let page = served.open(&browser)?;
    page.choose_file(long.path())?;
    page.wait_for_state("done", LIMIT)?;
    page.wait_until("return document.querySelectorAll('.figure-frame').length > 5;")?;
    page.show_charts()?;
    browser.execute(SCRIPT, vec![])?;
    println!(
        "{} requests, Chromium; ms from the pointer event (the browser's own stamp) to the presentation of the last frame that \
         changes a chart in the window (Element Timing of a mark put into the same frame), and until the page had made that frame",
        args.requests
    );
    let mut rows = Vec::new();
    let mut holds = true;
    for chart in CHARTS {
        let pointer = Pointer::over(&page, chart)?;
        for act in Act::ALL {
            let n = if act == Act::Hover { args.moves } else { args.moves.div_ceil(2) };
            let mut took = Vec::new();
            for nth in 0..n {
                took.extend(pointer.act(act, nth)?);
            }
            let of = |which: usize| took.iter().map(|both| (both[which] * 1000.0) as i64).collect::<Vec<i64>>();
            let (presented, made) = (of(0), of(1));
            holds &= percentile(&presented, P95).context("nothing changed in any chart")? <= PROMISE.0;
            let marked = if act == Act::Brush { pointer.marked()? } else { String::new() };
            let [presented, made] = [presented, made].map(|times| spread(&times, &[P50, P95], true));
            rows.push(vec![chart.to_owned(), act.name().to_owned(), took.len().to_string(), presented, made, marked]);
        }
    }
    let head = ["chart", "what", "n", "presented: p50 / p95 / max", "made by the page", "charts marked, in the window"];
    println!("{}", table(&head, &rows));
    println!("promised: presented after at most {} ms at p95", PROMISE.as_ms());
    Ok(holds)
}

/// The mouse over one chart.
struct Pointer<'p> {
    page: &'p Page<'p>,
    /// Left, top, width and height of the drawing in the window.
    area: [f64; 4],
}

impl<'p> Pointer<'p> {
    fn over(page: &'p Page<'p>, chart: &str) -> Result<Pointer<'p>> {
        const AREA: &str = "const [chart] = args; const svg = document.querySelector(`#chart-${chart} .drawing svg`);\
            svg.scrollIntoView({ block: 'center' }); await new Promise(r => setTimeout(r, 500));\
            const box = svg.getBoundingClientRect(); return [box.left, box.top, box.width, box.height];";
        let area = page.browser().execute_async(AREA, vec![chart.into()])?;
        Ok(Pointer { page, area: serde_json::from_value(area)? })
    }

    /// Does it once, in another place each time; none if nothing had to change.
    fn act(&self, act: Act, nth: u32) -> Result<Option<[f64; 2]>> {
        let golden = |of: f64| (f64::from(nth) * of).fract();
        let (x, y) = (0.2 + 0.75 * golden(0.618), 0.15 + 0.65 * golden(0.382));
        match act {
            Act::Hover => {
                self.arm("pointermove")?;
                self.mouse("mouseMoved", (x, y), false)?;
            }
            Act::Drag | Act::Brush | Act::HoverAfter => {
                self.mouse("mouseMoved", (0.1, 0.82), false)?;
                self.mouse("mousePressed", (0.1, 0.82), true)?;
                self.mouse("mouseMoved", (x * 0.7, y * 0.7), true)?;
                std::thread::sleep(Duration::from_millis(60));
                if act == Act::Drag {
                    self.arm("pointermove")?;
                }
                self.mouse("mouseMoved", (x, y), true)?;
                if act == Act::Drag {
                    let took = self.took();
                    self.mouse("mouseReleased", (x, y), true)?;
                    self.settle();
                    return took;
                }
                std::thread::sleep(Duration::from_millis(60));
                if act == Act::Brush {
                    self.arm("pointerup")?;
                }
                self.mouse("mouseReleased", (x, y), true)?;
                if act == Act::HoverAfter {
                    self.arm("pointermove")?;
                    self.mouse("mouseMoved", (1.0 - x, 1.0 - y), false)?;
                }
            }
        }
        let took = self.took();
        if act != Act::Hover {
            self.settle();
        }
        took
    }

    /// Until the list has followed.
    fn settle(&self) {
        std::thread::sleep(Duration::from_millis(700));
    }

    fn arm(&self, event: &str) -> Result<()> {
        self.page.browser().execute("bench.arm(arguments[0]);", vec![event.into()]).map(|_| ())
    }

    fn took(&self) -> Result<Option<[f64; 2]>> {
        Ok(serde_json::from_value(self.page.browser().execute_async("return await bench.took();", vec![])?)?)
    }

    fn marked(&self) -> Result<String> {
        let said = self.page.browser().execute("return bench.marked();", vec![])?;
        let of = |at: usize| said.get(at).and_then(Value::as_u64).context("no number of charts");
        Ok(format!("{} of {}", of(1)?, of(0)?))
    }

    fn mouse(&self, kind: &str, (x, y): (f64, f64), held: bool) -> Result<()> {
        let [left, top, width, height] = self.area;
        let (x, y) = (left + x * width, top + y * height);
        let pressed = kind != "mouseMoved";
        let button = if held || pressed { "left" } else { "none" };
        let buttons = u32::from(held && kind != "mouseReleased");
        let event =
            json!({"type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": u32::from(pressed)});
        self.page.browser().cdp("Input.dispatchMouseEvent", event).map(|_| ())
    }
}
