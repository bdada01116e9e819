//! How much is taken: deliveries a second, and bytes under way at once.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of bodies that are under way; nobody waits for room, since waiting needs memory too.
pub(super) struct Budget {
    room: Arc<Semaphore>,
    all: usize,
}

impl Budget {
    pub(super) fn of(bytes: usize) -> Budget {
        let all = bytes.clamp(1, Semaphore::MAX_PERMITS.min(u32::MAX as usize));
        Budget { room: Arc::new(Semaphore::new(all)), all }
    }

    /// Room for a body, until it is dropped; none if there is none now.
    pub(super) fn take(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        let bytes = u32::try_from(bytes.clamp(1, self.all)).ok()?;
        Arc::clone(&self.room).try_acquire_many_owned(bytes).ok()
    }

    /// Bytes that are taken now.
    pub(super) fn taken(&self) -> usize {
        self.all - self.room.available_permits()
    }
}

/// So many a second, and a second's worth at once.
pub(super) struct Rate {
    each_second: f64,
    state: Mutex<(f64, Instant)>,
}

impl Rate {
    pub(super) fn of(each_second: u32) -> Rate {
        let each_second = f64::from(each_second.max(1));
        Rate { each_second, state: Mutex::new((each_second, Instant::now())) }
    }

    /// Takes one, or says how long until there is one.
    pub(super) fn take(&self, now: Instant) -> Result<(), Duration> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (left, since) = *state;
        let left = (left + now.saturating_duration_since(since).as_secs_f64() * self.each_second).min(self.each_second);
        let enough = left >= 1.0;
        *state = (if enough { left - 1.0 } else { left }, now.max(since));
        if enough { Ok(()) } else { Err(Duration::from_secs_f64((1.0 - left) / self.each_second)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_s_worth_at_once_and_then_one_after_the_other() {
        let rate = Rate::of(4);
        let begin = Instant::now();
        for _ in 0..4 {
            assert_eq!(rate.take(begin), Ok(()));
        }
        let wait = rate.take(begin).expect_err("enough");
        assert!(wait <= Duration::from_millis(250) && wait > Duration::from_millis(200), "{wait:?}");
        assert_eq!(rate.take(begin + Duration::from_millis(300)), Ok(()));
        assert!(rate.take(begin + Duration::from_millis(300)).is_err());
        // However long nothing came, no more than a second's worth comes at once.
        let later = begin + Duration::from_secs(60);
        assert_eq!((0..9).filter(|_| rate.take(later).is_ok()).count(), 4);
    }

    #[test]
    fn bytes_under_way_are_bounded_and_given_back() {
        let budget = Budget::of(100);
        let first = budget.take(60).expect("room");
        assert_eq!((budget.taken(), budget.take(50).is_none()), (60, true));
        drop(first);
        // A body that is larger than all of it goes alone.
        let alone = budget.take(1000).expect("room");
        assert!(budget.take(1).is_none());
        drop(alone);
        assert_eq!(budget.taken(), 0);
    }
}
