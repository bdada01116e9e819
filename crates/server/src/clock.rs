//! The server's one clock: monotonic, in µs since the server started.

use std::time::{Duration, Instant};

use crate::timer;

/// A clock that every stamp of a server is taken from.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
}

impl Clock {
    /// A clock that begins now.
    pub(crate) fn start() -> Clock {
        Clock { start: Instant::now() }
    }

    /// µs since the start.
    pub fn now_us(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Waits until a time of this clock; not at all if it is past.
    pub(crate) async fn wait_until(&self, us: u64) {
        timer::until(self.start + Duration::from_micros(us)).await;
    }
}
