//! What happens when the page is opened.

use firstlight_core::text::{Lang, Ui};
use leptos::prelude::*;
use serde::Deserialize;
use wasm_bindgen::JsCast;

use super::pages::follow_address;
use super::state::{Phase, State};
use super::view;
use crate::browser::{drop, environment, fetch, global, visibility, window};
use crate::runner;

/// What the page's own server says about itself.
#[derive(Default, Deserialize)]
struct Info {
    #[serde(default)]
    second_origin: String,
    #[serde(default)]
    forwards: Vec<String>,
}

/// Puts the page into the document; with `?auto=TOKEN` it then runs that job of its server.
pub fn mount() {
    // Not that of leptos: its executor is there only once something is mounted.
    wasm_bindgen_futures::spawn_local(async {
        // Served from plain files there is no such server, and the built-in endpoint's address is the page's own origin.
        let info =
            fetch::get("/api/info").await.ok().and_then(|text| serde_json::from_str::<Info>(&text).ok()).unwrap_or_default();
        let tag = environment::query("lang").or_else(|| window().navigator().language()).unwrap_or_default();
        let state = State::new(Lang::for_tag(&tag), &global::origin(), &info.second_origin, &info.forwards);
        follow_address(state);
        take_files(state);
        if let Some(root) = window().document().and_then(|d| d.get_element_by_id("app")) {
            root.set_text_content(None);
            leptos::mount::mount_to(root.unchecked_into(), move || view::page(state)).forget();
        }
        runner::start_history(state);
        if visibility::was_discarded() {
            state.problems.set(vec![Ui::Discarded.get(state.lang.get_untracked()).to_owned()]);
        }
        if let Some(token) = environment::query("auto") {
            let line = environment::query("line").map(|at| match at.as_str() {
                "second" if !info.second_origin.is_empty() => info.second_origin.clone(),
                _ => global::origin(),
            });
            runner::run_job(state, token, line).await;
        }
    });
}

/// A saved run is opened by being dropped on the page, but not while another is measured.
fn take_files(state: State) {
    let may = move || state.phase.get_untracked() != Phase::Running;
    let over = move |over| {
        if state.dropping.get_untracked() != over {
            state.dropping.set(over);
        }
    };
    drop::listen(may, over, move |files| runner::open_dropped(state, &files));
}
