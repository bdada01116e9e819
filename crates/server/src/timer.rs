//! Waking at a time, to some tens of µs: the runtime's own timer rounds up to the next millisecond.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

/// The runtime's timer does all but the last of a wait, so that whoever no longer waits leaves nothing behind for long.
const LAST: Duration = Duration::from_millis(3);

struct Timer {
    /// The soonest on top.
    waiting: Mutex<BinaryHeap<Reverse<Waiter>>>,
    sooner: Condvar,
}

struct Waiter {
    due: Instant,
    wake: oneshot::Sender<()>,
}

/// Returns at this time, or at once if it is past.
pub(crate) async fn until(due: Instant) {
    if let Some(most) = due.checked_sub(LAST)
        && Instant::now() < most
    {
        tokio::time::sleep_until(most.into()).await;
    }
    if Instant::now() >= due {
        return;
    }
    let Some(timer) = timer() else { return tokio::time::sleep_until(due.into()).await };
    let (wake, woken) = oneshot::channel();
    timer.add(Waiter { due, wake });
    // The thread never ends.
    let _woken = woken.await;
}

/// The one of this process; none if there can be no thread for it.
fn timer() -> Option<&'static Timer> {
    static TIMER: Timer = Timer { waiting: Mutex::new(BinaryHeap::new()), sooner: Condvar::new() };
    static RUNS: OnceLock<bool> = OnceLock::new();
    RUNS.get_or_init(|| std::thread::Builder::new().name("timer".into()).spawn(|| TIMER.run()).is_ok()).then_some(&TIMER)
}

impl Timer {
    fn add(&self, waiter: Waiter) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let soonest = waiting.peek().is_none_or(|Reverse(first)| waiter.due < first.due);
        waiting.push(Reverse(waiter));
        drop(waiting);
        if soonest {
            self.sooner.notify_one();
        }
    }

    fn run(&self) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let now = Instant::now();
            while let Some(Reverse(first)) = waiting.peek()
                && first.due <= now
            {
                if let Some(Reverse(first)) = waiting.pop() {
                    // Whoever waited may be gone.
                    let _gone = first.wake.send(());
                }
            }
            waiting = match waiting.peek().map(|Reverse(first)| first.due.saturating_duration_since(now)) {
                Some(left) => self.sooner.wait_timeout(waiting, left).unwrap_or_else(PoisonError::into_inner).0,
                None => self.sooner.wait(waiting).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

impl PartialEq for Waiter {
    fn eq(&self, other: &Waiter) -> bool {
        self.due == other.due
    }
}

impl Eq for Waiter {}

impl PartialOrd for Waiter {
    fn partial_cmp(&self, other: &Waiter) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiter {
    fn cmp(&self, other: &Waiter) -> std::cmp::Ordering {
        self.due.cmp(&other.due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn nobody_is_woken_before_the_time_and_all_are() {
        let start = Instant::now();
        let waits = [40, 0, 5, 2, 5, 17, 1].map(|ms| {
            let due = start + Duration::from_millis(ms);
            tokio::spawn(async move {
                until(due).await;
                assert!(Instant::now() >= due);
            })
        });
        for wait in waits {
            wait.await.expect("woken, not before");
        }
    }

    #[tokio::test]
    async fn whoever_goes_away_stops_nobody() {
        let soon = Instant::now() + Duration::from_millis(2);
        let gone = tokio::spawn(until(soon));
        tokio::task::yield_now().await;
        gone.abort();
        until(soon + Duration::from_millis(1)).await;
        assert!(Instant::now() >= soon);
    }
}
