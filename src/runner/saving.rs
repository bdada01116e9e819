//! Saves the requests of a run under way as they end, so that they outlive its page.
//!
//! Nothing waits for it. It works where the session is; about a millisecond at a time is taken from that thread, then replies are
//! read again. What a browser does with a text that it was given, it does elsewhere.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use firstlight_core::history::{Change, saved};
use firstlight_core::report::traces_to_json;
use firstlight_core::session::Session;

use crate::browser::global::{self, Timer};
use crate::browser::{clock, environment, store};

/// How often is written. No request may be unsaved for a second after its end, and the writing itself takes some of that.
const EVERY_MS: f64 = 500.0;
/// How long a step takes of the thread; a request begun is written down whole.
const STEP_MS: f64 = 1.0;

/// What saves a run.
pub(super) struct Saving(Rc<Inner>);

struct Inner {
    id: String,
    session: Rc<RefCell<Session>>,
    /// Requests to be written down.
    queue: RefCell<VecDeque<u32>>,
    /// Those that are.
    changes: RefCell<Vec<Change>>,
    /// When this turn began, on the thread's clock.
    turn_ms: Cell<f64>,
    timer: Cell<Option<Timer>>,
    over: Cell<bool>,
    refused: Box<dyn Fn(String)>,
}

impl Saving {
    /// Saves the session's requests from now on; `refused` hears if that ends too early.
    pub fn begin(id: &str, session: &Rc<RefCell<Session>>, refused: impl Fn(String) + 'static) -> Saving {
        let inner = Rc::new(Inner {
            id: id.to_owned(),
            session: Rc::clone(session),
            queue: RefCell::default(),
            changes: RefCell::default(),
            turn_ms: Cell::new(clock::now_ms()),
            timer: Cell::new(None),
            over: Cell::new(false),
            refused: Box::new(refused),
        });
        inner.after(EVERY_MS, Inner::turn);
        Saving(inner)
    }

    /// Writes what is left, and no more.
    pub fn finish(self) {
        let inner = self.0;
        if let Some(timer) = inner.timer.take() {
            timer.clear();
        }
        if !inner.over.replace(true) {
            inner.gather();
            while inner.write_one_down() {}
            inner.write();
        }
    }
}

impl Inner {
    fn after(self: &Rc<Self>, ms: f64, then: fn(&Rc<Inner>)) {
        let inner = Rc::clone(self);
        let time = Duration::from_micros((ms.max(0.0) * 1000.0) as u64);
        self.timer.set(Some(global::after(time, move || {
            let go_on = move || {
                if !inner.over.get() {
                    then(&inner);
                }
            };
            // A page has idle time and somebody who looks at it; a worker has neither.
            if global::in_worker() { go_on() } else { environment::when_idle(go_on) }
        })));
    }

    fn turn(self: &Rc<Self>) {
        self.turn_ms.set(clock::now_ms());
        self.gather();
        self.step();
    }

    fn gather(&self) {
        let unsaved = self.session.borrow_mut().unsaved();
        self.queue.borrow_mut().extend(unsaved);
    }

    fn step(self: &Rc<Self>) {
        let until = clock::now_ms() + STEP_MS;
        while self.write_one_down() && clock::now_ms() < until {}
        // Each step for itself: all of a turn at once would take this thread for as long as all its steps.
        self.write();
        if self.queue.borrow().is_empty() {
            self.after(EVERY_MS - (clock::now_ms() - self.turn_ms.get()), Inner::turn);
        } else {
            self.after(0.0, Inner::step);
        }
    }

    /// False if there is none.
    fn write_one_down(&self) -> bool {
        let Some(id) = self.queue.borrow_mut().pop_front() else { return false };
        let trace = self.session.borrow().so_far(id);
        let change = trace.map(|trace| saved(&self.id, id, traces_to_json(std::slice::from_ref(&trace))));
        self.changes.borrow_mut().extend(change);
        true
    }

    fn write(self: &Rc<Self>) {
        let changes = self.changes.take();
        if changes.is_empty() {
            return;
        }
        let inner = Rc::clone(self);
        store::write_at_once(changes, move |done| {
            if let Err(why) = done {
                inner.over.set(true);
                (inner.refused)(why);
            }
        });
    }
}
