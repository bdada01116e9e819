//! What a host asks for, by attributes and properties, and the run that follows from it and from what a person typed.

use firstlight_core::config::{ModeChoice, Problem, Rendering, RunConfig, Secrets, TargetKind, parse_headers};
use firstlight_core::text::{Emb, Lang, Ui, fill, problem};
use firstlight_core::typed;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A part of the set-up that a person may be allowed to change; also the name and the id of its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Editable {
    Target,
    Model,
    Key,
    Prompt,
    Mode,
    Requests,
    Concurrency,
    Warmup,
}

impl Editable {
    /// In the order of the form.
    pub(crate) const ALL: [Editable; 8] = [
        Editable::Target,
        Editable::Model,
        Editable::Key,
        Editable::Prompt,
        Editable::Mode,
        Editable::Requests,
        Editable::Concurrency,
        Editable::Warmup,
    ];

    pub(crate) fn code(self) -> &'static str {
        match self {
            Editable::Target => "target",
            Editable::Model => "model",
            Editable::Key => "key",
            Editable::Prompt => "prompt",
            Editable::Mode => "mode",
            Editable::Requests => "requests",
            Editable::Concurrency => "concurrency",
            Editable::Warmup => "warmup",
        }
    }

    /// Label and hint.
    pub(crate) fn words(self) -> (Ui, Ui) {
        match self {
            Editable::Target => (Ui::Url, Ui::UrlHint),
            Editable::Model => (Ui::Model, Ui::ModelHint),
            Editable::Key => (Ui::ApiKey, Ui::ApiKeyHint),
            Editable::Prompt => (Ui::Prompt, Ui::PromptHint),
            Editable::Mode => (Ui::QuestionLabel, Ui::QuestionHint),
            Editable::Requests => (Ui::Requests, Ui::RequestsHint),
            Editable::Concurrency => (Ui::Concurrency, Ui::ConcurrencyHint),
            Editable::Warmup => (Ui::WarmUp, Ui::WarmUpHint),
        }
    }
}

/// As the shell hands it over: attributes as they stand, properties as JSON.
#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Setup {
    pub target: String,
    pub model: String,
    pub key: String,
    pub prompt: Option<String>,
    pub mode: String,
    pub requests: String,
    pub concurrency: String,
    pub warmup: String,
    /// Fields of a run's configuration, laid over all of the above.
    config: Map<String, Value>,
    headers: Vec<(String, String)>,
    /// Codes of [`Editable`], with spaces.
    editable: String,
    lang: String,
}

/// Why nothing can be started: in words, each with the field that it is of, where it is of one.
pub(crate) type Wrong = Vec<(&'static str, String)>;

impl Setup {
    /// What the shell handed over; its error is in words.
    pub(crate) fn read(json: &str) -> Result<Setup, String> {
        typed::from_str(json).map_err(|error| error.to_string())
    }

    pub(crate) fn lang(&self) -> Lang {
        Lang::for_tag(&self.lang)
    }

    pub(crate) fn may_edit(&self, field: Editable) -> bool {
        self.editable.split_whitespace().any(|code| code == field.code())
    }

    /// What is in a field.
    pub(crate) fn value(&self, field: Editable) -> String {
        let or = |text: &String, default: &str| if text.trim().is_empty() { default.to_owned() } else { text.clone() };
        match field {
            Editable::Target => self.target.clone(),
            Editable::Model => self.model.clone(),
            Editable::Key => self.key.clone(),
            Editable::Prompt => self.prompt.clone().unwrap_or_else(|| Ui::DefaultPrompt.get(self.lang()).to_owned()),
            Editable::Mode => or(&self.mode, "streaming"),
            Editable::Requests => or(&self.requests, "20"),
            Editable::Concurrency => or(&self.concurrency, "1"),
            Editable::Warmup => or(&self.warmup, "1"),
        }
    }

    pub(crate) fn set(&mut self, field: Editable, value: String) {
        match field {
            Editable::Target => self.target = value,
            Editable::Model => self.model = value,
            Editable::Key => self.key = value,
            Editable::Prompt => self.prompt = Some(value),
            Editable::Mode => self.mode = value,
            Editable::Requests => self.requests = value,
            Editable::Concurrency => self.concurrency = value,
            Editable::Warmup => self.warmup = value,
        }
    }

    /// The run that is asked for, or everything that is wrong with it.
    pub(crate) fn run(&self, page_url: &str, seed: u64) -> Result<(RunConfig, Secrets), Wrong> {
        let lang = self.lang();
        let mut wrong = Wrong::new();
        let mut number = |field: Editable| {
            let text = self.value(field);
            text.trim().parse::<u32>().unwrap_or_else(|_| {
                let (label, _) = field.words();
                wrong.push((field.code(), fill(Emb::NotANumber.get(lang), &[label.get(lang), text.trim()])));
                1
            })
        };
        let [requests, concurrency, warmup] = [Editable::Requests, Editable::Concurrency, Editable::Warmup].map(&mut number);
        let mode = self.value(Editable::Mode);
        let mode = serde_json::from_str::<ModeChoice>(&Value::from(mode.as_str()).to_string()).unwrap_or_else(|_| {
            wrong.push((Editable::Mode.code(), fill(Emb::Mode.get(lang), &[&mode])));
            ModeChoice::Streaming
        });
        let base = RunConfig {
            model: self.model.trim().to_owned(),
            prompt: self.value(Editable::Prompt),
            mode,
            requests,
            concurrency,
            warmup,
            timeout_ms: 120_000,
            seed,
            ..RunConfig::of(self.target.trim())
        };
        let config = match laid_over(&base, &self.config) {
            Ok(config) => RunConfig { target: TargetKind::Own, ..config },
            Err(why) => {
                wrong.push(("config", fill(Emb::Setup.get(lang), &[&why])));
                base
            }
        };
        if config.rendering == Rendering::Markdown {
            wrong.push(("config", Emb::Markdown.get(lang).to_owned()));
        }
        let secrets = Secrets { api_key: self.key.trim().to_owned(), headers: self.headers.clone() };
        for (name, value) in &secrets.headers {
            if let Err(found) = parse_headers(&format!("{name}: {value}")) {
                wrong.push(("headers", problem(lang, &found)));
            }
        }
        if config.url.is_empty() {
            wrong.push((Editable::Target.code(), Emb::NoTarget.get(lang).to_owned()));
        } else {
            wrong.extend(config.problems(&secrets, page_url).iter().map(|found| (code(found), problem(lang, found))));
        }
        if wrong.is_empty() { Ok((config, secrets)) } else { Err(wrong) }
    }
}

/// A configuration with some fields replaced; an unknown field is an error, as in a file.
fn laid_over(base: &RunConfig, fields: &Map<String, Value>) -> Result<RunConfig, String> {
    if fields.is_empty() {
        return Ok(base.clone());
    }
    // By way of text: that reader and writer are here anyway.
    let text = serde_json::to_string(base).map_err(|error| error.to_string())?;
    let mut whole: Map<String, Value> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    whole.extend(fields.iter().map(|(name, value)| (name.clone(), value.clone())));
    let read: serde_json::Result<RunConfig> = typed::from_str(&Value::Object(whole).to_string());
    // The place in a text that nobody wrote says nothing.
    read.map_err(|error| error.to_string().split(" at line ").next().unwrap_or_default().to_owned())
}

/// The attribute or property that a problem is of.
fn code(problem: &Problem) -> &'static str {
    match problem.field().code() {
        "url" => "target",
        "api_key" => "key",
        code => code,
    }
}
