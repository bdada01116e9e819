//! What a person asks for: a target, a workload and a load, checked before anything is sent.

mod address;
mod given;
mod probe;
mod problem;
mod reading;
mod recipe;

pub(crate) use address::is_secret;
pub use address::{check_url, origin, redacted_url, same_origin};
pub use given::{Given, given};
pub(crate) use given::{fields, with_fields};
pub use problem::{Field, Problem};
pub use reading::{Reading, mapping, parse_spans};
pub use recipe::{Direct, RECIPES, Recipe, recipe};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::cost::Prices;
use crate::decision::Decision;
use crate::decode::Rule;
use crate::load::{Load, Versus, What};
use crate::scrape::{MAX_PERIOD_MS, MIN_PERIOD_MS, ServerMetrics};
use crate::slo::Threshold;
use crate::stop_rule::StopRule;
use crate::trace::Mode;
use crate::workload::{Ask, CacheMode, Source, Workload};

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
    /// This JSON, with `{prompt}` (the last message of the user), `{messages}` (the whole list), `{max_tokens}`, `{model}` and
    /// `{stream}` filled in.
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
    /// How answers are drawn.
    #[serde(default)]
    pub rendering: Rendering,
    /// When requests start.
    #[serde(default)]
    pub load: Load,
    /// What is compared inside the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versus: Option<Versus>,
    /// Limits of each request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thresholds: Vec<Threshold>,
    /// What ends the run early.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop_rules: Vec<StopRule>,
    /// Prices of tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
    /// What the run is to decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// What is asked; the prompt, if nothing else is said.
    #[serde(default)]
    pub workload: Workload,
    /// Whether requests share a beginning.
    #[serde(default)]
    pub cache: CacheMode,
    /// Only what the workload holds out is run.
    #[serde(default)]
    pub confirmation: bool,
    /// The URL at which the target tells the time of its clock, or a path on the target's own origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<String>,
    /// The server's own metrics, read while the run goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_metrics: Option<ServerMetrics>,
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

/// How answers are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rendering {
    /// As the text that came.
    #[default]
    Plain,
    /// As the Markdown that most models write: what it costs to draw that is part of what users feel.
    Markdown,
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
    /// As it may be shown and kept: without what addresses may hold of secrets.
    pub fn redacted(&self) -> RunConfig {
        self.with_urls(redacted_url)
    }

    /// With every address changed.
    pub(crate) fn with_urls(&self, change: fn(&str) -> String) -> RunConfig {
        let mut config = self.clone();
        config.url = change(&config.url);
        config.probe = config.probe.as_deref().map(change);
        if let Some(Versus { what: What::Endpoint { url, .. }, .. }) = &mut config.versus {
            *url = change(url);
        }
        if let Some(metrics) = &mut config.server_metrics {
            metrics.url = change(&metrics.url);
        }
        config
    }

    /// One streaming chat request to an address, as the beginning of any other configuration.
    pub fn of(url: impl Into<String>) -> RunConfig {
        RunConfig {
            target: TargetKind::Own,
            url: url.into(),
            model: String::new(),
            body: BodyChoice::Chat(Map::new()),
            prompt: "Hi".to_owned(),
            max_tokens: None,
            mode: ModeChoice::Streaming,
            requests: 1,
            concurrency: 1,
            warmup: 0,
            timeout_ms: 60_000,
            seed: 1,
            useful: RuleChoice::default(),
            reading: Reading::default(),
            key_header: String::new(),
            thread: ThreadChoice::default(),
            rendering: Rendering::default(),
            load: Load::default(),
            versus: None,
            thresholds: Vec::new(),
            stop_rules: Vec::new(),
            prices: None,
            decision: None,
            workload: Workload::default(),
            cache: CacheMode::default(),
            confirmation: false,
            probe: None,
            server_metrics: None,
        }
    }

    /// Every problem, so that all can be put right at once. `page` is the page's own URL.
    pub fn problems(&self, secrets: &Secrets, page: &str) -> Vec<Problem> {
        let range = |field, value: u32, min, max| (!(min..=max).contains(&value)).then_some(Problem::Range { field, min, max });
        let typed = self.workload.source == Source::Prompt;
        let uses_prompt = match &self.body {
            _ if !typed => false,
            BodyChoice::Chat(_) => true,
            BodyChoice::Custom(value) => ["{prompt}", "{messages}"].iter().any(|place| value.to_string().contains(place)),
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
            self.probe_problem(page),
            self.versus.as_ref().and_then(|versus| match &versus.what {
                What::Endpoint { url, .. } => check_url(url, page).err().map(|wrong| Problem::Candidate(Box::new(wrong))),
                What::Cache => None,
            }),
            self.workload.problem(&self.body, self.confirmation).map(Problem::Workload),
        ]
        .into_iter()
        .flatten()
        .chain(self.load_wrong().into_iter().map(Problem::Load))
        .chain(self.limits_wrong())
        .chain(self.metrics_wrong(page))
        .collect()
    }

    fn limits_wrong(&self) -> impl Iterator<Item = Problem> {
        let half = self.decision.as_ref().is_some_and(|d| d.claim.trim().is_empty() || d.criteria.is_empty());
        let caps = self.stop_rules.iter().any(|rule| matches!(rule, StopRule::SpendUpTo(_)));
        let sound = self.prices.as_ref().is_none_or(Prices::is_sound);
        [
            half.then_some(Problem::Decision),
            (caps && self.prices.is_none()).then_some(Problem::SpendWithoutPrices),
            (!sound).then(|| Problem::Price(String::new())),
        ]
        .into_iter()
        .flatten()
    }

    fn metrics_wrong(&self, page: &str) -> impl Iterator<Item = Problem> {
        let (field, min, max) = (Field::MetricsPeriod, MIN_PERIOD_MS, MAX_PERIOD_MS);
        let wrong = self.server_metrics.as_ref().map(|metrics| {
            let period = !(min..=max).contains(&metrics.period_ms);
            [
                check_url(&metrics.url, page).err().map(|wrong| Problem::Metrics(Box::new(wrong))),
                period.then_some(Problem::Range { field, min, max }),
            ]
        });
        wrong.into_iter().flatten().flatten()
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

    /// The body of a request that asks the typed prompt.
    pub fn body(&self, mode: Mode) -> Value {
        self.body_of(&Ask::typed(&self.prompt, self.max_tokens), mode)
    }

    /// The body of a request.
    pub fn body_of(&self, ask: &Ask, mode: Mode) -> Value {
        let stream = mode == Mode::Streaming;
        match &self.body {
            BodyChoice::Custom(template) => fill(template, ask, &self.model, stream).unwrap_or_default(),
            BodyChoice::Chat(fields) => {
                let mut body = Map::new();
                if !self.model.is_empty() {
                    body.insert("model".into(), json!(self.model));
                }
                body.insert("messages".into(), json!(ask.messages));
                if let Some(n) = ask.max_tokens {
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

/// Fills a template in: `{stream}`, `{messages}` and `{max_tokens}` alone become a boolean, the list and a number (a member
/// whose number is not set is left out); the others are replaced inside texts.
fn fill(template: &Value, ask: &Ask, model: &str, stream: bool) -> Option<Value> {
    Some(match template {
        Value::String(s) if s == "{stream}" => Value::Bool(stream),
        Value::String(s) if s == "{messages}" => json!(ask.messages),
        Value::String(s) if s == "{max_tokens}" => json!(ask.max_tokens?),
        Value::String(s) => Value::String(s.replace("{model}", model).replace("{prompt}", &ask.prompt)),
        Value::Array(list) => list.iter().filter_map(|v| fill(v, ask, model, stream)).collect(),
        Value::Object(map) => {
            let members = map.iter().filter_map(|(k, v)| Some((k.clone(), fill(v, ask, model, stream)?)));
            members.collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    })
}

#[cfg(test)]
pub(crate) mod tests;
