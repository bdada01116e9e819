//! The browser's own network timing of a request, and how one entry is matched to one request.

use crate::Micros;
use crate::mark::Absence;
use crate::order::by_key;

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
    /// When the head of its response was seen, if it was.
    pub headers: Option<Micros>,
    /// When its body ended.
    pub ended: Micros,
}

/// How far stamps of the network may lie on the wrong side of the page's own: coarse clocks round both.
const SLACK: Micros = Micros(2_000);
/// How much later than the page noticed it a body may have ended: one that the page itself cut goes on for a moment.
const END_SLACK: Micros = Micros(20_000);

/// How far an entry's times lie from those of a request; none if it can't be its own: of another URL, begun before the
/// request was sent or after it was over, ended after it, or its first byte after the page saw the response's head.
fn distance(url: &str, timing: &NetworkTiming, waiting: &Waiting<'_>) -> Option<i64> {
    let head = timing.first_byte.zip(waiting.headers).map(|(byte, seen)| seen - byte);
    let fits = waiting.url == url
        && timing.start + SLACK >= waiting.sent
        && timing.start <= waiting.ended
        && timing.response_end <= waiting.ended + END_SLACK
        && head.is_none_or(|lag| lag + SLACK >= Micros::ZERO);
    let apart = |a: Micros, b: Micros| (a - b).0.abs();
    let head = head.map_or(0, |lag| lag.0.abs());
    fits.then(|| apart(timing.start, waiting.sent) + head + apart(timing.response_end, waiting.ended))
}

/// Gives entries to the requests that wait for them. Nothing in an entry names its request, and requests to one URL that run
/// in parallel differ by their times only. Browsers begin them in the order in which they were sent, while their answers and
/// their ends overtake each other on the way to the page; so entries go in the order of their starts to requests in the order
/// of their sending, as many as can, and of the ways to do that the nearest. What is left then (a preflight may change the
/// order) goes to the nearest. Pairs of places in both lists.
pub fn owners<'t>(entries: impl Iterator<Item = (&'t str, &'t NetworkTiming)>, waiting: &[Waiting<'_>]) -> Vec<(usize, usize)> {
    let entries: Vec<(&str, &NetworkTiming)> = entries.collect();
    let mut by_start: Vec<usize> = (0..entries.len()).collect();
    by_key(&mut by_start, |at| (entries[*at].1.start, entries[*at].1.first_byte, entries[*at].1.response_end));
    let mut by_sent: Vec<usize> = (0..waiting.len()).collect();
    by_key(&mut by_sent, |at| (waiting[*at].sent, waiting[*at].headers, waiting[*at].ended));
    let mut owned = Vec::new();
    let mut urls: Vec<&str> = entries.iter().map(|(url, _)| *url).collect();
    urls.sort_unstable();
    urls.dedup();
    for url in urls {
        let of_url: Vec<usize> = by_start.iter().copied().filter(|at| entries[*at].0 == url).collect();
        let asked: Vec<usize> = by_sent.iter().copied().filter(|at| waiting[*at].url == url).collect();
        let apart = |entry: usize, at: usize| distance(url, entries[of_url[entry]].1, &waiting[asked[at]]);
        let pairs = in_order(of_url.len(), asked.len(), apart);
        owned.extend(pairs.into_iter().map(|(entry, at)| (of_url[entry], asked[at])));
    }
    let mut left = Vec::new();
    for (entry, (url, timing)) in entries.iter().enumerate().filter(|(entry, _)| owned.iter().all(|(e, _)| e != entry)) {
        let free = waiting.iter().enumerate().filter(|(at, _)| owned.iter().all(|(_, w)| w != at));
        left.extend(free.filter_map(|(at, w)| Some((distance(url, timing, w)?, entry, at))));
    }
    by_key(&mut left, |nearness| *nearness);
    for (_, entry, at) in left {
        if owned.iter().all(|(e, w)| *e != entry && *w != at) {
            owned.push((entry, at));
        }
    }
    owned
}

/// Pairs of two lists that keep the order of both: as many as fit, and of these ways the one with the smallest sum of distances.
fn in_order(rows: usize, columns: usize, apart: impl Fn(usize, usize) -> Option<i64>) -> Vec<(usize, usize)> {
    // Of what is left from a row and a column on: how many pairs, less is more, and their sum.
    let width = columns + 1;
    let mut best = vec![(0i64, 0i64); (rows + 1) * width];
    let paired = |best: &[(i64, i64)], row: usize, column: usize| {
        let (pairs, sum) = best[(row + 1) * width + column + 1];
        apart(row, column).map(|apart| (pairs - 1, sum.saturating_add(apart)))
    };
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let without = best[(row + 1) * width + column].min(best[row * width + column + 1]);
            best[row * width + column] = paired(&best, row, column).map_or(without, |with| with.min(without));
        }
    }
    let (mut row, mut column, mut pairs) = (0, 0, Vec::new());
    while row < rows && column < columns {
        let here = best[row * width + column];
        if paired(&best, row, column) == Some(here) {
            pairs.push((row, column));
            (row, column) = (row + 1, column + 1);
        } else if best[(row + 1) * width + column] == here {
            row += 1;
        } else {
            column += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(start: i64, end: i64) -> NetworkTiming {
        NetworkTiming { start: Micros(start), response_end: Micros(end), ..NetworkTiming::default() }
    }

    fn waiting(id: u32, sent: i64, ended: i64) -> Waiting<'static> {
        Waiting { id, url: "http://a/x", sent: Micros(sent), headers: None, ended: Micros(ended) }
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
    fn an_entry_never_goes_to_a_request_that_was_answered_before_its_first_byte() {
        // Four at a time; the body of the second entry's owner has not been noticed yet, the first one's entry never came.
        let waiting = [Waiting { headers: Some(Micros(8_078_900)), ..waiting(85, 8_063_500, 8_179_000) }];
        let later = NetworkTiming { first_byte: Some(Micros(8_172_960)), ..entry(8_163_510, 8_268_965) };
        assert_eq!(owned(&[("http://a/x", later)], &waiting), []);
        // Two that were sent together and ended together: their first bytes tell them apart.
        let head = |id, at| Waiting { headers: Some(Micros(at)), ..self::waiting(id, 1_000, 100_000) };
        let byte = |at| ("http://a/x", NetworkTiming { first_byte: Some(Micros(at)), ..entry(1_020, 99_000) });
        assert_eq!(owned(&[byte(60_000), byte(20_000)], &[head(1, 21_000), head(2, 61_000)]), [(0, 2), (1, 1)]);
    }

    #[test]
    fn a_hundred_streams_of_one_connection_keep_their_entries() {
        // As over HTTP/2: sent one after another, begun a moment later in the same order, answered and ended in any order, and
        // noticed by the page when it comes to it. Entries come in any order; of each tenth request none comes.
        let mut seed = 7u64;
        let mut random = move |below: i64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as i64 % below
        };
        let mut requests = Vec::new();
        let mut sent = 0;
        for id in 0..100 {
            sent += 400 + random(800);
            let start = sent + random(390);
            let byte = start + 100_000 + random(60_000);
            let end = byte + 1_400_000 + random(60_000);
            let owner = Waiting { headers: Some(Micros(byte + random(60_000))), ..waiting(id, sent, end + random(20_000)) };
            requests.push((owner, NetworkTiming { first_byte: Some(Micros(byte)), ..entry(start, end) }));
        }
        let waiting: Vec<Waiting<'_>> = requests.iter().map(|(owner, _)| *owner).collect();
        let mut entries: Vec<(u32, NetworkTiming)> = requests.iter().map(|(owner, entry)| (owner.id, entry.clone())).collect();
        entries.sort_by_key(|(_, entry)| entry.response_end);
        let found = |entries: &[(u32, NetworkTiming)]| {
            let listed: Vec<(&str, NetworkTiming)> = entries.iter().map(|(_, entry)| ("http://a/x", entry.clone())).collect();
            owned(&listed, &waiting).into_iter().map(|(at, id)| (entries[at].0, id)).collect::<Vec<_>>()
        };
        let all = found(&entries);
        assert_eq!((all.len(), all.iter().filter(|(of, to)| of != to).count()), (100, 0));
        // Where some are missing a neighbour's may be taken, but never one that can't be its own.
        entries.retain(|(of, _)| of % 10 != 3);
        for (of, to) in found(&entries) {
            let (entry, owner) = (&requests[of as usize].1, &requests[to as usize].0);
            assert!(entry.start + SLACK >= owner.sent && entry.response_end <= owner.ended + END_SLACK);
            assert!(entry.first_byte <= owner.headers.map(|seen| seen + SLACK));
        }
    }

    #[test]
    fn pairs_in_order_are_as_many_as_fit_and_then_the_nearest() {
        let of = |table: &[&[Option<i64>]]| in_order(table.len(), table[0].len(), |row, column| table[row][column]);
        assert_eq!(of(&[&[Some(0), Some(9)], &[None, None]]), [(0, 0)]);
        // Two far ones rather than one near one.
        assert_eq!(of(&[&[Some(90), Some(0)], &[None, Some(80)]]), [(0, 0), (1, 1)]);
        assert_eq!(of(&[&[Some(5), Some(3), Some(4)]]), [(0, 1)]);
        assert_eq!(in_order(0, 0, |_, _| None), []);
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
