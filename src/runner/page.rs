//! The page's half of a run: it shows what comes, notices what happens to the page, and tells the other half.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use firstlight_core::config::Rendering;
use firstlight_core::load::Lag;
use firstlight_core::stop_rule::Broken;
use firstlight_core::trace::Trace;
use leptos::prelude::*;

use super::message::{Input, Output};
use super::places::Places;
use super::pulse::Pulse;
use super::race::Clocks;
use crate::app::state::State;
use crate::browser::{clock, environment, visibility};

type Tell = Rc<dyn Fn(Input)>;
type Finish = Box<dyn FnOnce(Vec<Trace>, bool, Option<Broken>, Option<Lag>)>;

/// The page during a run.
pub(super) struct Page {
    state: State,
    places: Places,
    clocks: Rc<Clocks>,
    /// Where what the page notices goes to, once there is somebody to hear it.
    tell: Rc<RefCell<Option<Tell>>>,
    /// The requests that were handed over.
    traces: RefCell<Vec<Trace>>,
    watches: RefCell<Option<(visibility::Watch, Pulse)>>,
    finish: Cell<Option<Finish>>,
}

impl Page {
    /// Takes the places that the views have put into the document; `finish` gets the requests when the run is over.
    pub fn new(
        state: State,
        count: u32,
        rendering: Rendering,
        finish: impl FnOnce(Vec<Trace>, bool, Option<Broken>, Option<Lag>) + 'static,
    ) -> Rc<Page> {
        let tell: Rc<RefCell<Option<Tell>>> = Rc::default();
        let heard = Rc::clone(&tell);
        let places = Places::new(count, rendering, move |id, seen| say(&heard, Input::Seen(id, seen)));
        let finish: Finish = Box::new(finish);
        let (traces, watches) = (RefCell::default(), RefCell::new(None));
        Rc::new(Page { state, places, clocks: Rc::default(), tell, traces, watches, finish: Cell::new(Some(finish)) })
    }

    /// From now on `tell` hears what the page notices.
    pub fn attach(self: &Rc<Self>, tell: Tell) {
        *self.tell.borrow_mut() = Some(Rc::clone(&tell));
        let page = Rc::clone(self);
        let watch = visibility::Watch::new(move |hidden, at| page.say(Input::Visibility(hidden, at)));
        *self.watches.borrow_mut() = Some((watch, Pulse::new(tell)));
    }

    /// Ends everything that is under way and keeps what there is.
    pub fn stop(&self) {
        self.say(Input::Stop(clock::now()));
    }

    /// Takes what the other half tells.
    pub fn take(self: &Rc<Self>, output: Output) {
        self.clocks.note(&output);
        match output {
            Output::Open(place, id) => self.places.open(place, id),
            Output::Show(id, text) => self.places.show(id, &text),
            Output::Withdraw(id) => self.places.withdraw(id),
            Output::Close(id) => self.places.close(id),
            Output::Free(id) => self.places.free(id),
            Output::Progress(progress) => {
                let (state, clocks) = (self.state, Rc::clone(&self.clocks));
                environment::when_idle(move || {
                    state.progress.set(progress);
                    state.race.live.set(clocks.read(clock::now()));
                });
            }
            Output::Traces(traces) => self.traces.borrow_mut().extend(traces),
            Output::Done(stopped, broken, lag) => {
                self.detach();
                if let Some(finish) = self.finish.take() {
                    finish(self.traces.take(), stopped, broken, lag);
                }
            }
        }
    }

    /// Notices nothing more.
    pub fn detach(&self) {
        self.watches.borrow_mut().take();
        self.tell.borrow_mut().take();
    }

    fn say(&self, input: Input) {
        say(&self.tell, input);
    }
}

fn say(tell: &RefCell<Option<Tell>>, input: Input) {
    // Not called while it is borrowed: the answer may come at once.
    let tell = tell.borrow().clone();
    if let Some(tell) = tell {
        tell(input);
    }
}
