//! Who may use a browser now. Tests that measure time are alone; of the others two go on at once, each in a session of its own,
//! which the next test of the same engine takes over.

use std::ops::Deref;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::{Browser, Engine};

static ROOM: Mutex<Room> = Mutex::new(Room { inside: 0, closed: false, asking_to_be_alone: 0, idle: Vec::new() });
static CHANGED: Condvar = Condvar::new();

/// As many sessions as there are tests at once.
const SESSIONS: usize = 2;

struct Room {
    /// Tests that are in it.
    inside: usize,
    /// One of them is alone.
    closed: bool,
    /// They come before others that wait, or there would never be an end to these.
    asking_to_be_alone: usize,
    /// Sessions that nobody uses.
    idle: Vec<Browser>,
}

impl Room {
    /// Waits until the room is empty.
    fn alone() -> MutexGuard<'static, Room> {
        let mut room = lock();
        room.asking_to_be_alone += 1;
        let mut room = CHANGED.wait_while(room, |room| room.inside > 0).unwrap_or_else(PoisonError::into_inner);
        room.asking_to_be_alone -= 1;
        room.closed = true;
        room.inside = 1;
        room
    }

    /// Waits until nobody is or wants to be alone.
    fn beside_others() -> MutexGuard<'static, Room> {
        let closed = |room: &mut Room| room.closed || room.asking_to_be_alone > 0 || room.inside == SESSIONS;
        let mut room = CHANGED.wait_while(lock(), closed).unwrap_or_else(PoisonError::into_inner);
        room.inside += 1;
        room
    }

    fn leave(back: Option<Browser>) {
        let mut room = lock();
        room.idle.extend(back);
        room.inside -= 1;
        room.closed = false;
        CHANGED.notify_all();
    }
}

fn lock() -> MutexGuard<'static, Room> {
    ROOM.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A session, for one test.
pub struct Turn(Option<Browser>);

impl Turn {
    /// For a test that measures time: no other goes on meanwhile.
    pub fn alone(engine: Engine) -> Turn {
        let mut room = Room::alone();
        let known = take(&mut room.idle, engine);
        let ended = std::mem::take(&mut room.idle);
        drop(room);
        drop(ended);
        Turn::with(known, engine)
    }

    /// For a test to which it is no matter that another goes on.
    pub fn beside_others(engine: Engine) -> Turn {
        let mut room = Room::beside_others();
        let known = take(&mut room.idle, engine);
        // Sessions of other engines end before a new one begins.
        let ended = if known.is_none() { std::mem::take(&mut room.idle) } else { Vec::new() };
        drop(room);
        drop(ended);
        Turn::with(known, engine)
    }

    fn with(known: Option<Browser>, engine: Engine) -> Turn {
        // Made before it starts: if it does not, the place in the room is given back.
        let mut turn = Turn(known);
        if turn.0.is_none() {
            turn.0 = Some(Browser::start(engine).unwrap_or_else(|error| panic!("{engine:?} does not start: {error:#}")));
        }
        turn
    }
}

fn take(idle: &mut Vec<Browser>, engine: Engine) -> Option<Browser> {
    let at = idle.iter().position(|browser| browser.engine() == engine)?;
    Some(idle.swap_remove(at))
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
        let failed = std::thread::panicking();
        if let Some(browser) = self.0.as_ref().filter(|_| failed) {
            println!("{:?} and its driver said:\n{}", browser.engine(), browser.driver_log());
        }
        let back = self.0.take().filter(|_| !failed);
        Room::leave(back);
    }
}

/// The turn of a test that starts browsers of its own, or uses none and must not be disturbed.
pub struct Alone(());

impl Alone {
    /// Waits for the turn, and ends the browsers that are idle.
    pub fn take() -> Alone {
        let mut room = Room::alone();
        let ended = std::mem::take(&mut room.idle);
        drop(room);
        drop(ended);
        Alone(())
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        Room::leave(None);
    }
}
