//! The page's half of a run: it shows what comes, notices what happens to the page, and tells the other half.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use firstlight_core::config::RunConfig;
use firstlight_core::load::Lag;
use firstlight_core::stop_rule::Broken;
use firstlight_core::trace::Trace;

use super::message::{Input, Output};
use super::places::{Places, Room};
use super::pulse::Pulse;
use crate::browser::{clock, visibility};

type Tell = Rc<dyn Fn(Input)>;
/// Gets everything that the other half tells.
pub type Hear = Box<dyn Fn(&Output)>;
type Finish = Box<dyn FnOnce(Vec<Trace>, bool, Option<Broken>, Option<Lag>)>;

/// The page during a run.
pub(super) struct Page {
    places: Places,
    hear: Hear,
    /// Where what the page notices goes to, once there is somebody to hear it.
    tell: Rc<RefCell<Option<Tell>>>,
    /// The requests that were handed over.
    traces: RefCell<Vec<Trace>>,
    watches: RefCell<Option<(visibility::Watch, Pulse)>>,
    finish: Cell<Option<Finish>>,
}

impl Page {
    /// Of places in the document; `hear` gets everything that is told before it is shown, `finish` the requests when the run is
    /// over.
    pub fn new(
        rooms: Vec<Room>,
        config: &RunConfig,
        hear: Hear,
        finish: impl FnOnce(Vec<Trace>, bool, Option<Broken>, Option<Lag>) + 'static,
    ) -> Rc<Page> {
        let tell: Rc<RefCell<Option<Tell>>> = Rc::default();
        let heard = Rc::clone(&tell);
        let places = Places::new(rooms, config.rendering, move |id, seen| say(&heard, Input::Seen(id, seen)));
        let finish: Finish = Box::new(finish);
        let (traces, watches) = (RefCell::default(), RefCell::new(None));
        Rc::new(Page { places, hear, tell, traces, watches, finish: Cell::new(Some(finish)) })
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
        (self.hear)(&output);
        match output {
            Output::Open(place, id) => self.places.open(place, id),
            Output::Show(id, text) => self.places.show(id, &text),
            Output::Withdraw(id) => self.places.withdraw(id),
            Output::Close(id) => self.places.close(id),
            Output::Free(id) => self.places.free(id),
            // For those who hear it alone.
            Output::Progress(_) | Output::Sample(_) | Output::Unsaved(_) => {}
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
