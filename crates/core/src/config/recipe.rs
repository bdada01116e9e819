//! Ready-made targets: how each provider is asked, and whether a page may ask it directly.

/// Whether a page of another origin may call a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direct {
    /// It was seen to answer pages.
    Yes,
    /// It answers pages that send a header which the recipe sets.
    WithHeader,
    /// It answers pages once its server is told to; how.
    WhenTold(&'static str),
    /// It refuses pages: it has to be forwarded.
    No,
    /// Not established; a failure is what tells.
    Unknown,
}

/// A provider's recipe. It holds no key and no model.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Its stable name.
    pub code: &'static str,
    /// The provider's name.
    pub name: &'static str,
    /// The URL; see [`super::RunConfig::url`] for what is filled in. In capitals: for a person to fill in.
    pub url: &'static str,
    /// The header for the key; `Authorization: Bearer …` if empty.
    pub key_header: &'static str,
    /// Header lines.
    pub headers: &'static str,
    /// The whole body as a template; empty for a chat completion.
    pub body: &'static str,
    /// Whether a page may call it.
    pub direct: Direct,
}

const CHAT: Recipe = Recipe { code: "", name: "", url: "", key_header: "", headers: "", body: "", direct: Direct::Unknown };

/// Chat completions at a URL.
const fn chat(code: &'static str, name: &'static str, url: &'static str, direct: Direct) -> Recipe {
    Recipe { code, name, url, direct, ..CHAT }
}

/// A body of its own at a URL.
const fn own(code: &'static str, name: &'static str, url: &'static str, direct: Direct, body: &'static str) -> Recipe {
    Recipe { code, name, url, direct, body, ..CHAT }
}

/// Messages as Anthropic takes them.
const MESSAGES: &str =
    r#"{"model": "{model}", "max_tokens": 512, "messages": [{"role": "user", "content": "{prompt}"}], "stream": "{stream}"}"#;
/// A prompt and nothing around it.
const PROMPT: &str = r#"{"model": "{model}", "prompt": "{prompt}", "max_tokens": 128, "stream": "{stream}"}"#;

/// Every recipe.
pub static RECIPES: [Recipe; 26] = [
    chat("openai", "OpenAI chat", "https://api.openai.com/v1/chat/completions", Direct::Yes),
    own(
        "openai-responses",
        "OpenAI Responses",
        "https://api.openai.com/v1/responses",
        Direct::Yes,
        r#"{"model": "{model}", "input": "{prompt}", "stream": "{stream}"}"#,
    ),
    Recipe {
        key_header: "x-api-key",
        headers: "anthropic-version: 2023-06-01\nanthropic-dangerous-direct-browser-access: true",
        ..own("anthropic", "Anthropic", "https://api.anthropic.com/v1/messages", Direct::WithHeader, MESSAGES)
    },
    Recipe {
        key_header: "x-goog-api-key",
        ..own(
            "gemini",
            "Gemini",
            "https://generativelanguage.googleapis.com/v1beta/models/{model}:{stream:streamGenerateContent|generateContent}?alt={stream:sse|json}",
            Direct::Yes,
            r#"{"contents": [{"role": "user", "parts": [{"text": "{prompt}"}]}]}"#,
        )
    },
    Recipe {
        key_header: "api-key",
        ..chat(
            "azure",
            "Azure OpenAI",
            "https://RESOURCE.openai.azure.com/openai/deployments/{model}/chat/completions?api-version=2024-10-21",
            Direct::Unknown,
        )
    },
    chat("openrouter", "OpenRouter", "https://openrouter.ai/api/v1/chat/completions", Direct::Yes),
    chat("mistral", "Mistral", "https://api.mistral.ai/v1/chat/completions", Direct::Unknown),
    chat("groq", "Groq", "https://api.groq.com/openai/v1/chat/completions", Direct::Unknown),
    chat("cerebras", "Cerebras", "https://api.cerebras.ai/v1/chat/completions", Direct::Unknown),
    chat("deepseek", "DeepSeek", "https://api.deepseek.com/chat/completions", Direct::Unknown),
    chat("xai", "xAI", "https://api.x.ai/v1/chat/completions", Direct::Yes),
    chat("together", "Together", "https://api.together.xyz/v1/chat/completions", Direct::Unknown),
    chat("fireworks", "Fireworks", "https://api.fireworks.ai/inference/v1/chat/completions", Direct::Unknown),
    own(
        "cohere",
        "Cohere",
        "https://api.cohere.com/v2/chat",
        Direct::Unknown,
        r#"{"model": "{model}", "messages": [{"role": "user", "content": "{prompt}"}], "stream": "{stream}"}"#,
    ),
    own(
        "bedrock",
        "Amazon Bedrock",
        "https://bedrock-runtime.REGION.amazonaws.com/model/{model}/{stream:converse-stream|converse}",
        Direct::No,
        r#"{"messages": [{"role": "user", "content": [{"text": "{prompt}"}]}]}"#,
    ),
    own(
        "workers-ai",
        "Workers AI",
        "https://api.cloudflare.com/client/v4/accounts/ACCOUNT/ai/run/{model}",
        Direct::No,
        r#"{"prompt": "{prompt}", "stream": "{stream}"}"#,
    ),
    chat("llama-cpp", "llama.cpp chat", "http://127.0.0.1:8080/v1/chat/completions", Direct::Yes),
    own(
        "llama-cpp-native",
        "llama.cpp completion",
        "http://127.0.0.1:8080/completion",
        Direct::Yes,
        r#"{"prompt": "{prompt}", "n_predict": 128, "stream": "{stream}"}"#,
    ),
    own(
        "ollama",
        "Ollama",
        "http://127.0.0.1:11434/api/chat",
        Direct::WhenTold("OLLAMA_ORIGINS=PAGE"),
        r#"{"model": "{model}", "messages": [{"role": "user", "content": "{prompt}"}], "stream": "{stream}"}"#,
    ),
    chat("vllm", "vLLM", "http://127.0.0.1:8000/v1/chat/completions", Direct::Yes),
    own("vllm-completions", "vLLM completions", "http://127.0.0.1:8000/v1/completions", Direct::Yes, PROMPT),
    own(
        "sglang",
        "SGLang generate",
        "http://127.0.0.1:30000/generate",
        Direct::Yes,
        r#"{"text": "{prompt}", "sampling_params": {"max_new_tokens": 128}, "stream": "{stream}"}"#,
    ),
    own(
        "tgi",
        "TGI",
        "http://127.0.0.1:8080/{stream:generate_stream|generate}",
        Direct::Yes,
        r#"{"inputs": "{prompt}", "parameters": {"max_new_tokens": 128, "details": true}}"#,
    ),
    chat("litellm", "LiteLLM proxy", "http://127.0.0.1:4000/v1/chat/completions", Direct::Yes),
    own(
        "langserve",
        "LangServe",
        "http://127.0.0.1:8000/{stream:stream|invoke}",
        Direct::WhenTold("CORSMiddleware(allow_origins=[\"PAGE\"])"),
        r#"{"input": "{prompt}"}"#,
    ),
    own(
        "predict",
        "KServe, TensorFlow Serving",
        "http://127.0.0.1:8501/v1/models/{model}:predict",
        Direct::No,
        r#"{"instances": ["{prompt}"]}"#,
    ),
];

/// The recipe of a stable name.
pub fn recipe(code: &str) -> Option<&'static Recipe> {
    RECIPES.iter().find(|r| r.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sound;
    use crate::config::{BodyChoice, RunConfig, Secrets, parse_body, parse_headers};
    use crate::trace::Mode;

    #[test]
    fn every_recipe_makes_a_sound_request() {
        let mut seen: Vec<&str> = Vec::new();
        for recipe in &RECIPES {
            assert!(!seen.contains(&recipe.code), "{}", recipe.code);
            seen.push(recipe.code);
            let headers = parse_headers(recipe.headers).unwrap_or_else(|e| panic!("{}: {e}", recipe.code));
            let body = match recipe.body {
                "" => BodyChoice::Chat(serde_json::Map::new()),
                body => BodyChoice::Custom(parse_body(body).unwrap_or_else(|e| panic!("{}: {e}", recipe.code))),
            };
            let config = RunConfig { url: recipe.url.into(), key_header: recipe.key_header.into(), body, ..sound() };
            let secrets = Secrets { api_key: "k".into(), headers };
            assert_eq!(config.problems(&secrets, "http://127.0.0.1:8600/"), [], "{}", recipe.code);
            for mode in [Mode::Streaming, Mode::NonStreaming] {
                let (url, body) = (config.url(mode), config.body(mode).to_string());
                assert!(!url.contains(['{', '}']), "{url}");
                assert!(body.contains("Hi") && !body.contains("{stream}") && !body.contains("{prompt}"), "{body}");
            }
            let (streamed, whole) = (config.body(Mode::Streaming), config.body(Mode::NonStreaming));
            let differs = streamed != whole || config.url(Mode::Streaming) != config.url(Mode::NonStreaming);
            assert!(differs || recipe.code == "predict", "{} can't be asked for a stream", recipe.code);
        }
    }
}
