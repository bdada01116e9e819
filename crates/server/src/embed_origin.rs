//! Whose pages may show the page for frames.

use std::fmt;
use std::str::FromStr;

use firstlight_core::config::{check_url, origin};

/// An origin: scheme, host and port, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbedOrigin(String);

/// A text that is no origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no origin: write scheme, host and, if it is not the usual one, the port, such as https://host.example:8443")]
pub struct NoOrigin(String);

impl FromStr for EmbedOrigin {
    type Err = NoOrigin;

    fn from_str(text: &str) -> Result<EmbedOrigin, NoOrigin> {
        let text = text.trim();
        let bare = text.strip_suffix('/').unwrap_or(text);
        // What would begin another source or another directive of the policy is in no origin.
        let plain = bare.chars().all(|c| c.is_ascii_alphanumeric() || ":/.-[]".contains(c));
        let whole = check_url(bare, "").is_ok() && origin(bare) == Some(bare);
        if plain && whole { Ok(EmbedOrigin(bare.to_ascii_lowercase())) } else { Err(NoOrigin(text.to_owned())) }
    }
}

impl fmt::Display for EmbedOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_origin_is_one() {
        for (text, origin) in [
            ("https://host.example", "https://host.example"),
            (" http://localhost:8080/ ", "http://localhost:8080"),
            ("HTTPS://Host.Example", "https://host.example"),
            ("http://[::1]:1", "http://[::1]:1"),
        ] {
            assert_eq!(text.parse::<EmbedOrigin>().map(|origin| origin.to_string()), Ok(origin.to_owned()), "{text}");
        }
        for text in [
            "",
            "*",
            "'self'",
            "host.example",
            "https://host.example/path",
            "https://host.example; script-src *",
            "https://a.example https://b.example",
            "https://user@host.example",
            "file:///tmp",
            "https://*.example",
        ] {
            assert_eq!(text.parse::<EmbedOrigin>(), Err(NoOrigin(text.to_owned())), "{text}");
        }
    }
}
