//! What a host is told: the details of the element's events, as JSON.

use std::rc::Rc;

use firstlight_core::Micros;
use firstlight_core::session::Progress;
use js_sys::Function;
use serde_json::{Value, json};
use wasm_bindgen::JsValue;

use crate::setup::Wrong;

/// Tells the shell, which makes events of it.
#[derive(Clone)]
pub(crate) struct Tell(Rc<Function>);

impl Tell {
    pub(crate) fn new(function: Function) -> Tell {
        Tell(Rc::new(function))
    }

    pub(crate) fn event(&self, name: &str, detail: &str) {
        // What a host's listeners throw is told to its page by the browser; nothing of it comes here.
        let _ = self.0.call2(&JsValue::UNDEFINED, &name.into(), &detail.into());
    }

    /// A run that is over: its figures, and its file.
    pub(crate) fn report(&self, figures: &str, run: &str) {
        let _ = self.0.call3(&JsValue::UNDEFINED, &"report".into(), &figures.into(), &run.into());
    }

    pub(crate) fn progress(&self, progress: &Progress) {
        self.event("progress", &progress_detail(progress).to_string());
    }

    /// `code` is for programs, `message` for people, in the element's language.
    pub(crate) fn error(&self, code: &str, message: &str) {
        self.event("error", &json!({"code": code, "message": message, "problems": []}).to_string());
    }

    pub(crate) fn wrong(&self, wrong: &Wrong) {
        let message = wrong.iter().map(|(_, words)| words.as_str()).collect::<Vec<_>>().join(" ");
        let problems: Vec<Value> = wrong.iter().map(|(field, message)| json!({"field": field, "message": message})).collect();
        self.event("error", &json!({"code": "invalid", "message": message, "problems": problems}).to_string());
    }
}

fn progress_detail(progress: &Progress) -> Value {
    let of = |(done, of): (u32, u32)| json!({"done": done, "of": of});
    // Nothing is over yet, so nothing is known.
    let or_absent = |known: Option<Value>| known.unwrap_or_else(|| json!({"absent": "not_reached"}));
    let pair = |pair: Option<(Micros, Micros)>| {
        or_absent(pair.map(|(p50, p95)| json!({"p50_ms": p50.as_ms(), "p95_ms": p95.as_ms()})))
    };
    json!({
        "warmup": of(progress.warmup),
        "measured": of(progress.measured),
        "failed": progress.failed,
        "in_flight": progress.in_flight,
        "time_left_ms": or_absent(progress.time_left.map(|left| left.as_ms().into())),
        "first_received": pair(progress.first),
        "complete": pair(progress.complete),
        "paused": progress.paused,
    })
}
