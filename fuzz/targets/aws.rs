//! AWS event streams: raw, and with sound lengths and CRCs around arbitrary headers and payloads.

#![no_main]

use firstlight_fuzz::{Input, aws_messages};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(input) = Input::read(data) {
        let sound = input.own % 2 == 1;
        let built = sound.then(|| aws_messages(input.body));
        input.check(Some("application/vnd.amazon.eventstream"), built.as_deref().unwrap_or(input.body));
    }
});
