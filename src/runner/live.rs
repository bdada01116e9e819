//! One run under way: the half that sends and reads requests, in a worker or, without one, on the page.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use firstlight_core::config::RunConfig;
use firstlight_core::report::sample;
use firstlight_core::session::{Dispatch, Session};
use firstlight_core::trace::{Mode, Planned, ResponseFacts};
use firstlight_core::{ById, Micros};
use web_sys::Response;

use super::message::{Begin, Input, Output, Seen};
use super::saving::Saving;
use crate::browser::fetch::{Fetch, Happened, headers, prepare};
use crate::browser::global::{self, Timer};
use crate::browser::paint::Observer;
use crate::browser::{clock, environment, resource_timing};

/// How long the browser's network timing is waited for after the end of a body.
const ENTRY_WAIT: Duration = Duration::from_millis(250);
/// How long a paint is waited for after the end of a body.
const PAINT_WAIT: Duration = Duration::from_millis(1000);
/// How long the end of the body is waited for after the protocol's own end.
const OPEN_WAIT: Duration = Duration::from_millis(500);
/// So many requests are handed over at a time: browsers pass on no text of any length.
const BATCH: usize = 500;
/// How often the thread is asked how late it is.
const BEAT: Duration = Duration::from_millis(50);
/// Running figures are told no oftener than this.
const PROGRESS_EVERY: Duration = Duration::from_millis(1000);

/// The kinds of requests, arm and mode, in the order of what is kept for each.
const KINDS: [(u8, Mode); 4] = [(0, Mode::Streaming), (0, Mode::NonStreaming), (1, Mode::Streaming), (1, Mode::NonStreaming)];

fn of(planned: Planned) -> usize {
    2 * usize::from(planned.arm.min(1)) + usize::from(planned.mode == Mode::NonStreaming)
}

/// What a request still waits for after its end.
#[derive(Default)]
struct Open {
    fetch: Option<Fetch>,
    limit: Option<Timer>,
    /// Its answer is shown on the page.
    shown: bool,
    ended: bool,
    body_over: bool,
    entry: bool,
    painted: bool,
}

/// The run.
pub(super) struct Live {
    tell: Rc<dyn Fn(Output)>,
    session: Rc<RefCell<Session>>,
    /// Where its requests are saved, and what saves them there.
    keep: Option<String>,
    saving: Cell<Option<Saving>>,
    requests: RefCell<ById<Open>>,
    /// The one address of all requests of a kind: with one of its own, each would pay a preflight of its own.
    urls: [String; 4],
    headers: Vec<(String, String)>,
    patched: bool,
    samples: bool,
    entries: RefCell<Option<Observer>>,
    progress: Cell<Option<Timer>>,
    /// The next beat of the thread.
    beat: Cell<Option<Timer>>,
    /// The schedule's next instant.
    due: Cell<Option<Timer>>,
    over: Cell<bool>,
}

impl Live {
    /// A run that has not begun; `tell` gets everything that the page is to know.
    pub fn new(begin: Begin, tell: impl Fn(Output) + 'static) -> Rc<Live> {
        let Begin { config, secrets, places, isolated, hidden, samples, keep } = begin;
        Rc::new(Live {
            tell: Rc::new(tell),
            keep,
            saving: Cell::new(None),
            headers: config.headers(&secrets),
            urls: KINDS.map(|(arm, mode)| environment::resolved(&config.of_arm(arm).url(mode))),
            session: Rc::new(RefCell::new(Session::new(config, places, isolated, hidden))),
            requests: RefCell::default(),
            patched: !environment::native_fetch(),
            samples,
            entries: RefCell::new(None),
            progress: Cell::new(None),
            beat: Cell::new(None),
            due: Cell::new(None),
            over: Cell::new(false),
        })
    }

    /// Registers the observer, then sends the first requests.
    pub fn begin(self: &Rc<Self>) {
        let live = Rc::clone(self);
        let entries = resource_timing::observe(move |url, timing, server_timing| {
            live.session.borrow_mut().entry(url, timing, server_timing);
            live.match_entries(None);
        });
        *self.entries.borrow_mut() = entries;
        self.show_progress();
        self.beat();
        if let Some(id) = &self.keep {
            let tell = Rc::clone(&self.tell);
            self.saving.set(Some(Saving::begin(id, &self.session, move |why| tell(Output::Unsaved(why)))));
        }
        self.pump();
    }

    /// Asks this thread, again and again, how late it is.
    fn beat(self: &Rc<Self>) {
        let (live, due) = (Rc::clone(self), clock::now() + Micros::ms(BEAT.as_millis() as i64));
        self.beat.set(Some(global::after(BEAT, move || {
            live.session.borrow_mut().late(clock::now() - due);
            live.beat();
        })));
    }

    /// Takes what the page noticed.
    pub fn take(self: &Rc<Self>, input: Input) {
        match input {
            Input::Stop(at) => self.stop(at),
            Input::Visibility(hidden, at) => self.visibility(hidden, at),
            Input::Seen(id, seen) => self.seen(id, seen),
            Input::Blocked(from, to) => self.session.borrow_mut().blocked(from, to),
            Input::StoodStill(from, to, stop) => {
                let ids = self.session.borrow_mut().stood_still(from, to, stop);
                ids.into_iter().for_each(|id| self.abort(id));
                self.pump();
            }
        }
    }

    /// Ends everything that is under way and keeps what there is.
    fn stop(self: &Rc<Self>, now: Micros) {
        let ids = self.session.borrow_mut().stop(now);
        ids.into_iter().for_each(|id| self.abort(id));
        self.pump();
    }

    fn visibility(self: &Rc<Self>, hidden: bool, at: Micros) {
        self.session.borrow_mut().visibility(hidden, at);
        if !hidden {
            self.pump();
        }
        self.update_progress();
    }

    /// Sends what may be sent; ends the run when nothing is left.
    fn pump(self: &Rc<Self>) {
        if self.over.get() {
            return;
        }
        loop {
            let dispatch = self.session.borrow_mut().dispatch(clock::now());
            match dispatch {
                Some(dispatch) => self.send(dispatch),
                None => break,
            }
        }
        let ids = self.session.borrow_mut().overdue(clock::now());
        ids.into_iter().for_each(|id| self.abort(id));
        self.wait_until_due();
        if self.session.borrow().is_done() {
            self.end();
        }
    }

    /// Comes back when the schedule has something to do, whatever else happens before.
    fn wait_until_due(self: &Rc<Self>) {
        if let Some(timer) = self.due.take() {
            timer.clear();
        }
        let due = self.session.borrow().next_due().filter(|_| !self.over.get());
        if let Some(due) = due {
            // Timers count whole milliseconds: never too early, and late by less than one.
            let wait = (due - clock::now()).0.max(0).cast_unsigned().div_ceil(1000);
            let live = Rc::clone(self);
            self.due.set(Some(global::after(Duration::from_millis(wait), move || live.pump())));
        }
    }

    fn send(self: &Rc<Self>, dispatch: Dispatch) {
        let id = dispatch.planned.id;
        if let Some(place) = dispatch.slot {
            (self.tell)(Output::Open(place, id));
        }
        let kind = of(dispatch.planned);
        let body = self.session.borrow().body(&dispatch.planned).to_string();
        let prepared = prepare(&self.urls[kind], &self.headers, &body);
        self.requests.borrow_mut().insert(id, Open { shown: dispatch.slot.is_some(), ..Open::default() });
        if self.patched {
            self.session.borrow_mut().patched_fetch(id);
        }
        let prepared = match prepared {
            Ok(prepared) => prepared,
            Err(words) => {
                self.session.borrow_mut().sent(id, clock::now());
                return self.failed(id, clock::now(), &words);
            }
        };
        let limit = u64::from(self.session.borrow().config().timeout_ms);
        let live = Rc::clone(self);
        let limit = global::after(Duration::from_millis(limit), move || live.expire());
        let live = Rc::clone(self);
        let sink = move |at: f64, happened| live.happened(id, kind, clock::page_time(at), happened);
        self.session.borrow_mut().sent(id, clock::now());
        let fetch = prepared.send(sink);
        self.with(id, |open| {
            open.fetch = Some(fetch);
            open.limit = Some(limit);
        });
    }

    fn happened(self: &Rc<Self>, id: u32, kind: usize, at: Micros, happened: Happened) {
        let reaction = match happened {
            Happened::Headers(response) => {
                let facts = facts(&response, &self.urls[kind]);
                self.session.borrow_mut().headers(id, at, facts, headers(&response));
                return;
            }
            Happened::Failed(words) => return self.failed(id, at, &words),
            Happened::Read(bytes) => self.session.borrow_mut().read(id, at, &bytes),
            Happened::End => {
                self.with(id, |open| open.body_over = true);
                self.session.borrow_mut().body_end(id, at)
            }
        };
        let shown = self.requests.borrow().get(id).is_some_and(|open| open.shown);
        if shown && reaction.clear {
            (self.tell)(Output::Withdraw(id));
        }
        if shown && !reaction.show.is_empty() {
            (self.tell)(Output::Show(id, reaction.show));
        }
        if reaction.finished {
            self.finished(id);
        } else if self.is_body_over(id) {
            self.settle_if_whole(id);
        }
    }

    fn failed(self: &Rc<Self>, id: u32, at: Micros, words: &str) {
        self.with(id, |open| open.body_over = true);
        self.session.borrow_mut().failed(id, at, words);
        self.finished(id);
    }

    /// Time limits that have run out.
    fn expire(self: &Rc<Self>) {
        let ids = self.session.borrow_mut().expired(clock::now());
        ids.into_iter().for_each(|id| self.abort(id));
    }

    fn abort(self: &Rc<Self>, id: u32) {
        self.with(id, |open| {
            if let Some(fetch) = &open.fetch {
                fetch.abort();
            }
        });
        self.finished(id);
    }

    /// The request's place is free: the next one starts, the evidence of this one is waited for.
    fn finished(self: &Rc<Self>, id: u32) {
        let mut first_time = false;
        self.with(id, |open| {
            first_time = !open.ended;
            open.ended = true;
            if let Some(limit) = open.limit.take() {
                limit.clear();
            }
        });
        if !first_time {
            return self.settle_if_whole(id);
        }
        let shown = self.requests.borrow().get(id).is_some_and(|open| open.shown);
        if shown {
            (self.tell)(Output::Close(id));
        } else {
            self.painted(id);
        }
        self.match_entries(None);
        self.after(ENTRY_WAIT, move |live| {
            live.match_entries(Some(id));
            let waiting = live.requests.borrow().get(id).is_some_and(|open| !open.entry);
            if waiting {
                live.session.borrow_mut().no_entry(id);
                live.with(id, |open| open.entry = true);
                live.settle_if_whole(id);
            }
        });
        self.after(PAINT_WAIT, move |live| {
            live.painted(id);
            live.settle_if_whole(id);
        });
        if !self.is_body_over(id) {
            self.after(OPEN_WAIT, move |live| live.give_up_body(id));
        }
        self.settle_if_whole(id);
        self.pump();
    }

    /// Gives network timing entries to their requests.
    fn match_entries(self: &Rc<Self>, waited: Option<u32>) {
        let ids = self.session.borrow_mut().match_entries(waited, |planned| &self.urls[of(planned)]);
        for id in ids {
            self.with(id, |open| open.entry = true);
            self.settle_if_whole(id);
        }
    }

    fn give_up_body(self: &Rc<Self>, id: u32) {
        let open_still = self.requests.borrow().get(id).is_some_and(|open| !open.body_over);
        if open_still {
            self.session.borrow_mut().left_open(id);
            self.with(id, |open| {
                open.body_over = true;
                if let Some(fetch) = &open.fetch {
                    fetch.abort();
                }
            });
            self.settle_if_whole(id);
        }
    }

    fn seen(self: &Rc<Self>, id: u32, seen: Seen) {
        match seen {
            Seen::First(probe) => self.session.borrow_mut().paint_first(id, probe),
            Seen::Complete(probe) => self.session.borrow_mut().paint_complete(id, probe),
            Seen::All => {
                self.painted(id);
                self.settle_if_whole(id);
            }
        }
    }

    /// Nothing more of its paint is waited for: its place is for the next one, whatever else is still to come.
    fn painted(&self, id: u32) {
        self.with(id, |open| open.painted = true);
        self.session.borrow_mut().release(id);
        let shown = self.requests.borrow().get(id).is_some_and(|open| open.shown);
        if shown {
            (self.tell)(Output::Free(id));
        }
    }

    fn settle_if_whole(self: &Rc<Self>, id: u32) {
        let whole = self.requests.borrow().get(id).is_some_and(|o| o.ended && o.body_over && o.entry && o.painted);
        if whole {
            self.requests.borrow_mut().remove(id);
            self.session.borrow_mut().settle(id);
            if self.samples {
                let sample = self.session.borrow().settled(id).map(|trace| sample(trace).to_string());
                sample.into_iter().for_each(|sample| (self.tell)(Output::Sample(sample)));
            }
            self.pump();
        }
    }

    fn end(self: &Rc<Self>) {
        if self.over.replace(true) {
            return;
        }
        self.entries.borrow_mut().take();
        for timer in [self.progress.take(), self.beat.take(), self.due.take()].into_iter().flatten() {
            timer.clear();
        }
        let live = Rc::clone(self);
        // Not from inside a callback of the session.
        wasm_bindgen_futures::spawn_local(async move {
            if let Some(saving) = live.saving.take() {
                saving.finish();
            }
            let config = RunConfig::of("");
            let (stopped, broken, lag) = {
                let session = live.session.borrow();
                (session.was_stopped(), session.stopped_by(), session.lag())
            };
            let session = live.session.replace(Session::new(config, 0, false, false));
            let mut traces = session.traces().into_iter();
            loop {
                let batch: Vec<_> = traces.by_ref().take(BATCH).collect();
                if batch.is_empty() {
                    break;
                }
                (live.tell)(Output::Traces(batch));
            }
            (live.tell)(Output::Done(stopped, broken, lag));
        });
    }

    fn update_progress(&self) {
        let progress = self.session.borrow().progress(clock::now());
        (self.tell)(Output::Progress(progress));
    }

    fn show_progress(self: &Rc<Self>) {
        self.update_progress();
        let live = Rc::clone(self);
        self.progress.set(Some(global::after(PROGRESS_EVERY, move || live.show_progress())));
    }

    fn is_body_over(&self, id: u32) -> bool {
        self.requests.borrow().get(id).is_some_and(|open| open.body_over)
    }

    fn with(&self, id: u32, change: impl FnOnce(&mut Open)) {
        if let Some(open) = self.requests.borrow_mut().get_mut(id) {
            change(open);
        }
    }

    fn after(self: &Rc<Self>, time: Duration, then: impl FnOnce(&Rc<Live>) + 'static) {
        let live = Rc::clone(self);
        global::after(time, move || then(&live));
    }
}

fn facts(response: &Response, asked: &str) -> ResponseFacts {
    let header = |name: &str| response.headers().get(name).ok().flatten();
    let origin = |url: &str| web_sys::Url::new(url).map(|u| u.origin()).unwrap_or_default();
    ResponseFacts {
        status: response.status(),
        content_type: header("content-type"),
        content_encoding: header("content-encoding"),
        retry_after: header("retry-after"),
        server_timing: header("server-timing"),
        redirected: response.redirected(),
        cross_origin: origin(asked) != global::origin(),
    }
}
