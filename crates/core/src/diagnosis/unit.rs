//! Server unit suspicious: is a reported span a thousand times longer or shorter than the measured wait allows?

use super::case::{Case, ids, middle, reaches};
use super::{ENOUGH, Told};
use crate::Micros;
use crate::format::{count, significant};
use crate::mark::Mark;
use crate::server_report::{Boundary, Span};
use crate::text::Dia;
use crate::trace::Trace;

/// A span is inside its wait, so any that exceeds it is wrong; one that exceeds it tenfold is not explained by an overlap or
/// by a retried request.
const TOO_LARGE: f64 = 10.0;
/// Spans that hold the inference itself nearly fill their wait. One that would fill it in another unit, to these shares, and
/// as it stands is a thousandth of it, is in that unit. A server that is truly so fast would have to have a wait a thousand
/// times its work, in nearly every request.
const FILLS: (f64, f64) = (0.3, 1.05);
/// Nearly every one of them.
const NEARLY_ALL: f64 = 0.9;

/// One span of a server over all requests that have it: sent value, and the wait that contains it.
struct Series<'a> {
    span: &'a Span,
    of: Vec<(&'a Trace, Micros, Micros)>,
}

pub(super) fn check(case: &Case<'_>) -> Result<Told, String> {
    let mut all: Vec<Series<'_>> = Vec::new();
    for trace in &case.entering {
        for span in &trace.spans {
            let Some(wait) = containing(trace, span.boundary).filter(|wait| *wait > Micros::ZERO) else { continue };
            match all.iter_mut().find(|s| (&s.span.name, s.span.boundary) == (&span.name, span.boundary)) {
                Some(series) => series.of.push((trace, span.value, wait)),
                None => all.push(Series { span, of: vec![(trace, span.value, wait)] }),
            }
        }
    }
    let most = all.iter().map(|s| s.of.len()).max().unwrap_or(0);
    case.enough(most, ENOUGH, Dia::OfSpans)?;
    all.retain(|s| s.of.len() >= ENOUGH);
    let Some((series, key, factor)) = all.iter().find_map(|s| suspicious(s).map(|(key, factor)| (s, key, factor))) else {
        return Ok(Told::not_found(case.say(Dia::UnitNot, &[&count(all.len()), &count(most)])));
    };
    // Shown in the middle request, as its server wrote it.
    let wait = case.ms(middle(series.of.iter().map(|(_, _, wait)| *wait)));
    let value = significant(middle(series.of.iter().map(|(_, value, _)| *value)).0 as f64 / in_micros(series.span), 2);
    let values = [&series.span.name, &value, series.span.unit.code(), &significant(factor, 0), &wait, &count(series.of.len())];
    let advice = case.say(Dia::UnitDo, &[&series.span.name]);
    Ok(Told::found(case.say(key, &values), advice, ids(series.of.iter().map(|(t, ..)| *t)), None))
}

/// How many µs one of a span's own units is.
fn in_micros(span: &Span) -> f64 {
    use crate::server_report::Unit;
    match span.unit {
        Unit::S => 1e6,
        Unit::Ms => 1e3,
        Unit::Us => 1.0,
        Unit::Ns => 1e-3,
    }
}

/// Which way, and by how much.
fn suspicious(series: &Series<'_>) -> Option<(Dia, f64)> {
    let ratio = |(_, value, wait): &(&Trace, Micros, Micros)| value.0 as f64 / wait.0 as f64;
    let mut ratios: Vec<f64> = series.of.iter().map(ratio).collect();
    ratios.sort_by(f64::total_cmp);
    let nearly_all =
        |holds: &dyn Fn(f64) -> bool| reaches(ratios.iter().filter(|r| holds(**r)).count(), ratios.len(), NEARLY_ALL, ENOUGH);
    let middle = ratios[ratios.len() / 2];
    if nearly_all(&|r| r >= TOO_LARGE) {
        return Some((Dia::UnitTooLarge, middle));
    }
    let whole = matches!(series.span.boundary, Boundary::Total | Boundary::TimeToFirstToken | Boundary::PrefillDecode);
    let in_another = |r: f64| [1e3, 1e6].iter().any(|factor| (FILLS.0..=FILLS.1).contains(&(r * factor)));
    (whole && nearly_all(&in_another)).then(|| (Dia::UnitTooSmall, 1.0 / middle))
}

/// The measured wait in which a span must lie.
fn containing(trace: &Trace, boundary: Boundary) -> Option<Micros> {
    let marks = &trace.marks;
    let whole = || marks.between(Mark::Sent, Mark::LastOutput).ok().filter(|_| trace.outcome.ended());
    match boundary {
        Boundary::Forwarder => None,
        Boundary::ToHeaders => marks.between(Mark::Sent, Mark::HeadersSeen).ok(),
        Boundary::Queue | Boundary::Preprocessing | Boundary::Prefill | Boundary::TimeToFirstToken if trace.streamed() => {
            marks.between(Mark::Sent, Mark::FirstOutput).ok()
        }
        _ => whole(),
    }
}
