//! One series as HdrHistogram's percentile distribution, in the layout that its plotters read. Values are ms.

use super::{ExportError, series};
use crate::report::Run;
use crate::stats::SUB_BUCKETS;
use crate::summary::Summary;

/// Steps for each halving of the distance to 100 %, as HdrHistogram's own tools have it.
const STEPS: u32 = 5;

/// The text.
pub(super) fn write(run: &Run, name: Option<&str>) -> Result<String, ExportError> {
    let summary = Summary::of(run);
    let series = series::one(&summary, name)?;
    let of = &series.histogram;
    let ms = |us: f64| us / 1000.0;
    let mut out = format!("{:>12} {:>14} {:>10} {:>14}\n\n", "Value", "Percentile", "TotalCount", "1/(1-Percentile)");
    for step in of.steps(STEPS) {
        let (value, quantile) = (ms(step.value as f64), step.quantile);
        out.push_str(&format!("{value:>12.3} {quantile:.12} {:>10}", step.at_or_below));
        // The last has none.
        if quantile < 1.0 {
            out.push_str(&format!(" {:>14.2}", 1.0 / (1.0 - quantile)));
        }
        out.push('\n');
    }
    let (mean, sd) = of.moments();
    out.push_str(&format!("#[Mean    = {:>12.3}, StdDeviation   = {:>12.3}]\n", ms(mean), ms(sd)));
    out.push_str(&format!("#[Max     = {:>12.3}, Total count    = {:>12}]\n", ms(of.max() as f64), of.len()));
    out.push_str(&format!("#[Buckets = {:>12}, SubBuckets     = {SUB_BUCKETS:>12}]\n", of.buckets()));
    out.push_str(&format!("#[Series  = {}, in ms, {}]\n", series.name, series.remarks()));
    Ok(out)
}
