//! The browser's own network timing of a request, and how one entry is matched to one request.

use crate::Micros;
use crate::mark::Absence;

/// The parts of a `PerformanceResourceTiming` entry that Firstlight uses. Zero in an entry means "hidden"; here it is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetworkTiming {
    /// `startTime`.
    pub start: Micros,
    /// `fetchStart`.
    pub fetch_start: Option<Micros>,
    /// `connectStart`.
    pub connect_start: Option<Micros>,
    /// `connectEnd`.
    pub connect_end: Option<Micros>,
    /// `requestStart`.
    pub request_start: Option<Micros>,
    /// `finalResponseHeadersStart`, else `responseStart`.
    pub first_byte: Option<Micros>,
    /// `responseEnd`.
    pub response_end: Micros,
    /// `nextHopProtocol`.
    pub protocol: Option<String>,
    /// `workerStart`: a service worker was in the path.
    pub service_worker: bool,
    /// `deliveryType` is `cache`.
    pub from_cache: bool,
    /// Bytes on the wire, where the browser tells.
    pub encoded_bytes: Option<u64>,
}

impl NetworkTiming {
    /// The connection was opened for this request; unknown where the server hides timing.
    pub fn cold_connection(&self) -> Option<bool> {
        Some(self.connect_end? > self.connect_start?)
    }

    /// How long the request waited inside the browser for a connection, or for its preflight: from a connection that stood
    /// to the request on it. Unknown where the server hides timing.
    pub fn queued(&self) -> Option<Micros> {
        let ready = self.connect_end.max(self.fetch_start)?;
        Some((self.request_start? - ready).max(Micros::ZERO))
    }

    /// Why `request_start` and `first_byte` are missing, if they are.
    pub fn hidden(&self) -> Option<Absence> {
        self.request_start.is_none().then_some(Absence::NoTimingAllowOrigin)
    }
}

/// A request that waits for its entry.
#[derive(Clone, Copy, Debug)]
pub struct Waiting<'a> {
    /// Position in the plan.
    pub id: u32,
    /// The URL asked for, as the browser resolves it.
    pub url: &'a str,
    /// When `fetch()` was called.
    pub sent: Micros,
    /// When its body ended, if it did.
    pub ended: Option<Micros>,
}

/// How far an entry's start may lie before the stamp taken just before `fetch()`: coarse clocks round both.
const START_SLACK: Micros = Micros(2_000);

/// The waiting request that an entry belongs to: the same URL, not begun before the request was sent, and of those the one
/// whose start and end lie nearest. None if no request fits.
pub fn owner(name: &str, timing: &NetworkTiming, waiting: &[Waiting<'_>]) -> Option<u32> {
    let distance = |w: &Waiting<'_>| {
        let start = (timing.start - w.sent).0.abs();
        let end = w.ended.map_or(0, |e| (timing.response_end - e).0.abs());
        start + end
    };
    waiting
        .iter()
        .filter(|w| w.url == name && timing.start + START_SLACK >= w.sent)
        .filter(|w| w.ended.is_none_or(|e| timing.start <= e))
        .min_by_key(|w| distance(w))
        .map(|w| w.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(start: i64, end: i64) -> NetworkTiming {
        NetworkTiming { start: Micros(start), response_end: Micros(end), ..NetworkTiming::default() }
    }

    #[test]
    fn entries_of_parallel_requests_to_one_url_find_their_owners() {
        let w = |id, sent, ended| Waiting { id, url: "http://a/x", sent: Micros(sent), ended: Some(Micros(ended)) };
        let waiting = [w(1, 1_000, 900_000), w(2, 1_050, 500_000), w(3, 501_000, 990_000)];
        assert_eq!(owner("http://a/x", &entry(1_055, 499_800), &waiting), Some(2));
        assert_eq!(owner("http://a/x", &entry(1_010, 899_900), &waiting), Some(1));
        assert_eq!(owner("http://a/x", &entry(501_020, 989_000), &waiting), Some(3));
    }

    #[test]
    fn an_entry_of_another_url_or_of_an_earlier_time_has_no_owner() {
        let waiting = [Waiting { id: 7, url: "http://a/x", sent: Micros(50_000), ended: None }];
        assert_eq!(owner("http://a/y", &entry(50_010, 60_000), &waiting), None);
        assert_eq!(owner("http://a/x", &entry(40_000, 45_000), &waiting), None);
        assert_eq!(owner("http://a/x", &entry(50_010, 60_000), &waiting), Some(7));
    }

    #[test]
    fn the_wait_for_a_connection_is_told_from_its_making() {
        let queued = NetworkTiming {
            fetch_start: Some(Micros(1_000)),
            connect_end: Some(Micros(3_000)),
            request_start: Some(Micros(403_000)),
            ..entry(1_000, 500_000)
        };
        assert_eq!(queued.queued(), Some(Micros(400_000)));
        assert_eq!(NetworkTiming { request_start: None, ..queued }.queued(), None);
    }

    #[test]
    fn hidden_connection_times_are_unknown_and_not_warm() {
        assert_eq!(entry(1, 2).cold_connection(), None);
        let warm = NetworkTiming { connect_start: Some(Micros(5)), connect_end: Some(Micros(5)), ..entry(1, 2) };
        assert_eq!(warm.cold_connection(), Some(false));
    }
}
