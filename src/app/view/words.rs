//! Small pieces that every view uses.

use firstlight_core::text::Ui;
use leptos::prelude::*;

use crate::app::state::State;

/// A text of the form that follows the language.
pub fn ui(state: State, key: Ui) -> impl Fn() -> &'static str + Copy + Send + Sync + 'static {
    move || key.get(state.lang.get())
}

/// A text with one figure in it set apart, in the colour of `class`.
pub fn with_figure(text: String, figure: Option<(&'static str, String)>) -> AnyView {
    let parts = figure.and_then(|(class, figure)| {
        let (before, after) = text.split_once(&figure)?;
        Some((before.to_owned(), class, figure.clone(), after.to_owned()))
    });
    match parts {
        Some((before, class, figure, after)) => view! { {before}<strong class=class>{figure}</strong>{after} }.into_any(),
        None => text.into_any(),
    }
}
