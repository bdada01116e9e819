//! The page's pulse during a run: whether its main thread was blocked, the page frozen, or the machine asleep.
//!
//! A timer that should come every 20 ms and comes much later tells of a block; where the browser reports long tasks, these
//! are taken instead, since they say exactly when, and the timer comes seldom. A wall clock that has run ahead of the monotonic one tells of sleep, which
//! the monotonic clock of most systems leaves out.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use firstlight_core::Micros;
use firstlight_core::outcome::Stop;

use super::message::Input;
use crate::browser::global::{self, Timer};
use crate::browser::paint::{self, Observer};
use crate::browser::{clock, non_zero, visibility};

const EVERY: Duration = Duration::from_millis(20);
/// How often it beats where the browser itself reports blocks, and only sleep is looked for.
const EVERY_FOR_SLEEP: Duration = Duration::from_millis(250);
/// From this length on, a block counts: the same as for the browsers' own long tasks.
const BLOCK: Micros = Micros(50_000);
/// How far the wall clock may run ahead between two beats: more is sleep, or somebody set the clock.
const SLEEP_MS: f64 = 500.0;

/// Beats until dropped.
pub(super) struct Pulse {
    beat: Rc<Beat>,
    _tasks: Option<Observer>,
    _freezing: visibility::Watch,
}

struct Beat {
    tell: Rc<dyn Fn(Input)>,
    /// Long tasks are reported by the browser.
    by_tasks: bool,
    timer: Cell<Option<Timer>>,
    last: RefCell<Last>,
}

#[derive(Clone, Copy)]
struct Last {
    at: Micros,
    wall_ms: f64,
    clock_ms: f64,
    hidden: bool,
}

impl Last {
    fn now() -> Last {
        let clock_ms = clock::now_ms();
        Last { at: clock::page_time(clock_ms), wall_ms: clock::wall_ms(), clock_ms, hidden: visibility::hidden() }
    }
}

impl Pulse {
    /// Begins to beat.
    pub fn new(tell: Rc<dyn Fn(Input)>) -> Pulse {
        let by_tasks = paint::observes("longtask");
        let tasks = by_tasks.then(|| {
            let tell = Rc::clone(&tell);
            Observer::new("longtask", move |entries| {
                for entry in entries.iter() {
                    let start = non_zero(&entry, "startTime").unwrap_or(0.0);
                    let length = non_zero(&entry, "duration").unwrap_or(0.0);
                    tell(Input::Blocked(clock::page_time(start), clock::page_time(start + length)));
                }
            })
        });
        let frozen = Cell::new(None);
        let freezing = {
            let tell = Rc::clone(&tell);
            visibility::Watch::freezing(move |freeze| match (freeze, frozen.take()) {
                (true, _) => frozen.set(Some(clock::now())),
                (false, Some(from)) => tell(Input::StoodStill(from, clock::now(), Stop::Frozen)),
                (false, None) => {}
            })
        };
        let beat = Rc::new(Beat { tell, by_tasks, timer: Cell::new(None), last: RefCell::new(Last::now()) });
        beat.next();
        Pulse { beat, _tasks: tasks.flatten(), _freezing: freezing }
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        if let Some(timer) = self.beat.timer.take() {
            timer.clear();
        }
    }
}

impl Beat {
    fn next(self: &Rc<Self>) {
        let beat = Rc::clone(self);
        let every = if self.by_tasks { EVERY_FOR_SLEEP } else { EVERY };
        self.timer.set(Some(global::after(every, move || {
            beat.check();
            beat.next();
        })));
    }

    fn check(&self) {
        let now = Last::now();
        let last = self.last.replace(now);
        // Hidden pages get one timer a second, whatever they do.
        let seen = !now.hidden && !last.hidden;
        if !self.by_tasks && seen && now.at - last.at >= BLOCK {
            (self.tell)(Input::Blocked(last.at + Micros::ms(EVERY.as_millis() as i64), now.at));
        }
        let ahead = (now.wall_ms - last.wall_ms) - (now.clock_ms - last.clock_ms);
        if ahead > SLEEP_MS {
            (self.tell)(Input::StoodStill(last.at, now.at, Stop::Slept));
        }
    }
}
