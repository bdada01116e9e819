//! The form: what is typed, and what it asks for.

mod decision;
mod load;
mod server;
mod versus;
mod workload;

pub use decision::{Asked, DecisionForm, FAILS};
pub use load::{CLOSED, LoadForm, REPLAY, SHAPES};
pub use server::ServerForm;
pub use versus::{ENDPOINT, KINDS as VERSUS, VersusForm};
pub use workload::{CACHES, CASES, GENERATED, KINDS as WORKLOADS, WorkloadForm};

use firstlight_core::config::{
    BodyChoice, Field, MAX_CONCURRENCY, MAX_REQUESTS, MAX_TIMEOUT_S, ModeChoice, Problem, Reading, Recipe, Rendering,
    RuleChoice, RunConfig, Secrets, TargetKind, ThreadChoice, parse_body, parse_body_fields, parse_headers, parse_spans,
};
use firstlight_core::text::{Lang, Ui};
use leptos::prelude::*;
use serde_json::{Map, Value};

/// The built-in endpoint's presets, with the text of each.
pub const PRESETS: [(&str, Ui); 6] = [
    ("chat", Ui::PresetChat),
    ("worked-example", Ui::PresetWorked),
    ("reasoning", Ui::PresetReasoning),
    ("slow-start", Ui::PresetSlow),
    ("markdown", Ui::PresetMarkdown),
    ("prediction", Ui::PresetPrediction),
];

/// Every field, as text or choice. `Copy`.
#[derive(Clone, Copy)]
pub struct Form {
    /// The built-in endpoint, not an own URL.
    pub built_in: RwSignal<bool>,
    /// Name of the preset.
    pub preset: RwSignal<String>,
    /// Own URL.
    pub url: RwSignal<String>,
    /// Model.
    pub model: RwSignal<String>,
    /// Key; memory only.
    pub api_key: RwSignal<String>,
    /// The key's header; `Authorization` if empty.
    pub key_header: RwSignal<String>,
    /// The recipe that was taken last; empty if none.
    pub recipe: RwSignal<String>,
    /// Format of the replies; empty: recognised.
    pub format: RwSignal<String>,
    /// JSON pointer to the text.
    pub text_pointer: RwSignal<String>,
    /// JSON pointer to the results.
    pub items_pointer: RwSignal<String>,
    /// `<think>` is split off.
    pub split_think: RwSignal<bool>,
    /// Mapped spans, one a line.
    pub spans: RwSignal<String>,
    /// Header lines; memory only.
    pub headers: RwSignal<String>,
    /// The body is written by hand.
    pub custom_body: RwSignal<bool>,
    /// Body fields, or the whole body.
    pub body: RwSignal<String>,
    /// Prompt.
    pub prompt: RwSignal<String>,
    /// Streaming, not, both.
    pub mode: RwSignal<ModeChoice>,
    /// Measured requests.
    pub requests: RwSignal<String>,
    /// At once.
    pub concurrency: RwSignal<String>,
    /// Warm-up.
    pub warmup: RwSignal<String>,
    /// Requests are sent and read on the main thread.
    pub main_thread: RwSignal<bool>,
    /// How answers are drawn.
    pub rendering: RwSignal<Rendering>,
    /// Output limit.
    pub max_tokens: RwSignal<String>,
    /// Time limit in seconds.
    pub timeout_s: RwSignal<String>,
    /// When requests start.
    pub load: LoadForm,
    /// What is asked.
    pub workload: WorkloadForm,
    /// What is compared inside the run.
    pub versus: VersusForm,
    /// What else the server is asked for.
    pub server: ServerForm,
    /// Limits, prices and the decision.
    pub decision: DecisionForm,
    /// Where the page came from.
    page_origin: StoredValue<String>,
    /// The server's second origin; empty if it has none.
    second_origin: StoredValue<String>,
    /// Addresses under which this server forwards to endpoints that refuse browsers.
    pub forwards: StoredValue<Vec<String>>,
}

/// What is typed into one field, beginning with this.
fn text(value: &str) -> RwSignal<String> {
    RwSignal::new(value.to_owned())
}

/// A whole number in its range; if it is not, that is a problem.
fn number(text: RwSignal<String>, field: Field, min: u32, max: u32, problems: &mut Vec<Problem>) -> u32 {
    let value = text.get_untracked().trim().parse::<u32>().ok().filter(|n| (min..=max).contains(n));
    value.unwrap_or_else(|| {
        problems.push(Problem::Range { field, min, max });
        min
    })
}

impl Form {
    /// Sensible defaults: twenty requests to the built-in endpoint.
    pub fn new(lang: Lang, page_origin: &str, second_origin: &str, forwards: &[String]) -> Form {
        let own = if second_origin.is_empty() { page_origin } else { second_origin };
        Form {
            built_in: RwSignal::new(true),
            preset: text(PRESETS[0].0),
            url: text(""),
            model: text(""),
            api_key: text(""),
            key_header: text(""),
            recipe: text(""),
            format: text(""),
            text_pointer: text(""),
            items_pointer: text(""),
            split_think: RwSignal::new(false),
            spans: text(""),
            headers: text(""),
            custom_body: RwSignal::new(false),
            body: text(""),
            prompt: text(Ui::DefaultPrompt.get(lang)),
            mode: RwSignal::new(ModeChoice::Streaming),
            requests: text("20"),
            concurrency: text("1"),
            warmup: text("1"),
            main_thread: RwSignal::new(false),
            rendering: RwSignal::new(Rendering::default()),
            max_tokens: text(""),
            timeout_s: text("120"),
            load: LoadForm::default(),
            workload: WorkloadForm::default(),
            versus: VersusForm::default(),
            server: ServerForm::default(),
            decision: DecisionForm::default(),
            page_origin: StoredValue::new(page_origin.to_owned()),
            second_origin: StoredValue::new(second_origin.to_owned()),
            forwards: StoredValue::new(forwards.iter().map(|name| format!("{own}/forward/{name}/")).collect()),
        }
    }

    /// Follows the fields that decide how much is sent and what it costs.
    pub fn track(&self) {
        let texts = [self.requests, self.warmup, self.max_tokens, self.load.shape, self.load.line, self.load.duration];
        let prices = [self.decision.price_input, self.decision.price_output, self.decision.currency];
        let asked = [self.workload.kind, self.workload.lines, self.workload.output];
        let more = [self.load.times, self.load.warmup, self.versus.kind, self.versus.one_in];
        texts.into_iter().chain(prices).chain(asked).chain(more).for_each(|text| text.track());
        self.mode.track();
    }

    /// What would be sent, as far as the numbers and the load can be read.
    pub fn asked(&self) -> Option<RunConfig> {
        let (config, _, problems) = self.gather(0);
        let counts = |p: &Problem| matches!(p, Problem::Range { .. } | Problem::Spelling(..) | Problem::Replay(_));
        let sound = !problems.iter().any(counts) && config.load_wrong().is_empty();
        sound.then_some(config)
    }

    /// What the form asks for, or everything that is wrong with it.
    pub fn read(&self, page_url: &str, seed: u64) -> Result<(RunConfig, Secrets), Vec<Problem>> {
        let (config, secrets, mut problems) = self.gather(seed);
        let more = config.problems(&secrets, page_url);
        problems.extend(more.into_iter().filter(|p| !matches!(p, Problem::Range { .. })));
        if problems.is_empty() { Ok((config, secrets)) } else { Err(problems) }
    }

    /// What is typed, with what can't be read of it.
    pub fn gather(&self, seed: u64) -> (RunConfig, Secrets, Vec<Problem>) {
        let mut problems = Vec::new();
        let requests = number(self.requests, Field::Requests, 1, MAX_REQUESTS, &mut problems);
        let concurrency = number(self.concurrency, Field::Concurrency, 1, MAX_CONCURRENCY, &mut problems);
        let warmup = number(self.warmup, Field::WarmUp, 0, MAX_REQUESTS, &mut problems);
        let timeout_s = number(self.timeout_s, Field::Timeout, 1, MAX_TIMEOUT_S, &mut problems);
        let limited = !self.max_tokens.get_untracked().trim().is_empty();
        let max_tokens = limited.then(|| number(self.max_tokens, Field::MaxTokens, 1, 1_000_000, &mut problems));
        let built_in = self.built_in.get_untracked();
        let (body, secrets) = if built_in {
            (BodyChoice::Chat(Map::new()), Secrets::default())
        } else {
            let body = self.read_body().unwrap_or_else(|e| {
                problems.push(e);
                BodyChoice::Chat(Map::new())
            });
            let headers = parse_headers(&self.headers.get_untracked()).unwrap_or_else(|e| {
                problems.push(e);
                Vec::new()
            });
            (body, Secrets { api_key: self.api_key.get_untracked().trim().to_owned(), headers })
        };
        let spans = parse_spans(&self.spans.get_untracked()).unwrap_or_else(|e| {
            if !built_in {
                problems.push(e);
            }
            Vec::new()
        });
        let pointer = |text: RwSignal<String>| Some(text.get_untracked().trim().to_owned()).filter(|p| !p.is_empty());
        let reading = Reading {
            format: self.format.get_untracked(),
            text: pointer(self.text_pointer),
            items: pointer(self.items_pointer),
            split_think: self.split_think.get_untracked(),
            spans,
        };
        let load = self.load.read(&mut problems);
        let workload = self.workload.read(&mut problems);
        let Asked { thresholds, stop_rules, prices, decision } = self.decision.read(&mut problems);
        let (probe, server_metrics) = self.server.read(&mut problems);
        let preset = self.preset.get_untracked();
        let config = RunConfig {
            url: if built_in { self.built_in_url(&preset) } else { self.url.get_untracked().trim().to_owned() },
            target: if built_in { TargetKind::BuiltIn(preset) } else { TargetKind::Own },
            model: if built_in { String::new() } else { self.model.get_untracked().trim().to_owned() },
            body,
            prompt: self.prompt.get_untracked(),
            max_tokens,
            mode: self.mode.get_untracked(),
            requests,
            concurrency,
            warmup,
            timeout_ms: timeout_s * 1000,
            seed,
            useful: RuleChoice::Word,
            reading: if built_in { Reading::default() } else { reading },
            key_header: if built_in { String::new() } else { self.key_header.get_untracked().trim().to_owned() },
            thread: if self.main_thread.get_untracked() { ThreadChoice::Main } else { ThreadChoice::Worker },
            rendering: self.rendering.get_untracked(),
            load,
            versus: self.versus.read(),
            workload,
            cache: self.workload.cache_mode(),
            confirmation: self.workload.confirmation.get_untracked(),
            thresholds,
            stop_rules,
            prices,
            decision,
            probe,
            server_metrics,
        };
        (config, secrets, problems)
    }

    /// The built-in endpoint's address: on the second origin where there is one, as real endpoints are on another origin.
    pub fn built_in_url(&self, preset: &str) -> String {
        format!("{}?preset={preset}", self.built_in_address())
    }

    /// The same without a query.
    pub fn built_in_address(&self) -> String {
        let second = self.second_origin.get_value();
        let origin = if second.is_empty() { self.page_origin.get_value() } else { second };
        format!("{origin}/v1/chat/completions")
    }

    fn read_body(&self) -> Result<BodyChoice, Problem> {
        let text = self.body.get_untracked();
        Ok(if self.custom_body.get_untracked() {
            BodyChoice::Custom(parse_body(&text)?)
        } else {
            BodyChoice::Chat(parse_body_fields(&text)?)
        })
    }

    /// Fills in what a recipe says; key, model and prompt stay as they are.
    pub fn take(&self, recipe: &Recipe) {
        self.recipe.set(recipe.code.to_owned());
        self.url.set(recipe.url.to_owned());
        self.key_header.set(recipe.key_header.to_owned());
        self.headers.set(recipe.headers.to_owned());
        self.custom_body.set(!recipe.body.is_empty());
        self.body.set(recipe.body.to_owned());
        self.show_reading(&Reading::default());
    }

    fn show_reading(&self, reading: &Reading) {
        self.format.set(reading.format.clone());
        self.text_pointer.set(reading.text.clone().unwrap_or_default());
        self.items_pointer.set(reading.items.clone().unwrap_or_default());
        self.split_think.set(reading.split_think);
        self.spans.set(reading.spans.join("\n"));
    }

    /// Shows a configuration that came from elsewhere (secrets stay as they are).
    pub fn show(&self, config: &RunConfig) {
        let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
        self.built_in.set(matches!(config.target, TargetKind::BuiltIn(_)));
        match &config.target {
            TargetKind::BuiltIn(preset) => self.preset.set(preset.clone()),
            TargetKind::Own => self.url.set(config.url.clone()),
        }
        self.model.set(config.model.clone());
        self.key_header.set(config.key_header.clone());
        self.show_reading(&config.reading);
        let (custom, body) = match &config.body {
            BodyChoice::Chat(fields) if fields.is_empty() => (false, String::new()),
            BodyChoice::Chat(fields) => (false, pretty(&Value::Object(fields.clone()))),
            BodyChoice::Custom(value) => (true, pretty(value)),
        };
        self.custom_body.set(custom);
        self.body.set(body);
        self.prompt.set(config.prompt.clone());
        self.mode.set(config.mode);
        self.main_thread.set(config.thread == ThreadChoice::Main);
        self.rendering.set(config.rendering);
        self.server.show(config);
        self.load.show(&config.load);
        self.workload.show(&config.workload, config.cache, config.confirmation);
        self.versus.show(config.versus.as_ref());
        self.decision.show(&Asked {
            thresholds: config.thresholds.clone(),
            stop_rules: config.stop_rules.clone(),
            prices: config.prices.clone(),
            decision: config.decision.clone(),
        });
        self.requests.set(config.requests.to_string());
        self.concurrency.set(config.concurrency.to_string());
        self.warmup.set(config.warmup.to_string());
        self.max_tokens.set(config.max_tokens.map(|n| n.to_string()).unwrap_or_default());
        self.timeout_s.set((config.timeout_ms / 1000).to_string());
    }
}
