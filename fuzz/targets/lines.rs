//! Lines that have a name.

#![no_main]

use firstlight_fuzz::Input;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(input) = Input::read(data) {
        let input = input.with(firstlight_core::decode::dialect("ai_sdk_data"));
        input.check(Some("text/plain"), input.body);
    }
});
