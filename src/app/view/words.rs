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

/// Explanation in quiet type. These small pieces are functions and not part of larger views: each is compiled once.
#[inline(never)]
pub fn quiet(text: String) -> AnyView {
    view! { <p class="quiet">{text}</p> }.into_any()
}

/// The context of figures.
#[inline(never)]
pub fn context(text: String) -> AnyView {
    view! { <p class="context">{text}</p> }.into_any()
}

/// The title of a section.
#[inline(never)]
pub fn title(text: &'static str) -> AnyView {
    view! { <h2>{text}</h2> }.into_any()
}

/// The title inside a section.
#[inline(never)]
pub fn subtitle(text: &'static str) -> AnyView {
    view! { <h3>{text}</h3> }.into_any()
}

/// A small label.
#[inline(never)]
pub fn tag(text: &'static str) -> AnyView {
    view! { <span class="tag">{text}</span> }.into_any()
}

/// A line of a list.
#[inline(never)]
pub fn item(text: String) -> AnyView {
    view! { <li>{text}</li> }.into_any()
}

/// The head of a table.
#[inline(never)]
pub fn columns(names: &[&'static str]) -> AnyView {
    let column = |name: &&'static str| view! { <th scope="col">{*name}</th> }.into_any();
    view! { <thead><tr>{names.iter().map(column).collect::<Vec<_>>()}</tr></thead> }.into_any()
}

/// A row: whose it is, and its figures.
#[inline(never)]
pub fn row(class: &'static str, name: AnyView, figures: Vec<String>) -> AnyView {
    let cell = |text: String| view! { <td>{text}</td> }.into_any();
    view! { <tr class=class><th scope="row">{name}</th>{figures.into_iter().map(cell).collect::<Vec<_>>()}</tr> }.into_any()
}
