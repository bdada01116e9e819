//! The reader of JSON against `serde_json`: the same values, and refused at the same texts.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| firstlight_json::peer::agrees(text));
