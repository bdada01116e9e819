//! Server-sent events.

#![no_main]

use firstlight_fuzz::Input;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(input) = Input::read(data) {
        input.check(Some("text/event-stream"), input.body);
    }
});
