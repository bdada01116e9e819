//! `compare`: what changed between a baseline and another run, and whether by more than is allowed.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use firstlight_core::compare::Regression;
use firstlight_core::gate::{Case, all, comparison_json, comparison_markdown, junit, regressions};
use firstlight_core::report::Run;
use firstlight_core::sections::{Section, compared_within};
use firstlight_core::summary::context_line;
use firstlight_core::text::Lang;

use super::measure::LangName;
use super::{gate, saved, summary_table};

/// What stands below the options in `--help`.
pub(super) const AFTER_HELP: &str = "\
Examples:
  firstlight compare base.json new.json
  firstlight compare base.json new.json --fail-if 'p95(first_visible) +10%' --fail-if 'error_rate +1%'
  firstlight compare base.json new.json --format markdown >> \"$GITHUB_STEP_SUMMARY\"
  firstlight compare base.json new.json --fail-if 'p50(first_visible) +50ms' --format junit --output compare.xml

A limit is a percentile of a metric, or error_rate or pass_rate; + or - for the worse way; and how much: a share of the baseline's
value (%), or an amount (ms, s, tokens/s). Of rates, % are percentage points. The 95 % interval decides, never the estimate: what
lies on both sides of the allowed value is not decided.

Exit codes:
  0  compared, and no limit was passed
  1  a figure got worse by more than is allowed
  2  the arguments are wrong, or a run can't be read
  3  it can't be written
  4  nobody can tell of some limit, and no other was passed: too few requests, too wide an interval, or not measured in both";

/// What to compare.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The baseline
    #[arg(value_name = "BASE.json")]
    base: PathBuf,
    /// The run that is compared with it
    #[arg(value_name = "NEW.json")]
    new: PathBuf,
    /// How much worse a figure may get, such as 'p95(first_visible) +10%'; may be given several times
    #[arg(long, value_name = "LIMIT")]
    fail_if: Vec<Regression>,
    /// Differences of times of this size and less don't matter, in ms
    #[arg(long, value_name = "MS")]
    margin_ms: Option<u32>,
    /// How to say it
    #[arg(long, value_enum, default_value_t = As::Text)]
    format: As,
    /// Where to write it; overwritten [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Language of what people read
    #[arg(long, value_enum, default_value_t = LangName::En)]
    lang: LangName,
}

/// A form.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum As {
    /// Sentences and tables
    Text,
    /// The same in Markdown
    Markdown,
    /// One test case for each limit
    Junit,
    /// For other programs
    Json,
}

/// Compares.
pub(super) fn run(args: &Args) -> ExitCode {
    let lang: Lang = args.lang.into();
    if args.format == As::Junit && args.fail_if.is_empty() {
        eprintln!("error: --format junit has a case for each limit: set one with --fail-if, such as 'p95(first_visible) +10%'");
        return ExitCode::from(2);
    }
    let (base, new) = match (saved::one(&args.base), saved::one(&args.new)) {
        (Ok(base), Ok(new)) => (base, new),
        (base, new) => {
            [base.err(), new.err()].into_iter().flatten().for_each(|problem| eprintln!("error: {problem}"));
            return ExitCode::from(2);
        }
    };
    let margin_us = args.margin_ms.map(|ms| i64::from(ms) * 1000);
    let cases = regressions(&base, &new, &args.fail_if, lang);
    let text = match args.format {
        As::Text => in_text(&compared_within(&base, &new, margin_us, lang), &cases, lang),
        As::Markdown => comparison_markdown(&base, &new, margin_us, &cases, lang),
        As::Json => format!("{:#}\n", comparison_json(&base, &new, margin_us, &cases)),
        As::Junit => junit("firstlight.compare", &new.created, &properties(args, &base, &new, lang), &cases),
    };
    if let Err(problem) = gate::write(args.output.as_deref(), &text) {
        eprintln!("error: {problem}");
        return ExitCode::from(3);
    }
    ExitCode::from(all(&cases).exit_status())
}

fn in_text(section: &Section, cases: &[Case], lang: Lang) -> String {
    let mut out = summary_table::text(section);
    out.push_str(&format!("\n{}\n", section.context));
    if !cases.is_empty() {
        out.push('\n');
        out.push_str(&gate::text(cases, lang));
    }
    out
}

fn properties(args: &Args, base: &Run, new: &Run, lang: Lang) -> Vec<(&'static str, String)> {
    let of = |run: &Run| context_line(run, lang, None, "", "");
    vec![
        ("base", saved::label(&args.base)),
        ("base_context", of(base)),
        ("new", saved::label(&args.new)),
        ("new_context", of(new)),
    ]
}
