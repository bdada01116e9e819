//! A real headless browser on a page, without a driver: started on a fresh profile, ended and cleaned up on drop.
//!
//! No flag here changes how timers, tabs or the network behave: what is measured is what a user's browser does.

mod chromium;
mod error;
mod firefox;
mod process;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

pub use error::LaunchError;
pub use process::Exit;
use process::Process;

use crate::https::Certificate;

/// Width and height of the window in CSS pixels.
const WINDOW: (u32, u32) = (1280, 900);
/// Attempts at deleting what it wrote, since a process that was just ended may still hold it.
const DELETE_ATTEMPTS: u32 = 20;
/// Chromium makes a socket in its directory for temporary files, and ends at once where the socket's path is too long.
const LONGEST_TEMPORARY: usize = 103 - "/org.chromium.Chromium.XXXXXX/SingletonSocket".len();

/// A browser that can be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Chromium or Chrome.
    Chromium,
    /// Firefox.
    Firefox,
}

impl Kind {
    /// Names of its binary, in the order in which they are looked for.
    fn binaries(self) -> &'static [&'static str] {
        match self {
            Kind::Chromium => &["chromium", "chromium-browser", "google-chrome", "chrome"],
            Kind::Firefox => &["firefox-esr", "firefox"],
        }
    }

    /// The Debian package that has it.
    fn package(self) -> &'static str {
        match self {
            Kind::Chromium => "chromium",
            Kind::Firefox => "firefox-esr",
        }
    }
}

/// A certificate that the browser is to accept although nobody vouches for it. Every other one is checked as always.
#[derive(Clone, Copy, Debug)]
pub struct Accept<'a> {
    /// The certificate.
    pub certificate: &'a Certificate,
    /// Where it is met.
    pub origins: &'a [String],
}

/// What to start.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    /// Which browser.
    pub kind: Kind,
    /// Its binary; without one it is looked for on `PATH`.
    pub binary: Option<&'a Path>,
    /// The page to open.
    pub url: &'a str,
    /// The server's own certificate, over https.
    pub accept: Option<Accept<'a>>,
    /// An environment variable that the browser must not inherit, such as one with a key.
    pub without_env: Option<&'a str>,
    /// The X display on which it fills the screen; without one it is headless.
    pub display: Option<&'a OsStr>,
    /// More arguments, before the page.
    pub arguments: &'a [OsString],
}

/// A browser that runs. Dropping it ends it with all its processes and deletes all that it wrote.
#[derive(Debug)]
pub struct Browser {
    process: Process,
    /// Its profile and its temporary files.
    written: Option<TempDir>,
}

impl Browser {
    /// Starts a browser on a page.
    pub fn launch(launch: Launch<'_>) -> Result<Browser, LaunchError> {
        let binary = match launch.binary {
            Some(path) if path.is_file() => path.to_owned(),
            Some(path) => return Err(LaunchError::NoSuchBinary(path.to_owned())),
            None => find(launch.kind)?,
        };
        let written = tempfile::Builder::new().prefix("firstlight-").tempdir().map_err(LaunchError::Profile)?;
        let profile = written.path().join("profile");
        std::fs::create_dir(&profile).map_err(LaunchError::Profile)?;
        let mut command = match launch.kind {
            Kind::Chromium => chromium::command(&binary, &profile, launch.display.is_some()),
            Kind::Firefox => firefox::command(&binary, &profile, launch.display.is_some()).map_err(LaunchError::Profile)?,
        };
        match (launch.kind, launch.accept) {
            (_, None) => {}
            (Kind::Chromium, Some(accept)) => chromium::accept(&mut command, accept),
            (Kind::Firefox, Some(accept)) => firefox::accept(&profile, accept).map_err(LaunchError::Profile)?,
        }
        command.args(launch.arguments).arg(launch.url);
        if let Some(display) = launch.display {
            command.env("DISPLAY", display);
        }
        if written.path().as_os_str().len() <= LONGEST_TEMPORARY {
            // It is ended by force, and what it leaves there is deleted with the profile.
            command.env("TMPDIR", written.path());
        }
        if let Some(name) = launch.without_env {
            command.env_remove(name);
        }
        let process = Process::start(command).map_err(|source| LaunchError::Start { binary, source })?;
        Ok(Browser { process, written: Some(written) })
    }

    /// How it ended, if it did by itself.
    pub fn exited(&mut self) -> Option<Exit> {
        self.process.exited()
    }

    /// The last lines that it wrote to its standard error.
    pub fn last_lines(&self) -> Vec<String> {
        self.process.last_lines()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.process.end();
        let Some(written) = self.written.take() else { return };
        let path = written.keep();
        for _attempt in 0..DELETE_ATTEMPTS {
            if std::fs::remove_dir_all(&path).is_ok() || !path.exists() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        eprintln!("The browser's temporary files could not be deleted: {}", path.display());
    }
}

fn find(kind: Kind) -> Result<PathBuf, LaunchError> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let dirs: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let candidates = kind.binaries().iter().flat_map(|name| dirs.iter().map(move |dir| dir.join(name)));
    candidates
        .into_iter()
        .find(|binary| binary.is_file())
        .ok_or_else(|| LaunchError::NotFound { looked_for: kind.binaries().join(", "), package: kind.package() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_binary_is_named() {
        let path = Path::new("/nowhere/chromium");
        let (kind, binary, url) = (Kind::Chromium, Some(path), "about:blank");
        let launch = Launch { kind, binary, url, accept: None, without_env: None, display: None, arguments: &[] };
        let error = Browser::launch(launch).expect_err("no such binary").to_string();
        assert!(error.contains("/nowhere/chromium") && error.contains("--browser-binary"), "{error}");
    }
}
