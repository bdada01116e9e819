//! HdrHistogram's interval log, version 1.3: one interval, one line for each metric and series, by its tag. Values are µs.

use super::ExportError;
use super::instant::epoch_seconds;
use super::series;
use crate::mark::Mark;
use crate::report::Run;
use crate::summary::Summary;
use crate::trace::Trace;

/// The text.
pub(super) fn write(run: &Run) -> Result<String, ExportError> {
    let summary = Summary::of(run);
    let all = series::all(&summary)?;
    let (from, length) = interval(run);
    let mut out = String::from("#[Logged by Firstlight. Values are in microseconds, Interval_Max in milliseconds]\n");
    out.push_str("#[Histogram log format version 1.3]\n");
    if let Some(begun) = epoch_seconds(&run.created) {
        out.push_str(&format!("#[StartTime: {begun:.3} (seconds since epoch), {}]\n", run.created));
        out.push_str(&format!("#[BaseTime: {begun:.3} (seconds since epoch)]\n"));
    }
    for series in &all {
        out.push_str(&format!("#[{}: {}]\n", series.name, series.remarks()));
    }
    out.push_str("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n");
    for series in &all {
        let max = series.histogram.max() as f64 / 1000.0;
        let histogram = series.histogram.encode().ok_or(ExportError::NoSamples)?;
        out.push_str(&format!("Tag={},{from:.3},{length:.3},{max:.3},{histogram}\n", series.name));
    }
    Ok(out)
}

/// When the measured part began, since the first request was sent, and how long it took, in seconds.
fn interval(run: &Run) -> (f64, f64) {
    let sent = |t: &Trace| t.marks.get(Mark::Sent).ok();
    let measured = || run.traces.iter().filter(|t| !t.planned.warmup && t.planned.arm == 0);
    let begin = run.traces.iter().filter_map(sent).min().unwrap_or_default();
    let from = measured().filter_map(sent).min().unwrap_or(begin);
    let to = measured().map(|t| t.last_known).max().unwrap_or(from);
    ((from - begin).as_secs(), (to - from).as_secs().max(0.0))
}
