//! Circumstances of a request or a run that change what its figures mean, and what each changes.

use crate::Micros;
use crate::delivery::{is_buffered_upstream, is_coalesced, stream_encoding};
use crate::mark::Absence;
use crate::race::{Agreement, agreement};
use crate::report::Environment;
use crate::trace::{Covered, Trace};

/// A longer interval of animation frames than this is no display's own: something halved the rate.
pub const SLOW_FRAMES: Micros = Micros(25_000);
/// A clock that moves in steps of this or more is a coarse one.
pub const COARSE_CLOCK: Micros = Micros(1_000);
/// A shorter wait inside the browser is its ordinary work.
pub(crate) const QUEUED: Micros = Micros(30_000);

/// What a circumstance does to figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Figures stand as they are; the circumstance tells what they hold.
    Kept,
    /// Figures are known less closely: bounds, or a stated error.
    Bounded,
    /// The request is left out of the figures concerned, and counted.
    Excluded,
}

impl Effect {
    /// The stable name.
    pub fn code(self) -> &'static str {
        match self {
            Effect::Kept => "kept",
            Effect::Bounded => "bounded",
            Effect::Excluded => "excluded",
        }
    }
}

/// Something that changes what a figure means. In the order in which they are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Circumstance {
    /// Sent before the measured part.
    WarmUp,
    /// The page was hidden at some moment of the request.
    Hidden,
    /// The answer's place was outside the viewport.
    OffScreen,
    /// Something lay over the answer's place.
    Covered,
    /// The page's main thread was blocked during the request, and its stamps are taken elsewhere.
    Blocked,
    /// The page's main thread was blocked during the request, and its stamps go through it.
    BlockedAndLate,
    /// Stamps break an order that must hold.
    OrderViolation,
    /// The browser's own record of the press that caused the request has its first output outside the page's bounds.
    PressDiffers,
    /// The request waited inside the browser, for a connection or for its preflight.
    Queued,
    /// A connection was opened for it.
    ColdConnection,
    /// The reply came from the browser's cache.
    FromCache,
    /// A service worker was in the path.
    ServiceWorker,
    /// The reply came from another address.
    Redirected,
    /// The stream was compressed.
    Compressed,
    /// Some read brought several outputs.
    Coalesced,
    /// Something on the way collected outputs before it passed them on.
    BufferedUpstream,
    /// `fetch` was not the browser's own.
    PatchedFetch,
    /// The body stayed open after the protocol's end.
    BodyLeftOpen,
    /// The browser gave no network timing.
    NoNetworkTiming,
    /// The page is not cross-origin isolated.
    NotIsolated,
    /// The clock moves in coarse steps.
    CoarseClock,
    /// Animation frames come at half their rate or less.
    SlowFrames,
    /// Replies are read on the page's main thread, or come through it.
    ReadOnMain,
    /// The browser made the page before anybody went to it.
    Prerendered,
}

impl Circumstance {
    /// The stable name.
    pub fn code(self) -> &'static str {
        match self {
            Circumstance::WarmUp => "warm_up",
            Circumstance::Hidden => "hidden_during",
            Circumstance::OffScreen => "off_screen",
            Circumstance::Covered => "covered",
            Circumstance::Blocked => "main_thread_blocked",
            Circumstance::BlockedAndLate => "main_thread_blocked_late",
            Circumstance::OrderViolation => "order_violation",
            Circumstance::PressDiffers => "press_differs",
            Circumstance::Queued => "queued_in_browser",
            Circumstance::ColdConnection => "cold_connection",
            Circumstance::FromCache => "from_cache",
            Circumstance::ServiceWorker => "service_worker",
            Circumstance::Redirected => "redirected",
            Circumstance::Compressed => "content_encoding",
            Circumstance::Coalesced => "coalesced",
            Circumstance::BufferedUpstream => "buffered_upstream",
            Circumstance::PatchedFetch => "patched_fetch",
            Circumstance::BodyLeftOpen => "body_left_open",
            Circumstance::NoNetworkTiming => "no_network_timing",
            Circumstance::NotIsolated => "not_isolated",
            Circumstance::CoarseClock => "clock_step",
            Circumstance::SlowFrames => "slow_frames",
            Circumstance::ReadOnMain => "read_on_main",
            Circumstance::Prerendered => "prerendered",
        }
    }

    /// What it does to figures.
    pub fn effect(self) -> Effect {
        match self {
            Circumstance::WarmUp | Circumstance::Hidden | Circumstance::OffScreen | Circumstance::Covered => Effect::Excluded,
            Circumstance::BlockedAndLate
            | Circumstance::OrderViolation
            | Circumstance::PressDiffers
            | Circumstance::Coalesced
            | Circumstance::BufferedUpstream
            | Circumstance::PatchedFetch
            | Circumstance::NotIsolated
            | Circumstance::CoarseClock
            | Circumstance::SlowFrames
            | Circumstance::ReadOnMain => Effect::Bounded,
            Circumstance::Blocked
            | Circumstance::Queued
            | Circumstance::ColdConnection
            | Circumstance::FromCache
            | Circumstance::ServiceWorker
            | Circumstance::Redirected
            | Circumstance::Compressed
            | Circumstance::BodyLeftOpen
            | Circumstance::NoNetworkTiming
            | Circumstance::Prerendered => Effect::Kept,
        }
    }
}

/// A circumstance, and how long it lasted where that is what it is about.
pub type Found = (Circumstance, Option<Micros>);

/// The circumstances of one request, in order.
pub fn of_request(trace: &Trace, environment: &Environment) -> Vec<Found> {
    let flags = &trace.flags;
    let network = trace.network.as_ref().ok();
    let off_screen = [trace.first_visible, trace.complete_visible].contains(&Err(Absence::OffScreen));
    let queued = network.and_then(|n| n.queued()).filter(|queued| *queued >= QUEUED);
    let blocked = Some(flags.blocked).filter(|blocked| *blocked > Micros::ZERO);
    let late = !environment.arrival.is_protected();
    let differs = match agreement(trace) {
        Some(Ok(Agreement::Differs(by))) => Some(Micros(by.0.abs())),
        _ => None,
    };
    let holds = |circumstance, holds: bool| holds.then_some((circumstance, None));
    [
        holds(Circumstance::WarmUp, trace.planned.warmup),
        holds(Circumstance::Hidden, flags.hidden_during),
        holds(Circumstance::OffScreen, off_screen),
        holds(Circumstance::Covered, flags.covered == Covered::Yes),
        blocked.map(|b| (if late { Circumstance::BlockedAndLate } else { Circumstance::Blocked }, Some(b))),
        holds(Circumstance::OrderViolation, flags.order_violation),
        differs.map(|by| (Circumstance::PressDiffers, Some(by))),
        queued.map(|q| (Circumstance::Queued, Some(q))),
        holds(Circumstance::ColdConnection, network.and_then(|n| n.cold_connection()) == Some(true)),
        holds(Circumstance::FromCache, network.is_some_and(|n| n.from_cache)),
        holds(Circumstance::ServiceWorker, network.is_some_and(|n| n.service_worker)),
        holds(Circumstance::Redirected, trace.response.as_ref().is_some_and(|r| r.redirected)),
        holds(Circumstance::Compressed, stream_encoding(trace).is_some()),
        holds(Circumstance::Coalesced, is_coalesced(trace)),
        holds(Circumstance::BufferedUpstream, is_buffered_upstream(trace)),
        holds(Circumstance::PatchedFetch, flags.patched_fetch),
        holds(Circumstance::BodyLeftOpen, flags.body_left_open),
        holds(Circumstance::NoNetworkTiming, trace.response.is_some() && network.is_none()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The circumstances of a whole run, in order.
pub fn of_run(environment: &Environment, clock_step: Micros) -> Vec<Found> {
    let frames = environment.frame_interval_us.map(Micros).filter(|interval| *interval > SLOW_FRAMES);
    [
        (!environment.isolated).then_some((Circumstance::NotIsolated, None)),
        (clock_step >= COARSE_CLOCK).then_some((Circumstance::CoarseClock, Some(clock_step))),
        frames.map(|interval| (Circumstance::SlowFrames, Some(interval))),
        (!environment.arrival.is_protected()).then_some((Circumstance::ReadOnMain, None)),
        environment.service_worker.then_some((Circumstance::ServiceWorker, None)),
        environment.prerendered.then_some((Circumstance::Prerendered, None)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::NetworkTiming;
    use crate::paint::{Method, Seen};
    use crate::report::Arrival;
    use crate::summary::fixture::trace;

    fn codes(found: &[Found]) -> Vec<&'static str> {
        found.iter().map(|(c, _)| c.code()).collect()
    }

    #[test]
    fn a_block_makes_stamps_late_only_where_they_go_through_the_main_thread() {
        let mut one = trace(0, 100);
        one.flags.blocked = Micros::ms(150);
        let of = |arrival| of_request(&one, &Environment { arrival, ..Environment::default() });
        let found = of(Arrival::Worker);
        assert!(found.contains(&(Circumstance::Blocked, Some(Micros::ms(150)))), "{found:?}");
        for through_main in [Arrival::WorkerThroughMain, Arrival::Main, Arrival::NoWorker] {
            assert!(of(through_main).contains(&(Circumstance::BlockedAndLate, Some(Micros::ms(150)))));
        }
    }

    #[test]
    fn a_wait_for_a_connection_is_named_with_its_length() {
        let mut one = trace(0, 100);
        let timing = |at| NetworkTiming {
            fetch_start: Some(Micros(1)),
            connect_start: Some(Micros(1)),
            connect_end: Some(Micros(1)),
            request_start: Some(at),
            ..NetworkTiming::default()
        };
        one.network = Ok(timing(Micros(400_001)));
        let found = of_request(&one, &Environment::default());
        assert!(found.contains(&(Circumstance::Queued, Some(Micros(400_000)))), "{found:?}");
        one.network = Ok(timing(Micros(29_000)));
        assert!(!codes(&of_request(&one, &Environment::default())).contains(&"queued_in_browser"));
    }

    #[test]
    fn a_record_of_the_press_that_differs_is_named_with_its_distance() {
        let mut one = trace(0, 100);
        let latest = Micros::ms(120);
        let seen = Seen { method: Method::ElementTiming, earliest: Micros::ms(118), latest: Some(latest), value: Some(latest) };
        one.first_visible = Ok(seen);
        let mut of = |at| {
            one.flags.press_paint = Some(at);
            of_request(&one, &Environment::default())
        };
        assert!(of(Ok(latest + Micros::ms(20))).contains(&(Circumstance::PressDiffers, Some(Micros::ms(20)))));
        for fine in [Ok(latest), Err(Absence::NoPaintEntry), Err(Absence::EngineLacks)] {
            assert!(!codes(&of(fine)).contains(&"press_differs"), "{fine:?}");
        }
    }

    #[test]
    fn a_run_says_what_its_machine_took_from_it() {
        let good =
            Environment { isolated: true, arrival: Arrival::Worker, frame_interval_us: Some(16_667), ..Environment::default() };
        assert!(of_run(&good, Micros(5)).is_empty());
        let poor = Environment { frame_interval_us: Some(33_333), ..Environment::default() };
        let found = of_run(&poor, Micros(1_000));
        assert_eq!(codes(&found), ["not_isolated", "clock_step", "slow_frames", "read_on_main"]);
        assert_eq!(found[2].1, Some(Micros(33_333)));
        let made_before = Environment { prerendered: true, ..good };
        assert_eq!(codes(&of_run(&made_before, Micros(5))), ["prerendered"]);
        assert_eq!(Circumstance::Prerendered.effect(), Effect::Kept);
    }

    #[test]
    fn what_nobody_saw_is_excluded_and_what_is_less_certain_is_bounded() {
        let check = |circumstance: Circumstance, want| assert_eq!(circumstance.effect(), want, "{}", circumstance.code());
        check(Circumstance::Hidden, Effect::Excluded);
        check(Circumstance::Covered, Effect::Excluded);
        check(Circumstance::BlockedAndLate, Effect::Bounded);
        check(Circumstance::Blocked, Effect::Kept);
    }
}
