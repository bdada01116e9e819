//! What a person does on the page.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use fantoccini::Locator;
use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use serde_json::json;

use super::Page;
use crate::rt::block_on;

/// Fields to fill in, by the fields' ids; only those that are there are touched.
#[derive(Clone, Debug, Default)]
pub struct Setup(Vec<(&'static str, String)>);

impl Setup {
    /// Nothing yet.
    pub fn new() -> Setup {
        Setup::default()
    }

    /// The built-in endpoint with a preset.
    pub fn built_in(preset: &str) -> Setup {
        Setup::new().with("target-kind", "built-in").with("preset", preset)
    }

    /// An endpoint of one's own.
    pub fn own(url: &str) -> Setup {
        Setup::new().with("target-kind", "own").with("url", url)
    }

    /// And one more field.
    pub fn with(mut self, id: &'static str, value: impl ToString) -> Setup {
        self.0.push((id, value.to_string()));
        self
    }
}

impl Page<'_> {
    /// The element with an id.
    pub fn element(&self, id: &str) -> Result<Element> {
        let css = format!("[id='{id}']");
        block_on(self.browser.client().find(Locator::Css(&css))).with_context(|| format!("there is no #{id}"))
    }

    /// Clicks the element with an id.
    pub fn click(&self, id: &str) -> Result<()> {
        let element = self.element(id)?;
        // WebKit's driver gives the kind of an error and no words.
        block_on(element.click()).map_err(|error| anyhow!("cannot click #{id}: {error:?}"))
    }

    /// Opens or folds the rarer fields.
    pub fn toggle_more(&self) -> Result<()> {
        let summary = block_on(self.browser.client().find(Locator::Css("#more > summary")))?;
        block_on(summary.click()).context("cannot click the summary of #more")
    }

    /// Opens the fold that holds the element with an id, if it is closed.
    pub fn unfold(&self, id: &str) -> Result<()> {
        let closed =
            "const fold = document.getElementById(arguments[0])?.closest('details:not([open])'); return fold ? fold.id : '';";
        let fold = self.string(closed, vec![json!(id)])?;
        if fold.is_empty() {
            return Ok(());
        }
        let css = format!("[id='{fold}'] > summary");
        let summary = block_on(self.browser.client().find(Locator::Css(&css)))?;
        block_on(summary.click()).with_context(|| format!("cannot click the summary of #{fold}"))
    }

    /// Fills in one field, whatever its kind.
    pub fn set(&self, id: &str, value: &str) -> Result<()> {
        let element = self.element(id)?;
        self.unfold(id)?;
        let typing = async {
            if element.tag_name().await? == "select" {
                return element.select_by_value(value).await;
            }
            // What a person does: select all, then type over it.
            let all = format!("{}a{}{}", char::from(Key::Control), char::from(Key::Null), char::from(Key::Backspace));
            element.send_keys(&all).await?;
            if value.is_empty() {
                return Ok(());
            }
            // A line ends with the key; WebKit's driver types nothing for the character.
            element.send_keys(&value.replace('\n', &char::from(Key::Enter).to_string())).await
        };
        let failed = || format!("cannot set #{id} to {value:?}");
        block_on(typing).with_context(failed)?;
        self.holds(id, value).with_context(failed)
    }

    /// Waits until a field holds what was typed. WebKit's driver answers before the page has had every key, and what is done next
    /// may take the rest of them.
    fn holds(&self, id: &str, value: &str) -> Result<()> {
        let end = Instant::now() + Duration::from_secs(10);
        loop {
            let held = self.string("return document.getElementById(arguments[0]).value;", vec![json!(id)])?;
            if held == value {
                return Ok(());
            }
            if Instant::now() > end {
                let focused = self.string("return document.activeElement?.outerHTML.slice(0, 200) ?? '';", vec![])?;
                anyhow::bail!("it holds {held:?}, and the focus is on {focused:?}");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Fills in several fields in their order.
    pub fn fill_in(&self, setup: &Setup) -> Result<()> {
        setup.0.iter().try_for_each(|(id, value)| self.set(id, value))
    }

    /// Fills in, presses the button and waits until the run is over.
    pub fn measure(&self, setup: &Setup, limit: Duration) -> Result<()> {
        self.fill_in(setup)?;
        self.click("run")?;
        self.wait_done(limit)
    }

    /// Presses keys one after the other, wherever the focus is.
    pub fn press(&self, keys: &str) -> Result<()> {
        self.keys(keys.chars().flat_map(|value| [KeyAction::Down { value }, KeyAction::Up { value }]))
    }

    /// Presses a key while another is held down.
    pub fn press_with(&self, held: Key, value: char) -> Result<()> {
        let held = char::from(held);
        self.keys([
            KeyAction::Down { value: held },
            KeyAction::Down { value },
            KeyAction::Up { value },
            KeyAction::Up { value: held },
        ])
    }

    fn keys(&self, actions: impl IntoIterator<Item = KeyAction>) -> Result<()> {
        let keys = actions.into_iter().fold(KeyActions::new("keyboard".to_owned()), |keys, action| keys.then(action));
        block_on(self.browser.client().perform_actions(keys)).context("cannot press keys")
    }

    /// Brings every chart of a result near the window once, so that all are drawn.
    pub fn show_charts(&self) -> Result<()> {
        const SHOW: &str = "for (const frame of document.querySelectorAll('.figure-frame')) {\
            frame.scrollIntoView(); await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r))); }";
        self.browser.execute_async(SHOW, vec![]).map(|_| ())
    }

    /// Gives a file to the field that opens saved runs.
    pub fn choose_file(&self, path: &std::path::Path) -> Result<()> {
        self.choose_file_for("open", path)
    }

    /// Gives a file to the field with an id.
    pub fn choose_file_for(&self, id: &str, path: &std::path::Path) -> Result<()> {
        let element = self.element(id)?;
        block_on(element.send_keys(&path.display().to_string())).context("cannot choose a file")
    }
}
