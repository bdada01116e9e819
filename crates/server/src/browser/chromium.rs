//! How Chromium is started.

use std::path::Path;
use std::process::Command;

use super::{Accept, WINDOW};

/// Off: what would use the network or the machine beside the measurement. Nothing that slows hidden pages down is touched.
const QUIET: [&str; 8] = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
];

/// On a display it fills the screen.
pub(super) fn command(binary: &Path, profile: &Path, on_display: bool) -> Command {
    let mut command = Command::new(binary);
    command.args(QUIET).arg(if on_display { "--kiosk" } else { "--headless=new" });
    command.arg(format!("--window-size={},{}", WINDOW.0, WINDOW.1));
    let mut user_data = std::ffi::OsString::from("--user-data-dir=");
    user_data.push(profile);
    command.arg(user_data);
    if is_root() {
        // Its sandbox refuses to run as root, as in most containers.
        command.arg("--no-sandbox");
    }
    command
}

/// This public key counts as that of a certificate without fault.
pub(super) fn accept(command: &mut Command, accept: Accept<'_>) {
    command.arg(format!("--ignore-certificate-errors-spki-list={}", accept.certificate.public_key_sha256()));
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
