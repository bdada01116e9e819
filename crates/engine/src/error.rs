//! Why parameters can't be a schedule, and what would be right.

/// What is wrong with the parameters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// A name that is no parameter.
    #[error("unknown parameter {name}; known are: {known}")]
    UnknownParameter {
        /// As given.
        name: String,
        /// Every name that is known.
        known: String,
    },
    /// A parameter that can stand once only.
    #[error("{0} is given more than once")]
    Twice(String),
    /// Not a whole number within the range.
    #[error("{name}={value}: {name} must be a whole number from {min} to {max}")]
    Number {
        /// The parameter.
        name: String,
        /// As given.
        value: String,
        /// Smallest.
        min: u64,
        /// Largest.
        max: u64,
    },
    /// Not one of a fixed set.
    #[error("{name}={value}: {name} must be one of: {allowed}")]
    Choice {
        /// The parameter.
        name: String,
        /// As given.
        value: String,
        /// Every value that is allowed.
        allowed: String,
    },
    /// Not a name and milliseconds.
    #[error(
        "component={0}: write component=NAME:MS, where NAME holds letters, digits, - _ . and MS is from 0 to 600000, for example component=model_container:720"
    )]
    Component(String),
    /// A character that a header can't carry.
    #[error("server_timing holds a character that a header can't carry; use printable ASCII")]
    Header,
    /// Reasoning would still run when the answer begins.
    #[error(
        "{tokens} reasoning tokens end {ends_ms} ms after the start, but the answer begins at {ttft_ms} ms: set ttft_ms to more than {ends_ms}, or lower reasoning_tokens, reasoning_at_ms or gap_ms"
    )]
    ReasoningTooLong {
        /// Reasoning tokens asked for.
        tokens: u64,
        /// When the last of them would be sent.
        ends_ms: u64,
        /// When the answer was to begin.
        ttft_ms: u64,
    },
    /// A whole answer that never ends.
    #[error("fault=never-ends needs a streamed answer: send \"stream\": true in the body, and format=openai or format=text")]
    NeverEndsWhole,
}
