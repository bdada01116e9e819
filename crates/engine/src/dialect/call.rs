//! What does a tool call say, and in which pieces? Every call is of the same tool; its last argument is its number.

use std::ops::Range;

/// The tool's name.
pub(super) const NAME: &str = "look_up";
/// A call is generated in so many tokens: its name, then its arguments in parts.
pub(crate) const TOKENS: u64 = 4;

/// The `part`th part of a call's arguments; the name's own has none.
fn part(nth: u64, part: u64) -> String {
    match part {
        1 => r#"{"topic":"#.to_owned(),
        2 => r#""the sky""#.to_owned(),
        3 => format!(r#","call":{}}}"#, nth + 1),
        _ => String::new(),
    }
}

/// Some tokens, all of one call: which call, its name if it is among them, and their part of the arguments.
pub(super) fn piece(tokens: Range<u64>) -> (u64, Option<&'static str>, String) {
    let nth = tokens.start / TOKENS;
    let name = tokens.start.is_multiple_of(TOKENS).then_some(NAME);
    (nth, name, tokens.map(|token| part(nth, token % TOKENS)).collect())
}

/// All arguments of a call.
pub(super) fn arguments(nth: u64) -> String {
    (0..TOKENS).map(|at| part(nth, at)).collect()
}

/// A call's id, in dialects that have one.
pub(super) fn id(nth: u64) -> String {
    format!("call_{}", nth + 1)
}
