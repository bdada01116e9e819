//! What a person asks for: a target, a workload and a load, checked before anything is sent.

mod address;
mod reading;
mod recipe;

pub use address::{check_url, redacted_url};
pub use reading::{Reading, mapping, parse_spans};
pub use recipe::{Direct, RECIPES, Recipe, recipe};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::decode::Rule;
use crate::trace::Mode;

/// Whose endpoint is measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// The endpoint that comes with the server; the text is the preset's name.
    BuiltIn(String),
    /// Somebody's own.
    Own,
}

/// Streaming, not, or both in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModeChoice {
    /// Streaming only.
    Streaming,
    /// Whole answers only.
    NonStreaming,
    /// Pairs of one and the other, in random order.
    Both,
}

/// How the request's body is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BodyChoice {
    /// A chat completion; these fields are laid over it (a field set to null is left out).
    Chat(Map<String, Value>),
    /// This JSON, with `{prompt}`, `{model}` and `{stream}` filled in.
    Custom(Value),
}

/// A run, as asked for. It holds no secrets: see [`Secrets`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// Whose endpoint.
    pub target: TargetKind,
    /// Its URL, with `{model}` and `{stream:…|…}` (the first if a stream is asked for, else the second) filled in.
    pub url: String,
    /// The model's name; left out of the body if empty.
    #[serde(default)]
    pub model: String,
    /// The body.
    pub body: BodyChoice,
    /// The prompt.
    pub prompt: String,
    /// The most output tokens; left out of the body if none.
    #[serde(default)]
    pub max_tokens: Option<u32>,
    /// Streaming, not, or both.
    pub mode: ModeChoice,
    /// Measured requests (of each mode, if both).
    pub requests: u32,
    /// Requests under way at once.
    pub concurrency: u32,
    /// Requests before the measured ones, kept apart.
    pub warmup: u32,
    /// A request's limit, in milliseconds from `sent`.
    pub timeout_ms: u32,
    /// Seed of every random choice.
    pub seed: u64,
    /// When an answer is useful.
    #[serde(default)]
    pub useful: RuleChoice,
    /// How replies are read, where it is fixed.
    #[serde(default)]
    pub reading: Reading,
    /// The header that carries the key; `Authorization: Bearer …` if empty.
    #[serde(default)]
    pub key_header: String,
    /// Where requests are sent and read.
    #[serde(default)]
    pub thread: ThreadChoice,
}

/// The thread on which requests are sent and replies are stamped and decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThreadChoice {
    /// A dedicated worker: what the page does on its main thread moves no arrival stamp.
    #[default]
    Worker,
    /// The page's main thread, as most products read: stamps are as late as that thread is busy.
    Main,
}

/// [`Rule`] as it is written down.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleChoice {
    /// One whole word.
    #[default]
    Word,
    /// One whole sentence.
    Sentence,
    /// This many characters.
    Chars(u32),
    /// This text.
    Contains(String),
    /// The first complete JSON value.
    Json,
}

impl From<&RuleChoice> for Rule {
    fn from(choice: &RuleChoice) -> Rule {
        match choice {
            RuleChoice::Word => Rule::Word,
            RuleChoice::Sentence => Rule::Sentence,
            RuleChoice::Chars(n) => Rule::Chars(*n),
            RuleChoice::Contains(text) => Rule::Contains(text.clone()),
            RuleChoice::Json => Rule::Json,
        }
    }
}

/// What is kept in memory only: never part of a run file, a URL, a log or storage.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Secrets {
    /// Sent as `Authorization: Bearer …`, or in the configuration's own header.
    #[serde(default)]
    pub api_key: String,
    /// Sent as they are.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets(not shown)")
    }
}

/// What is wrong with a configuration, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Not a URL.
    #[error("the address is not a complete URL: {0}")]
    Url(String),
    /// Neither http nor https.
    #[error("the address begins with {0}:, but only http: and https: can be measured")]
    Scheme(String),
    /// A user name or password inside the URL; browsers refuse it.
    #[error("the address holds a user name or password, which browsers refuse")]
    Credentials,
    /// An https page may not call an http target.
    #[error("this page is https and the address is http: browsers block that")]
    MixedContent,
    /// A header line without a colon, or with characters that a header can't have.
    #[error("header line {0} is not of the form Name: value")]
    Header(usize),
    /// A header that browsers set themselves.
    #[error("browsers don't let a page set the header {0}")]
    ForbiddenHeader(String),
    /// The key's header is not a name.
    #[error("the header for the key is not a header name")]
    KeyHeader,
    /// A key that can't stand in a header.
    #[error("the key holds a character that a header can't carry")]
    Key,
    /// Not JSON.
    #[error("the body is not JSON: {0}")]
    Body(String),
    /// JSON, but not an object.
    #[error("the body's fields must be a JSON object")]
    BodyNotObject,
    /// A number outside its range.
    #[error("{field} must be from {min} to {max}")]
    Range {
        /// Which field.
        field: Field,
        /// Smallest.
        min: u32,
        /// Largest.
        max: u32,
    },
    /// Nothing to ask.
    #[error("the prompt is empty")]
    Prompt,
    /// A format that is not known.
    #[error("there is no format {0}")]
    Format(String),
    /// Not a JSON pointer.
    #[error("a JSON pointer begins with / (or is empty, for the whole)")]
    Pointer(Field),
    /// A line that is no mapping.
    #[error("span line {0} is not of the form HEADER-OR-/POINTER = NAME UNIT BOUNDARY")]
    Span(usize),
}

/// A field of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The address.
    Url,
    /// Header lines.
    Headers,
    /// The key.
    Key,
    /// The header for the key.
    KeyHeader,
    /// The body.
    Body,
    /// The prompt.
    Prompt,
    /// Number of requests.
    Requests,
    /// Concurrency.
    Concurrency,
    /// Warm-up.
    WarmUp,
    /// Time limit.
    Timeout,
    /// Output limit.
    MaxTokens,
    /// The format.
    Format,
    /// The JSON pointer to the text.
    TextPointer,
    /// The JSON pointer to the results.
    ItemsPointer,
    /// Mapped spans.
    Spans,
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Field::Url => "the address",
            Field::Headers => "the headers",
            Field::Key => "the key",
            Field::KeyHeader => "the header for the key",
            Field::Body => "the body",
            Field::Prompt => "the prompt",
            Field::Requests => "the number of requests",
            Field::Concurrency => "the concurrency",
            Field::WarmUp => "the warm-up",
            Field::Timeout => "the time limit in seconds",
            Field::MaxTokens => "the output limit",
            Field::Format => "the format",
            Field::TextPointer => "the pointer to the text",
            Field::ItemsPointer => "the pointer to the results",
            Field::Spans => "the server's timings",
        })
    }
}

impl Problem {
    /// The field to put right.
    pub fn field(&self) -> Field {
        match self {
            Problem::Url(_) | Problem::Scheme(_) | Problem::Credentials | Problem::MixedContent => Field::Url,
            Problem::Header(_) | Problem::ForbiddenHeader(_) => Field::Headers,
            Problem::Key => Field::Key,
            Problem::KeyHeader => Field::KeyHeader,
            Problem::Body(_) | Problem::BodyNotObject => Field::Body,
            Problem::Range { field, .. } => *field,
            Problem::Prompt => Field::Prompt,
            Problem::Format(_) => Field::Format,
            Problem::Pointer(field) => *field,
            Problem::Span(_) => Field::Spans,
        }
    }
}

/// The largest number of measured requests of one run.
pub const MAX_REQUESTS: u32 = 100_000;
/// The largest concurrency.
pub const MAX_CONCURRENCY: u32 = 256;
/// The largest time limit, in seconds.
pub const MAX_TIMEOUT_S: u32 = 3_600;

/// Reads header lines typed by a person, one `Name: value` a line.
pub fn parse_headers(text: &str) -> Result<Vec<(String, String)>, Problem> {
    let lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty());
    lines.map(|(at, line)| parse_header(line).map_err(|e| e.unwrap_or(Problem::Header(at + 1)))).collect()
}

fn parse_header(line: &str) -> Result<(String, String), Option<Problem>> {
    const FORBIDDEN: [&str; 12] = [
        "accept-charset",
        "accept-encoding",
        "connection",
        "content-length",
        "cookie",
        "date",
        "expect",
        "host",
        "origin",
        "referer",
        "te",
        "transfer-encoding",
    ];
    let (name, value) = line.split_once(':').ok_or(None)?;
    let (name, value) = (name.trim(), value.trim());
    if !is_header_name(name) || !is_header_value(value) {
        return Err(None);
    }
    let lower = name.to_ascii_lowercase();
    if FORBIDDEN.contains(&lower.as_str()) || lower.starts_with("sec-") || lower.starts_with("proxy-") {
        return Err(Some(Problem::ForbiddenHeader(name.to_owned())));
    }
    Ok((name.to_owned(), value.to_owned()))
}

fn is_header_name(name: &str) -> bool {
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    !name.is_empty() && name.chars().all(is_token)
}

fn is_header_value(value: &str) -> bool {
    value.chars().all(|c| c == '\t' || (' '..='\u{ff}').contains(&c) && c != '\u{7f}')
}

/// Reads the body's fields typed by a person; nothing typed is no fields.
pub fn parse_body_fields(text: &str) -> Result<Map<String, Value>, Problem> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str(text).map_err(|e| Problem::Body(e.to_string()))? {
        Value::Object(map) => Ok(map),
        _ => Err(Problem::BodyNotObject),
    }
}

/// Reads a whole body typed by a person.
pub fn parse_body(text: &str) -> Result<Value, Problem> {
    serde_json::from_str(text).map_err(|e| Problem::Body(e.to_string()))
}

impl RunConfig {
    /// Every problem, so that all can be put right at once. `page` is the page's own URL.
    pub fn problems(&self, secrets: &Secrets, page: &str) -> Vec<Problem> {
        let range = |field, value: u32, min, max| (!(min..=max).contains(&value)).then_some(Problem::Range { field, min, max });
        let uses_prompt = match &self.body {
            BodyChoice::Chat(_) => true,
            BodyChoice::Custom(value) => value.to_string().contains("{prompt}"),
        };
        [
            check_url(&self.url(Mode::Streaming), page).err(),
            (!is_header_name(&self.key_header) && !self.key_header.is_empty()).then_some(Problem::KeyHeader),
            (!is_header_value(&secrets.api_key)).then_some(Problem::Key),
            (uses_prompt && self.prompt.trim().is_empty()).then_some(Problem::Prompt),
            range(Field::Requests, self.requests, 1, MAX_REQUESTS),
            range(Field::Concurrency, self.concurrency, 1, MAX_CONCURRENCY),
            range(Field::WarmUp, self.warmup, 0, MAX_REQUESTS),
            range(Field::Timeout, self.timeout_ms.div_ceil(1000), 1, MAX_TIMEOUT_S),
            self.max_tokens.and_then(|n| range(Field::MaxTokens, n, 1, 1_000_000)),
            self.reading.problem(),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The URL of a request.
    pub fn url(&self, mode: Mode) -> String {
        let mut url = self.url.replace("{model}", &self.model);
        while let Some((before, (inside, after))) =
            url.split_once("{stream:").and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        {
            let (streamed, whole) = inside.split_once('|').unwrap_or((inside, ""));
            url = format!("{before}{}{after}", if mode == Mode::Streaming { streamed } else { whole });
        }
        url
    }

    /// The body of a request.
    pub fn body(&self, mode: Mode) -> Value {
        let stream = mode == Mode::Streaming;
        match &self.body {
            BodyChoice::Custom(template) => fill(template, &self.prompt, &self.model, stream),
            BodyChoice::Chat(fields) => {
                let mut body = Map::new();
                if !self.model.is_empty() {
                    body.insert("model".into(), json!(self.model));
                }
                body.insert("messages".into(), json!([{"role": "user", "content": self.prompt}]));
                if let Some(n) = self.max_tokens {
                    body.insert("max_tokens".into(), json!(n));
                }
                body.insert("stream".into(), json!(stream));
                if stream {
                    body.insert("stream_options".into(), json!({"include_usage": true}));
                }
                for (name, value) in fields {
                    match value {
                        Value::Null => body.remove(name),
                        value => body.insert(name.clone(), value.clone()),
                    };
                }
                Value::Object(body)
            }
        }
    }

    /// The request headers of a run, key and content type among them; a header of the same name that was typed wins.
    pub fn headers(&self, secrets: &Secrets) -> Vec<(String, String)> {
        let mut headers = secrets.headers.clone();
        let mut add = |name: &str, value: String| {
            if !headers.iter().any(|(n, _)| n.eq_ignore_ascii_case(name)) {
                headers.push((name.to_owned(), value));
            }
        };
        add("Content-Type", "application/json".to_owned());
        match self.key_header.as_str() {
            _ if secrets.api_key.is_empty() => {}
            "" => add("Authorization", format!("Bearer {}", secrets.api_key)),
            name => add(name, secrets.api_key.clone()),
        }
        headers
    }

    /// The modes that are measured.
    pub fn modes(&self) -> &'static [Mode] {
        match self.mode {
            ModeChoice::Streaming => &[Mode::Streaming],
            ModeChoice::NonStreaming => &[Mode::NonStreaming],
            ModeChoice::Both => &[Mode::Streaming, Mode::NonStreaming],
        }
    }
}

/// Fills a template in: `{stream}` alone becomes a boolean, the others are replaced inside texts.
fn fill(template: &Value, prompt: &str, model: &str, stream: bool) -> Value {
    match template {
        Value::String(s) if s == "{stream}" => Value::Bool(stream),
        Value::String(s) => Value::String(s.replace("{model}", model).replace("{prompt}", prompt)),
        Value::Array(list) => list.iter().map(|v| fill(v, prompt, model, stream)).collect(),
        Value::Object(map) => {
            map.iter().map(|(k, v)| (k.clone(), fill(v, prompt, model, stream))).collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
pub(crate) mod tests;
