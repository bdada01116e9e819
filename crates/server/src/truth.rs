//! What was really written and when, kept in memory for the last requests that carried an id.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use firstlight_engine::Kind;
use firstlight_engine::model::Emission;

/// Requests that are kept.
const KEPT_REQUESTS: usize = 20_000;
/// Pieces that are kept over all requests: older requests are dropped beyond it.
const KEPT_PIECES: usize = 2_000_000;
/// Pieces that are kept of one request.
const KEPT_PIECES_OF_ONE: usize = 200_000;

/// A piece as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The server had it and handed it to the connection, in µs of its clock.
    pub handed_us: u64,
    /// Just before the write.
    pub at_us: u64,
    /// What it is.
    pub kind: Kind,
    /// Its bytes, without the framing of HTTP and before compression.
    pub bytes: usize,
}

/// One request as the server saw it, in µs of the server's clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// The head of the request was read.
    pub received_us: u64,
    /// It took its place in the queue before a limited number of slots; none where there is no limit.
    pub queued_us: Option<u64>,
    /// It got its slot; none where there is no limit, or if it never did.
    pub served_us: Option<u64>,
    /// The headers were written; none if they never were.
    pub headers_us: Option<u64>,
    /// Pieces of the body in order. Those of one write carry one stamp.
    pub pieces: Vec<Written>,
    /// What a modelled server says of it, at planned times of the server's clock; empty without one.
    pub modelled: Vec<Emission>,
    /// Pieces and emissions beyond the number that is kept.
    pub not_kept: usize,
    /// The end of the body was written, or the request was given up; none while it lasts.
    pub closed_us: Option<u64>,
}

/// A request's truth while it is being written down.
#[derive(Debug)]
pub(crate) struct Record {
    rid: String,
    truth: Mutex<Truth>,
    total: Arc<AtomicUsize>,
}

/// What a write carried.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Item {
    Queued,
    Served,
    Modelled(Emission),
    Head,
    Piece(Kind, usize),
    End,
}

impl Record {
    fn lock(&self) -> MutexGuard<'_, Truth> {
        self.truth.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// It happened on the server alone.
    pub(crate) fn stamp(&self, item: Item, at_us: u64) {
        self.written(item, at_us, at_us);
    }

    /// It was handed to the connection, and written.
    pub(crate) fn written(&self, item: Item, handed_us: u64, at_us: u64) {
        let mut truth = self.lock();
        match item {
            Item::Queued => truth.queued_us = Some(at_us),
            Item::Served => truth.served_us = Some(at_us),
            Item::Head => truth.headers_us = Some(at_us),
            Item::End => truth.closed_us = truth.closed_us.or(Some(at_us)),
            Item::Piece(..) if truth.pieces.len() >= KEPT_PIECES_OF_ONE => truth.not_kept += 1,
            Item::Modelled(_) if truth.modelled.len() >= KEPT_PIECES_OF_ONE => truth.not_kept += 1,
            Item::Modelled(emission) => {
                truth.modelled.push(emission);
                self.total.fetch_add(1, Ordering::Relaxed);
            }
            Item::Piece(kind, bytes) => {
                truth.pieces.push(Written { handed_us, at_us, kind, bytes });
                self.total.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

/// The truth of the last requests.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    records: Mutex<VecDeque<Arc<Record>>>,
    total: Arc<AtomicUsize>,
}

impl Ledger {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<Record>>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a record; the oldest make room.
    pub(crate) fn open(&self, rid: &str, received_us: u64) -> Arc<Record> {
        let truth = Mutex::new(Truth { received_us, ..Truth::default() });
        let record = Arc::new(Record { rid: rid.to_owned(), truth, total: Arc::clone(&self.total) });
        let mut records = self.lock();
        while records.len() >= KEPT_REQUESTS || self.total.load(Ordering::Relaxed) > KEPT_PIECES {
            let Some(oldest) = records.pop_front() else { break };
            let kept = oldest.lock();
            self.total.fetch_sub(kept.pieces.len() + kept.modelled.len(), Ordering::Relaxed);
        }
        records.push_back(Arc::clone(&record));
        record
    }

    /// Every request of an id, in the order in which they were received.
    pub(crate) fn truths(&self, rid: &str) -> Vec<Truth> {
        self.lock().iter().filter(|r| r.rid == rid).map(|r| r.lock().clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_one_id_are_kept_in_order() {
        let ledger = Ledger::default();
        for received in [5, 7] {
            let record = ledger.open("a", received);
            record.stamp(Item::Head, received + 1);
            record.written(Item::Piece(Kind::Answer, 3), received + 1, received + 2);
            record.stamp(Item::End, received + 3);
            record.stamp(Item::End, received + 9);
        }
        ledger.open("b", 6);
        let truths = ledger.truths("a");
        assert_eq!(truths.iter().map(|t| t.received_us).collect::<Vec<_>>(), [5, 7]);
        assert_eq!(truths[0].pieces, [Written { handed_us: 6, at_us: 7, kind: Kind::Answer, bytes: 3 }]);
        assert_eq!((truths[0].headers_us, truths[0].closed_us), (Some(6), Some(8)));
        assert!(ledger.truths("c").is_empty());
    }

    #[test]
    fn the_oldest_make_room() {
        let ledger = Ledger::default();
        for n in 0..KEPT_REQUESTS as u64 + 10 {
            ledger.open(if n < 10 { "old" } else { "new" }, n);
        }
        assert!(ledger.truths("old").is_empty());
        assert_eq!(ledger.truths("new").len(), KEPT_REQUESTS);
    }

    #[test]
    fn one_endless_request_does_not_fill_the_memory() {
        let ledger = Ledger::default();
        let record = ledger.open("a", 0);
        for n in 0..KEPT_PIECES_OF_ONE as u64 + 5 {
            record.stamp(Item::Piece(Kind::Answer, 1), n);
        }
        assert_eq!(ledger.truths("a")[0].not_kept, 5);
    }
}
