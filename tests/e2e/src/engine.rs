//! The three browser engines: their drivers, and how each is asked for a fresh headless session.

use std::ffi::OsString;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};

use crate::guard::Guarded;
use crate::places;
use crate::ports::free_port;

/// A browser engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Blink.
    Chromium,
    /// Gecko.
    Firefox,
    /// WebKitGTK, the nearest to Safari that runs here.
    WebKit,
}

/// The size of the window, and the first size of the page in Chromium.
pub const WINDOW: (u32, u32) = (1280, 900);

/// A driver must have started after this.
const START: Duration = Duration::from_secs(30);

/// A driver that runs and where it listens.
pub struct Driver {
    /// The driver's process group, the browser in it.
    pub process: Guarded,
    /// Its address.
    pub url: String,
    /// The screen that a browser without a headless mode draws on; ends after the browser.
    _screen: Option<Guarded>,
}

impl Engine {
    /// All three.
    pub const ALL: [Engine; 3] = [Engine::Chromium, Engine::Firefox, Engine::WebKit];

    /// Starts the engine's driver on a free port.
    pub fn start_driver(self) -> Result<Driver> {
        match self {
            Engine::Chromium => {
                let program = places::program("chromedriver", "the package chromium-driver")?;
                let process = Guarded::start(&program, &[format!("--port={}", free_port()?).into()], &[])?;
                let port = process.wait_for(START, |line| number_after(line, "started successfully on port "))?;
                Ok(Driver { process, url: format!("http://127.0.0.1:{port}"), _screen: None })
            }
            Engine::Firefox => {
                let program = places::program("geckodriver", "the crate geckodriver (`cargo install geckodriver`)")?;
                let process = Guarded::start(&program, &["--port".into(), "0".into()], &[])?;
                let port = process.wait_for(START, |line| number_after(line, "Listening on 127.0.0.1:"))?;
                Ok(Driver { process, url: format!("http://127.0.0.1:{port}"), _screen: None })
            }
            Engine::WebKit => {
                let program = places::program("WebKitWebDriver", "the package webkit2gtk-driver")?;
                let (screen, display) = start_screen()?;
                // This driver does not say which port it took.
                let port = free_port()?;
                // Entering a hot loop's compiled code in the middle now and then corrupts it in this engine on Linux x86-64
                // (https://bugs.webkit.org/show_bug.cgi?id=289009): "Out of bounds memory access" in one run of hundreds.
                let env = [("DISPLAY", display), ("JSC_useWasmOSR", "0".into())];
                let process = Guarded::start(&program, &[format!("--port={port}").into()], &env)?;
                wait_for_port(port)?;
                Ok(Driver { process, url: format!("http://127.0.0.1:{port}"), _screen: Some(screen) })
            }
        }
    }

    /// What a session is asked for. No performance log: it would switch a debugging domain on that slows requests down.
    pub fn capabilities(self) -> Result<Map<String, Value>> {
        self.capabilities_with(&[])
    }

    /// The same, with more arguments for the browser.
    pub fn capabilities_with(self, arguments: &[String]) -> Result<Map<String, Value>> {
        let with = |mut args: Vec<String>| {
            args.extend_from_slice(arguments);
            args
        };
        let wanted = match self {
            Engine::Chromium => {
                places::program("chromium", "the package chromium")
                    .or_else(|error| places::program("google-chrome", "Chrome").map_err(|_| error))?;
                json!({"browserName": "chrome", "goog:chromeOptions": {
                    "args": with(chromium_args()),
                    // The driver switches the throttling of hidden pages off by itself; people's browsers have it.
                    "excludeSwitches": [
                        "disable-background-timer-throttling",
                        "disable-backgrounding-occluded-windows",
                        "disable-renderer-backgrounding",
                    ],
                }})
            }
            Engine::Firefox => {
                let binary = places::program("firefox", "the package firefox-esr")
                    .or_else(|_| places::program("firefox-esr", "the package firefox-esr"))?;
                json!({"browserName": "firefox", "moz:firefoxOptions": {
                    "binary": binary,
                    "args": with(["-headless", "--width", &WINDOW.0.to_string(), "--height", &WINDOW.1.to_string()].map(str::to_owned).to_vec()),
                }})
            }
            Engine::WebKit => json!({"webkitgtk:browserOptions": {
                "binary": mini_browser()?,
                "args": with(vec!["--automation".to_owned()]),
            }}),
        };
        match wanted {
            Value::Object(mut map) => {
                // Nobody vouches for the certificate of `crate::tls`.
                map.insert("acceptInsecureCerts".to_owned(), json!(true));
                Ok(map)
            }
            _ => bail!("capabilities are an object"),
        }
    }
}

/// Chromium's switches: headless, and quiet on a machine without a network.
fn chromium_args() -> Vec<String> {
    let mut args = vec![
        "--headless=new".to_owned(),
        "--disable-gpu".to_owned(),
        "--disable-quic".to_owned(),
        "--no-first-run".to_owned(),
        "--disable-background-networking".to_owned(),
        "--disable-component-update".to_owned(),
        "--disable-sync".to_owned(),
        format!("--window-size={},{}", WINDOW.0, WINDOW.1),
    ];
    if rustix::process::geteuid().is_root() {
        args.push("--no-sandbox".to_owned());
    }
    args
}

/// WebKitGTK's own small browser, which no PATH leads to.
pub fn mini_browser() -> Result<PathBuf> {
    let found = || {
        let architectures = std::fs::read_dir("/usr/lib").ok()?;
        let libraries = architectures.flatten().filter_map(|dir| std::fs::read_dir(dir.path()).ok());
        let mut all: Vec<PathBuf> = libraries
            .flat_map(|dir| dir.flatten())
            .filter(|entry| entry.file_name().to_string_lossy().starts_with("webkit2gtk-4."))
            .map(|entry| entry.path().join("MiniBrowser"))
            .filter(|file| file.is_file())
            .collect();
        all.sort();
        all.pop()
    };
    found().context("MiniBrowser is missing: install the package webkit2gtk-driver, or run `cargo xtask setup --browsers`")
}

/// A virtual screen of its own, and its name.
fn start_screen() -> Result<(Guarded, OsString)> {
    let program = places::program("Xvfb", "the package xvfb")?;
    let geometry = format!("{}x{}x24", WINDOW.0, WINDOW.1);
    let args = ["-displayfd", "1", "-screen", "0", &geometry, "-nolisten", "tcp"].map(OsString::from);
    let screen = Guarded::start(&program, &args, &[])?;
    let number = screen.wait_for(START, |line| line.trim().parse::<u32>().ok())?;
    Ok((screen, format!(":{number}").into()))
}

fn number_after(line: &str, text: &str) -> Option<u16> {
    let digits = line.split_once(text)?.1.trim_end_matches('.');
    digits.trim().parse().ok()
}

/// Connects until something listens. Nothing is measured yet, and there is no event to wait for.
fn wait_for_port(port: u16) -> Result<()> {
    let end = Instant::now() + START;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    loop {
        match TcpStream::connect_timeout(&address, Duration::from_secs(1)) {
            Ok(_) => return Ok(()),
            Err(error) if Instant::now() > end => bail!("nothing listens on port {port}: {error}"),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}
