//! The outcome by which each fault of the built-in endpoint is told, in each format: the same for tests without a browser and
//! with one.

#![allow(dead_code, reason = "each test target uses a part of it")]

use firstlight_core::outcome::Outcome;

/// Formats of which the answer comes in parts.
pub const STREAMED: [&str; 6] = ["openai", "responses", "anthropic", "ollama", "gemini", "text"];
/// Formats that come in one.
pub const WHOLE: [&str; 8] = ["openai", "responses", "anthropic", "ollama", "gemini", "text", "prediction", "embeddings"];

/// What is asked for beside the format: nothing, a fault, or a way of writing. All of these end by themselves.
pub const CHANGES: [&str; 24] = [
    "",
    "fault=status-401",
    "fault=status-404",
    "fault=status-429",
    "fault=status-500",
    "fault=status-503",
    "fault=status-529",
    "fault=error-inside",
    "fault=truncate",
    "fault=reset",
    "fault=html",
    "fault=json",
    "fault=trickle",
    "fault=wrong-content-type",
    "fault=missing-terminator",
    "fault=gzip",
    "fault=gzip-no-flush",
    "fault=lying-server-timing",
    "split=1",
    "crlf=1",
    "bom=1",
    "burst=1",
    "keep_alive_ms=10",
    "tool_calls=2",
];

/// Faults that end only with the client's patience.
pub const ENDLESS: [&str; 3] = ["fault=hang", "fault=stall", "fault=never-ends"];

/// The outcome where a stream was asked for.
pub fn streamed(format: &str, change: &str) -> Outcome {
    // Text has no words for an error, and no end but that of its body.
    let text = format == "text";
    match change {
        "fault=error-inside" if !text => Outcome::StreamError,
        "fault=truncate" if !text => Outcome::Truncated,
        // The reason that came before tells the end too; in the other dialects it stands in the end itself.
        "fault=missing-terminator" if ["responses", "ollama", "gemini"].contains(&format) => Outcome::Truncated,
        "fault=html" | "fault=json" => Outcome::NotAStream,
        _ => failed(change).unwrap_or(Outcome::Complete),
    }
}

/// The outcome where the answer was asked for in one.
pub fn whole(format: &str, change: &str) -> Outcome {
    match change {
        "fault=error-inside" => Outcome::StreamError,
        "fault=truncate" if format != "text" => Outcome::Truncated,
        "fault=html" => Outcome::NoAnswer,
        _ => failed(change).unwrap_or(Outcome::Complete),
    }
}

fn failed(change: &str) -> Option<Outcome> {
    match change {
        "fault=reset" => Some(Outcome::NetworkError),
        change if ENDLESS.contains(&change) => Some(Outcome::Timeout),
        change => {
            let status = change.strip_prefix("fault=status-")?.parse().ok()?;
            Some(Outcome::HttpError { status })
        }
    }
}
