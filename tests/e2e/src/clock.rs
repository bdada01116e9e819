//! Joining the page's clock with a server's: asked many times, the quickest answer bounds the error best.

use firstlight_core::Micros;
use firstlight_core::report::ClockProbe;

/// How to turn a server's time into the page's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Join {
    /// To add to a server's time.
    pub offset: Micros,
    /// The offset is wrong by no more than this: half of the quickest round trip.
    pub error: Micros,
}

impl Join {
    /// From the probe with the smallest round trip; none of no probes.
    pub fn from_probes(probes: &[ClockProbe]) -> Option<Join> {
        let best = probes.iter().min_by_key(|probe| probe.answered - probe.asked)?;
        let round_trip = best.answered - best.asked;
        let middle = best.asked + round_trip / 2;
        // Rounded up: an odd round trip has no whole half.
        Some(Join { offset: Micros(middle - best.server), error: Micros((round_trip + 1) / 2) })
    }

    /// A server's time on the page's clock.
    pub fn on_page(&self, server: i64) -> Micros {
        Micros(server) + self.offset
    }
}

/// All that is known of the offset between two clocks, narrowed by everything that must have come after something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The page's clock may be wrong by this in either direction: its step.
    step: i64,
    low: i64,
    high: i64,
}

impl Bounds {
    /// Nothing is known yet. `step` is that of the page's clock.
    pub fn new(step: Micros) -> Bounds {
        Bounds { step: step.0, low: i64::MIN / 4, high: i64::MAX / 4 }
    }

    /// This on the page came before that on the server.
    pub fn page_then_server(&mut self, page: Micros, server: i64) {
        self.low = self.low.max(page.0 - self.step - server);
    }

    /// This on the server came before that on the page.
    pub fn server_then_page(&mut self, server: i64, page: Micros) {
        self.high = self.high.min(page.0 + self.step - server);
    }

    /// A question for the server's clock and its answer.
    pub fn probe(&mut self, probe: &ClockProbe) {
        self.page_then_server(Micros(probe.asked), probe.server);
        self.server_then_page(probe.server, Micros(probe.answered));
    }

    /// The middle; none if the bounds contradict one another, as those of drifting clocks do.
    pub fn join(&self) -> Option<Join> {
        let width = self.high - self.low;
        (0..i64::MAX / 4)
            .contains(&width)
            .then(|| Join { offset: Micros(self.low + width / 2), error: Micros((width + 1) / 2) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quickest_probe_counts_and_half_its_round_trip_bounds_the_error() {
        let probe = |asked, server, answered| ClockProbe { asked, server, answered };
        let probes = [probe(0, 5_000_200, 1_000), probe(2_000, 5_002_090, 2_101), probe(4_000, 5_004_900, 5_000)];
        let join = Join::from_probes(&probes).expect("probes");
        assert_eq!(join, Join { offset: Micros(2_050 - 5_002_090), error: Micros(51) });
        assert_eq!(join.on_page(5_002_100), Micros(2_060));
        assert_eq!(Join::from_probes(&[]), None);
    }

    #[test]
    fn every_order_of_two_events_narrows_the_offset() {
        let mut bounds = Bounds::new(Micros(10));
        assert_eq!(bounds.join(), None);
        bounds.probe(&ClockProbe { asked: 0, server: 5_000_500, answered: 1_000 });
        assert_eq!(bounds.join(), Some(Join { offset: Micros(500 - 5_000_500), error: Micros(510) }));
        bounds.server_then_page(5_002_000, Micros(1_590));
        bounds.page_then_server(Micros(1_410), 5_002_000);
        assert_eq!(bounds.join(), Some(Join { offset: Micros(-5_000_455), error: Micros(55) }));
        bounds.server_then_page(5_003_000, Micros(1_000));
        assert_eq!(bounds.join(), None);
    }
}
