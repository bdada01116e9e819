//! `merge`: runs of one set-up as one run file.

use std::path::PathBuf;
use std::process::ExitCode;

use firstlight_core::compare::context_lines;
use firstlight_core::report::{Apart, MergeError, Run, merge};
use firstlight_core::text::{GateText, Lang, fill};

use super::measure::LangName;
use super::saved;

/// What stands below the options in `--help`.
pub(super) const AFTER_HELP: &str = "\
Examples:
  firstlight merge monday.json tuesday.json -o week.json
  firstlight merge chromium.json firefox.json -o both.json

Figures of the merged run are those of all samples together; nothing is averaged. Every request keeps its file's name, browser and
clock. Rates are of each run by itself and are not in the merged one. Numbers of requests, browsers and devices may differ; what
was asked of whom, how and under which load may not, unless --force says so.

Exit codes:
  0  merged
  1  the set-ups differ: what differs is listed, and nothing was written
  2  the arguments are wrong, a file can't be read, or one run is there twice
  3  the merged run can't be written";

/// What to merge.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Saved runs, two or more
    #[arg(value_name = "RUN.json", required = true, num_args = 2..)]
    files: Vec<PathBuf>,
    /// Where to write the merged run; overwritten
    #[arg(long, short, value_name = "FILE.json")]
    output: PathBuf,
    /// Merge runs of different set-ups all the same; what differs is listed
    #[arg(long)]
    force: bool,
    /// Language of what is printed
    #[arg(long, value_enum, default_value_t = LangName::En)]
    lang: LangName,
}

/// Merges.
pub(super) fn run(args: &Args) -> ExitCode {
    let lang: Lang = args.lang.into();
    let runs = match saved::all(&args.files) {
        Ok(runs) => runs,
        Err(problems) => {
            problems.iter().for_each(|problem| eprintln!("error: {problem}"));
            return ExitCode::from(2);
        }
    };
    let first = runs.first().map(|(label, _)| label.clone()).unwrap_or_default();
    let (merged, apart) = match merge(runs, args.force) {
        Ok(merged) => merged,
        Err(MergeError::SetUps(apart)) => {
            eprintln!("error: {}", GateText::MergeRefused.get(lang));
            say(&apart, &first, lang);
            return ExitCode::from(1);
        }
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    if !apart.is_empty() {
        eprintln!("warning: {}", GateText::MergeForced.get(lang));
        say(&apart, &first, lang);
    }
    if let Err(why) = std::fs::write(&args.output, merged.to_json()) {
        eprintln!("error: {}: {why}", args.output.display());
        return ExitCode::from(3);
    }
    told(&merged, lang);
    println!("Saved: {}", args.output.display());
    ExitCode::SUCCESS
}

fn say(apart: &[Apart], first: &str, lang: Lang) {
    for Apart { label, differences } in apart {
        eprintln!("{}", fill(GateText::MergeDiffers.get(lang), &[label, first]));
        // The first line says that contexts differ, which stands above.
        context_lines(differences, lang).iter().skip(1).for_each(|line| eprintln!("  {line}"));
    }
}

fn told(run: &Run, lang: Lang) {
    let measured = run.traces.iter().filter(|t| !t.planned.warmup).count();
    let values = [run.parts.len(), run.traces.len(), measured].map(|n| n.to_string());
    println!("{}", fill(GateText::Merged.get(lang), &values.each_ref().map(String::as_str)));
    for origin in run.origins() {
        println!("  {}: {}, {}", origin.label.unwrap_or_default(), origin.created, origin.traces.len());
    }
    println!("{}", GateText::MergedDropped.get(lang));
}
