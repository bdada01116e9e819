//! The Clipboard API.

use wasm_bindgen_futures::JsFuture;

use super::{property, window};

/// Copies a text; false where the browser does not let the page: without a person's press, or on a page that is not served securely.
pub async fn write(text: &str) -> bool {
    let navigator = window().navigator();
    // Only secure pages have one.
    if property(&navigator, "clipboard").is_undefined() {
        return false;
    }
    JsFuture::from(navigator.clipboard().write_text(text)).await.is_ok()
}
