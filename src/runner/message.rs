//! What goes between the two halves of a run: the one that sends and reads requests, in a worker or not, and the page.

use firstlight_core::Micros;
use firstlight_core::config::{RunConfig, Secrets};
use firstlight_core::load::Lag;
use firstlight_core::outcome::Stop;
use firstlight_core::paint::Probe;
use firstlight_core::report::{broken_from_json, broken_to_json, traces_from_json, traces_to_json};
use firstlight_core::session::Progress;
use firstlight_core::stop_rule::Broken;
use firstlight_core::trace::{Covered, Trace};
use firstlight_core::typed;
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};

/// What a run begins with.
pub(super) struct Begin {
    pub config: RunConfig,
    pub secrets: Secrets,
    /// How many answers the page can show at once.
    pub places: u32,
    pub isolated: bool,
    pub hidden: bool,
    /// Each finished request is told at once, with its figures.
    pub samples: bool,
    /// Its name in the store, where its requests are to be saved as they end.
    pub keep: Option<String>,
}

/// What was found out about a request's answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Seen {
    /// Its first piece.
    First(Probe),
    /// Its last piece.
    Complete(Probe),
    /// Nothing more will come.
    All,
}

/// From the page.
pub(super) enum Input {
    /// Stop: what was measured is kept.
    Stop(Micros),
    /// The page was hidden or shown.
    Visibility(bool, Micros),
    /// About a request's answer.
    Seen(u32, Seen),
    /// The page's main thread was blocked.
    Blocked(Micros, Micros),
    /// The page was frozen, or the machine slept.
    StoodStill(Micros, Micros, Stop),
}

/// To the page.
pub enum Output {
    /// A request gets a place.
    Open(u32, u32),
    /// Text of its answer, as it came.
    Show(u32, String),
    /// The server took back what is shown.
    Withdraw(u32),
    /// No more text will come.
    Close(u32),
    /// Its place may be used again.
    Free(u32),
    /// Running figures.
    Progress(Progress),
    /// What is known of a request that is over, as JSON: see [`sample`](firstlight_core::report::sample).
    Sample(String),
    /// Some of its requests, in the order of the plan, once it is over.
    Traces(Vec<Trace>),
    /// Its requests can't be saved as they end; why.
    Unsaved(String),
    /// That was all; whether it was stopped by hand, or by a rule, and how late the thread that stamps was.
    Done(bool, Option<Broken>, Option<Lag>),
}

/// Messages are arrays: a number that names the kind, then its parts.
fn array<const N: usize>(parts: [JsValue; N]) -> JsValue {
    parts.into_iter().collect::<Array>().into()
}

fn number(n: impl Into<f64>) -> JsValue {
    JsValue::from_f64(n.into())
}

fn time(at: Micros) -> JsValue {
    number(at.0 as f64)
}

fn some_time(at: Option<Micros>) -> JsValue {
    at.map_or(JsValue::NULL, time)
}

fn flag(on: bool) -> JsValue {
    JsValue::from_bool(on)
}

/// A message that came, part by part.
struct Parts(Array);

impl Parts {
    fn number(&self, at: u32) -> f64 {
        self.0.get(at).as_f64().unwrap_or(0.0)
    }

    fn id(&self, at: u32) -> u32 {
        self.number(at) as u32
    }

    fn time(&self, at: u32) -> Micros {
        Micros(self.number(at) as i64)
    }

    fn some_number(&self, at: u32) -> Option<f64> {
        self.0.get(at).as_f64()
    }

    fn some_time(&self, at: u32) -> Option<Micros> {
        self.some_number(at).map(|us| Micros(us as i64))
    }

    fn flag(&self, at: u32) -> bool {
        self.0.get(at).as_bool().unwrap_or(false)
    }

    fn text(&self, at: u32) -> String {
        self.0.get(at).as_string().unwrap_or_default()
    }

    fn pair(&self, at: u32) -> Option<(Micros, Micros)> {
        Some((self.some_time(at)?, self.some_time(at + 1)?))
    }
}

const COVERED: [Covered; 3] = [Covered::Unknown, Covered::No, Covered::Yes];
const STOPS: [Stop; 2] = [Stop::Frozen, Stop::Slept];

fn place_of<T: PartialEq>(all: &[T], one: &T) -> JsValue {
    number(all.iter().position(|other| other == one).unwrap_or(0) as u32)
}

fn probe_parts(probe: Probe) -> [JsValue; 6] {
    let parts = |kind: u32, first, second, in_view, covered, bounded| {
        [number(kind), time(first), time(second), flag(in_view), place_of(&COVERED, &covered), flag(bounded)]
    };
    match probe {
        Probe::Element { presented, in_view, covered } => parts(0, presented, presented, in_view, covered, false),
        Probe::Frames { first, second, in_view, covered, bounded } => parts(1, first, second, in_view, covered, bounded),
    }
}

impl Input {
    /// As a message.
    pub fn encode(&self) -> JsValue {
        match self {
            Input::Stop(at) => array([number(0), time(*at)]),
            Input::Visibility(hidden, at) => array([number(1), flag(*hidden), time(*at)]),
            Input::Seen(id, seen) => {
                let (kind, parts) = match seen {
                    Seen::First(probe) => (0, Some(probe_parts(*probe))),
                    Seen::Complete(probe) => (1, Some(probe_parts(*probe))),
                    Seen::All => (2, None),
                };
                let head = [number(2), number(*id), number(kind)];
                head.into_iter().chain(parts.into_iter().flatten()).collect::<Array>().into()
            }
            Input::Blocked(from, to) => array([number(3), time(*from), time(*to)]),
            Input::StoodStill(from, to, stop) => array([number(4), time(*from), time(*to), place_of(&STOPS, stop)]),
        }
    }

    /// From a message.
    pub fn decode(message: JsValue) -> Option<Input> {
        let parts = Parts(message.dyn_into().ok()?);
        let probe = || {
            let (first, second, in_view, bounded) = (parts.time(4), parts.time(5), parts.flag(6), parts.flag(8));
            let covered = COVERED.get(parts.id(7) as usize).copied().unwrap_or_default();
            match parts.id(3) {
                0 => Probe::Element { presented: first, in_view, covered },
                _ => Probe::Frames { first, second, in_view, covered, bounded },
            }
        };
        Some(match parts.id(0) {
            0 => Input::Stop(parts.time(1)),
            1 => Input::Visibility(parts.flag(1), parts.time(2)),
            2 => Input::Seen(
                parts.id(1),
                match parts.id(2) {
                    0 => Seen::First(probe()),
                    1 => Seen::Complete(probe()),
                    _ => Seen::All,
                },
            ),
            3 => Input::Blocked(parts.time(1), parts.time(2)),
            4 => Input::StoodStill(parts.time(1), parts.time(2), *STOPS.get(parts.id(3) as usize)?),
            _ => return None,
        })
    }
}

impl Output {
    /// As a message.
    pub fn encode(&self) -> JsValue {
        match self {
            Output::Open(place, id) => array([number(0), number(*place), number(*id)]),
            Output::Show(id, text) => array([number(1), number(*id), JsValue::from_str(text)]),
            Output::Withdraw(id) => array([number(2), number(*id)]),
            Output::Close(id) => array([number(3), number(*id)]),
            Output::Free(id) => array([number(4), number(*id)]),
            Output::Progress(p) => {
                let counts = [p.warmup.0, p.warmup.1, p.measured.0, p.measured.1, p.failed, p.in_flight].map(number);
                let times = [p.time_left, p.first.map(|f| f.0), p.first.map(|f| f.1)];
                let more = [p.complete.map(|c| c.0), p.complete.map(|c| c.1)];
                let times = times.into_iter().chain(more).map(some_time);
                let (stage, stages) = p.stage.unwrap_or_default();
                let rates = [p.rates.map(|r| r.0), p.rates.map(|r| r.1)].map(|r| r.map_or(JsValue::NULL, number));
                let load = [number(p.queued), number(stage), number(stages)].into_iter().chain(rates);
                let parts = [number(5), flag(p.paused)].into_iter().chain(counts).chain(times).chain(load);
                parts.collect::<Array>().into()
            }
            Output::Sample(json) => array([number(8), JsValue::from_str(json)]),
            Output::Traces(traces) => array([number(6), JsValue::from_str(&traces_to_json(traces))]),
            Output::Unsaved(why) => array([number(9), JsValue::from_str(why)]),
            Output::Done(stopped, broken, lag) => {
                let broken = broken.map_or(JsValue::NULL, |broken| JsValue::from_str(&broken_to_json(broken)));
                let lag =
                    lag.and_then(|lag| serde_json::to_string(&lag).ok()).map_or(JsValue::NULL, |lag| JsValue::from_str(&lag));
                array([number(7), flag(*stopped), broken, lag])
            }
        }
    }

    /// From a message.
    pub fn decode(message: JsValue) -> Option<Output> {
        let parts = Parts(message.dyn_into().ok()?);
        Some(match parts.id(0) {
            0 => Output::Open(parts.id(1), parts.id(2)),
            1 => Output::Show(parts.id(1), parts.text(2)),
            2 => Output::Withdraw(parts.id(1)),
            3 => Output::Close(parts.id(1)),
            4 => Output::Free(parts.id(1)),
            5 => Output::Progress(Progress {
                paused: parts.flag(1),
                warmup: (parts.id(2), parts.id(3)),
                measured: (parts.id(4), parts.id(5)),
                failed: parts.id(6),
                in_flight: parts.id(7),
                time_left: parts.some_time(8),
                first: parts.pair(9),
                complete: parts.pair(11),
                queued: parts.id(13),
                stage: Some((parts.id(14), parts.id(15))).filter(|(_, of)| *of > 0),
                rates: parts.some_number(16).zip(parts.some_number(17)),
            }),
            6 => Output::Traces(traces_from_json(&parts.text(1)).ok()?),
            7 => Output::Done(parts.flag(1), broken_from_json(&parts.text(2)), typed::from_str(&parts.text(3)).ok()),
            8 => Output::Sample(parts.text(1)),
            9 => Output::Unsaved(parts.text(1)),
            _ => return None,
        })
    }
}

impl Begin {
    /// As the message that begins a run in a worker, whose stamps become the page's by adding `offset`.
    pub fn encode(&self, offset: Micros) -> JsValue {
        let text = |json: Result<String, serde_json::Error>| JsValue::from_str(&json.unwrap_or_default());
        let (config, secrets) = (serde_json::to_string(&self.config), serde_json::to_string(&self.secrets));
        let flags = [self.isolated, self.hidden, self.samples].map(flag);
        let head = [text(config), text(secrets), number(self.places), time(offset)];
        let keep = self.keep.as_deref().map_or(JsValue::NULL, JsValue::from_str);
        head.into_iter().chain(flags).chain([keep]).collect::<Array>().into()
    }

    /// From that message.
    pub fn decode(message: JsValue) -> Option<(Begin, Micros)> {
        let parts = Parts(message.dyn_into().ok()?);
        let begin = Begin {
            config: typed::from_str(&parts.text(0)).ok()?,
            secrets: typed::from_str(&parts.text(1)).ok()?,
            places: parts.id(2),
            isolated: parts.flag(4),
            hidden: parts.flag(5),
            samples: parts.flag(6),
            keep: parts.0.get(7).as_string(),
        };
        Some((begin, parts.time(3)))
    }
}
