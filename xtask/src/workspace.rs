//! Where things are: the project's root, its private tools, and commands that see those tools.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};

/// The wasm target's name, for cargo and rustup.
pub const WASM: &str = "wasm32-unknown-unknown";

/// The checkout that the commands work on.
pub struct Workspace {
    /// Directory of the workspace's `Cargo.toml`.
    pub root: PathBuf,
    path: OsString,
}

impl Workspace {
    /// Finds the checkout: cargo names the xtask's manifest, or else the current directory is used.
    pub fn find() -> Result<Self> {
        let root = match env::var_os("CARGO_MANIFEST_DIR") {
            Some(xtask) => Path::new(&xtask).parent().context("the xtask crate has no parent directory")?.to_owned(),
            None => env::current_dir()?,
        };
        let bin = root.join(".tools").join("bin");
        let old = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(std::iter::once(bin).chain(env::split_paths(&old)))
            .context("PATH cannot be extended: the project's path contains a separator")?;
        Ok(Self { root, path })
    }

    /// The private tools of this checkout, git-ignored.
    pub fn tools(&self) -> PathBuf {
        self.root.join(".tools")
    }

    /// The built page.
    pub fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// Cargo's target directory.
    pub fn target(&self) -> PathBuf {
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| self.root.join("target"), |dir| self.root.join(dir))
    }

    /// The page of `bench decode`.
    pub fn decode_bench(&self) -> PathBuf {
        self.target().join("decode-bench")
    }

    /// The example host pages, built.
    pub fn hosts(&self) -> PathBuf {
        self.target().join("hosts")
    }

    /// A command that runs in the root and finds `.tools/bin` first.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root).env("PATH", &self.path);
        // `cargo run` describes the xtask crate in these; some build scripts watch them and
        // would rebuild on every switch between `cargo build` and `cargo xtask`.
        for (name, _) in env::vars_os() {
            let name_text = name.to_string_lossy();
            if name_text.starts_with("CARGO_PKG_") || name_text.starts_with("CARGO_MANIFEST_") {
                command.env_remove(&name);
            }
        }
        command
    }

    /// Cargo for this workspace. `+toolchain` and the like stay as the caller chose them.
    pub fn cargo(&self, args: &[&str]) -> Command {
        let mut command = self.command("cargo");
        command.args(args);
        command
    }

    /// Cargo for all native packages together, whichever of their programs is wanted: of one package alone it would compile what all
    /// depend on once more, with that one's features.
    pub fn native(&self, args: &[&str]) -> Command {
        let mut command = self.cargo(args);
        for package in ["firstlight-core", "firstlight-engine", "firstlight-server", "firstlight-e2e", "xtask"] {
            command.args(["--package", package]);
        }
        command
    }

    /// The first executable of this name that [`Self::command`] would run.
    pub fn which(&self, program: &str) -> Option<PathBuf> {
        env::split_paths(&self.path).map(|dir| dir.join(program)).find(|file| is_executable(file))
    }

    /// The environment that the end-to-end programs are promised.
    pub fn with_e2e_env<'a>(&self, command: &'a mut Command, profile: &str) -> &'a mut Command {
        command
            .env("FIRSTLIGHT_DIST", self.dist())
            .env("FIRSTLIGHT_NPM", self.target().join("npm"))
            .env("FIRSTLIGHT_HOSTS", self.hosts())
            .env("FIRSTLIGHT_TOOLS", self.tools())
            .env("FIRSTLIGHT_DECODE_BENCH", self.decode_bench())
            .env("FIRSTLIGHT_BIN", self.target().join(profile).join("firstlight"))
    }
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file() || file.with_extension("exe").is_file()
}
