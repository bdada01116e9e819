//! What the browser itself says about a press: when the page showed that it was pressed, and what content it caused.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use firstlight_core::Micros;
use firstlight_core::mark::Absence;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

use super::paint::{IDENTIFIER, Observer, observes};
use super::{non_zero, property};

/// Event Timing: interactions with the time until the next paint.
const EVENT: &str = "event";
/// Content that an interaction caused, each time that larger content of it is painted than before.
const CONTENTFUL: &str = "interaction-contentful-paint";
/// The shortest that browsers report; without this, only what takes 104 ms.
const SHORTEST_MS: f64 = 16.0;
/// Two readings of one event's time may be rounded differently.
const SAME_MS: f64 = 1.0;

/// Content that a press caused.
#[derive(Clone)]
pub struct Content {
    /// When its frame was presented, on the page's clock.
    pub presented: Micros,
    /// The value of its element's `elementtiming` attribute; empty without one.
    pub identifier: String,
}

/// Watches one press until dropped.
pub struct Press {
    at_ms: f64,
    next_paint: Rc<Cell<Option<Micros>>>,
    contents: Rc<RefCell<Vec<Content>>>,
    _observers: [Option<Observer>; 2],
}

impl Press {
    /// Of an event of this time stamp.
    pub fn watch(at_ms: f64) -> Press {
        let next_paint: Rc<Cell<Option<Micros>>> = Rc::default();
        let contents: Rc<RefCell<Vec<Content>>> = Rc::default();
        let events = observes(EVENT).then(|| {
            let next_paint = Rc::clone(&next_paint);
            Observer::with(EVENT, &[("durationThreshold", JsValue::from_f64(SHORTEST_MS))], move |entries| {
                for entry in entries.iter() {
                    if is_of(&entry, at_ms)
                        && let Some(length) = non_zero(&entry, "duration")
                    {
                        next_paint.set(next_paint.get().max(Some(Micros::from_ms(length))));
                    }
                }
            })
        });
        let painted = observes(CONTENTFUL).then(|| {
            let contents = Rc::clone(&contents);
            Observer::with(CONTENTFUL, &[], move |entries| {
                contents
                    .borrow_mut()
                    .extend(entries.iter().filter(|entry| is_of(entry, at_ms)).filter_map(|entry| content(&entry)));
            })
        });
        Press { at_ms, next_paint, contents, _observers: [events.flatten(), painted.flatten()] }
    }

    /// When it was.
    pub fn at(&self) -> Micros {
        Micros::from_ms(self.at_ms)
    }

    /// Until the next paint, and until the first content that it caused; each with the reason if there is none.
    pub fn found(&self) -> [Result<Micros, Absence>; 2] {
        let first = self.contents.borrow().first().map(|content| content.presented - self.at());
        [self.next_paint.get().ok_or(absence(EVENT)), first.ok_or(absence(CONTENTFUL))]
    }

    /// Everything that it caused and the browser told of, or why it tells of nothing.
    pub fn contents(&self) -> Result<Vec<Content>, Absence> {
        if observes(CONTENTFUL) { Ok(self.contents.borrow().clone()) } else { Err(Absence::EngineLacks) }
    }
}

fn absence(kind: &str) -> Absence {
    if observes(kind) { Absence::NoPaintEntry } else { Absence::EngineLacks }
}

/// The entry is about the event of this time stamp.
fn is_of(entry: &JsValue, at_ms: f64) -> bool {
    property(entry, "startTime").as_f64().is_some_and(|begun| (begun - at_ms).abs() <= SAME_MS)
}

fn content(entry: &JsValue) -> Option<Content> {
    let presented = non_zero(entry, "presentationTime").or_else(|| non_zero(entry, "renderTime"))?;
    // What was painted is an entry of its own inside this one.
    let painted = property(entry, "largestContentfulPaint");
    let element = property(&painted, "element").dyn_into::<Element>().ok();
    let identifier = element.and_then(|element| element.get_attribute(IDENTIFIER)).unwrap_or_default();
    Some(Content { presented: Micros::from_ms(presented), identifier })
}
