//! Drives a core session: browser events in, its decisions out.

use crate::app::state::State;

/// Starts what the form asks for.
pub fn begin(_state: State) {}

/// Stops the run under way; what was measured is kept.
pub fn stop(_state: State) {}

/// Shows a saved run.
pub fn open_text(_state: State, _text: String) {}
