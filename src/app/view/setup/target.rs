//! Whose endpoint is measured.

use firstlight_core::config::{Field, RECIPES, recipe};
use firstlight_core::text::{Ui, direct};
use leptos::prelude::*;

use super::Setup;
use crate::app::form::PRESETS;
use crate::app::view::words::ui;
use crate::browser::global;

const KINDS: [(&str, Ui); 2] = [("built-in", Ui::TargetBuiltIn), ("own", Ui::TargetOwn)];

/// The target's controls.
pub fn target(setup: Setup) -> AnyView {
    let form = setup.state.form;
    let kind = setup.control("target-kind", Ui::TargetKind, Ui::TargetHint).choice(
        &KINDS,
        move || KINDS[usize::from(!form.built_in.get())].0.to_owned(),
        move |value| form.built_in.set(value == KINDS[0].0),
    );
    // Made anew only when it changes, or what is being typed into it would lose the focus.
    let chosen = Memo::new(move |_| form.built_in.get());
    let rest = move || if chosen.get() { built_in(setup) } else { own(setup) };
    view! {
        <fieldset>
            <legend>{ui(setup.state, Ui::Target)}</legend>
            <div class="fields">{kind}{rest}</div>
        </fieldset>
    }
    .into_any()
}

fn built_in(setup: Setup) -> AnyView {
    let preset = setup.state.form.preset;
    let control = setup.control("preset", Ui::Preset, Ui::BuiltInHint);
    control.choice(&PRESETS, move || preset.get(), move |value| preset.set(value))
}

fn own(setup: Setup) -> AnyView {
    let form = setup.state.form;
    let names = RECIPES.iter().map(|r| (r.code, r.name));
    let take = move |code: String| match recipe(&code) {
        Some(recipe) => form.take(recipe),
        None => form.recipe.set(code),
    };
    let provider =
        setup.control("recipe", Ui::Recipe, Ui::RecipeHint).named(Ui::RecipeNone, names, move || form.recipe.get(), take);
    let note = move || {
        let lang = setup.state.lang.get();
        let recipe = recipe(&form.recipe.get())?;
        let page = global::origin();
        Some(view! { <p class="hint wide" id="recipe-note" role="status">{direct(lang, recipe, &page)}</p> })
    };
    let url = setup.field("url", Ui::Url, Ui::UrlHint, Field::Url).line(form.url, "url");
    let model = setup.control("model", Ui::Model, Ui::ModelHint).line(form.model, "text");
    let key = setup.field("api-key", Ui::ApiKey, Ui::ApiKeyHint, Field::Key).line(form.api_key, "password");
    let forwards = form.forwards.get_value().join(" ");
    let forwarded = (!forwards.is_empty())
        .then(|| view! { <p class="hint wide" id="forwards">{ui(setup.state, Ui::Forwards)}" "<code>{forwards}</code></p> });
    view! { {provider}{note}{url}{forwarded}{model}{key} }.into_any()
}
