//! One request's entry in the ledger, from receipt to its end however that comes.

use std::sync::Arc;

use crate::clock::Clock;
use crate::truth::{Item, Record};
use crate::wire::Wire;

/// Announces on the connection what is written next; without an id of the request it does nothing.
pub(crate) struct Recording {
    record: Option<Arc<Record>>,
    wire: Wire,
    clock: Clock,
    end_announced: bool,
}

impl Recording {
    pub(crate) fn new(record: Option<Arc<Record>>, wire: Wire, clock: Clock) -> Recording {
        Recording { record, wire, clock, end_announced: false }
    }

    /// The next write carries this.
    pub(crate) fn next(&mut self, item: Item) {
        self.end_announced |= matches!(item, Item::End);
        if let Some(record) = &self.record {
            self.wire.announce(record, item);
        }
    }
}

impl Drop for Recording {
    /// The client went away, the body was cut, or the server stops: no write will tell.
    fn drop(&mut self) {
        if let Some(record) = self.record.as_ref().filter(|_| !self.end_announced) {
            record.stamp(Item::End, self.clock.now_us());
        }
    }
}
