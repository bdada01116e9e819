//! What the example host pages of `examples/hosts` are made with.

use std::path::PathBuf;

use anyhow::Result;

use super::{Outcome, locked::Locked};
use crate::workspace::Workspace;

const HOSTS: Locked = Locked {
    what: "React, Vue, Svelte and Vite",
    why: "build the example host pages for the tests; about 100 MB from npm",
    from: "examples/hosts",
    folder: "hosts",
};

pub fn ensure(ws: &Workspace) -> Result<Outcome> {
    HOSTS.ensure(ws)
}

/// Where it is, with the pages' other packages in `node_modules`.
pub fn dir(ws: &Workspace) -> PathBuf {
    HOSTS.dir(ws)
}
