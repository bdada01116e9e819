//! JavaScript that the tests use: a reader of HdrHistograms for run files, and what looks for barriers in the page.

use anyhow::Result;

use super::{Outcome, announce};
use crate::{npm, workspace::Workspace};

pub fn javascript(ws: &Workspace) -> Result<Outcome> {
    let packages = [npm::HDR_HISTOGRAM_JS, npm::PAKO, npm::AXE_CORE];
    let what = format!("{} and {}", npm::HDR_HISTOGRAM_JS.folder(), npm::AXE_CORE.folder());
    if packages.iter().all(|package| package.is_there(ws)) {
        return Ok(Outcome::Present(what));
    }
    announce(&what, "read histograms back and look for barriers in the tests; three packages from npm");
    for package in packages {
        package.fetch(ws)?;
    }
    Ok(Outcome::Installed(what))
}
