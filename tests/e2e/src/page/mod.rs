//! The page as a person meets it: fields to fill in, a button to press, a result to read.

mod act;
mod read;

pub use act::Setup;
pub use read::{PartTable, RequestRow, Row};

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use serde_json::json;

use crate::Browser;
use crate::rt::block_on;
use crate::watch::Watch;

/// Numbers the pages, so that a word from an earlier page is not taken for one from this.
static OPENED: AtomicU32 = AtomicU32::new(0);

/// An opened page.
pub struct Page<'a> {
    browser: &'a Browser,
    watch: Watch,
    token: String,
}

impl<'a> Page<'a> {
    /// Opens the address afresh and waits until the page has started.
    pub fn open(browser: &'a Browser, url: &str) -> Result<Page<'a>> {
        let watch = Watch::start()?;
        let token = format!("page-{}", OPENED.fetch_add(1, Ordering::Relaxed));
        block_on(browser.client().goto(url)).with_context(|| format!("cannot open {url}"))?;
        let page = Page { browser, watch, token };
        page.attach()?;
        Ok(page)
    }

    /// Waits for the page's start and begins to watch it: after opening, and after anything that loads it again.
    pub fn attach(&self) -> Result<()> {
        self.browser.execute_async(include_str!("../scripts/ready.js"), vec![]).context("the page did not start")?;
        let args = vec![json!(self.watch.url()), json!(self.token)];
        self.browser.execute(include_str!("../scripts/hook.js"), args)?;
        Ok(())
    }

    /// The browser that shows it.
    pub fn browser(&self) -> &Browser {
        self.browser
    }

    /// Waits until the page enters a state (`running`, `done`, `setup`); the page is not looked into meanwhile.
    pub fn wait_for_state(&self, state: &str, limit: Duration) -> Result<()> {
        let word = format!("{}/{state}", self.token);
        self.watch.wait_for(&word, limit).map_err(|error| {
            let errors = self.errors().unwrap_or_default();
            let now = self.state().unwrap_or_default();
            let problems = self.text("problems").unwrap_or_default();
            anyhow!("{error}; the page is in the state “{now}”, says “{problems}”, errors: {errors:?}")
        })
    }

    /// From now on the page tells, at each change, whether it is `hidden` or `visible`, in a watch of its own. Only there is it
    /// known when a page is hidden that no driver can look into then.
    pub fn tell_visibility(&self) -> Result<Watch> {
        const TELL: &str = "const tell = () => fetch(arguments[0] + document.visibilityState, { mode: 'no-cors', cache: 'no-store' });\
            document.addEventListener('visibilitychange', () => tell().catch(() => {}));";
        let watch = Watch::start()?;
        self.browser.execute(TELL, vec![json!(watch.url())])?;
        Ok(watch)
    }

    /// Waits until the run is over.
    pub fn wait_done(&self, limit: Duration) -> Result<()> {
        self.wait_for_state("done", limit)
    }

    /// Waits until a condition (the body of a function) holds in the page. It is looked at after every change, so this is
    /// not for times that are judged.
    pub fn wait_until(&self, condition: &str) -> Result<serde_json::Value> {
        let script = include_str!("../scripts/when.js").replace("CONDITION", condition);
        self.browser.execute_async(&script, vec![])
    }
}
