//! The Fullscreen API.

use web_sys::Element;

use super::window;

/// This page may fill the screen.
pub fn allowed() -> bool {
    window().document().is_some_and(|document| document.fullscreen_enabled())
}

/// Lets an element fill the screen; gives the screen back if something fills it already.
pub fn toggle(element: &Element) {
    let Some(document) = window().document() else { return };
    if document.fullscreen_element().is_some() {
        document.exit_fullscreen();
    } else {
        // Refused without a press of a person: then nothing changes, which everybody sees.
        let _ = element.request_fullscreen();
    }
}
