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

    /// How long the request waited inside the browser, for a connection to become free or for its preflight: all the time
    /// before it was on the wire but that in which a connection was made. Unknown where the server hides timing.
    pub fn queued(&self) -> Option<Micros> {
        let connecting = self.connect_end? - self.connect_start?;
        Some((self.request_start? - self.fetch_start? - connecting).max(Micros::ZERO))
    }

    /// Why `request_start` and `first_byte` are missing, if they are.
    pub fn hidden(&self) -> Option<Absence> {
        self.request_start.is_none().then_some(Absence::NoTimingAllowOrigin)
    }
}

/// A request whose body is over, and that waits for its entry.
#[derive(Clone, Copy, Debug)]
pub struct Waiting<'a> {
    /// Position in the plan.
    pub id: u32,
    /// The URL asked for, as the browser resolves it.
    pub url: &'a str,
    /// When `fetch()` was called.
    pub sent: Micros,
    /// When its body ended.
    pub ended: Micros,
}

/// How far an entry's start may lie before the stamp taken just before `fetch()`: coarse clocks round both.
const START_SLACK: Micros = Micros(2_000);

/// How far an entry's times lie from those of a request; none if it can't be its own: of another URL, begun before the
/// request was sent, or begun after it was over.
fn distance(url: &str, timing: &NetworkTiming, waiting: &Waiting<'_>) -> Option<i64> {
    let fits = waiting.url == url && timing.start + START_SLACK >= waiting.sent && timing.start <= waiting.ended;
    fits.then(|| (timing.start - waiting.sent).0.abs() + (timing.response_end - waiting.ended).0.abs())
}

/// Gives entries to the requests that wait for them, the nearest pairs first: nothing in an entry names its request, and
/// requests to one URL that run in parallel differ by their times only. Pairs of places in both lists.
pub fn owners<'t>(entries: impl Iterator<Item = (&'t str, &'t NetworkTiming)>, waiting: &[Waiting<'_>]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (entry, (url, timing)) in entries.enumerate() {
        pairs.extend(waiting.iter().enumerate().filter_map(|(at, w)| Some((distance(url, timing, w)?, entry, at))));
    }
    pairs.sort_unstable();
    let mut owned: Vec<(usize, usize)> = Vec::new();
    for (_, entry, at) in pairs {
        if owned.iter().all(|(e, w)| *e != entry && *w != at) {
            owned.push((entry, at));
        }
    }
    owned
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(start: i64, end: i64) -> NetworkTiming {
        NetworkTiming { start: Micros(start), response_end: Micros(end), ..NetworkTiming::default() }
    }

    fn waiting(id: u32, sent: i64, ended: i64) -> Waiting<'static> {
        Waiting { id, url: "http://a/x", sent: Micros(sent), ended: Micros(ended) }
    }

    fn owned(entries: &[(&str, NetworkTiming)], waiting: &[Waiting<'_>]) -> Vec<(usize, u32)> {
        let mut owned = owners(entries.iter().map(|(url, timing)| (*url, timing)), waiting);
        owned.sort_unstable();
        owned.into_iter().map(|(entry, at)| (entry, waiting[at].id)).collect()
    }

    #[test]
    fn entries_of_parallel_requests_to_one_url_find_their_owners() {
        let waiting = [waiting(1, 1_000, 900_000), waiting(2, 1_050, 500_000), waiting(3, 501_000, 990_000)];
        let entries = [entry(501_020, 989_000), entry(1_055, 499_800), entry(1_010, 899_900)].map(|e| ("http://a/x", e));
        assert_eq!(owned(&entries, &waiting), [(0, 3), (1, 2), (2, 1)]);
    }

    #[test]
    fn a_request_that_ended_late_does_not_take_the_entry_of_one_that_was_sent_with_it() {
        // Sent together; the second waited for the connection of the first.
        let waiting = [waiting(6, 2_262_375, 3_846_955), waiting(1, 2_249_915, 3_085_075)];
        let first = ("http://a/x", entry(2_261_995, 3_068_770));
        let second = ("http://a/x", entry(2_262_965, 3_846_000));
        assert_eq!(owned(&[first.clone(), second], &waiting), [(0, 1), (1, 6)]);
        assert_eq!(owned(&[first], &waiting), [(0, 1)]);
    }

    #[test]
    fn an_entry_of_another_url_or_of_an_earlier_time_has_no_owner() {
        let waiting = [waiting(7, 50_000, 61_000)];
        for stranger in [("http://a/y", entry(50_010, 60_000)), ("http://a/x", entry(40_000, 45_000))] {
            assert_eq!(owned(&[stranger], &waiting), []);
        }
        assert_eq!(owned(&[("http://a/x", entry(50_010, 60_000))], &waiting), [(0, 7)]);
    }

    #[test]
    fn the_wait_for_a_connection_is_told_from_its_making() {
        let queued = NetworkTiming {
            fetch_start: Some(Micros(1_000)),
            connect_start: Some(Micros(301_000)),
            connect_end: Some(Micros(303_000)),
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
