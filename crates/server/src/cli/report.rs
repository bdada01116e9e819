//! `report`: a saved run in another format, the same bytes as the page's export.

use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use firstlight_core::export::{Format, Options};
use firstlight_core::report::Run;

use super::measure::LangName;

/// What stands below the options in `--help`.
pub(super) const AFTER_HELP: &str = "\
Examples:
  firstlight report run.json --format html --output run.html
  firstlight report run.json --format markdown >> \"$GITHUB_STEP_SUMMARY\"
  firstlight report run.json --format csv --output samples.csv
  firstlight report run.json --format hgrm --series ttfv/streaming/value --output ttfv.hgrm

Formats (docs/exports.md): html, a report with its charts in one file; markdown, a summary; csv and jsonl, a row
or an object for each request; hlog and hgrm, HdrHistogram's interval log and percentile distribution. None holds
what was asked or answered.

Exit codes:
  0  written
  2  the run can't be read, or it has nothing of what was asked for
  3  it can't be written";

/// What to write.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The saved run
    #[arg(value_name = "RUN.json")]
    file: PathBuf,
    /// What to write it as
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    format: Format,
    /// Where to write it; overwritten [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Which series, of a format that holds one: METRIC/MODE/EDGE [default: the first that has samples]
    #[arg(long, value_name = "SERIES")]
    series: Option<String>,
    /// Language of formats that people read
    #[arg(long, value_enum, default_value_t = LangName::En)]
    lang: LangName,
}

fn formats() -> impl clap::builder::TypedValueParser<Value = Format> {
    let codes = PossibleValuesParser::new(Format::ALL.iter().map(|format| format.code()));
    codes.try_map(|code| Format::from_code(&code).ok_or("no such format"))
}

/// Writes it.
pub(super) fn run(args: &Args) -> ExitCode {
    let text = match read(args) {
        Ok(text) => text,
        Err(problem) => {
            eprintln!("error: {problem}");
            return ExitCode::from(2);
        }
    };
    let written = match &args.output {
        Some(path) => std::fs::write(path, &text).map_err(|e| format!("{}: {e}", path.display())),
        None => match std::io::stdout().write_all(text.as_bytes()) {
            // Whoever reads has read enough.
            Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
            other => other.map_err(|e| e.to_string()),
        },
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::from(3)
        }
    }
}

fn read(args: &Args) -> Result<String, String> {
    let of = |e: &dyn std::fmt::Display| format!("{}: {e}", args.file.display());
    let text = std::fs::read_to_string(&args.file).map_err(|e| of(&e))?;
    let run = Run::from_json(&text).map_err(|e| of(&e))?;
    let options = Options { lang: args.lang.into(), series: args.series.as_deref() };
    args.format.write(&run, options).map_err(|e| of(&e))
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
    fn formats_are_those_of_core_and_others_are_refused_with_all_of_them() {
        for format in Format::ALL {
            let only = Only::try_parse_from(["report", "run.json", "--format", format.code()]).expect("a format");
            assert_eq!(only.args.format, format);
        }
        let refused = Only::try_parse_from(["report", "run.json", "--format", "xlsx"]).err().expect("refused").to_string();
        assert!(Format::ALL.iter().all(|format| refused.contains(format.code())), "{refused}");
    }
}
