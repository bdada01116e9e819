//! `firstlight measure`: the same page in the same browsers, from the command line.
pub(crate) fn chromium_measures_from_the_command_line(_: &firstlight_e2e::Browser) {}
pub(crate) fn firefox_measures_from_the_command_line(_: &firstlight_e2e::Browser) {}
