//! What is said of a workload beside every number?

use super::{CacheMode, Hash, Lengths, Resolved, Source, Workload};
use crate::format::count;
use crate::text::{Lang, Work, fill};

/// What of a workload stands beside every number. Computed once a run: the hash goes over all cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The hash.
    pub hash: Hash,
    /// All cases.
    pub cases: u32,
    /// Cases held out.
    pub held_out: u32,
}

impl Identity {
    /// Of a configuration's workload; none where it can't be resolved.
    pub fn of(config: &crate::config::RunConfig) -> Option<Identity> {
        Some(config.workload.resolve(&config.prompt).ok()?.identity())
    }
}

impl Resolved {
    /// What stands beside every number.
    pub fn identity(&self) -> Identity {
        Identity { hash: self.hash().clone(), cases: self.len(), held_out: self.held_out() }
    }
}

/// The words of the context line: what is asked, its hash, the cache mode, and whether this is a confirmation run.
pub fn describe(lang: Lang, workload: &Workload, identity: &Identity, cache: CacheMode, confirmation: bool) -> String {
    let say = |key: Work, values: &[&str]| fill(key.get(lang), values);
    let mut parts = Vec::new();
    match (workload.name.as_str(), workload.version.as_str()) {
        ("", _) => {}
        (name, "") => parts.push(say(Work::Named, &[name])),
        (name, version) => parts.push(say(Work::NamedVersion, &[name, version])),
    }
    let cases = match identity.cases {
        1 => say(Work::Case, &[]),
        n => say(Work::Cases, &[&count(n as usize)]),
    };
    match &workload.source {
        Source::Prompt => parts.push(say(Work::Typed, &[])),
        Source::Cases(_) => parts.extend([cases, say(Work::Imported, &[])]),
        Source::Generated(generator) => {
            parts.extend([cases, say(Work::Generated, &[&generator.seed.to_string()])]);
            parts.push(say(Work::Input, &[&lengths(lang, generator.input)]));
            if generator.shared_prefix > 0 {
                parts.push(say(Work::SharedPrefix, &[&count(generator.shared_prefix as usize)]));
            }
            parts.extend(generator.output.map(|output| say(Work::Output, &[&lengths(lang, output)])));
        }
    }
    if identity.held_out > 0 {
        parts.push(say(Work::HeldOut, &[&count(identity.held_out as usize)]));
    }
    if confirmation {
        parts.push(say(Work::ConfirmationRun, &[]));
    }
    parts.push(say(Work::Hash, &[identity.hash.short()]));
    parts.push(cache_name(lang, cache).to_owned());
    parts.join(", ")
}

/// A cache mode in words.
pub fn cache_name(lang: Lang, cache: CacheMode) -> &'static str {
    match cache {
        CacheMode::AsIs => Work::CacheAsIs,
        CacheMode::Bust => Work::CacheBust,
        CacheMode::Reuse => Work::CacheReuse,
    }
    .get(lang)
}

/// A distribution in words, its unit left out.
fn lengths(lang: Lang, lengths: Lengths) -> String {
    let say = |key: Work, values: &[u32]| {
        let values: Vec<String> = values.iter().map(|n| count(*n as usize)).collect();
        fill(key.get(lang), &values.iter().map(String::as_str).collect::<Vec<_>>())
    };
    match lengths {
        Lengths::Fixed(n) => count(n as usize),
        Lengths::Uniform { min, max } => say(Work::Uniform, &[min, max]),
        Lengths::Normal { mean, sd, min, max } => say(Work::Normal, &[mean, sd, min, max]),
        Lengths::LogNormal { median, p95, min, max } => say(Work::LogNormal, &[median, p95, min, max]),
    }
}
