//! Where a bench plays: the product's page with the bench's script in it, a server, a screen that is watched, and a browser that
//! nothing drives.

use std::ffi::OsString;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::json;
use tempfile::TempDir;

use firstlight_core::config::{RunConfig, ThreadChoice};
use firstlight_e2e::guard::Guarded;
use firstlight_e2e::{Engine, Served, engine, places};
use firstlight_server::Options;
use firstlight_server::browser::{Browser, Kind, Launch};

use crate::mailbox::Mailbox;
use crate::screen::{Area, Prober, Screen};

/// A page must have been opened and laid out after this.
const OPEN: Duration = Duration::from_secs(90);
/// The script that the product's page gets.
const SCRIPT: &str = include_str!("www/bench.js");
/// Pages of the benches' own, beside the product's.
const PAGES: [(&str, &str); 6] = [
    ("bare.html", include_str!("www/bare.html")),
    ("bare.js", include_str!("www/bare.js")),
    ("events.js", include_str!("www/events.js")),
    ("plain.html", include_str!("www/plain.html")),
    ("plain.js", include_str!("www/plain.js")),
    ("bench.css", include_str!("www/bench.css")),
];

/// What the page is to do beside its work.
#[derive(Clone, Copy, Debug)]
pub struct Staging {
    /// The page is cross-origin isolated.
    pub isolated: bool,
    /// The page tells the place of each request at the end.
    pub follow: bool,
    /// When the main thread is kept busy, if at all: `before`, `after`, `same`.
    pub block: Option<&'static str>,
    /// Every piece is marked for a trace.
    pub mark: bool,
    /// The page asks which page to open next.
    pub next: bool,
}

/// Everything but the browser.
pub struct Stage {
    /// The server with its truth.
    pub served: Served,
    /// What the page says.
    pub mailbox: Mailbox,
    /// What the screen shows.
    pub prober: Prober,
    screen: Screen,
    _site: TempDir,
}

/// A browser on the screen.
pub enum Shown {
    /// One that the server's library starts.
    Launched(Browser),
    /// WebKitGTK's own.
    Mini(Guarded),
}

/// One answer's place, as the page says.
#[derive(Deserialize)]
struct Place {
    x: f64,
    width: f64,
    top: f64,
    line: f64,
    bottom: f64,
    ratio: f64,
}

/// Which place each request had.
#[derive(Deserialize)]
struct Order {
    order: Vec<usize>,
}

#[derive(Deserialize)]
struct Places {
    places: Vec<Place>,
}

impl Stage {
    /// Starts it all.
    pub fn build(staging: Staging) -> Result<Stage> {
        let mailbox = Mailbox::open()?;
        let site = site(staging, &mailbox.url())?;
        let dist = Some(site.path().to_owned());
        let served = Served::start_as(Options { dist, isolate: staging.isolated, ..Options::default() })?;
        let screen = Screen::start()?;
        let prober = Prober::start(screen.picture()?, served.running().clock());
        Ok(Stage { served, mailbox, prober, screen, _site: site })
    }

    /// Opens a page in a fresh browser that fills the screen.
    pub fn open(&self, engine: Engine, url: &str, arguments: &[OsString]) -> Result<Shown> {
        let display = self.screen.display();
        let kind = match engine {
            Engine::Chromium => Kind::Chromium,
            Engine::Firefox => Kind::Firefox,
            Engine::WebKit => {
                let program = engine::mini_browser()?;
                let args = ["--private", "--full-screen", url].map(OsString::from);
                return Ok(Shown::Mini(Guarded::start(&program, &args, &[("DISPLAY", display.clone())])?));
            }
        };
        let mut arguments = arguments.to_vec();
        if engine == Engine::Chromium {
            // Without a window manager it would leave a margin.
            arguments.push("--window-position=0,0".into());
        }
        let arguments = &arguments;
        let launch = Launch { kind, binary: None, url, accept: None, without_env: None, display: Some(display), arguments };
        Ok(Shown::Launched(Browser::launch(launch)?))
    }

    /// Waits until the page says which place each request had, in the order in which they began.
    pub fn order(&mut self) -> Result<Vec<usize>> {
        let said: Order = serde_json::from_value(self.mailbox.wait(OPEN)?).context("the page said something else")?;
        Ok(said.order)
    }

    /// Waits until the page says where its answers stand, and looks there from then on.
    pub fn watch_answers(&mut self) -> Result<()> {
        let said = self.mailbox.wait(OPEN)?;
        let found: Places = serde_json::from_value(said).context("the page said something else than its places")?;
        // One request at a time uses two places by turns; to look at the others would only cost time.
        self.prober.watch(found.places.iter().take(2).map(Place::area).collect());
        Ok(())
    }
}

impl Shown {
    /// What it said last, for a message.
    pub fn last_lines(&self) -> String {
        match self {
            Shown::Launched(browser) => browser.last_lines().join("\n"),
            Shown::Mini(browser) => browser.log(),
        }
    }
}

impl Place {
    /// A row through the small letters of each line.
    fn area(&self) -> Area {
        let mut rows = Vec::new();
        let mut line = self.top;
        while line + self.line / 2.0 + 4.0 < self.bottom {
            rows.push(((line + self.line / 2.0 + 1.0) * self.ratio).round() as u32);
            line += self.line;
        }
        let pixels = |css: f64| (css * self.ratio).round().max(0.0) as u32;
        // Without the frame of the place.
        Area { x: pixels(self.x + 2.0), width: pixels(self.width - 4.0), rows }
    }
}

/// A run of a bench against an endpoint, one request at a time.
pub fn config(url: String, requests: u32, warmup: u32, thread: ThreadChoice) -> RunConfig {
    let prompt = "Why is the sky blue?".to_owned();
    RunConfig { prompt, requests, warmup, thread, timeout_ms: 20_000, ..RunConfig::of(url) }
}

/// The product's built page with the bench's script before its own, and the benches' pages.
pub fn site(staging: Staging, mailbox: &str) -> Result<TempDir> {
    let site = tempfile::Builder::new().prefix("firstlight-site-").tempdir()?;
    places::copy_dist(site.path())?;
    let index = std::fs::read_to_string(site.path().join("index.html"))?;
    let with_script = index.replacen("<script ", "<script src=\"./bench.js\"></script>\n    <script ", 1);
    anyhow::ensure!(with_script != index, "the page has no script before which the bench's could stand");
    std::fs::write(site.path().join("index.html"), with_script)?;
    let Staging { follow, block, mark, next, .. } = staging;
    let bench = json!({"mailbox": mailbox, "follow": follow, "block": block, "mark": mark, "next": next});
    std::fs::write(site.path().join("bench.js"), format!("const BENCH = {bench};\n{SCRIPT}"))?;
    for (name, text) in PAGES {
        std::fs::write(site.path().join(name), text)?;
    }
    Ok(site)
}
