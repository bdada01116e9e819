//! Throughput up while the first output got slower: over the levels of a sweep or of steps, what was bought with what?

use super::case::{Case, ids};
use super::{ENOUGH, Told};
use crate::Micros;
use crate::format::{millis, significant};
use crate::load::{Level, NO_GAIN, levels, saturation};
use crate::mark::Absence;
use crate::metrics::Metric;
use crate::stats::{Interval, P50, Verdict, difference};
use crate::summary::{metric_rows, side};
use crate::text::{Dia, absence};
use crate::trace::{Mode, Trace};

/// A first output that is later by less than this share is not what one would notice beside the gain, which counts from
/// [`NO_GAIN`] on.
const LATER: f64 = 0.1;

pub(super) fn check(case: &Case<'_>) -> Result<Told, String> {
    if case.run.is_merged() {
        return Err(absence(case.lang, Absence::OwnClocks).to_owned());
    }
    let judged = saturation(&case.run.config.load.shape, &levels(&case.run.config), &case.run.traces);
    let (Some(lowest), true) = (judged.first(), judged.len() > 1) else {
        return Err(Dia::BatchingLevels.get(case.lang).to_owned());
    };
    let rate = |level: &&Level| level.throughput.unwrap_or(0.0);
    let Some(best) = judged[1..].iter().max_by(|a, b| rate(a).total_cmp(&rate(b))) else {
        return Err(Dia::BatchingLevels.get(case.lang).to_owned());
    };
    let of =
        |level: &Level| -> Vec<&Trace> { case.measured.iter().copied().filter(|t| t.planned.stage == level.stage).collect() };
    let (low, high) = (of(lowest), of(best));
    let rows = |traces: &[&Trace]| metric_rows(Metric::Ttft, Mode::Streaming, traces);
    let (rows_low, rows_high) = (rows(&low), rows(&high));
    let n = |rows| side(rows).map_or(0, |side| side.low.n());
    case.enough(n(&rows_low).min(n(&rows_high)), ENOUGH, Dia::OfStreams)?;
    let (Some(before), Some(after)) = (lowest.throughput, best.throughput) else {
        return Err(Dia::BatchingLevels.get(case.lang).to_owned());
    };
    if after < before * (1.0 + NO_GAIN) {
        return Ok(Told::not_found(Dia::BatchingNoGain.get(case.lang).to_owned()));
    }
    let compared = side(&rows_low).zip(side(&rows_high)).and_then(|(a, b)| difference(a, b, P50, case.run.config.seed));
    let Some((compared, (first, _), (then, _))) = compared.zip(lowest.first).zip(best.first).map(|((d, a), b)| (d, a, b))
    else {
        return Err(case.needs(0, ENOUGH, Dia::OfStreams));
    };
    let noticed = (LATER * first.value as f64) as i64;
    let between = case.between(compared.interval);
    let step = Micros(case.run.clock.step_us);
    let went = format!("{} → {} ms", millis(first.value, step), millis(then.value, step));
    let levels = [lowest.level, best.level].map(|l| significant(l, 2));
    let later = compared.verdict(None) == Verdict::Higher && then.value - first.value >= noticed;
    if later {
        let rates = [before, after].map(|r| significant(r, 2));
        let evidence = case.say(Dia::BatchingFound, &[&levels[0], &levels[1], &rates[0], &rates[1], &went, &between]);
        let share = (then.value > 0).then(|| ((then.value - first.value) as f64 / then.value as f64).clamp(0.0, 1.0));
        return Ok(Told::found(evidence, Dia::BatchingDo.get(case.lang).to_owned(), ids(high), share));
    }
    match compared.interval {
        Interval::Between { upper: Some(upper), .. } if upper < noticed => {
            Ok(Told::not_found(case.say(Dia::BatchingNot, &[&levels[0], &levels[1], &went])))
        }
        _ => Err(case.say(Dia::BatchingUndecided, &[&between])),
    }
}
