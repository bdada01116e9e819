//! nginx, the proxy that stands in front of many endpoints: the tests put it there.

use anyhow::{Result, bail};

use super::{Outcome, announce, debian};
use crate::workspace::Workspace;

pub fn ensure(ws: &Workspace) -> Result<Outcome> {
    let what = "nginx".to_owned();
    if ws.which("nginx").is_some() {
        return Ok(Outcome::Present(what));
    }
    if !debian::is_debian(ws) {
        bail!("the end-to-end tests need nginx, which is not on PATH; install it with this system's package manager");
    }
    announce("nginx", "a real proxy for the tests; half a MB from Debian, unpacked into .tools");
    // Installed, it would begin to serve on port 80.
    debian::unpack_program(ws, "nginx", "usr/sbin/nginx")?;
    Ok(Outcome::Installed(what))
}
