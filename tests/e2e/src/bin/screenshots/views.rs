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

/// A picture as PNG: of the window, or of the whole page.
pub fn capture(browser: &Browser, whole_page: bool) -> Result<Vec<u8>> {
    let picture = browser.cdp("Page.captureScreenshot", json!({"format": "png", "captureBeyondViewport": whole_page}))?;
    let data = picture.get("data").and_then(|data| data.as_str()).context("no picture")?;
    Ok(STANDARD.decode(data)?)
}

/// Writes a picture and says so.
pub fn write(path: &Path, png: &[u8]) -> Result<()> {
    std::fs::write(path, png).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

/// Every view in every look.
pub fn all(browser: &Browser, served: &Served, directory: &Path, viewport: bool) -> Result<()> {
    for (width, height) in [(1280, 900), (390, 844)] {
        let shoot = |view: &str, page: &Page<'_>| -> Result<()> {
            for language in ["en", "ko"] {
                page.set("language", language)?;
                for theme in [Theme::Light, Theme::Dark] {
                    Look { width, height, theme }.apply(browser)?;
                    let name = format!("{view}-{language}-{}-{width}x{height}.png", theme.name());
                    write(&directory.join(name), &capture(browser, !viewport)?)?;
                }
            }
            Ok(())
        };
        Look { width, height, theme: Theme::Light }.apply(browser)?;
        setup_and_problems(served, browser, &shoot)?;
        running(served, browser, &shoot)?;
        results(served, browser, &shoot)?;
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
    page.measure(&Setup::built_in("worked-example").with("mode", "both").with("requests", 12), LIMIT)?;
    shoot("results", &page)?;
    browser.execute("document.querySelector('#requests-table button').click();", vec![])?;
    page.wait_until("return !!document.querySelector('#waterfall [data-part]');")?;
    shoot("waterfall", &page)?;
    let page = served.open(browser)?;
    page.measure(&Setup::own(&served.endpoint("preset=fast&fault=status-401")).with("requests", 4), LIMIT)?;
    shoot("failures", &page)
}
