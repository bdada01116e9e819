//! Under which paths does the endpoint answer, and which dialect does a client expect there?

use firstlight_engine::Format;

use super::PATH;

/// Every path, as the router takes it: those of the providers' own APIs, so that their clients can be pointed here.
pub(crate) const PATHS: [&str; 6] =
    [PATH, "/v1/responses", "/v1/messages", "/v1/embeddings", "/api/chat", "/v1beta/models/{call}"];

/// What a path says before anything is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Expected {
    /// The name of the format; none where the preset says it.
    pub(crate) format: Option<&'static str>,
    /// The model, where it stands in the path.
    pub(crate) model: Option<String>,
    /// Whether the answer is streamed, where the path says it.
    pub(crate) stream: Option<bool>,
    /// Parameters of the provider's API that mean nothing here.
    pub(crate) ignored: &'static [&'static str],
}

impl Expected {
    /// Of a path; none if there is nothing.
    pub(crate) fn of(path: &str) -> Option<Expected> {
        let format = |format| Some(Expected { format: Some(format), ..Expected::default() });
        match path {
            PATH => Some(Expected::default()),
            "/v1/responses" => format("responses"),
            "/v1/messages" => format("anthropic").map(|expected| Expected { ignored: &["beta"], ..expected }),
            "/v1/embeddings" => format("embeddings"),
            "/api/chat" => format("ollama"),
            _ => {
                let call = path.strip_prefix("/v1beta/models/")?.replace("%3A", ":").replace("%3a", ":");
                let (model, method) = call.rsplit_once(':')?;
                let stream = match method {
                    "streamGenerateContent" => true,
                    "generateContent" => false,
                    _ => return None,
                };
                Some(Expected {
                    format: Some("gemini"),
                    model: Some(model.to_owned()),
                    stream: Some(stream),
                    ignored: &["alt", "key"],
                })
            }
        }
    }
}

/// Whether a question that does not say so wants a stream.
pub(crate) fn streams_unasked(format: Format) -> bool {
    format == Format::Ollama
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_says_what_its_clients_expect() {
        let of = |path: &str| Expected::of(path).map(|expected| (expected.format, expected.stream));
        assert_eq!(of(PATH), Some((None, None)));
        assert_eq!(of("/v1/messages"), Some((Some("anthropic"), None)));
        assert_eq!(of("/v1beta/models/g-1:streamGenerateContent"), Some((Some("gemini"), Some(true))));
        assert_eq!(of("/v1beta/models/g-1%3AgenerateContent"), Some((Some("gemini"), Some(false))));
        assert_eq!(Expected::of("/v1beta/models/g-1:generateContent").and_then(|e| e.model).as_deref(), Some("g-1"));
        assert_eq!(of("/v1beta/models/g-1:countTokens"), None);
        for path in PATHS.iter().filter(|path| !path.contains('{')) {
            assert!(of(path).is_some(), "{path}");
        }
        for format in PATHS.iter().filter_map(|path| Expected::of(path)).filter_map(|expected| expected.format) {
            assert!(Format::parse(format).is_ok(), "{format}");
        }
    }
}
