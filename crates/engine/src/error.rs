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
    /// A pool's name that is empty or too long.
    #[error("pool must be a name of 1 to 100 bytes, such as pool=a")]
    Pool,
    /// A pool in which nothing is shared.
    #[error("pool names who shares slots or a freeze: add slots or freeze_ms, or engine, or leave it out")]
    NothingToShare,
    /// A parameter of a model without one.
    #[error("{0} is a parameter of a modelled server: add engine=interactive-small or another preset of it")]
    NeedsEngine(String),
    /// A fixed time beside a model.
    #[error("{0} sets a time, but with engine=… the model says when: leave it out")]
    FixedTime(String),
    /// A full batch can't go on in every step.
    #[error(
        "token_budget={token_budget} is too small: a full batch takes max_batch × (1 + speculative) = {needed} tokens a step, so set token_budget to that or more, or lower max_batch"
    )]
    TokenBudget {
        /// As given.
        token_budget: u32,
        /// The least.
        needed: u64,
    },
    /// Not a list of speeds.
    #[error("speeds={0}: write up to 64 numbers from 0.01 to 100 with commas between, such as speeds=1,0.5")]
    Speeds(String),
    /// A prefix's name that is too long.
    #[error("prefix must be a name of at most 100 bytes, such as prefix=a")]
    Prefix,
    /// A freeze without a length.
    #[error("freeze_at_ms says when a freeze begins: add freeze_ms, its length in ms, such as freeze_ms=2000")]
    FreezeWithoutLength,
    /// A whole answer that never ends.
    #[error("fault=never-ends needs a streamed answer: send \"stream\": true in the body, and format=openai or format=text")]
    NeverEndsWhole,
}
