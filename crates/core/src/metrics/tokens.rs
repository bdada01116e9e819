//! The number of output tokens `n` that were streamed: as reported, or an estimate that says so.

use crate::mark::Absence;
use crate::trace::Trace;

/// A number of output tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tokens {
    /// How many.
    pub count: u64,
    /// No report: one token for every four characters of output. Shown with `~`.
    pub estimated: bool,
}

/// Output tokens that were streamed. Tokens counted but never streamed (hidden reasoning) are taken off where the server
/// says how many.
pub fn output_tokens(trace: &Trace) -> Result<Tokens, Absence> {
    let chars = trace.amounts.answer_chars + trace.amounts.reasoning_chars + trace.amounts.tool_chars;
    let Some(output) = trace.usage.and_then(|u| u.output) else {
        return match chars {
            0 => Err(Absence::TokensUnknown),
            n => Ok(Tokens { count: n.div_ceil(4), estimated: true }),
        };
    };
    let reasoning = trace.usage.and_then(|u| u.reasoning).unwrap_or(0);
    let streamed_reasoning = trace.amounts.reasoning_chars > 0;
    // More reasoning than output: this server counts it beside the output, not in it.
    let beside = reasoning > output;
    let count = match (beside, streamed_reasoning) {
        (true, true) => output + reasoning,
        (true, false) => output,
        (false, true) => output,
        (false, false) => output - reasoning,
    };
    Ok(Tokens { count, estimated: false })
}

/// Rounded to the nearest integer, halves up.
pub(super) fn divided(value: i64, by: i64) -> i64 {
    (2 * value + by).div_euclid(2 * by)
}
