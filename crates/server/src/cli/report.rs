//! `report`: a saved run in another format, the same bytes as the page's export.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use firstlight_core::export::{Format, Options};
use firstlight_core::report::Run;
use firstlight_core::slo::Criterion;
use firstlight_core::text::Lang;

use super::measure::LangName;
use super::{deliver, gate, saved};

/// What stands below the options in `--help`.
pub(super) const AFTER_HELP: &str = "\
Examples:
  firstlight report run.json --format html --output run.html
  firstlight report run.json --format markdown >> \"$GITHUB_STEP_SUMMARY\"
  firstlight report run.json --format csv --output samples.csv
  firstlight report run.json --format hgrm --series ttfv/streaming/value --output ttfv.hgrm
  firstlight report run.json --format otlp-metrics --output metrics.json
  firstlight report run.json --otlp http://127.0.0.1:4318
  firstlight report run.json --slo 'p95(first_visible)<800ms' --slo 'error_rate<1%' --junit limits.xml

Formats (docs/exports.md): html, a report with its charts in one file; markdown, a summary; csv and jsonl, a row
or an object for each request; hlog and hgrm, HdrHistogram's interval log and percentile distribution; otlp-metrics and otlp-traces, the documents
of OpenTelemetry (docs/otlp.md). None holds what was asked or answered.

Exit codes:
  0  written, and every limit of --slo holds
  1  a limit of --slo does not hold; or some requests failed, and no limit speaks of error_rate
  2  the arguments are wrong, the run can't be read, or it has nothing of what was asked for
  3  it can't be written or sent
  4  nobody can tell whether a limit of --slo holds, and none is broken";

/// What to write.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The saved run
    #[arg(value_name = "RUN.json")]
    file: PathBuf,
    /// What to write it as
    #[arg(long, value_name = "FORMAT", value_parser = formats(), required_unless_present_any = ["otlp", "slo", "junit"])]
    format: Option<Format>,
    /// Where to write it; overwritten [default: standard output]
    #[arg(long, short, value_name = "FILE", requires = "format")]
    output: Option<PathBuf>,
    /// Which series, of a format that holds one: METRIC/MODE/EDGE [default: the first that has samples]
    #[arg(long, value_name = "SERIES")]
    series: Option<String>,
    /// What must hold for exit status 0, such as p95(first_visible)<800ms or error_rate<1%; may be given several times
    #[arg(long, value_name = "LIMIT")]
    slo: Vec<Criterion>,
    #[command(flatten)]
    gate: gate::Args,
    #[command(flatten)]
    deliver: deliver::Args,
    /// Language of formats that people read
    #[arg(long, value_enum, default_value_t = LangName::En)]
    lang: LangName,
}

fn formats() -> impl clap::builder::TypedValueParser<Value = Format> {
    let codes = PossibleValuesParser::new(Format::ALL.iter().map(|format| format.code()));
    codes.try_map(|code| Format::from_code(&code).ok_or("no such format"))
}

/// What was asked for, in the order: written, judged, sent.
pub(super) async fn run(args: &Args) -> ExitCode {
    let say = |problem: &dyn std::fmt::Display, status: u8| {
        eprintln!("error: {problem}");
        ExitCode::from(status)
    };
    let collector = match args.deliver.collector() {
        Ok(collector) => collector,
        Err(problem) => return say(&format!("--otlp: {problem}"), 2),
    };
    let (run, text) = match read(args) {
        Ok(read) => read,
        Err(problem) => return say(&problem, 2),
    };
    let lang: Lang = args.lang.into();
    if let Some(Err(problem)) = text.map(|text| gate::write(args.output.as_deref(), &text)) {
        return say(&problem, 3);
    }
    let mut status = ExitCode::SUCCESS;
    if args.gate.writes() || !args.slo.is_empty() {
        match args.gate.judge(&run, &args.slo, lang) {
            Ok((cases, said)) => {
                // Beside what may go to standard output.
                eprint!("{}", gate::text(&cases, lang));
                status = ExitCode::from(said.exit_status());
            }
            Err(problem) => return say(&problem, 3),
        }
    }
    if let Some(collector) = &collector
        && let Err(problem) = deliver::send(collector, &run).await
    {
        return say(&format!("{problem:#}"), 3);
    }
    status
}

/// The run, and what it is to be written as.
fn read(args: &Args) -> Result<(Run, Option<String>), String> {
    let run = saved::one(&args.file)?;
    let options = Options { lang: args.lang.into(), series: args.series.as_deref() };
    let text = args.format.map(|format| format.write(&run, options)).transpose();
    let text = text.map_err(|e| format!("{}: {e}", args.file.display()))?;
    Ok((run, text))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        args: Args,
    }

    fn problem(file: &str, content: &str) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(file);
        std::fs::write(&path, content).expect("written");
        let path = path.display().to_string();
        let only = Only::try_parse_from(["report", &path, "--format", "csv"]).expect("arguments");
        read(&only.args).expect_err("refused").replace(&path, file)
    }

    #[test]
    fn a_file_that_is_no_run_is_named_with_what_to_do() {
        assert!(problem("a.json", "{}").starts_with("a.json: the file is JSON, but not a Firstlight run"));
        let newer = problem("a.json", r#"{"format": "firstlight-run", "version": 99}"#);
        assert!(newer.contains("version 99") && newer.contains("newer Firstlight"), "{newer}");
        let missing = Only::try_parse_from(["report", "/nowhere/run.json", "--format", "html"]).expect("arguments");
        assert!(read(&missing.args).expect_err("missing").starts_with("/nowhere/run.json: "));
    }

    #[test]
    fn something_must_be_asked_for() {
        let parse = |more: &[&str]| Only::try_parse_from(["report", "run.json"].iter().chain(more)).map(|only| only.args);
        assert!(parse(&[]).err().expect("nothing to do").to_string().contains("--format"));
        assert!(parse(&["--output", "x"]).is_err());
        let judged = parse(&["--slo", "p95(first_visible)<800ms", "--slo", "error_rate<1%"]).expect("limits alone");
        assert_eq!((judged.slo.len(), judged.format), (2, None));
        assert!(parse(&["--otlp", "http://127.0.0.1:4318"]).is_ok() && parse(&["--junit", "x.xml"]).is_ok());
        let wrong = parse(&["--slo", "first_visible<800ms"]).err().expect("of one request").to_string();
        assert!(wrong.contains("p95(first_visible)"), "{wrong}");
    }

    #[test]
    fn formats_are_those_of_core_and_others_are_refused_with_all_of_them() {
        for format in Format::ALL {
            let only = Only::try_parse_from(["report", "run.json", "--format", format.code()]).expect("a format");
            assert_eq!(only.args.format, Some(format));
        }
        let refused = Only::try_parse_from(["report", "run.json", "--format", "xlsx"]).err().expect("refused").to_string();
        assert!(Format::ALL.iter().all(|format| refused.contains(format.code())), "{refused}");
    }
}
