//! The views, and how each is reached.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use firstlight_e2e::page::{Page, Setup};
use firstlight_e2e::{Browser, Served};

/// A run for a picture ends within this.
pub const LIMIT: Duration = Duration::from_secs(300);

/// Colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    fn name(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

/// A screen.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// In CSS pixels.
    pub width: u32,
    /// In CSS pixels.
    pub height: u32,
    /// Which colours the person prefers.
    pub theme: Theme,
}

impl Look {
    /// Makes the browser look like this from now on.
    pub fn apply(self, browser: &Browser) -> Result<()> {
        let size = json!({"width": self.width, "height": self.height, "deviceScaleFactor": 1, "mobile": false});
        browser.cdp("Emulation.setDeviceMetricsOverride", size)?;
        // They would take their width from some pictures and not from others.
        browser.cdp("Emulation.setScrollbarsHidden", json!({"hidden": true}))?;
        let scheme = json!({"features": [{"name": "prefers-color-scheme", "value": self.theme.name()}]});
        browser.cdp("Emulation.setEmulatedMedia", scheme)?;
        Ok(())
    }
}

/// A picture of the window, or of the whole page.
pub fn capture(browser: &Browser, kind: Kind, whole_page: bool) -> Result<Vec<u8>> {
    let wanted = json!({"format": kind.extension(), "quality": 82, "captureBeyondViewport": whole_page});
    let picture = browser.cdp("Page.captureScreenshot", wanted)?;
    let data = picture.get("data").and_then(|data| data.as_str()).context("no picture")?;
    Ok(STANDARD.decode(data)?)
}

/// Writes a picture and says so.
pub fn write(path: &Path, picture: &[u8]) -> Result<()> {
    std::fs::write(path, picture).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

/// How a picture is kept.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Without loss.
    Png,
    /// Small, for documents.
    Webp,
}

impl Kind {
    fn extension(self) -> &'static str {
        match self {
            Kind::Png => "png",
            Kind::Webp => "webp",
        }
    }
}

/// What pictures are taken, and how.
pub struct Wanted<'a> {
    /// Where they are written to.
    pub directory: &'a Path,
    /// In which languages.
    pub languages: &'a [&'a str],
    /// How they are kept.
    pub kind: Kind,
    /// Only what the window shows.
    pub viewport: bool,
}

/// Every view in every look.
pub fn all(browser: &Browser, served: &Served, wanted: &Wanted<'_>) -> Result<()> {
    let Wanted { directory, languages, kind, viewport } = *wanted;
    for (width, height) in [(1440, 900), (390, 844)] {
        let shoot = |view: &str, page: &Page<'_>| -> Result<()> {
            for language in languages {
                page.set("language", language)?;
                for theme in [Theme::Light, Theme::Dark] {
                    Look { width, height, theme }.apply(browser)?;
                    let name = format!("{view}-{language}-{}-{width}.{}", theme.name(), kind.extension());
                    write(&directory.join(name), &capture(browser, kind, !viewport)?)?;
                }
            }
            Ok(())
        };
        Look { width, height, theme: Theme::Light }.apply(browser)?;
        setup_and_problems(served, browser, &shoot)?;
        running(served, browser, &shoot)?;
        results(served, browser, &shoot)?;
        race(served, browser, &shoot)?;
        lessons(served, browser, &shoot)?;
    }
    Ok(())
}

type Shoot<'a> = &'a dyn Fn(&str, &Page<'_>) -> Result<()>;

fn setup_and_problems(served: &Served, browser: &Browser, shoot: Shoot<'_>) -> Result<()> {
    let page = served.open(browser)?;
    shoot("setup", &page)?;
    page.fill_in(&Setup::new().with("target-kind", "own").with("recipe", "anthropic"))?;
    page.toggle_more()?;
    shoot("recipe", &page)?;
    page.fill_in(&Setup::own("localhost:8080/v1").with("headers", "X-Team Alpha").with("requests", 0))?;
    page.click("run")?;
    page.wait_until("const p = document.getElementById('problems'); return !!p && p.innerText.trim() !== '';")?;
    shoot("problems", &page)
}

fn running(served: &Served, browser: &Browser, shoot: Shoot<'_>) -> Result<()> {
    let page = served.open(browser)?;
    let before = served.truths("running").len();
    let setup = Setup::own(&served.endpoint("preset=chat&rid=running")).with("requests", 200).with("warmup", 0);
    page.fill_in(&setup)?;
    page.click("run")?;
    served.wait_for_truth("running", |truths| truths.len() >= before + 4)?;
    shoot("running", &page)?;
    page.click("stop")?;
    page.wait_done(LIMIT)
}

fn results(served: &Served, browser: &Browser, shoot: Shoot<'_>) -> Result<()> {
    let page = served.open(browser)?;
    page.measure(&Setup::built_in("worked-example").with("mode", "both").with("requests", 30), LIMIT)?;
    page.show_charts()?;
    browser.execute("scrollTo(0, 0);", vec![])?;
    shoot("results", &page)?;
    browser.execute("document.querySelector('#requests-table button').click();", vec![])?;
    page.wait_until("return !!document.querySelector('#waterfall [data-part]');")?;
    shoot("waterfall", &page)?;
    let page = served.open(browser)?;
    page.measure(&Setup::own(&served.endpoint("preset=fast&fault=status-401")).with("requests", 4), LIMIT)?;
    shoot("failures", &page)
}

fn race(served: &Served, browser: &Browser, shoot: Shoot<'_>) -> Result<()> {
    let page = Page::open(browser, &format!("{}#race", served.running().page_url()))?;
    page.fill_in(&Setup::own(&served.endpoint("preset=chat")).with("race-count", 10))?;
    shoot("race", &page)?;
    page.click("race-start")?;
    page.wait_for_state("running", LIMIT)?;
    page.wait_done(LIMIT)?;
    page.click("race-pairs")?;
    page.wait_until("return !!document.getElementById('race-open');")?;
    shoot("race-verdict", &page)
}

fn lessons(served: &Served, browser: &Browser, shoot: Shoot<'_>) -> Result<()> {
    const UNFOLD: &str =
        "const of = document.getElementById('lesson-not-only-model'); if (!of.open) of.querySelector('summary').click();";
    let page = Page::open(browser, &format!("{}#lessons", served.running().page_url()))?;
    shoot("lessons", &page)?;
    browser.execute(UNFOLD, vec![])?;
    page.wait_until("return !!document.getElementById('run-not-only-model');")?;
    page.click("run-not-only-model")?;
    page.wait_for_state("running", LIMIT)?;
    page.wait_for_state("lessons", LIMIT)?;
    shoot("lesson", &page)
}
