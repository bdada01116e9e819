//! The views.

use leptos::prelude::*;

/// Puts the page into the document.
pub fn mount() {
    leptos::mount::mount_to_body(|| view! { <main></main> });
}
