//! How many requests are served at once, when the server stands still, and what both do to one request's times.

/// Requests of one pool share its slots and its freeze. Those that say the same pool, slots and freeze are of one pool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Limit {
    /// The pool's name; empty is one too.
    pub pool: String,
    /// Requests served at once; the others wait, first in, first out. None is no limit.
    pub slots: Option<u32>,
    /// The pool stands still once.
    pub freeze: Option<Freeze>,
}

impl Limit {
    /// A request must enter a pool before it is served.
    pub fn binds(&self) -> bool {
        self.slots.is_some() || self.freeze.is_some()
    }
}

/// A time in which nothing of a pool is started and nothing is written, as in a process that was stopped and let go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Freeze {
    /// When it begins, in ms since the pool's first request was received.
    pub at_ms: u64,
    /// How long it lasts, in ms.
    pub ms: u64,
}

impl Freeze {
    /// The standstill on the clock on which the pool's first request was received.
    pub fn window(self, first_us: u64) -> Window {
        let from_us = first_us + self.at_ms * 1000;
        Window { from_us, to_us: from_us + self.ms * 1000 }
    }
}

/// A standstill, in µs of some clock: from its first instant up to the first instant after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its first instant.
    pub from_us: u64,
    /// The first instant after it.
    pub to_us: u64,
}

impl Window {
    /// When what is due at this time can be begun: then, or when the standstill is over.
    pub fn begins(self, at_us: u64) -> u64 {
        if (self.from_us..self.to_us).contains(&at_us) { self.to_us } else { at_us }
    }

    /// When what was going on before the standstill and was due at this time comes: the work left then is done after it.
    pub fn comes(self, at_us: u64) -> u64 {
        if at_us >= self.from_us { at_us + (self.to_us - self.from_us) } else { at_us }
    }

    /// The same on a clock that began at this time; none if it was over by then.
    pub fn since(self, start_us: u64) -> Option<Window> {
        let to_us = self.to_us.checked_sub(start_us).filter(|to| *to > 0)?;
        Some(Window { from_us: self.from_us.saturating_sub(start_us), to_us })
    }
}

/// What befell one request, in µs since it was received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Service {
    /// It got its slot; 0 if it never had to wait.
    pub begins_us: u64,
    /// The server stood still after that.
    pub frozen: Option<Window>,
}

impl Service {
    /// When what is due at this time of an unfrozen server comes.
    pub(crate) fn comes(&self, at_us: u64) -> u64 {
        self.frozen.map_or(at_us, |window| window.comes(at_us))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STILL: Window = Window { from_us: 100, to_us: 150 };

    #[test]
    fn nothing_begins_in_a_standstill_and_all_that_is_left_comes_after_it() {
        let begins: Vec<u64> = [99, 100, 149, 150].map(|at| STILL.begins(at)).to_vec();
        assert_eq!(begins, [99, 150, 150, 150]);
        let comes: Vec<u64> = [99, 100, 120, 200].map(|at| STILL.comes(at)).to_vec();
        assert_eq!(comes, [99, 150, 170, 250]);
    }

    #[test]
    fn a_freeze_counts_from_the_first_request() {
        let window = Freeze { at_ms: 2, ms: 3 }.window(10_000);
        assert_eq!(window, Window { from_us: 12_000, to_us: 15_000 });
        assert_eq!(window.since(11_000), Some(Window { from_us: 1_000, to_us: 4_000 }));
        assert_eq!(window.since(13_000), Some(Window { from_us: 0, to_us: 2_000 }));
        assert_eq!(window.since(15_000), None);
    }

    proptest! {
        #[test]
        fn order_stays_and_the_standstill_is_empty(a in 0u64..300, b in 0u64..300, from in 0u64..200, long in 1u64..100) {
            let window = Window { from_us: from, to_us: from + long };
            let (early, late) = (a.min(b), a.max(b));
            prop_assert!(window.comes(early) <= window.comes(late));
            for at in [window.comes(a), window.begins(a)] {
                prop_assert!(!(window.from_us..window.to_us).contains(&at));
                prop_assert!((a..=a + long).contains(&at));
            }
        }
    }
}
