//! When something was on the screen: an interval, with a value only where the method gives one.

use crate::Micros;
use crate::mark::Absence;
use crate::trace::Covered;

/// How an instant of visibility was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// Element Timing of a fresh element that holds the text: the time at which the frame was presented.
    ElementTiming,
    /// Animation-frame callbacks around the insertion: bounds only.
    FrameCallbacks,
}

impl Method {
    /// The stable name used in run files.
    pub fn code(self) -> &'static str {
        match self {
            Method::ElementTiming => "element_timing",
            Method::FrameCallbacks => "frame_callbacks",
        }
    }

    /// The method of a stable name.
    pub fn from_code(code: &str) -> Option<Method> {
        [Method::ElementTiming, Method::FrameCallbacks].into_iter().find(|m| m.code() == code)
    }
}

/// An instant of visibility: surely not before `earliest`, surely not after `latest`, where those are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// How it was found.
    pub method: Method,
    /// Lower bound.
    pub earliest: Micros,
    /// Upper bound; none where nothing the browser offers bounds it.
    pub latest: Option<Micros>,
    /// The instant itself, only where the method gives one.
    pub value: Option<Micros>,
}

/// A paint mark: seen, or absent with a reason.
pub type Paint = Result<Seen, Absence>;

/// Presentation times are rounded up to a multiple of this when the page is not cross-origin isolated.
pub const PRESENTATION_ROUNDING: Micros = Micros(4_000);

/// How much earlier than the reported presentation the pixels may have changed (measured against pixels: at most 1.8 ms).
pub const PRESENTATION_LATE: Micros = Micros(2_000);

/// A frame later than this after the previous one means that frame callbacks bound nothing.
pub const LONG_FRAME: Micros = Micros(25_000);

/// How long after the second frame callback the text was on the screen at the latest, in an engine whose compositor
/// holds a frame back for one tick (measured against pixels: at most 19.4 ms).
pub const SECOND_FRAME_MARGIN: Micros = Micros(20_000);

/// What the page noticed about the appearing of one piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// An Element Timing entry: presentation time, and whether any of the element was inside the viewport.
    Element {
        /// `presentationTime`, else `renderTime`.
        presented: Micros,
        /// The intersection rectangle had an area.
        in_view: bool,
        /// Something lay over it.
        covered: Covered,
    },
    /// Frame callbacks after the insertion.
    Frames {
        /// `performance.now()` in the first callback at or after the insertion.
        first: Micros,
        /// The same in the next callback.
        second: Micros,
        /// The element was inside the viewport.
        in_view: bool,
        /// Something lay over it.
        covered: Covered,
        /// The engine is one for which [`SECOND_FRAME_MARGIN`] was measured.
        bounded: bool,
    },
}

impl Probe {
    /// Something lay over what appeared.
    pub fn covered(self) -> Covered {
        match self {
            Probe::Element { covered, .. } | Probe::Frames { covered, .. } => covered,
        }
    }
}

/// What a probe says about visibility. `isolated` is `crossOriginIsolated` of the page.
pub fn seen(probe: Probe, isolated: bool) -> Paint {
    match probe {
        Probe::Element { in_view: false, .. } | Probe::Frames { in_view: false, .. } => Err(Absence::OffScreen),
        _ if probe.covered() == Covered::Yes => Err(Absence::Covered),
        Probe::Element { presented, .. } => {
            let rounding = if isolated { Micros::ZERO } else { PRESENTATION_ROUNDING };
            Ok(Seen {
                method: Method::ElementTiming,
                earliest: presented - rounding - PRESENTATION_LATE,
                latest: Some(presented),
                value: Some(presented - Micros(rounding.0 / 2)),
            })
        }
        Probe::Frames { first, second, bounded, .. } => Ok(Seen {
            method: Method::FrameCallbacks,
            earliest: first,
            latest: (bounded && second - first <= LONG_FRAME).then(|| second + SECOND_FRAME_MARGIN),
            value: None,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn element_timing_of_an_isolated_page_is_taken_as_it_is() {
        let p = seen(Probe::Element { presented: Micros(123_456), in_view: true, covered: Covered::No }, true).expect("seen");
        assert_eq!((p.earliest, p.latest, p.value), (Micros(121_456), Some(Micros(123_456)), Some(Micros(123_456))));
    }

    #[test]
    fn rounding_up_to_four_milliseconds_is_undone_and_bounded() {
        let p = seen(Probe::Element { presented: Micros(124_000), in_view: true, covered: Covered::No }, false).expect("seen");
        assert_eq!((p.earliest, p.latest, p.value), (Micros(118_000), Some(Micros(124_000)), Some(Micros(122_000))));
    }

    #[test]
    fn frame_callbacks_give_bounds_and_never_a_value() {
        let frames = |second, bounded| Probe::Frames {
            first: Micros(100_000),
            second,
            in_view: true,
            covered: Covered::Unknown,
            bounded,
        };
        let quiet = seen(frames(Micros(116_000), true), true).expect("seen");
        assert_eq!((quiet.earliest, quiet.latest, quiet.value), (Micros(100_000), Some(Micros(136_000)), None));
        let long = seen(frames(Micros(250_000), true), true).expect("seen");
        assert_eq!((long.latest, long.value), (None, None));
        let unknown_engine = seen(frames(Micros(116_000), false), true).expect("seen");
        assert_eq!(unknown_engine.latest, None);
    }

    #[test]
    fn under_something_else_nothing_was_seen() {
        let e = Probe::Element { presented: Micros(1), in_view: true, covered: Covered::Yes };
        assert_eq!(seen(e, true), Err(Absence::Covered));
    }

    #[test]
    fn outside_the_viewport_nothing_was_seen() {
        let e = Probe::Element { presented: Micros(1), in_view: false, covered: Covered::No };
        assert_eq!(seen(e, true), Err(Absence::OffScreen));
    }
}
