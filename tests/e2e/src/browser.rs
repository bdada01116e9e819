//! One browser session.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use fantoccini::wd::{TimeoutConfiguration, WebDriverCompatibleCommand, WindowHandle};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

use crate::engine::{Driver, Engine, WINDOW};
use crate::rt::block_on;

/// A command must be answered after this; also the limit of scripts that wait for an event.
const LIMIT: Duration = Duration::from_secs(60);

/// A session with a fresh profile.
pub struct Browser {
    engine: Engine,
    client: Client,
    driver: Driver,
}

impl Browser {
    /// Starts the engine's driver and a session.
    pub fn start(engine: Engine) -> Result<Browser> {
        Browser::start_with(engine, &[])
    }

    /// The same, with more arguments for the browser.
    pub fn start_with(engine: Engine, arguments: &[String]) -> Result<Browser> {
        let driver = engine.start_driver()?;
        let capabilities = engine.capabilities_with(arguments)?;
        let client = block_on(async {
            let mut builder = ClientBuilder::new(HttpConnector::new());
            let connecting = builder.capabilities(capabilities).connect(&driver.url);
            tokio::time::timeout(LIMIT, connecting).await.context("no session within a minute")?.context("no session")
        });
        let client = client.with_context(|| format!("{engine:?}; its driver said:\n{}", driver.process.log()))?;
        let timeouts = TimeoutConfiguration::new(Some(LIMIT), Some(LIMIT), Some(Duration::ZERO));
        block_on(client.update_timeouts(timeouts))?;
        let browser = Browser { engine, client, driver };
        if engine == Engine::WebKit {
            // Its own options about the size are not heeded.
            block_on(browser.client.set_window_size(WINDOW.0, WINDOW.1)).context("cannot set the window's size")?;
        }
        Ok(browser)
    }

    /// Ends it with everything that it started, at once, as a crash does. Nothing can be asked of it any more.
    pub fn kill(&mut self) -> Result<()> {
        self.driver.process.kill()
    }

    /// Which engine.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// The session, for what has no name here.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// What the driver printed last.
    pub fn driver_log(&self) -> String {
        self.driver.process.log()
    }

    /// Runs the body of a function in the page.
    pub fn execute(&self, script: &str, args: Vec<Value>) -> Result<Value> {
        block_on(self.client.execute(script, args)).with_context(|| format!("in the script {script}"))
    }

    /// Runs the body of an asynchronous function in the page and waits for it. A driver may look into the page
    /// meanwhile, so this is not for the time in which something is measured.
    pub fn execute_async(&self, script: &str, args: Vec<Value>) -> Result<Value> {
        const WRAPPER: &str = "const done = arguments[arguments.length - 1];\
            (async (...args) => { %BODY% })(...arguments).then(value => done({value}), error => done({error: String(error)}));";
        let wrapped = WRAPPER.replace("%BODY%", script);
        let answer = block_on(self.client.execute_async(&wrapped, args)).with_context(|| format!("in the script {script}"))?;
        if let Some(error) = answer.get("error").and_then(Value::as_str) {
            bail!("the script {script} threw {error}");
        }
        Ok(answer.get("value").cloned().unwrap_or_default())
    }

    /// A command of Chromium's debugging protocol.
    pub fn cdp(&self, command: &str, params: Value) -> Result<Value> {
        let body = json!({"cmd": command, "params": params}).to_string();
        block_on(self.client.issue_cmd(Own("goog/cdp/execute", body))).with_context(|| format!("in {command}"))
    }

    /// What came to Chromium's console since this was asked for last, warnings and errors.
    pub fn console(&self) -> Result<Vec<String>> {
        let body = json!({"type": "browser"}).to_string();
        let entries = block_on(self.client.issue_cmd(Own("se/log", body))).context("no console")?;
        Ok(entries.as_array().into_iter().flatten().map(|entry| entry["message"].to_string()).collect())
    }

    /// Hides the page: opens a tab on top of it. WebKit's driver opens windows instead, which hide nothing, so there the window
    /// is minimised. Returns what [`Self::show`] needs.
    pub fn cover(&self) -> Result<WindowHandle> {
        block_on(async {
            let before = self.client.window().await?;
            if self.engine == Engine::WebKit {
                self.client.minimize_window().await?;
                return Ok(before);
            }
            let tab = self.client.new_window(true).await?;
            self.client.switch_to_window(tab.handle).await?;
            Ok(before)
        })
    }

    /// Shows the page again: closes the tab on top and comes back, or gives the minimised window its size.
    pub fn show(&self, handle: WindowHandle) -> Result<()> {
        if self.engine == Engine::WebKit {
            return Ok(block_on(self.client.set_window_size(WINDOW.0, WINDOW.1))?);
        }
        block_on(async {
            self.client.close_window().await?;
            self.client.switch_to_window(handle).await?;
            anyhow::Ok(())
        })?;
        if self.engine == Engine::Chromium {
            self.cdp("Page.bringToFront", json!({}))?;
        }
        Ok(())
    }

    /// A picture of the viewport, as PNG.
    pub fn screenshot(&self) -> Result<Vec<u8>> {
        Ok(block_on(self.client.screenshot())?)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Lets the browser remove its profile; the process group is ended in any case.
        let closing = self.client.clone().close();
        let _ = block_on(async { tokio::time::timeout(Duration::from_secs(5), closing).await });
    }
}

/// A command of chromedriver's own: its path in the session, its body.
#[derive(Debug)]
struct Own(&'static str, String);

impl WebDriverCompatibleCommand for Own {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.0))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.1.clone()))
    }
}
