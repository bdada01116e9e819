//! What the server's own stage times explain of a wait: what it did from stage to stage, and, where its clock is joined to the
//! page's, the way to it and the way back.

use super::split::{Part, PartKind, Wait};
use crate::Micros;
use crate::align::{Alignment, Offset};
use crate::mark::{Absence, Mark};
use crate::server_report::{Stage, Stages};
use crate::trace::Trace;

/// Two stamps of one clock in whole µs differ from the truth by less.
const SAME_CLOCK: Micros = Micros(1);

/// The stage at which the server wrote what the page received at the end of the wait; none if it did not stamp that.
fn written(trace: &Trace, stages: &Stages, wait: Wait) -> Option<(Stage, Micros)> {
    let same = |a, b| trace.marks.get(a).is_ok_and(|at| trace.marks.get(b) == Ok(at));
    let stage = match wait {
        // A reply that is not streamed shows nothing before it is whole.
        _ if !trace.streamed() || !wait.is_first() => match wait {
            Wait::CompleteVisible if !same(Mark::LastAnswer, Mark::LastOutput) => return None,
            _ => Stage::LastToken,
        },
        Wait::FirstOutput => Stage::FirstToken,
        _ if stages.get(Stage::FirstAnswer).is_some() => Stage::FirstAnswer,
        // What came before the answer was another output.
        _ if !same(Mark::FirstAnswer, Mark::FirstOutput) => return None,
        _ => Stage::FirstToken,
    };
    Some((stage, stages.get(stage)?))
}

/// From stage to stage, up to the one at which the end of the wait was written.
fn chain(stages: &Stages, written: (Stage, Micros)) -> Vec<(Stage, Micros)> {
    let first = stages.get(Stage::FirstToken).filter(|_| written.0 != Stage::FirstToken).map(|at| (Stage::FirstToken, at));
    stages.middle().into_iter().chain(first).chain([written]).collect()
}

fn steps(chain: &[(Stage, Micros)]) -> impl Iterator<Item = Part> {
    chain.windows(2).map(|pair| Part {
        kind: PartKind::Stages { from: pair[0].0, to: pair[1].0 },
        value: pair[1].1 - pair[0].1,
        bound: None,
    })
}

/// What the server did from the beginning of its queue on, without its clock being joined: durations on one clock.
pub(super) fn reported(trace: &Trace, wait: Wait) -> Result<Vec<Part>, Absence> {
    let Some((stages, written)) = trace.stages.as_ref().and_then(|s| Some((s, written(trace, s, wait)?))) else {
        return Ok(Vec::new());
    };
    if !stages.are_in_order() {
        return Err(Absence::Inconsistent);
    }
    let mut chain = chain(stages, written);
    if stages.middle().is_empty() {
        chain.splice(0..0, stages.get(Stage::Received).map(|at| (Stage::Received, at)));
    }
    Ok(steps(&chain).filter(|part| part.value != Micros::ZERO).collect())
}

/// A wait on two clocks that are joined.
pub(super) struct Joined {
    /// The way to the server.
    pub(super) outbound: Part,
    /// Everything from receipt to arrival, none of it unexplained; none if the server did not stamp the end of the wait.
    pub(super) rest: Option<Vec<Part>>,
}

/// Splits what passed between the request's leaving and the arrival of what was waited for. None without stages or without a
/// clock that is joined; [`Absence::Inconsistent`] if a part is more negative than it may be wrong.
pub(super) fn joined(
    trace: &Trace,
    wait: Wait,
    (left, arrived): (Micros, Micros),
    clock_error: Micros,
    alignment: &Alignment,
) -> Result<Option<Joined>, Absence> {
    let Some(stages) = &trace.stages else { return Ok(None) };
    let (Some(received), Ok(Offset { offset, error })) = (stages.get(Stage::Received), alignment.offset(stages)) else {
        return Ok(None);
    };
    let bound = error + clock_error;
    let way = |kind, value: Micros| match value.0 < -bound.0 {
        true => Err(Absence::Inconsistent),
        false => Ok(Part { kind, value, bound: Some(bound) }),
    };
    if !stages.are_in_order() {
        return Err(Absence::Inconsistent);
    }
    let from_sent = trace.marks.get(Mark::RequestStart).is_err();
    let outbound = way(PartKind::Outbound { from_sent }, received + offset - left)?;
    let Some(written) = written(trace, stages, wait) else { return Ok(Some(Joined { outbound, rest: None })) };
    let mut chain = chain(stages, written);
    let mut rest = Vec::new();
    match stages.middle().first() {
        Some((_, first)) => {
            rest.push(Part { kind: PartKind::Ingress, value: *first - received, bound: Some(SAME_CLOCK) });
        }
        None => chain.insert(0, (Stage::Received, received)),
    }
    rest.extend(steps(&chain).filter(|part| part.value != Micros::ZERO));
    rest.push(way(PartKind::Return, arrived - (written.1 + offset))?);
    Ok(Some(Joined { outbound, rest: Some(rest) }))
}
