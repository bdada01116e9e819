//! One request's entry in the ledger and its place in a pool, from receipt to its end however that comes.

use std::sync::Arc;

use axum::http::Version;

use super::metrics::Counted;
use super::pool::Place;
use crate::clock::Clock;
use crate::truth::{Item, Record};
use crate::wire::Wire;

/// What a request takes of the server until its end: given back all at once.
#[derive(Debug)]
pub(crate) struct Held {
    /// Before the place, so that never more are counted as running than there are slots.
    _counted: Option<Counted>,
    _place: Option<Place>,
}

/// Announces on the connection what is written next; without an id of the request nothing of it is kept.
pub(crate) struct Recording {
    record: Option<Arc<Record>>,
    counted: Option<Counted>,
    place: Option<Place>,
    wire: Wire,
    clock: Clock,
    version: Version,
    end_announced: bool,
}

impl Recording {
    pub(crate) fn new(record: Option<Arc<Record>>, wire: Wire, clock: Clock, version: Version) -> Recording {
        Recording { record, counted: None, place: None, wire, clock, version, end_announced: false }
    }

    /// It is in the sums until the reply's end.
    pub(crate) fn count(&mut self, counted: Counted) {
        self.counted = Some(counted);
    }

    /// Its place in the sums.
    pub(crate) fn counted(&mut self) -> Option<&mut Counted> {
        self.counted.as_mut()
    }

    /// It is given back with the reply's end.
    pub(crate) fn hold(&mut self, place: Place) {
        self.place = Some(place);
    }

    /// Where it is written down, if anywhere.
    pub(crate) fn record(&self) -> Option<Arc<Record>> {
        self.record.clone()
    }

    /// This happened on the server alone.
    pub(crate) fn note(&self, item: Item, at_us: u64) {
        if let Some(record) = &self.record {
            record.stamp(item, at_us);
        }
    }

    /// The next write carries this.
    pub(crate) fn next(&mut self, item: Item) {
        let is_end = matches!(item, Item::End);
        self.end_announced |= is_end;
        let now_us = self.clock.now_us();
        match (&mut self.counted, item) {
            (Some(counted), Item::Piece(kind, _)) => counted.piece(kind, now_us),
            (Some(counted), Item::End) => counted.end(now_us),
            _ => {}
        }
        // Over HTTP/2 a write may never come for a stream that the client gives up now, and the slot would be lost: there it
        // is given back with the body, when the last of it was handed to the connection.
        let ends_here = is_end && self.version < Version::HTTP_2;
        let held = ends_here.then(|| Held { _counted: self.counted.take(), _place: self.place.take() });
        if self.record.is_some() || held.is_some() {
            self.wire.announce(self.record.clone(), item, now_us, held);
        }
    }
}

impl Drop for Recording {
    /// The client went away, the body was cut, or the server stops: no write will tell.
    fn drop(&mut self) {
        if !self.end_announced {
            self.note(Item::End, self.clock.now_us());
        }
    }
}
