//! How Chromium is started.

use std::path::Path;
use std::process::Command;

use super::WINDOW;

/// Off: what would use the network or the machine beside the measurement. Nothing that slows hidden pages down is touched.
const QUIET: [&str; 9] = [
    "--headless=new",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
];

pub(super) fn command(binary: &Path, profile: &Path, url: &str) -> Command {
    let mut command = Command::new(binary);
    command.args(QUIET);
    command.arg(format!("--window-size={},{}", WINDOW.0, WINDOW.1));
    let mut user_data = std::ffi::OsString::from("--user-data-dir=");
    user_data.push(profile);
    command.arg(user_data);
    if is_root() {
        // Its sandbox refuses to run as root, as in most containers.
        command.arg("--no-sandbox");
    }
    command.arg(url);
    command
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
