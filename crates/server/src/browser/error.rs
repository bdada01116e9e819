//! Why a browser can't be started, and what to do.

use std::io;
use std::path::PathBuf;

/// Why a browser can't be started.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// None of its names is on `PATH`.
    #[error(
        "no such browser is on PATH (looked for {looked_for}). Install it (on Debian: sudo apt install {package}), or name its binary with --browser-binary"
    )]
    NotFound {
        /// Names that were looked for.
        looked_for: String,
        /// The package that has it.
        package: &'static str,
    },
    /// The given binary is no file.
    #[error("there is no file {0}; name the browser's binary with --browser-binary")]
    NoSuchBinary(PathBuf),
    /// No directory for the profile.
    #[error("a temporary profile can't be made: {0}. Set TMPDIR to a directory that can be written to")]
    Profile(io::Error),
    /// The binary does not start.
    #[error("{binary} does not start: {source}")]
    Start {
        /// The binary.
        binary: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}
