//! A virtual screen whose pixels can be read: what a browser really shows, whatever it says of it.

mod picture;
mod prober;

use std::ffi::OsString;
use std::time::Duration;

use anyhow::{Context, Result};
use tempfile::TempDir;

use firstlight_e2e::engine::WINDOW;
use firstlight_e2e::guard::Guarded;
use firstlight_e2e::places;

pub use picture::Picture;
pub use prober::{Area, Change, Prober};

/// It must have started after this.
const START: Duration = Duration::from_secs(30);

/// A running Xvfb that keeps its picture in a file.
pub struct Screen {
    // Ends before its file goes.
    _process: Guarded,
    display: OsString,
    picture: TempDir,
}

impl Screen {
    /// Starts one of the size of the window.
    pub fn start() -> Result<Screen> {
        let program = places::program("Xvfb", "the package xvfb")?;
        // In memory, where there is such a place: the picture is written all the time.
        let shm = std::path::Path::new("/dev/shm");
        let builder = || tempfile::Builder::new().prefix("firstlight-screen-").to_owned();
        let picture = builder().tempdir_in(shm).or_else(|_| builder().tempdir())?;
        let geometry = format!("{}x{}x24", WINDOW.0, WINDOW.1);
        let mut args =
            ["-displayfd", "1", "-screen", "0", &geometry, "-nolisten", "tcp", "-fbdir"].map(OsString::from).to_vec();
        args.push(picture.path().into());
        let process = Guarded::start(&program, &args, &[])?;
        let number = process.wait_for(START, |line| line.trim().parse::<u32>().ok())?;
        Ok(Screen { _process: process, display: format!(":{number}").into(), picture })
    }

    /// Its name.
    pub fn display(&self) -> &OsString {
        &self.display
    }

    /// What it shows, as it changes.
    pub fn picture(&self) -> Result<Picture> {
        let file = self.picture.path().join("Xvfb_screen0");
        Picture::open(&file).with_context(|| format!("no picture of the screen in {}", file.display()))
    }
}
