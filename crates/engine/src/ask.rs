//! What one request asks of the endpoint.

/// The parts of a request's body that change the reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// `stream`: the answer in parts.
    pub stream: bool,
    /// `model`, repeated in the reply.
    pub model: Option<String>,
    /// `max_completion_tokens` or `max_tokens`: output is cut there, as `length`.
    pub max_tokens: Option<u32>,
    /// Words of the prompt, reported as prompt tokens.
    pub prompt_tokens: u32,
    /// Inputs of a batch, of which each has a result of its own.
    pub items: u32,
    /// When the request came, in seconds since 1970, repeated in the reply as `created`.
    pub created_s: u64,
}

impl Ask {
    /// A request for a stream, with nothing else said.
    pub fn streaming() -> Ask {
        Ask { stream: true, model: None, max_tokens: None, prompt_tokens: 1, items: 1, created_s: 0 }
    }

    /// A request for a whole answer, with nothing else said.
    pub fn whole() -> Ask {
        Ask { stream: false, ..Ask::streaming() }
    }

    /// The model's name in the reply.
    pub(crate) fn model(&self) -> &str {
        self.model.as_deref().unwrap_or("built-in")
    }
}
