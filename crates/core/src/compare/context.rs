//! What differs between two runs besides what was measured? It is listed before any difference of figures.

use serde_json::Value;

use crate::Micros;
use crate::config::{RunConfig, TargetKind};
use crate::report::{Environment, Run};
use crate::summary::browser_name;

/// What may differ. In the order in which it is listed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContextItem {
    /// Whose endpoint, and its address.
    Target,
    /// The model's name.
    Model,
    /// Prompt, body and settings of the requests.
    Workload,
    /// Streaming, not, or both.
    Mode,
    /// How many requests were under way at once.
    Concurrency,
    /// How many requests.
    Requests,
    /// Requests before the measured ones.
    WarmUp,
    /// The limit of a request.
    TimeLimit,
    /// How answers were drawn.
    Rendering,
    /// Another setting of the run, by its name in the run file.
    Setting(String),
    /// The protocol of the connections.
    Protocol,
    /// The browser and its version.
    Browser,
    /// The screen and the device.
    Device,
    /// Cross-origin isolation.
    Isolation,
    /// Where replies were read.
    Thread,
    /// The clock's step.
    Clock,
    /// Whether `fetch` was the browser's own, and whether a service worker was in the path.
    Path,
}

/// One thing that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextDifference {
    /// What.
    pub item: ContextItem,
    /// In the baseline; empty if it has none.
    pub a: String,
    /// In the other run.
    pub b: String,
}

/// Names of the settings that have an item of their own.
const NAMED: [(&str, ContextItem); 13] = [
    ("target", ContextItem::Target),
    ("url", ContextItem::Target),
    ("model", ContextItem::Model),
    ("body", ContextItem::Workload),
    ("prompt", ContextItem::Workload),
    ("max_tokens", ContextItem::Workload),
    ("workload", ContextItem::Workload),
    ("mode", ContextItem::Mode),
    ("concurrency", ContextItem::Concurrency),
    ("requests", ContextItem::Requests),
    ("warmup", ContextItem::WarmUp),
    ("timeout_ms", ContextItem::TimeLimit),
    ("rendering", ContextItem::Rendering),
];
/// Settings that change no figure.
const IRRELEVANT: [&str; 3] = ["seed", "key_header", "decision"];
/// The longest text shown of a setting, in characters.
const SHOWN: usize = 60;

/// Everything that differs in context, in order. Every setting of a run is compared, those of which this list knows nothing
/// too; addresses are shown without what may be secret in them.
pub fn context_differences(a: &Run, b: &Run) -> Vec<ContextDifference> {
    let mut found = settings(&a.config, &b.config);
    let mut check = |item, of: &dyn Fn(&Run) -> String| {
        let (a, b) = (of(a), of(b));
        if a != b {
            found.push(ContextDifference { item, a, b });
        }
    };
    check(ContextItem::Setting("browsers".to_owned()), &|run| {
        run.environment.grid.as_deref().map_or(1, |grid| grid.measured).to_string()
    });
    check(ContextItem::Protocol, &protocols);
    check(ContextItem::Browser, &|run| browser_name(&run.environment.user_agent));
    check(ContextItem::Device, &device);
    check(ContextItem::Isolation, &|run| run.environment.isolated.to_string());
    check(ContextItem::Thread, &|run| code(&serde_json::to_value(run.environment.arrival).unwrap_or_default()));
    check(ContextItem::Clock, &|run| format!("{} ms", Micros(run.clock.step_us).as_ms()));
    check(ContextItem::Path, &|run| {
        let of = |holds: bool, name: &'static str| holds.then_some(name);
        let env = &run.environment;
        let parts = [of(!env.native_fetch, "patched fetch"), of(env.service_worker, "service worker")];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    });
    found.sort_by(|x, y| x.item.cmp(&y.item));
    found
}

fn settings(a: &RunConfig, b: &RunConfig) -> Vec<ContextDifference> {
    // One of the two may come from a file, and neither shows a secret.
    let of = |config: &RunConfig| match serde_json::to_value(config.redacted()) {
        Ok(Value::Object(map)) => map,
        _ => serde_json::Map::new(),
    };
    let (in_a, in_b) = (of(a), of(b));
    let mut names: Vec<&String> = in_a.keys().chain(in_b.keys().filter(|name| !in_a.contains_key(*name))).collect();
    names.retain(|name| !IRRELEVANT.contains(&name.as_str()));
    // A preset stands for its address, which has another port on each start.
    let built_in = |config: &RunConfig| matches!(config.target, TargetKind::BuiltIn(_));
    names.retain(|name| name.as_str() != "url" || !(built_in(a) && built_in(b)));
    let differing = names.into_iter().filter(|name| in_a.get(*name) != in_b.get(*name));
    let show = |name: &str, value: Option<&Value>| match (name, value) {
        ("url", Some(Value::String(url))) => url.clone(),
        (_, Some(value)) => shortened(&code(value)),
        (_, None) => String::new(),
    };
    differing
        .map(|name| {
            let known = NAMED.iter().find(|(known, _)| known == name).map(|(_, item)| item.clone());
            let item = known.unwrap_or_else(|| ContextItem::Setting(name.clone()));
            ContextDifference { item, a: show(name, in_a.get(name)), b: show(name, in_b.get(name)) }
        })
        .collect()
}

/// A text as it is, anything else as JSON.
fn code(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn protocols(run: &Run) -> String {
    let of = |t: &crate::trace::Trace| t.network.as_ref().ok().and_then(|n| n.protocol.clone());
    let mut all: Vec<String> = run.traces.iter().filter_map(of).collect();
    all.sort_unstable();
    all.dedup();
    all.join(", ")
}

fn device(run: &Run) -> String {
    let mut all: Vec<String> = run.origins().iter().map(|origin| device_of(origin.environment)).collect();
    all.sort_unstable();
    all.dedup();
    all.join(" | ")
}

fn device_of(env: &Environment) -> String {
    let mut parts = vec![format!("{} × {}", env.viewport.0, env.viewport.1)];
    parts.push(format!("{} px/px", f64::from(env.pixel_ratio_milli) / 1000.0));
    // To whole frames a second: the interval itself is a measurement and never the same twice.
    parts.extend(env.frame_interval_us.map(|us| format!("{} Hz", (1e6 / us.max(1) as f64).round())));
    parts.extend(env.processors.map(|n| format!("{n} CPU")));
    parts.join(", ")
}
