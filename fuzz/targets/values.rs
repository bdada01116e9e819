//! JSON values one after another: lines, or the elements of a list.

#![no_main]

use firstlight_fuzz::Input;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(input) = Input::read(data) {
        input.check(Some("application/x-ndjson"), input.body);
    }
});
