//! Who shares slots: a line before a limited number of requests served at once, first in, first out, and a time in which
//! nothing of a pool moves.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use firstlight_engine::{Limit, Line, Service, Ticket, Window};
use tokio::sync::oneshot;

use crate::clock::Clock;

/// Pools that are remembered; beyond it, those in which nobody is are forgotten.
const KEPT_POOLS: usize = 1_000;

/// Every pool of a server.
#[derive(Debug, Default)]
pub(crate) struct Pools(Mutex<HashMap<Limit, Arc<Pool>>>);

#[derive(Debug)]
struct Pool {
    freeze: Option<Window>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    line: Line,
    turns: HashMap<Ticket, oneshot::Sender<()>>,
}

/// A place in a pool's line, then a slot. Dropping it gives it to the next.
#[derive(Debug)]
pub(crate) struct Place {
    pool: Arc<Pool>,
    ticket: Ticket,
    /// Comes when it is its turn; none if it was at once.
    turn: Option<oneshot::Receiver<()>>,
    /// It was taken at this time of the server's clock. Who is before whom in the line is so in these times too.
    pub(crate) queued_us: u64,
}

impl Pools {
    /// Takes a place.
    pub(crate) fn enter(&self, limit: &Limit, received_us: u64, clock: Clock) -> Place {
        let mut pools = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if pools.len() >= KEPT_POOLS && !pools.contains_key(limit) {
            pools.retain(|_, pool| Arc::strong_count(pool) > 1);
        }
        let pool = pools.entry(limit.clone()).or_insert_with(|| Arc::new(Pool::new(limit, received_us)));
        Pool::enter(Arc::clone(pool), clock)
    }
}

impl Pool {
    fn new(limit: &Limit, first_us: u64) -> Pool {
        let state = Mutex::new(State { line: Line::new(limit.slots), turns: HashMap::new() });
        Pool { freeze: limit.freeze.map(|freeze| freeze.window(first_us)), state }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(pool: Arc<Pool>, clock: Clock) -> Place {
        let mut state = pool.lock();
        let queued_us = clock.now_us();
        let (ticket, at_once) = state.line.enter();
        let turn = (!at_once).then(|| {
            let (tell, turn) = oneshot::channel();
            state.turns.insert(ticket, tell);
            turn
        });
        drop(state);
        Place { pool, ticket, turn, queued_us }
    }
}

impl Place {
    /// Waits for its turn, and until the pool moves; gives when that was, and what it does to the schedule of a request that
    /// was received at this time. Whoever stops waiting drops the place.
    pub(crate) async fn served(&mut self, received_us: u64, clock: Clock) -> (u64, Service) {
        let mut served_us = self.queued_us;
        let mut waited = false;
        if let Some(turn) = &mut self.turn {
            // It can't be lost: who tells is kept by the pool until it does.
            let _told = turn.await;
            self.turn = None;
            (served_us, waited) = (clock.now_us(), true);
        }
        let Some(window) = self.pool.freeze else {
            return (served_us, Service { begins_us: if waited { served_us - received_us } else { 0 }, frozen: None });
        };
        let begins_us = window.begins(served_us);
        if begins_us > served_us {
            clock.wait_until(begins_us).await;
            (served_us, waited) = (clock.now_us(), true);
        }
        let frozen = if served_us < window.from_us { window.since(received_us) } else { None };
        (served_us, Service { begins_us: if waited { served_us - received_us } else { 0 }, frozen })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.pool.lock();
        state.turns.remove(&self.ticket);
        let next = state.line.leave(self.ticket);
        if let Some(tell) = next.and_then(|next| state.turns.remove(&next)) {
            // If it is just going, its own drop passes the slot on.
            let _gone = tell.send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Waker};

    use super::*;
    use firstlight_engine::Freeze;

    fn limit(slots: u32) -> Limit {
        Limit { slots: Some(slots), ..Limit::default() }
    }

    fn is_pending<F: Future>(future: &mut Pin<Box<F>>) -> bool {
        future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending()
    }

    #[tokio::test]
    async fn a_slot_goes_to_the_first_who_still_waits() {
        let (pools, clock) = (Pools::default(), Clock::start());
        let mut places: Vec<Place> = (0..4).map(|_| pools.enter(&limit(1), 0, clock)).collect();
        let mut last = places.pop().expect("a place");
        let (first, tired, next) = (places.remove(0), places.remove(0), places.remove(0));
        assert!(first.turn.is_none() && tired.turn.is_some() && next.turn.is_some());
        drop(tired);
        let mut next = next;
        let mut waiting = Box::pin(next.served(0, clock));
        assert!(is_pending(&mut waiting));
        drop(first);
        let (served_us, service) = waiting.await;
        assert_eq!(service, Service { begins_us: served_us, frozen: None });
        assert!(is_pending(&mut Box::pin(last.served(0, clock))));
        // Told, and going at the same time.
        drop(next);
        drop(last);
        let again = pools.enter(&limit(1), 0, clock);
        assert!(again.turn.is_none(), "the slot was not lost");
    }

    #[tokio::test]
    async fn other_limits_and_names_are_other_pools() {
        let (pools, clock) = (Pools::default(), Clock::start());
        let named = Limit { pool: "a".into(), ..limit(1) };
        let places = [limit(1), limit(2), named.clone(), named].map(|limit| pools.enter(&limit, 0, clock));
        assert_eq!(places.map(|place| place.turn.is_some()), [false, false, false, true]);
    }

    #[tokio::test]
    async fn pools_are_forgotten_when_nobody_is_in_them() {
        let (pools, clock) = (Pools::default(), Clock::start());
        let name = |n: usize| Limit { pool: n.to_string(), ..limit(1) };
        let held = pools.enter(&name(0), 0, clock);
        (1..KEPT_POOLS + 5).for_each(|n| drop(pools.enter(&name(n), 0, clock)));
        assert!(pools.0.lock().expect("a lock").len() <= KEPT_POOLS);
        assert!(pools.enter(&name(0), 0, clock).turn.is_some());
        drop(held);
    }

    #[tokio::test]
    async fn in_a_standstill_nothing_begins() {
        let (pools, clock) = (Pools::default(), Clock::start());
        let limit = Limit { freeze: Some(Freeze { at_ms: 0, ms: 20 }), ..Limit::default() };
        let (served_us, service) = pools.enter(&limit, 0, clock).served(0, clock).await;
        assert!(served_us >= 20_000);
        assert_eq!(service, Service { begins_us: served_us, frozen: None });
        // Long over.
        let mut late = pools.enter(&limit, clock.now_us(), clock);
        assert_eq!(late.served(late.queued_us, clock).await, (late.queued_us, Service::default()));
        let later = Limit { freeze: Some(Freeze { at_ms: 60_000, ms: 20 }), ..Limit::default() };
        let frozen = Some(Window { from_us: 60_000_000, to_us: 60_020_000 });
        assert_eq!(pools.enter(&later, 5, clock).served(5, clock).await.1, Service { begins_us: 0, frozen });
    }
}
