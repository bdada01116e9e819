//! Run files that were named on the command line.

use std::path::{Path, PathBuf};

use firstlight_core::report::Run;

/// One run.
pub(super) fn one(path: &Path) -> Result<Run, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Run::from_json(&text).map_err(|e| format!("{}: {e}", path.display()))
}

/// Its file's name; folders are nobody's business.
pub(super) fn label(path: &Path) -> String {
    path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy()).into_owned()
}

/// Several, each with its file's name; or everything that is wrong with them.
pub(super) fn all(paths: &[PathBuf]) -> Result<Vec<(String, Run)>, Vec<String>> {
    let mut runs = Vec::new();
    let mut problems = Vec::new();
    for path in paths {
        match one(path) {
            Ok(run) => runs.push((label(path), run)),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(runs) } else { Err(problems) }
}
