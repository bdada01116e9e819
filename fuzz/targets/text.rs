//! Text, and what only its first bytes tell: with a type of text, with one that says nothing, without any.

#![no_main]

use firstlight_fuzz::Input;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(input) = Input::read(data) {
        let types = [Some("text/plain"), Some("application/octet-stream"), None, Some("text/html")];
        input.check(types[usize::from(input.own) % types.len()], input.body);
    }
});
