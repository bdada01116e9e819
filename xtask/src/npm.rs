//! Packages of the npm registry that tests and benches hold the project against: at a pinned version, with a pinned checksum.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, bail};

use crate::{exec, workspace::Workspace};

/// One package.
pub struct Package {
    pub name: &'static str,
    pub version: &'static str,
    /// Of the archive, as `sha512sum` prints it: the `integrity` that the registry publishes, in hexadecimal.
    sha512: &'static str,
}

/// The parser of server-sent events that `bench decode` runs against.
pub const EVENTSOURCE_PARSER: Package = Package {
    name: "eventsource-parser",
    version: "4.1.3",
    sha512: "8d954856295765f031e87db464a2848f975a6dba43f444e6323dee1ec8cc9a00\
             7304707ab6c1eb99d581e26022cb76a6b4de8c3a85647d7450bb8c1fd67f3c47",
};

/// A reader of HdrHistograms.
pub const HDR_HISTOGRAM_JS: Package = Package {
    name: "hdr-histogram-js",
    version: "3.0.1",
    sha512: "9771927592f526bd42d24c9be3ad6d52311dad13d9afc42bcbb8c1ca5b5fe491\
             ab034c6fa8e4abc5105f72b26aa95fc0304b6aaa11e10bac3c1d6d209fbead45",
};

/// What it inflates with.
pub const PAKO: Package = Package {
    name: "pako",
    version: "1.0.11",
    sha512: "e212c1f0fcb8cd971ee6ce3277d5f3a29ab056fff218d855d4197c353982ab5e\
             fadc778adbe130553bfe95e19e2f5dc39e1db07dbaa8c153d70883b4cf8b5a63",
};

/// What looks for barriers in the page.
pub const AXE_CORE: Package = Package {
    name: "axe-core",
    version: "4.14.1",
    sha512: "1477dafa598d8d065f273d6af302aa203c02e83131707b7fa648cd41bd3d6b73\
             4f8c22a0dab86ee6a6f64b8afbe804b214d36db85a2826965edfb3a0b9d546b5",
};

impl Package {
    /// Its name and version.
    pub fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// Where it is unpacked.
    pub fn dir(&self, ws: &Workspace) -> PathBuf {
        ws.tools().join("npm").join(self.folder())
    }

    /// It is there already.
    pub fn is_there(&self, ws: &Workspace) -> bool {
        self.dir(ws).join("package.json").is_file()
    }

    /// Its directory, unpacked under `.tools/npm`. Nothing of it is run outside a browser.
    pub fn fetch(&self, ws: &Workspace) -> Result<PathBuf> {
        let dir = self.dir(ws);
        if self.is_there(ws) {
            return Ok(dir);
        }
        let download = ws.tools().join("download");
        fs::create_dir_all(&download)?;
        let package = format!("{}@{}", self.name, self.version);
        let mut pack = ws.command("npm");
        pack.args(["pack", "--silent", "--pack-destination"]).arg(&download).arg(&package);
        exec::run_limited(&mut pack, Duration::from_secs(120))
            .with_context(|| format!("{package} can't be fetched; `npm` must be there (Debian: the package npm)"))?;
        let archive = download.join(format!("{}.tgz", self.folder()));
        self.verify(ws, &archive)?;
        exec::run(ws.command("tar").arg("-xzf").arg(&archive).arg("-C").arg(&download))?;
        fs::create_dir_all(ws.tools().join("npm"))?;
        fs::rename(download.join("package"), &dir)?;
        fs::remove_dir_all(&download)?;
        Ok(dir)
    }

    fn verify(&self, ws: &Workspace, archive: &Path) -> Result<()> {
        let sum = exec::ask(ws.command("sha512sum").arg(archive))
            .or_else(|| exec::ask(ws.command("shasum").args(["-a", "512"]).arg(archive)))
            .context("neither `sha512sum` nor `shasum` is here to verify the download")?;
        if !sum.starts_with(self.sha512) {
            bail!("the checksum of {} is not the pinned one", archive.display());
        }
        Ok(())
    }
}
