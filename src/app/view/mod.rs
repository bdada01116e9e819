//! The views.

use leptos::prelude::*;

use super::state::State;

/// The whole page.
pub fn page(_state: State) -> impl IntoView {
    view! { <main></main> }
}
