//! Arguments of `measure`.

use std::path::PathBuf;

use clap::ValueEnum;
use firstlight_core::config::{ModeChoice, Rendering};
use firstlight_core::text::Lang;
use firstlight_server::browser::Kind;

/// What stands below the options in `--help`.
pub(in crate::cli) const AFTER_HELP: &str = "\
Examples:
  firstlight measure --target builtin:worked-example --requests 20
  firstlight measure --target http://127.0.0.1:8080/v1/chat/completions --model m --browser firefox
  firstlight measure --target https://api.example.com/v1/chat/completions --model m --api-key-env API_KEY
  firstlight measure --target builtin:chat --requests 200 --load 'poisson 5/s' --slo 'p95(first_visible)<800ms'
  firstlight measure --target builtin:chat --requests 100 --slo 'p95(first_visible)<800ms' --slo 'error_rate<5%' --junit limits.xml
  firstlight measure --target 'builtin:fast?slots=4' --requests 60 --load 'sweep 1 2 4 8 16 settle 1s'
  firstlight measure --forward api=https://api.example.com --target forward:api/v1/chat/completions --model m
  firstlight measure --target http://10.0.0.5:8080/v1/chat/completions --webdriver http://grid:4444 --browsers 20 --listen 0.0.0.0

Presets of the built-in endpoint: chat, worked-example, reasoning, slow-start, markdown, prediction, text, fast.
Parameters follow a question mark, as in 'builtin:chat?ttft_ms=500&tokens=200'.

Exit codes:
  0  measured, and every limit of --slo holds
  1  measured, and a limit does not hold; or some requests failed, and no limit speaks of error_rate
  2  the arguments are wrong; nothing was sent
  3  it could not be measured (no browser, no page, no report), or the run could not be written or sent
  4  measured, and nobody can tell whether a limit holds: too few requests, too wide an interval, or nothing to judge
  5  measured and saved, but fewer browsers than --min-browsers (else than --browsers) gave a run; this comes before 1 and 4";

/// What to measure and how.
#[derive(clap::Args)]
pub(in crate::cli) struct Args {
    /// What to measure: a URL, builtin[:PRESET[?PARAMETERS]], or forward:NAME/PATH with a name of --forward
    #[arg(long, value_name = "URL|builtin[:PRESET]|forward:NAME/PATH")]
    pub(super) target: String,
    /// Forward to an endpoint that refuses browsers; may be given several times
    #[arg(long, value_name = "NAME=URL")]
    pub(super) forward: Vec<String>,
    /// The browser to measure in
    #[arg(long, value_enum, default_value_t = BrowserName::Chromium)]
    pub(super) browser: BrowserName,
    /// The browser's binary, if it is not on PATH
    #[arg(long, value_name = "PATH")]
    pub(super) browser_binary: Option<PathBuf>,
    /// Send to this server's second origin, as if it were somebody else's
    #[arg(long)]
    pub(super) cross_origin: bool,
    /// Serve page, built-in endpoint and forwarders over https with HTTP/2, on a certificate made for this run: more than six
    /// requests at once then share a connection instead of waiting in the browser
    #[arg(long)]
    pub(super) https: bool,
    /// Where the target tells the time of its clock (docs/aligned.md): a URL, or a path on the target's own origin
    #[arg(long, value_name = "URL|/PATH")]
    pub(super) clock: Option<String>,
    /// The model's name; left out of the request if not given
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(super) model: String,
    /// The prompt
    #[arg(long, value_name = "TEXT")]
    pub(super) prompt: Option<String>,
    /// How answers are asked for [default: streaming, but non-streaming for a single prediction]
    #[arg(long, value_enum)]
    pub(super) mode: Option<ModeName>,
    #[command(flatten)]
    pub(super) reading: crate::cli::reading::Args,
    /// Measured requests (of each kind, if both)
    #[arg(long, default_value_t = 50)]
    pub(super) requests: u32,
    /// Requests at once
    #[arg(long, default_value_t = 1)]
    pub(super) concurrency: u32,
    /// Requests sent first, in no figure
    #[arg(long, default_value_t = 2)]
    pub(super) warmup: u32,
    #[command(flatten)]
    pub(super) grid: super::grid::Args,
    #[command(flatten)]
    pub(super) plan: super::plan::Args,
    #[command(flatten)]
    pub(super) metrics: super::metrics::Args,
    #[command(flatten)]
    pub(super) gate: crate::cli::gate::Args,
    #[command(flatten)]
    pub(super) deliver: crate::cli::deliver::Args,
    /// Read replies on the page's main thread, as many products do, instead of in a worker
    #[arg(long)]
    pub(super) main_thread: bool,
    /// How answers are drawn: what that costs is part of what users feel
    #[arg(long, value_enum, default_value_t = RenderingName::Plain)]
    pub(super) rendering: RenderingName,
    /// The most output tokens; left out of the request if not given
    #[arg(long, value_name = "N")]
    pub(super) max_tokens: Option<u32>,
    /// Limit of each request, in seconds
    #[arg(long, default_value_t = 120)]
    pub(super) timeout_s: u32,
    /// A request header; may be given several times
    #[arg(long, value_name = "'NAME: VALUE'")]
    pub(super) header: Vec<String>,
    /// The environment variable that holds the key, sent as Authorization: Bearer
    #[arg(long, value_name = "VAR")]
    pub(super) api_key_env: Option<String>,
    /// The header that carries the key, such as x-api-key [default: Authorization: Bearer]
    #[arg(long, value_name = "NAME", requires = "api_key_env")]
    pub(super) key_header: Option<String>,
    /// JSON fields to add to the chat request; a field set to null is left out
    #[arg(long, value_name = "JSON", conflicts_with = "body")]
    pub(super) body_fields: Option<String>,
    /// A file with the whole body; {prompt}, {model} and "{stream}" are filled in
    #[arg(long, value_name = "FILE.json")]
    pub(super) body: Option<PathBuf>,
    /// Seed of every random choice [default: random, and saved with the run]
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// Directory of the built page [default: dist]
    #[arg(long, value_name = "DIR")]
    pub(super) dist: Option<PathBuf>,
    /// Where to save the run; overwritten [default: a new file named by the time]
    #[arg(long, value_name = "FILE.json")]
    pub(super) out: Option<PathBuf>,
    /// Language of the summary, and of the prompt if none is given
    #[arg(long, value_enum, default_value_t = LangName::En)]
    pub(super) lang: LangName,
}

/// A browser, as it is written.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum BrowserName {
    Chromium,
    Firefox,
}

impl BrowserName {
    pub(super) fn name(self) -> &'static str {
        match self {
            BrowserName::Chromium => "Chromium",
            BrowserName::Firefox => "Firefox",
        }
    }

    /// As WebDriver calls it.
    pub(super) fn webdriver(self) -> &'static str {
        match self {
            BrowserName::Chromium => "chrome",
            BrowserName::Firefox => "firefox",
        }
    }
}

impl From<BrowserName> for Kind {
    fn from(name: BrowserName) -> Kind {
        match name {
            BrowserName::Chromium => Kind::Chromium,
            BrowserName::Firefox => Kind::Firefox,
        }
    }
}

/// A mode, as it is written.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum ModeName {
    Streaming,
    NonStreaming,
    Both,
}

impl From<ModeName> for ModeChoice {
    fn from(name: ModeName) -> ModeChoice {
        match name {
            ModeName::Streaming => ModeChoice::Streaming,
            ModeName::NonStreaming => ModeChoice::NonStreaming,
            ModeName::Both => ModeChoice::Both,
        }
    }
}

/// A way to draw answers, as it is written.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum RenderingName {
    Plain,
    Markdown,
}

impl From<RenderingName> for Rendering {
    fn from(name: RenderingName) -> Rendering {
        match name {
            RenderingName::Plain => Rendering::Plain,
            RenderingName::Markdown => Rendering::Markdown,
        }
    }
}

/// A language, as it is written.
#[derive(Clone, Copy, ValueEnum)]
pub(in crate::cli) enum LangName {
    En,
    Ko,
}

impl From<LangName> for Lang {
    fn from(name: LangName) -> Lang {
        match name {
            LangName::En => Lang::En,
            LangName::Ko => Lang::Ko,
        }
    }
}
