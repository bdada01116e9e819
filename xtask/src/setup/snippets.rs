//! What the servers of `docs/snippets` stand on, for the test that runs them.

use anyhow::Result;

use super::{Outcome, locked::Locked};
use crate::workspace::Workspace;

/// Express with all that it needs.
const EXPRESS: Locked = Locked {
    what: "Express",
    why: "runs one of the snippets in the tests; 5 MB from npm",
    from: "docs/snippets/express",
    folder: "snippet-express",
};

pub fn express(ws: &Workspace) -> Result<Outcome> {
    EXPRESS.ensure(ws)
}
