//! Arguments → a checked configuration and its secrets. Every problem is told at once.

use std::path::Path;

use firstlight_core::config::{
    BodyChoice, ModeChoice, Problem, RunConfig, Secrets, ThreadChoice, parse_body, parse_body_fields, parse_headers,
};
use firstlight_core::text::{Lang, Ui, problem};
use firstlight_server::Forwards;

use super::args::Args;
use super::metrics::Place;
use super::target::Target;
use crate::cli::forwards;

/// The page's own address has no port yet when the arguments are checked.
const SOME_PAGE: &str = "http://127.0.0.1/";
const SOME_HTTPS_PAGE: &str = "https://127.0.0.1/";

/// What is to be done.
pub(super) struct Job {
    pub(super) target: Target,
    /// Where the server's metrics are; its address is still to be filled in too.
    pub(super) metrics: Option<Place>,
    /// Its URL is still to be filled in.
    pub(super) config: RunConfig,
    pub(super) secrets: Secrets,
    pub(super) forwards: Forwards,
}

/// Checks the arguments.
pub(super) fn prepare(args: &Args) -> Result<Job, Vec<String>> {
    let lang: Lang = args.lang.into();
    let mut problems: Vec<String> = Vec::new();
    let say = |p: Problem| problem(lang, &p);
    let forwards = forwards(&args.forward).unwrap_or_else(|wrong| {
        problems.extend(wrong);
        Forwards::default()
    });
    let target = keep(Target::parse(&args.target, args.cross_origin, &forwards), &mut problems);
    let metrics = keep(args.metrics.place(args.cross_origin, &forwards), &mut problems).flatten();
    let body = keep(body(args, lang), &mut problems);
    let headers = keep(parse_headers(&args.header.join("\n")).map_err(say), &mut problems).unwrap_or_default();
    let api_key = keep(key(args.api_key_env.as_deref()), &mut problems).unwrap_or_default();
    let seed = keep(args.seed.map_or_else(random_seed, Ok), &mut problems).unwrap_or_default();
    if let Some(missing) = args.out.as_deref().and_then(missing_directory) {
        problems.push(missing);
    }
    let (Some(target), Some(body)) = (target, body) else { return Err(problems) };
    let mode = match args.mode {
        Some(mode) => mode.into(),
        None if target.predicts() => ModeChoice::NonStreaming,
        None => ModeChoice::Streaming,
    };
    let mut config = RunConfig {
        target: target.kind(),
        model: args.model.clone(),
        body,
        prompt: args.prompt.clone().unwrap_or_else(|| Ui::DefaultPrompt.get(lang).to_owned()),
        max_tokens: args.max_tokens,
        mode,
        requests: args.requests,
        concurrency: args.concurrency,
        warmup: args.warmup,
        timeout_ms: args.timeout_s.saturating_mul(1000),
        seed,
        reading: (&args.reading).into(),
        key_header: args.key_header.clone().unwrap_or_default(),
        thread: if args.main_thread { ThreadChoice::Main } else { ThreadChoice::Worker },
        probe: args.clock.clone(),
        rendering: args.rendering.into(),
        ..RunConfig::of(target.url_for_check())
    };
    args.plan.apply(&mut config, lang, &mut problems);
    config.server_metrics = metrics.as_ref().map(|place| args.metrics.asked(place));
    let secrets = Secrets { api_key, headers };
    let page = if args.https { SOME_HTTPS_PAGE } else { SOME_PAGE };
    problems.extend(config.problems(&secrets, page).into_iter().map(say));
    if problems.is_empty() { Ok(Job { target, metrics, config, secrets, forwards }) } else { Err(problems) }
}

fn keep<T>(result: Result<T, String>, problems: &mut Vec<String>) -> Option<T> {
    result.map_err(|problem| problems.push(problem)).ok()
}

fn body(args: &Args, lang: Lang) -> Result<BodyChoice, String> {
    let Some(path) = &args.body else {
        let fields = parse_body_fields(args.body_fields.as_deref().unwrap_or_default());
        return fields.map(BodyChoice::Chat).map_err(|p| format!("--body-fields: {}", problem(lang, &p)));
    };
    let text = std::fs::read_to_string(path).map_err(|e| format!("--body {}: {e}", path.display()))?;
    parse_body(&text).map(BodyChoice::Custom).map_err(|p| format!("--body {}: {}", path.display(), problem(lang, &p)))
}

/// The key itself is never part of a message.
fn key(variable: Option<&str>) -> Result<String, String> {
    let Some(name) = variable else { return Ok(String::new()) };
    match std::env::var(name) {
        Ok(key) if !key.trim().is_empty() => Ok(key.trim().to_owned()),
        Ok(_) => Err(format!("--api-key-env {name}: the environment variable is empty")),
        Err(std::env::VarError::NotPresent) => {
            Err(format!("--api-key-env {name}: there is no such environment variable; give its name, not the key"))
        }
        Err(std::env::VarError::NotUnicode(_)) => Err(format!("--api-key-env {name}: the key is not text")),
    }
}

/// Small enough for every reader of JSON.
fn random_seed() -> Result<u64, String> {
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes).map_err(|e| format!("the system gives no random seed ({e}); give one with --seed"))?;
    Ok(u64::from(u32::from_le_bytes(bytes)))
}

fn missing_directory(out: &Path) -> Option<String> {
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty())?;
    (!parent.is_dir()).then(|| format!("--out {}: there is no directory {}", out.display(), parent.display()))
}
