//! Saving a run.

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use firstlight_core::report::Run;

/// Writes a run to a file: the named one, or a new one named by the time.
pub(super) fn run(run: &Run, named: Option<&Path>) -> Result<PathBuf> {
    let json = run.to_json();
    if let Some(path) = named {
        std::fs::write(path, json).with_context(|| format!("{} can't be written", path.display()))?;
        return Ok(path.to_owned());
    }
    for number in 1.. {
        let path = PathBuf::from(file_name(&run.created, number));
        match File::create_new(&path) {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            file => {
                let written = file.and_then(|mut file| file.write_all(json.as_bytes()));
                written.with_context(|| format!("{} can't be written; name another file with --out", path.display()))?;
                return Ok(path);
            }
        }
    }
    anyhow::bail!("no name is free; name a file with --out")
}

/// Without colons, which some systems refuse.
fn file_name(created: &str, number: u32) -> String {
    let seconds = created.split('.').next().unwrap_or_default();
    let time: String = seconds.chars().filter(|c| c.is_ascii_alphanumeric() || "-:".contains(*c)).collect();
    let time = time.trim_end_matches('Z').replace(':', "-");
    match number {
        1 => format!("firstlight-{time}.json"),
        n => format!("firstlight-{time}-{n}.json"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hold_the_time_without_colons() {
        assert_eq!(file_name("2026-11-29T18:56:03.123Z", 1), "firstlight-2026-11-29T18-56-03.json");
        assert_eq!(file_name("../x", 2), "firstlight--2.json");
    }
}
