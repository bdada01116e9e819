//! `decode`: one recorded reply, through the page's own decoder.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use firstlight_core::config::Reading;
use firstlight_core::mark::Mark;
use firstlight_core::outcome::Outcome;
use firstlight_core::trace::Trace;
use firstlight_server::recorded::{Replayed, Timing, Unreadable, replay};
use serde_json::{Map, Value, json};

/// What stands below the options in `--help`.
pub(super) const AFTER_HELP: &str = "\
The file is raw HTTP/1.1 as it came from the socket (head, chunked framing and all), or a bare body.
Read times are a JSON file {\"reads\": [{\"ms\", \"off\", \"len\"}], \"end_ms\"}; NAME.timing.json beside
NAME.raw is taken by itself.

Exit codes:
  0  decoded, and the outcome is complete
  1  decoded, and the outcome is another
  2  the file can't be read, or the arguments are wrong";

/// What to decode and how.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The recorded reply
    file: PathBuf,
    #[command(flatten)]
    reading: super::reading::Args,
    /// When the bytes were read
    #[arg(long, value_name = "FILE")]
    timing: Option<PathBuf>,
    /// What was asked for [default: as the request in the read times says, else what came]
    #[arg(long, value_enum)]
    asked: Option<Asked>,
}

/// Streaming or not.
#[derive(Clone, Copy, ValueEnum)]
enum Asked {
    /// A stream
    Streaming,
    /// The whole answer at once
    NonStreaming,
}

/// Decodes; prints JSON on standard output.
pub(super) fn run(args: &Args) -> ExitCode {
    match decode(args) {
        Ok((report, complete)) => {
            // Whoever reads may have read enough.
            let _ = writeln!(std::io::stdout(), "{report:#}");
            ExitCode::from(u8::from(!complete))
        }
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::from(2)
        }
    }
}

fn decode(args: &Args) -> Result<(Value, bool), String> {
    let reading = Reading::from(&args.reading);
    if let Some(problem) = reading.problem() {
        return Err(problem.to_string());
    }
    let bytes = std::fs::read(&args.file).map_err(|e| format!("{}: {e}", args.file.display()))?;
    let timing = timing(args)?;
    let asked = args.asked.map(|a| matches!(a, Asked::Streaming));
    let replayed =
        replay(&bytes, timing.as_ref(), &reading.choice(), asked).map_err(|e| format!("{}: {e}", args.file.display()))?;
    let complete = outcome(&replayed) == Outcome::Complete.code();
    Ok((report(&replayed), complete))
}

/// A preflight is over with its head.
fn outcome(replayed: &Replayed) -> &'static str {
    let success = replayed.trace.response.as_ref().is_some_and(|r| (200..300).contains(&r.status));
    if replayed.preflight && success { Outcome::Complete.code() } else { replayed.trace.outcome.code() }
}

/// The named file, or the one beside the recording.
fn timing(args: &Args) -> Result<Option<Timing>, String> {
    let beside = args.file.with_extension("timing.json");
    let path: &Path = match &args.timing {
        Some(path) => path,
        None if beside != args.file && beside.is_file() => &beside,
        None => return Ok(None),
    };
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Timing::parse(&text).map(Some).map_err(|e: Unreadable| format!("{}: {e}", path.display()))
}

/// What is printed.
fn report(replayed: &Replayed) -> Value {
    let trace = &replayed.trace;
    let cors: Map<String, Value> = replayed.cors.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let status = trace.response.as_ref().map(|r| r.status);
    if replayed.preflight {
        return json!({"dialect": "preflight", "why": "request", "outcome": outcome(replayed), "status": status, "cors": cors});
    }
    let (dialect, why) = trace.dialect.unzip();
    let mut reasons = Map::new();
    let mut marks = Map::new();
    for mark in Mark::ALL.into_iter().filter(|m| is_of_a_recording(*m)) {
        let at = trace.marks.get(mark).map_err(|why| why.code());
        let at = at.and_then(|at| if replayed.timed || mark == Mark::Sent { Ok(at) } else { Err("no_read_times") });
        marks.insert(mark.code().to_owned(), at.map_or(Value::Null, |at| json!(at.as_ms())));
        reasons.extend(at.err().map(|why| (mark.code().to_owned(), json!(why))));
    }
    json!({
        "dialect": dialect,
        "why": why,
        "outcome": outcome(replayed),
        "status": status,
        "cors": cors,
        "marks": marks,
        "absent": reasons,
        "text": {"answer": replayed.answer, "reasoning": replayed.reasoning, "tool": replayed.tool},
        "usage": usage(trace),
        "spans": spans(trace),
        "diagnostics": diagnostics(trace),
        "reads": trace.reads.len(),
        "events": replayed.events,
    })
}

/// A recording has no page and no plan.
fn is_of_a_recording(mark: Mark) -> bool {
    !matches!(mark, Mark::Intended | Mark::Input | Mark::Dispatched | Mark::RequestStart | Mark::FirstByte)
}

fn usage(trace: &Trace) -> Value {
    let usage = trace.usage.unwrap_or_default();
    json!({
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "reasoning_tokens": usage.reasoning,
        "cached_tokens": usage.cached,
        "items": trace.items,
    })
}

fn spans(trace: &Trace) -> Vec<Value> {
    let span = |s: &firstlight_core::server_report::Span| {
        json!({
            "name": s.name, "ms": s.value.as_ms(), "raw": s.raw, "unit": s.unit.code(),
            "source": s.source.code(), "boundary": s.boundary.code(),
        })
    };
    trace.spans.iter().map(span).collect()
}

fn diagnostics(trace: &Trace) -> Vec<Value> {
    trace.diagnostics.iter().map(|d| json!({"code": d.code, "detail": d.detail})).collect()
}
