//! The race by keys: start, verdict, stop, full screen.

use leptos::ev::keydown;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use super::{Stage, fill_screen, press_of};
use crate::app::state::{Phase, State};
use crate::runner;

/// Elements that keys are for: what is typed into them, or what presses them, starts nothing.
const OWN: &str = "input, textarea, select, button, a, summary, label, [tabindex='0']";

/// Listens for as long as the page is shown.
pub fn listen(state: State, stage: Stage) {
    let handle = window_event_listener(keydown, move |event| press(state, stage, &event));
    on_cleanup(move || handle.remove());
}

fn press(state: State, stage: Stage, event: &KeyboardEvent) {
    if event.repeat() || event.ctrl_key() || event.alt_key() || event.meta_key() || event.is_composing() {
        return;
    }
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let within = |which: &str| target.as_ref().is_some_and(|t| t.closest(which).ok().flatten().is_some());
    let running = state.phase.get_untracked() == Phase::Running;
    match event.key().as_str() {
        // Of letters only those that nobody types.
        _ if within("input, textarea, select") => return,
        " " | "Enter" if !running && !within(OWN) => runner::race(state, press_of(event)),
        "v" | "V" if !running => runner::pairs(state),
        "s" | "S" | "Escape" if running => runner::stop(state),
        "f" | "F" => fill_screen(stage),
        _ => return,
    }
    // Space would scroll.
    event.prevent_default();
}
