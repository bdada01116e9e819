//! The link to what the form asks for: made, and opened.

use firstlight_core::config::{RunConfig, Secrets, TargetKind, recipe, same_origin};
use firstlight_core::link::LinkError;
use firstlight_core::link::set_up::{self, Made};
use firstlight_core::text::Ui;
use leptos::prelude::*;

use super::form::{Form, PRESETS};
use super::state::{Phase, State};

/// What came of a link by which the page was opened.
#[derive(Clone, PartialEq)]
pub struct Opened {
    /// Names of parts that were not taken.
    pub not_taken: Vec<String>,
    /// Names of what it does not hold.
    pub left_out: Vec<String>,
}

/// What the page knows of links. `Copy`.
#[derive(Clone, Copy, Default)]
pub struct Links {
    /// The link that was asked for, for what was typed then; and whether it was copied, once that is known.
    pub made: RwSignal<Option<(Made, Option<bool>)>>,
    /// What came of the link by which the page was opened.
    pub opened: RwSignal<Option<Result<Opened, LinkError>>>,
}

impl Links {
    /// Something is typed: the link that was made is for something else.
    pub fn typed(self) {
        if self.made.with_untracked(Option::is_some) {
            self.made.set(None);
        }
    }

    /// The form is filled in by something else.
    pub fn forget(self) {
        self.typed();
        self.opened.set(None);
    }
}

/// The link to a sound configuration of the form.
pub fn link(form: Form, config: &RunConfig, secrets: &Secrets) -> Made {
    set_up::link(config, secrets, &form.recipe.get_untracked())
}

/// Fills the form in with what the fragment of a link asks for, and says what of it could not be taken. Nothing is sent.
pub fn open(state: State, fragment: &str) {
    let prompt = Ui::DefaultPrompt.get(state.lang.get_untracked());
    let found = match set_up::open(fragment, prompt) {
        Ok(None) => return,
        Ok(Some(found)) => Ok(fill_in(state.form, found, prompt)),
        Err(why) => Err(why),
    };
    state.problems.set(Vec::new());
    state.links.forget();
    state.links.opened.set(Some(found));
    state.phase.set(Phase::Setup);
}

fn fill_in(form: Form, found: set_up::Opened, prompt: &str) -> Opened {
    let set_up::Opened { config, recipe: code, mut not_taken, left_out } = found;
    // A key that was typed is for the address that it was typed for.
    if !same_origin(&form.url.get_untracked(), &config.url) {
        form.api_key.set(String::new());
        form.headers.set(String::new());
    }
    match recipe(&code) {
        Some(recipe) => form.take(recipe),
        None => form.recipe.set(String::new()),
    }
    form.show(&config);
    // What the form can't show, or would not take.
    let mut others = set_up::differing(&config, &form.gather(config.seed).0);
    if matches!(&config.target, TargetKind::BuiltIn(name) if !PRESETS.iter().any(|(code, _)| code == name)) {
        others.push("target".to_owned());
    }
    if !others.is_empty() {
        form.show(&set_up::as_usual(&config, &others, prompt));
    }
    not_taken.append(&mut others);
    Opened { not_taken, left_out }
}
