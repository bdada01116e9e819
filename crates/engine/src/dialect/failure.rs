//! How does each dialect say that something failed?

use serde_json::{Value, json};

use crate::format::Format;

/// An error as a body.
pub(crate) fn body(format: Format, status: u16, message: &str) -> Vec<u8> {
    value(format, status, message).to_string().into_bytes()
}

/// An error as an object.
pub(super) fn value(format: Format, status: u16, message: &str) -> Value {
    match format {
        Format::Anthropic => json!({"type": "error", "error": {"type": anthropic(status), "message": message}}),
        Format::Gemini => json!({"error": {"code": status, "message": message, "status": google(status)}}),
        Format::Ollama => json!({"error": message}),
        _ => json!({"error": {"message": message, "type": openai(status), "param": null, "code": null}}),
    }
}

fn openai(status: u16) -> &'static str {
    match status {
        429 => "rate_limit_error",
        400..500 => "invalid_request_error",
        _ => "server_error",
    }
}

fn anthropic(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        503 | 529 => "overloaded_error",
        _ => "api_error",
    }
}

fn google(status: u16) -> &'static str {
    match status {
        401 => "UNAUTHENTICATED",
        404 => "NOT_FOUND",
        429 => "RESOURCE_EXHAUSTED",
        503 | 529 => "UNAVAILABLE",
        _ => "INTERNAL",
    }
}
