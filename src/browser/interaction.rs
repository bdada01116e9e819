//! What the browser itself says about a press: when the page showed that it was pressed, and what content it caused.

use std::cell::Cell;
use std::rc::Rc;

use firstlight_core::Micros;
use firstlight_core::mark::Absence;
use wasm_bindgen::JsValue;

use super::paint::{Observer, observes};
use super::{non_zero, property};

/// Event Timing: interactions with the time until the next paint.
const EVENT: &str = "event";
/// The first content that an interaction caused; behind a flag, or not there.
const CONTENTFUL: &str = "interaction-contentful-paint";
/// The shortest that browsers report; without this, only what takes 104 ms.
const SHORTEST_MS: f64 = 16.0;
/// Two readings of one event's time may be rounded differently.
const SAME_MS: f64 = 1.0;

/// Watches one press until dropped.
pub struct Press {
    at_ms: f64,
    next_paint: Rc<Cell<Option<Micros>>>,
    contentful: Rc<Cell<Option<Micros>>>,
    _observers: [Option<Observer>; 2],
}

impl Press {
    /// Of an event of this time stamp.
    pub fn watch(at_ms: f64) -> Press {
        let next_paint: Rc<Cell<Option<Micros>>> = Rc::default();
        let contentful: Rc<Cell<Option<Micros>>> = Rc::default();
        let events = observes(EVENT).then(|| {
            let next_paint = Rc::clone(&next_paint);
            Observer::with(EVENT, &[("durationThreshold", JsValue::from_f64(SHORTEST_MS))], move |entries| {
                for entry in entries.iter() {
                    let begun = property(&entry, "startTime").as_f64().unwrap_or(f64::NAN);
                    if (begun - at_ms).abs() <= SAME_MS
                        && let Some(length) = non_zero(&entry, "duration")
                    {
                        next_paint.set(next_paint.get().max(Some(Micros::from_ms(length))));
                    }
                }
            })
        });
        let contents = observes(CONTENTFUL).then(|| {
            let contentful = Rc::clone(&contentful);
            Observer::with(CONTENTFUL, &[], move |entries| {
                for entry in entries.iter() {
                    let painted = non_zero(&entry, "presentationTime").or_else(|| non_zero(&entry, "renderTime"));
                    if let Some(painted) = painted.filter(|painted| *painted >= at_ms)
                        && contentful.get().is_none()
                    {
                        contentful.set(Some(Micros::from_ms(painted - at_ms)));
                    }
                }
            })
        });
        Press { at_ms, next_paint, contentful, _observers: [events.flatten(), contents.flatten()] }
    }

    /// When it was.
    pub fn at(&self) -> Micros {
        Micros::from_ms(self.at_ms)
    }

    /// Until the next paint, and until the first content that it caused; each with the reason if there is none.
    pub fn found(&self) -> [Result<Micros, Absence>; 2] {
        let of = |kind: &str, found: Option<Micros>| {
            found.ok_or(if observes(kind) { Absence::NoPaintEntry } else { Absence::EngineLacks })
        };
        [of(EVENT, self.next_paint.get()), of(CONTENTFUL, self.contentful.get())]
    }
}
