//! The measuring page's set-up as a link: every field that is not as usual, by the names of the run file.
//!
//! Whoever opens one is told what it does not hold and what of it was not taken; only a link of another version is refused.

use serde_json::{Map, Value};

use super::{LinkError, MAX_LINK, VERSION, decode, encode, parts, public, shown};
use crate::config::{Field, RunConfig, Secrets, TargetKind, fields, is_secret, parse_headers, recipe, with_fields};
use crate::workload::{Source, Workload};

/// What a fragment begins with.
const NAME: &str = "measure?";

/// The part that names the recipe, which brings header lines that are no secret.
const RECIPE: &str = "recipe";

/// The part that names what the link does not hold.
const LEFT_OUT: &str = "left-out";

/// A case takes more characters than this.
const SHORTEST_CASE: usize = 80;

/// Shorter keys protect nothing, and are found by chance.
const SHORTEST_KEY: usize = 6;

/// Shorter words of header lines are found by chance.
const SHORTEST_WORD: usize = 12;

/// A link that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The fragment, without `#`.
    pub fragment: String,
    /// Names of what it does not hold: what is secret or holds something secret, and what is too long.
    pub left_out: Vec<String>,
}

/// What a link asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// The configuration; of the built-in endpoint without an address, which is the page's to say.
    pub config: RunConfig,
    /// The recipe's code; empty if none is named.
    pub recipe: String,
    /// Names of parts that are not known or have a value that can't be: there the configuration is as usual.
    pub not_taken: Vec<String>,
    /// Names of what was left out when the link was made.
    pub left_out: Vec<String>,
}

/// What is asked for where a link says nothing. A change of it is a change of what links mean.
pub fn usual(prompt: &str) -> RunConfig {
    RunConfig {
        target: TargetKind::BuiltIn("chat".to_owned()),
        prompt: prompt.to_owned(),
        requests: 20,
        warmup: 1,
        timeout_ms: 120_000,
        ..RunConfig::of("")
    }
}

/// Whether a fragment, with or without its `#`, is a link to a set-up.
pub fn is_set_up(fragment: &str) -> bool {
    query(fragment).is_some()
}

fn query(fragment: &str) -> Option<&str> {
    fragment.trim_start_matches('#').strip_prefix(NAME)
}

/// The link that asks for the same, and what it leaves out. Secrets are looked at only so that none is in it.
pub fn link(config: &RunConfig, secrets: &Secrets, recipe_code: &str) -> Made {
    let mut left_out = Vec::new();
    let mut leave = |left: bool, name: &str| {
        if left {
            left_out.push(name.to_owned());
        }
    };
    let recipe = recipe(recipe_code).filter(|_| config.target == TargetKind::Own);
    let of_recipe = recipe.and_then(|recipe| parse_headers(recipe.headers).ok()).unwrap_or_default();
    // Without its header lines it is another recipe.
    let recipe = recipe.filter(|_| of_recipe.iter().all(|line| secrets.headers.contains(line)));
    leave(!secrets.api_key.is_empty(), Field::Key.code());
    leave(secrets.headers.iter().any(|line| recipe.is_none() || !of_recipe.contains(line)), Field::Headers.code());

    let mut config = config.with_urls(public);
    if matches!(&config.workload.source, Source::Cases(cases) if cases.len() > MAX_LINK / SHORTEST_CASE) {
        leave(true, Field::Workload.code());
        config.workload = Workload::default();
    }
    let (usual, hidden) = (told(&usual("")), texts(secrets));
    let mut kept = Vec::new();
    for (name, value) in told(&config) {
        let secret = holds(&value, &hidden) || name == Field::Body.code() && has_secret(&value);
        leave(secret, &name);
        // The prompt that is usual depends on the language.
        if !secret && (name == Field::Prompt.code() || usual.get(&name) != Some(&value)) {
            let mut text = String::new();
            encode(&written(&value), &mut text);
            kept.push((name, text));
        }
    }
    kept.extend(recipe.map(|recipe| (RECIPE.to_owned(), recipe.code.to_owned())));
    let mut fragment = fragment(&kept, &left_out);
    while fragment.len() > MAX_LINK {
        let Some(longest) = (0..kept.len()).max_by_key(|at| kept[*at].1.len()) else { break };
        left_out.push(kept.remove(longest).0);
        fragment = self::fragment(&kept, &left_out);
    }
    Made { fragment, left_out }
}

fn fragment(kept: &[(String, String)], left_out: &[String]) -> String {
    let mut fragment = format!("{NAME}v={VERSION}");
    let mut part = |name: &str, encoded: &str| ["&", name, "=", encoded].iter().for_each(|text| fragment.push_str(text));
    kept.iter().for_each(|(name, encoded)| part(name, encoded));
    if !left_out.is_empty() {
        part(LEFT_OUT, &left_out.join("."));
    }
    fragment
}

/// Of a fragment that is a link to a set-up; none of any other. `prompt` is the usual one.
pub fn open(fragment: &str, prompt: &str) -> Result<Option<Opened>, LinkError> {
    let Some(query) = query(fragment) else { return Ok(None) };
    let (mut given, mut code, mut not_taken, mut left_out) = (Map::new(), String::new(), Vec::new(), Vec::new());
    for (name, value) in parts(query)? {
        match (name, decode(value)) {
            ("v", _) => {}
            (LEFT_OUT, Some(names)) => left_out.extend(names.split('.').filter(|name| !name.is_empty()).map(shown)),
            (RECIPE, Some(value)) if recipe(&value).is_some() => code = value,
            // Every run draws its own seed.
            (name, Some(value)) if name != "seed" && !given.contains_key(name) => {
                given.insert(name.to_owned(), read(&value));
            }
            _ => not_taken.push(shown(name)),
        }
    }
    // What is there twice is not taken at all.
    given.retain(|name, _| !not_taken.contains(name));
    let address = given.contains_key(Field::Url.code());
    let (config, wrong) = with_fields(&usual(prompt), given);
    not_taken.extend(wrong.iter().map(|(name, _)| shown(name)));
    let mut config = config.with_urls(public);
    if config.target != TargetKind::Own {
        config.url.clear();
        not_taken.extend(address.then(|| Field::Url.code().to_owned()));
    }
    Ok(Some(Opened { config, recipe: code, not_taken, left_out }))
}

/// A configuration whose fields of these names are as usual.
pub fn as_usual(config: &RunConfig, names: &[String], prompt: &str) -> RunConfig {
    let kept = fields(config).into_iter().filter(|(name, _)| !names.contains(name)).collect();
    with_fields(&usual(prompt), kept).0
}

/// Names of the fields, as far as links hold them, in which two configurations differ.
pub fn differing(one: &RunConfig, other: &RunConfig) -> Vec<String> {
    let (one, other) = (told(one), told(other));
    let changed = one.iter().filter(|(name, value)| other.get(*name) != Some(*value));
    let added = other.iter().filter(|(name, _)| !one.contains_key(*name));
    changed.chain(added).map(|(name, _)| name.clone()).collect()
}

/// What a link may hold of a configuration.
fn told(config: &RunConfig) -> Map<String, Value> {
    let own = config.target == TargetKind::Own;
    fields(config).into_iter().filter(|(name, _)| name != "seed" && (own || name != Field::Url.code())).collect()
}

/// A value in a link: a text as it is, unless it could be taken for JSON; all else as JSON.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) if serde_json::from_str::<Value>(text).is_err() => text.clone(),
        other => other.to_string(),
    }
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

/// What must be found nowhere in a link.
fn texts(secrets: &Secrets) -> Vec<&str> {
    let key = Some(secrets.api_key.trim()).filter(|key| key.len() >= SHORTEST_KEY);
    let words = secrets.headers.iter().flat_map(|(_, value)| value.split_whitespace());
    key.into_iter().chain(words.filter(|word| word.len() >= SHORTEST_WORD)).collect()
}

/// One of these texts is in a value, as it stands or in percent codes.
fn holds(value: &Value, hidden: &[&str]) -> bool {
    let inside = |text: &str| {
        let plain = decode(text);
        hidden.iter().any(|secret| text.contains(secret) || plain.as_ref().is_some_and(|plain| plain.contains(secret)))
    };
    match value {
        Value::String(text) => inside(text),
        Value::Array(list) => list.iter().any(|value| holds(value, hidden)),
        Value::Object(map) => map.iter().any(|(name, value)| inside(name) || holds(value, hidden)),
        other => inside(&other.to_string()),
    }
}

/// A member that is called secret has a text.
fn has_secret(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().any(has_secret),
        Value::Object(map) => map.iter().any(|(name, value)| is_secret(name) && value.is_string() || has_secret(value)),
        _ => false,
    }
}
