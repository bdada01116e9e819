//! What the browser's own record of a press says of the answers that it caused, beside what the page found out by itself.

use crate::Micros;
use crate::mark::{Absence, Mark};
use crate::trace::Trace;

/// What the browser told of a press.
pub struct Pressed {
    /// When it was, on the page's clock.
    pub at: Micros,
    /// Of paints that it caused, those of the first of an answer, each with its request; or why this browser tells of none.
    pub painted: Result<Vec<(u32, Micros)>, Absence>,
}

/// Writes down the press that caused these requests, and what the browser told of it.
pub fn caused_by(traces: &mut [Trace], pressed: &Pressed) {
    for trace in traces {
        trace.marks.set(Mark::Input, pressed.at);
        let painted = pressed.painted.as_ref().map_err(|why| *why);
        let of_this = painted.map(|all| all.iter().find(|(request, _)| *request == trace.planned.id));
        trace.flags.press_paint = Some(of_this.and_then(|found| found.map(|(_, at)| *at).ok_or(Absence::NoPaintEntry)));
    }
}

/// Whether two ways to the first visible output agree: the browser's own record of the press, and the page's probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The record lies within the bounds.
    Agrees,
    /// It lies outside them by so much: below 0 it is earlier than the earliest.
    Differs(Micros),
}

/// Of a request that a press caused, or why the two can't be compared; none where no press caused it.
pub fn agreement(trace: &Trace) -> Option<Result<Agreement, Absence>> {
    let compare = |recorded: Micros| {
        let seen = trace.first_visible?;
        let late = seen.latest.map(|latest| recorded - latest).filter(|late| *late > Micros::ZERO);
        let early = Some(recorded - seen.earliest).filter(|early| *early < Micros::ZERO);
        Ok(late.or(early).map_or(Agreement::Agrees, Agreement::Differs))
    };
    Some(trace.flags.press_paint?.and_then(compare))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::{Method, Seen};
    use crate::summary::fixture::trace;

    fn seen_between(earliest: i64, latest: Option<i64>) -> Trace {
        let (earliest, latest) = (Micros::ms(earliest), latest.map(Micros::ms));
        let seen = Seen { method: Method::ElementTiming, earliest, latest, value: latest };
        Trace { first_visible: Ok(seen), ..trace(3, 100) }
    }

    fn told(mut trace: Trace, painted: Result<Vec<(u32, Micros)>, Absence>) -> Trace {
        caused_by(std::slice::from_mut(&mut trace), &Pressed { at: Micros::ms(1), painted });
        assert_eq!(trace.marks.get(Mark::Input), Ok(Micros::ms(1)));
        trace
    }

    #[test]
    fn a_record_within_the_bounds_agrees_and_one_outside_differs_by_its_distance() {
        let of =
            |at: i64, latest| agreement(&told(seen_between(100, latest), Ok(vec![(9, Micros::ms(1)), (3, Micros::ms(at))])));
        assert_eq!(of(100, Some(102)), Some(Ok(Agreement::Agrees)));
        assert_eq!(of(102, Some(102)), Some(Ok(Agreement::Agrees)));
        assert_eq!(of(110, Some(102)), Some(Ok(Agreement::Differs(Micros::ms(8)))));
        assert_eq!(of(95, Some(102)), Some(Ok(Agreement::Differs(Micros::ms(-5)))));
        assert_eq!(of(5_000, None), Some(Ok(Agreement::Agrees)), "nothing bounds it above");
    }

    #[test]
    fn what_cannot_be_compared_has_its_reason() {
        let seen = || seen_between(100, Some(102));
        assert_eq!(agreement(&seen()), None, "no press caused it");
        assert_eq!(agreement(&told(seen(), Err(Absence::EngineLacks))), Some(Err(Absence::EngineLacks)));
        assert_eq!(agreement(&told(seen(), Ok(vec![(9, Micros::ms(101))]))), Some(Err(Absence::NoPaintEntry)));
        let hidden = Trace { first_visible: Err(Absence::Hidden), ..seen() };
        assert_eq!(agreement(&told(hidden, Ok(vec![(3, Micros::ms(101))]))), Some(Err(Absence::Hidden)));
    }
}
