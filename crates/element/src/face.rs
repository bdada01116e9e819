//! One element: its set-up, its run, and which of its three faces it shows.

use std::cell::RefCell;
use std::rc::Rc;

use firstlight_core::config::{MAX_CONCURRENCY, RunConfig};
use firstlight_core::load::Shape;
use firstlight_core::race::{self, Lane};
use firstlight_core::report::{Embedded, Run, figures};
use firstlight_core::session::Progress;
use firstlight_core::summary::Summary;
use firstlight_core::text::{Emb, Rac, Ui, fill};
use firstlight_web::browser::interaction::Press;
use firstlight_web::browser::{environment, visibility};
use firstlight_web::runner::{Output, Room, Stage, UnderWay};
use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::{CssStyleSheet, Element, Event, HtmlElement, ShadowRoot};

use crate::dom::el;
use crate::setup::{Editable, Setup, Wrong};
use crate::tell::Tell;
use crate::view::{self, Running};

const STYLE: &str = include_str!("../../../www/styles/element.css");
/// The slot of the answers; a lane of the race has one of its own.
const SLOT: &str = "firstlight-answers";
/// The style of an answer, on itself and important: it stands in the host's page, whose own styles are to change nothing.
const ANSWER: &str = "all:unset!important;display:block!important;margin-bottom:auto!important;padding:8px 0!important;\
    white-space:pre-wrap!important;overflow-wrap:break-word!important;font-size:15px!important;line-height:24px!important";

thread_local! {
    /// The element whose run is under way. One at a time: two would measure each other.
    static LIVE: RefCell<Option<Rc<Inner>>> = const { RefCell::new(None) };
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Test,
    Race,
}

enum Phase {
    Setup,
    Running,
    Done(Box<(Run, Summary)>),
}

/// What came since it was last told.
#[derive(Default)]
struct Waiting {
    progress: Option<Progress>,
    samples: Vec<String>,
}

/// What hears events of its form.
type Listener = Closure<dyn Fn(Event)>;

pub(crate) struct Inner {
    kind: Kind,
    host: HtmlElement,
    shadow: ShadowRoot,
    /// Everything that is drawn.
    base: Element,
    /// What a screen reader is told when the face changes.
    status: Element,
    setup: RefCell<Setup>,
    wrong: RefCell<Wrong>,
    phase: RefCell<Phase>,
    running: RefCell<Option<Running>>,
    lanes: RefCell<Vec<Lane>>,
    /// The places of the answers, children of the host.
    places: RefCell<Vec<Element>>,
    under_way: RefCell<Option<Rc<UnderWay>>>,
    waiting: RefCell<Waiting>,
    worker: Function,
    tell: Tell,
    listener: RefCell<Option<Listener>>,
}

impl Inner {
    pub(crate) fn new(
        kind: Kind,
        host: HtmlElement,
        shadow: ShadowRoot,
        setup: &str,
        worker: Function,
        tell: Function,
    ) -> Rc<Inner> {
        let base = el("div", &[("part", "base"), ("class", "base"), ("tabindex", "-1")], Vec::new());
        let status = el("p", &[("class", "sr"), ("role", "status")], Vec::new());
        let inner = Rc::new(Inner {
            kind,
            host,
            shadow,
            base,
            status,
            setup: RefCell::default(),
            wrong: RefCell::default(),
            phase: RefCell::new(Phase::Setup),
            running: RefCell::new(None),
            lanes: RefCell::default(),
            places: RefCell::default(),
            under_way: RefCell::new(None),
            waiting: RefCell::default(),
            worker,
            tell: Tell::new(tell),
            listener: RefCell::new(None),
        });
        inner.open(setup);
        inner
    }

    fn open(self: &Rc<Self>, setup: &str) {
        // Sheets of this kind are styles of no element and need no permission of a policy.
        if let Ok(sheet) = CssStyleSheet::new() {
            let _ = sheet.replace_sync(STYLE);
            self.shadow.set_adopted_style_sheets(&js_sys::Array::of1(&sheet));
        }
        self.shadow.set_text_content(None);
        let weak = Rc::downgrade(self);
        let listener = Closure::<dyn Fn(Event)>::new(move |event: Event| {
            if let Some(inner) = weak.upgrade() {
                inner.hear_person(&event);
            }
        });
        for kind in ["click", "submit"] {
            let _ = self.base.add_event_listener_with_callback(kind, listener.as_ref().unchecked_ref());
        }
        *self.listener.borrow_mut() = Some(listener);
        for element in [&self.status, &self.base] {
            let _ = self.shadow.append_child(element);
        }
        self.set(setup);
    }

    /// Takes everything out of the page that was put into it.
    pub(crate) fn close(&self) {
        self.stop();
        self.clear_places();
        for kind in ["click", "submit"] {
            if let Some(listener) = &*self.listener.borrow() {
                let _ = self.base.remove_event_listener_with_callback(kind, listener.as_ref().unchecked_ref());
            }
        }
        self.base.remove();
        self.status.remove();
    }

    pub(crate) fn set(self: &Rc<Self>, setup: &str) {
        match Setup::read(setup) {
            Ok(setup) => {
                *self.setup.borrow_mut() = setup;
                self.wrong.borrow_mut().clear();
            }
            Err(why) => {
                let lang = self.setup.borrow().lang();
                self.refuse(vec![("config", fill(Emb::Setup.get(lang), &[&why]))], "invalid");
            }
        }
        if !self.is_running() {
            self.draw();
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        matches!(*self.phase.borrow(), Phase::Running)
    }

    fn hear_person(self: &Rc<Self>, event: &Event) {
        if event.type_() == "submit" {
            event.prevent_default();
            return self.start(event.is_trusted().then(|| event.time_stamp()));
        }
        let pressed = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let act = pressed.and_then(|element| element.closest("[data-act]").ok()?).and_then(|act| act.get_attribute("data-act"));
        match act.as_deref() {
            Some("stop") => self.stop(),
            Some("again") => self.start(event.is_trusted().then(|| event.time_stamp())),
            Some("change") => self.turn_to(Phase::Setup),
            _ => {}
        }
    }

    /// Fields that this element has.
    fn fields(&self) -> &'static [Editable] {
        match self.kind {
            Kind::Test => &Editable::ALL,
            // The rest is the race's own.
            Kind::Race => &[Editable::Target, Editable::Model, Editable::Key, Editable::Prompt],
        }
    }

    /// What is typed is asked.
    fn take_typed(&self) {
        let mut setup = self.setup.borrow_mut();
        for field in self.fields() {
            if setup.may_edit(*field)
                && let Some(value) = view::typed(&self.shadow, *field)
            {
                setup.set(*field, value);
            }
        }
    }

    /// Starts a run, or says why not; `press` is the time stamp of the person's own event.
    pub(crate) fn start(self: &Rc<Self>, press: Option<f64>) {
        if self.is_running() {
            return;
        }
        self.take_typed();
        let lang = self.setup.borrow().lang();
        let hindrance = match () {
            () if LIVE.with_borrow(Option::is_some) => Some(("busy", Emb::Busy.get(lang))),
            () if !self.host.is_connected() => Some(("not_in_page", Emb::NotInPage.get(lang))),
            () if visibility::hidden() => Some(("hidden", Ui::ProblemHidden.get(lang))),
            () => None,
        };
        if let Some((code, words)) = hindrance {
            return self.refuse(vec![("", words.to_owned())], code);
        }
        let asked = self.setup.borrow().run(&environment::page_url(), environment::seed());
        match asked {
            Err(wrong) => self.refuse(wrong, "invalid"),
            Ok((config, secrets)) => {
                let config = if self.kind == Kind::Race { race::at_once(&config) } else { config };
                self.begin(config, secrets, press.filter(|_| self.kind == Kind::Race));
            }
        }
    }

    fn refuse(self: &Rc<Self>, wrong: Wrong, code: &str) {
        match code {
            "invalid" => self.tell.wrong(&wrong),
            code => self.tell.error(code, &wrong.iter().map(|(_, words)| words.as_str()).collect::<Vec<_>>().join(" ")),
        }
        *self.wrong.borrow_mut() = wrong;
        // What is shown of an earlier run stays.
        if !self.is_running() {
            self.draw();
        }
    }

    fn begin(self: &Rc<Self>, config: RunConfig, secrets: firstlight_core::config::Secrets, press: Option<f64>) {
        LIVE.set(Some(Rc::clone(self)));
        std::panic::set_hook(Box::new(|panic| {
            if let Some(tell) = LIVE.with(|live| Some(live.try_borrow().ok()?.as_ref()?.tell.clone())) {
                tell.error("broken", &panic.to_string());
            }
        }));
        self.wrong.borrow_mut().clear();
        let lanes = if self.kind == Kind::Race { race::lanes(&config) } else { Vec::new() };
        let places = match self.kind {
            Kind::Race => lanes.len() as u32,
            Kind::Test => places_for(self.host.client_width(), &config),
        };
        *self.lanes.borrow_mut() = lanes;
        self.make_places(places);
        self.turn_to(Phase::Running);
        let rooms = self.rooms();
        let (make, hearing) = (self.worker.clone(), Rc::downgrade(self));
        let stage = Stage {
            config,
            secrets,
            rooms: Box::new(move || rooms),
            // Each lane is used once: all of them are seen.
            places: (self.kind == Kind::Race).then_some(2 * places),
            worker: Box::new(move || make.call0(&JsValue::UNDEFINED).map(JsCast::unchecked_into)),
            hear: Box::new(move |output| {
                if let Some(inner) = hearing.upgrade() {
                    inner.hear(output);
                }
            }),
            samples: true,
            press: press.map(|at_ms| Rc::new(Press::watch(at_ms))),
            keep: None,
        };
        let inner = Rc::clone(self);
        let run = UnderWay::begin(stage, move |found| inner.over(found));
        *self.under_way.borrow_mut() = Some(run);
    }

    pub(crate) fn stop(&self) {
        let run = self.under_way.borrow().clone();
        if let Some(run) = run {
            run.stop();
        }
    }

    /// Nobody can see it any more.
    pub(crate) fn leave(&self) {
        if self.is_running() {
            self.tell.error("disconnected", Emb::Disconnected.get(self.setup.borrow().lang()));
            let run = self.under_way.borrow().clone();
            if let Some(run) = run {
                run.abandon();
            }
        }
    }

    /// Told in idle time, and no oftener than the progress comes: once a second.
    fn hear(self: &Rc<Self>, output: &Output) {
        match output {
            Output::Sample(sample) => self.waiting.borrow_mut().samples.push(sample.clone()),
            Output::Progress(progress) => {
                self.waiting.borrow_mut().progress = Some(*progress);
                let inner = Rc::clone(self);
                environment::when_idle(move || inner.tell_waiting());
            }
            _ => {}
        }
    }

    fn tell_waiting(&self) {
        let waiting = self.waiting.take();
        if let Some(progress) = waiting.progress.filter(|_| self.is_running()) {
            if let Some(running) = &*self.running.borrow() {
                running.show(&progress);
            }
            self.tell.progress(&progress);
        }
        waiting.samples.iter().for_each(|sample| self.tell.event("sample", sample));
    }

    fn over(self: &Rc<Self>, found: Result<Run, String>) {
        LIVE.take();
        self.under_way.take();
        let lang = self.setup.borrow().lang();
        match found {
            Err(why) => {
                self.turn_to(Phase::Setup);
                let words = fill(Ui::WorkerBroke.get(lang), &[&why]);
                self.refuse(vec![("", words)], "worker_broke");
            }
            Ok(mut run) => {
                if run.environment.embedded == Embedded::Own {
                    run.environment.embedded = Embedded::Element;
                }
                self.tell_waiting();
                let summary = Summary::of(&run);
                let (figures, file) = (figures(&run, &summary).to_string(), run.to_json_with(&summary));
                self.turn_to(Phase::Done(Box::new((run, summary))));
                self.tell.report(&figures, &file);
            }
        }
    }

    fn turn_to(self: &Rc<Self>, phase: Phase) {
        let lang = self.setup.borrow().lang();
        let said = match (&phase, self.kind) {
            (Phase::Setup, _) => "",
            (Phase::Running, Kind::Test) => Ui::SaidRunning.get(lang),
            (Phase::Running, Kind::Race) => Rac::SaidRace.get(lang),
            (Phase::Done(_), Kind::Test) => Ui::SaidDone.get(lang),
            (Phase::Done(_), Kind::Race) => Rac::SaidDone.get(lang),
        };
        *self.phase.borrow_mut() = phase;
        self.draw();
        self.status.set_text_content(Some(said));
    }

    fn draw(self: &Rc<Self>) {
        // The button that had the focus goes with its face.
        let focused = self.shadow.active_element().is_some();
        let face = self.face();
        self.base.set_text_content(None);
        for part in face {
            let _ = self.base.append_child(&part);
        }
        if focused {
            let _ = self.base.unchecked_ref::<HtmlElement>().focus();
        }
    }

    fn face(&self) -> Vec<Element> {
        let setup = self.setup.borrow();
        let (lang, wrong) = (setup.lang(), self.wrong.borrow());
        // A language tag of its own, so that what is read aloud is not read in the host's language.
        let _ = self.base.set_attribute("lang", lang.code());
        let race = self.kind == Kind::Race;
        let start = if race { Rac::Start.get(lang) } else { Ui::Run.get(lang) };
        match &*self.phase.borrow() {
            Phase::Setup => {
                self.clear_places();
                vec![view::form(&setup, self.fields(), start, &wrong)]
            }
            Phase::Running => {
                let stop = if race { Rac::Stop.get(lang) } else { Ui::Stop.get(lang) };
                let (head, running) = view::running(lang, stop);
                *self.running.borrow_mut() = Some(running);
                let places = match self.kind {
                    Kind::Test => view::places(lang, SLOT),
                    Kind::Race => view::lanes(&self.lanes.borrow(), lang, lane_slot),
                };
                vec![head, places]
            }
            Phase::Done(done) => {
                let (run, summary) = &**done;
                let change = self.fields().iter().any(|field| setup.may_edit(*field)).then(|| Ui::NewRun.get(lang));
                let problems = view::problems(&wrong, lang);
                if !race {
                    self.clear_places();
                    return vec![problems, view::result(run, summary, lang, Ui::RunAgain.get(lang), change)];
                }
                let mut parts = view::race_result(run, &self.lanes.borrow(), lang, lane_slot, change);
                parts.insert(0, problems);
                parts
            }
        }
    }

    fn make_places(&self, count: u32) {
        self.clear_places();
        let place = |number: u32| {
            let slot = if self.kind == Kind::Race { lane_slot(number) } else { SLOT.to_owned() };
            let answer = el("firstlight-text", &[], Vec::new());
            answer.unchecked_ref::<HtmlElement>().style().set_css_text(ANSWER);
            let place = el("firstlight-answer", &[("slot", &slot)], vec![answer.into()]);
            let _ = self.host.append_child(&place);
            place
        };
        *self.places.borrow_mut() = (0..count).map(place).collect();
    }

    fn rooms(&self) -> Vec<Room> {
        let room =
            |place: &Element| Some(Room { answer: place.first_element_child()?, place: place.clone(), class: "", piece: "" });
        self.places.borrow().iter().filter_map(room).collect()
    }

    fn clear_places(&self) {
        self.places.take().iter().for_each(Element::remove);
    }
}

fn lane_slot(number: u32) -> String {
    format!("firstlight-lane-{number}")
}

/// How many answers are shown at once, by the width of the element in CSS pixels.
fn places_for(width: i32, config: &RunConfig) -> u32 {
    let most = match width {
        900.. => 6,
        600.. => 4,
        _ => 2,
    };
    let at_once = if config.load.shape == Shape::Closed { config.concurrency } else { MAX_CONCURRENCY };
    // A place is taken until its paint is known, which may be after the next answers have begun.
    most.min(2 * at_once + 2)
}
