//! One browser at a time: the tests of an engine share its session, and another engine's session ends before the next begins.

use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{Browser, Engine};

static CURRENT: Mutex<Option<Browser>> = Mutex::new(None);

/// The shared browser, for one test. Tests that run at the same time take turns: they measure time.
pub struct Turn(MutexGuard<'static, Option<Browser>>);

impl Turn {
    /// Waits for the turn, and starts the engine if it is not the one that runs.
    pub fn take(engine: Engine) -> Turn {
        let mut current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
        if current.as_ref().is_none_or(|browser| browser.engine() != engine) {
            *current = None;
            *current = Some(Browser::start(engine).unwrap_or_else(|error| panic!("{engine:?} does not start: {error:#}")));
        }
        Turn(current)
    }
}

/// The turn of a test that starts browsers of its own.
pub struct Alone(#[expect(dead_code, reason = "held until dropped")] MutexGuard<'static, Option<Browser>>);

impl Alone {
    /// Waits for the turn, and ends the browser that runs.
    pub fn take() -> Alone {
        let mut current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
        *current = None;
        Alone(current)
    }
}

impl Deref for Turn {
    type Target = Browser;
    fn deref(&self) -> &Browser {
        self.0.as_ref().expect("a browser, for as long as the turn lasts")
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // After a failed test nothing is known about the session: the next test gets a new one.
        if std::thread::panicking() {
            *self.0 = None;
        }
    }
}
