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
}
