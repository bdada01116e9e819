//! Limits that a pipeline asks about: printed, written as JUnit, and turned into an exit status.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use firstlight_core::gate::{Case, Said, all, junit, limits};
use firstlight_core::report::Run;
use firstlight_core::slo::Criterion;
use firstlight_core::summary::{context_line, environment_line};
use firstlight_core::text::Lang;

/// Where cases go.
#[derive(clap::Args)]
#[group(id = "gate")]
pub(super) struct Args {
    /// Write the limits as JUnit, a test case each
    #[arg(long, value_name = "FILE.xml")]
    junit: Option<PathBuf>,
}

impl Args {
    /// A file was asked for.
    pub(super) fn writes(&self) -> bool {
        self.junit.is_some()
    }

    /// Judges the limits of a run, and writes them where they were asked for.
    pub(super) fn judge(&self, run: &Run, criteria: &[Criterion], lang: Lang) -> Result<(Vec<Case>, Said), String> {
        let cases = limits(run, criteria, lang);
        if let Some(path) = &self.junit {
            let properties = [("context", context_line(run, lang, None, "", "")), ("measured_in", environment_line(run, lang))];
            write(Some(path), &junit("firstlight.limits", &run.created, &properties, &cases))?;
        }
        let said = all(&cases);
        Ok((cases, said))
    }
}

/// A line for each limit.
pub(super) fn text(cases: &[Case], lang: Lang) -> String {
    cases.iter().map(|case| format!("{}: {} ({})\n", case.said.words(lang), case.name, case.message)).collect()
}

/// Writes a text to a file, or to standard output, of which somebody may have read enough.
pub(super) fn write(to: Option<&Path>, text: &str) -> Result<(), String> {
    match to {
        Some(path) => std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display())),
        None => match std::io::stdout().write_all(text.as_bytes()) {
            Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
            other => other.map_err(|e| e.to_string()),
        },
    }
}
