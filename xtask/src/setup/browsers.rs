//! The browsers of the tests: Chromium, Firefox and WebKitGTK, with their drivers.

use anyhow::{Result, bail};

use super::{Outcome, debian};
use crate::workspace::Workspace;

/// Debian packages, each with a program by which another system's installation is recognised.
const PACKAGES: &[(&str, &[&str])] = &[
    ("chromium", &["chromium", "google-chrome", "chromium-browser"]),
    ("chromium-driver", &["chromedriver"]),
    ("firefox-esr", &["firefox-esr", "firefox"]),
    ("webkit2gtk-driver", &["WebKitWebDriver"]),
    ("xvfb", &["Xvfb"]),
    ("xauth", &["xauth"]),
    // Without a Korean font the page's second language is drawn as boxes.
    ("fonts-noto-cjk", &[]),
];

pub fn ensure(ws: &Workspace) -> Result<Outcome> {
    let present = || Outcome::Present("browsers".to_owned());
    if debian::is_debian(ws) {
        let names: Vec<&str> = PACKAGES.iter().map(|(package, _)| *package).collect();
        let missing = debian::missing(ws, &names);
        if missing.is_empty() {
            return Ok(present());
        }
        debian::install(ws, &missing)?;
        return Ok(Outcome::Installed(missing.join(", ")));
    }
    let missing: Vec<&str> = PACKAGES
        .iter()
        .filter(|(_, programs)| !programs.is_empty() && !programs.iter().any(|name| ws.which(name).is_some()))
        .map(|(_, programs)| programs[0])
        .collect();
    if missing.is_empty() {
        return Ok(present());
    }
    bail!(
        "the end-to-end tests need programs that are not on PATH: {}; install them with this system's package manager",
        missing.join(", ")
    );
}
