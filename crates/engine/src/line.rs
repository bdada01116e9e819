//! Who is served now and who waits: a limited number of slots, and a line before them, first in, first out.

use std::collections::VecDeque;

/// A place in a [`Line`], or a slot once its turn has come. Later ones are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(u64);

/// Slots and the line before them.
#[derive(Clone, Debug)]
pub struct Line {
    slots: usize,
    served: usize,
    /// In order of arrival, so that tickets rise.
    waiting: VecDeque<Ticket>,
    next: u64,
}

impl Line {
    /// So many slots; none is no limit.
    pub fn new(slots: Option<u32>) -> Line {
        let slots = slots.map_or(usize::MAX, |slots| slots as usize);
        Line { slots, served: 0, waiting: VecDeque::new(), next: 0 }
    }

    /// Somebody arrives; true if served at once.
    pub fn enter(&mut self) -> (Ticket, bool) {
        let ticket = Ticket(self.next);
        self.next += 1;
        let at_once = self.served < self.slots;
        if at_once {
            self.served += 1;
        } else {
            self.waiting.push_back(ticket);
        }
        (ticket, at_once)
    }

    /// Somebody goes, served or tired of waiting; gives whose turn has come by that. Each ticket goes once.
    pub fn leave(&mut self, ticket: Ticket) -> Option<Ticket> {
        if let Ok(place) = self.waiting.binary_search(&ticket) {
            self.waiting.remove(place);
            return None;
        }
        let next = self.waiting.pop_front();
        if next.is_none() {
            self.served = self.served.saturating_sub(1);
        }
        next
    }

    /// How many are served.
    pub fn served(&self) -> usize {
        self.served
    }

    /// How many wait.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn first_in_first_out() {
        let mut line = Line::new(Some(1));
        let tickets = [line.enter(), line.enter(), line.enter(), line.enter()];
        assert_eq!(tickets.map(|(_, at_once)| at_once), [true, false, false, false]);
        let [a, b, c, d] = tickets.map(|(ticket, _)| ticket);
        assert_eq!(line.leave(c), None, "one that only waited gives no slot");
        assert_eq!(line.leave(a), Some(b));
        assert_eq!(line.leave(b), Some(d));
        assert_eq!((line.leave(d), line.served(), line.waiting()), (None, 0, 0));
        assert!(line.enter().1);
    }

    #[test]
    fn without_a_limit_nobody_waits() {
        let mut line = Line::new(None);
        assert!((0..10_000).all(|_| line.enter().1));
    }

    proptest! {
        /// Against a model: everyone in order of arrival, the first ones that are still there and were let in are served.
        #[test]
        fn never_more_than_the_slots_and_never_out_of_turn(
            slots in 1u32..5,
            steps in prop::collection::vec((any::<bool>(), any::<prop::sample::Index>()), 0..200),
        ) {
            let mut line = Line::new(Some(slots));
            let (mut served, mut waiting): (Vec<Ticket>, Vec<Ticket>) = (Vec::new(), Vec::new());
            for (enters, who) in steps {
                if enters {
                    let (ticket, at_once) = line.enter();
                    prop_assert_eq!(at_once, served.len() < slots as usize);
                    if at_once { served.push(ticket) } else { waiting.push(ticket) }
                } else if !served.is_empty() {
                    let all: Vec<Ticket> = served.iter().chain(&waiting).copied().collect();
                    let ticket = *who.get(&all);
                    let gives = served.contains(&ticket);
                    served.retain(|t| *t != ticket);
                    waiting.retain(|t| *t != ticket);
                    let expected = waiting.first().copied().filter(|_| gives);
                    prop_assert_eq!(line.leave(ticket), expected);
                    if let Some(next) = expected {
                        waiting.remove(0);
                        served.push(next);
                    }
                }
                prop_assert!(served.len() <= slots as usize);
                prop_assert_eq!((line.served(), line.waiting()), (served.len(), waiting.len()));
                prop_assert!(waiting.is_empty() || served.len() == slots as usize, "a slot is idle while somebody waits");
            }
        }
    }
}
