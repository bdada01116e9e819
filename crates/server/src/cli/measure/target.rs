//! `--target`: a URL, the built-in endpoint with a preset and parameters, or an endpoint behind a forwarder.

use std::fmt;

use firstlight_core::config::{TargetKind, redacted_url};
use firstlight_engine::{Format, Plan};
use firstlight_server::endpoint::{PATH, Wanted};
use firstlight_server::{FORWARD_PREFIX, Forwards, Running};

/// What is measured.
pub(super) enum Target {
    /// Somebody's own endpoint.
    Own(String),
    /// The built-in one.
    BuiltIn {
        /// The preset's name.
        preset: String,
        /// The query of its address.
        query: String,
        /// What it will do.
        plan: Box<Plan>,
        /// On the second origin.
        cross_origin: bool,
    },
    /// One that refuses browsers, through this server's forwarder.
    Forward {
        /// Its path on this server.
        path: String,
        /// Asked for on the second origin.
        cross_origin: bool,
    },
}

impl Target {
    pub(super) fn parse(text: &str, cross_origin: bool, forwards: &Forwards) -> Result<Target, String> {
        if let Some(path) = text.strip_prefix("forward:") {
            return forwarded(path, cross_origin, forwards);
        }
        let rest = text.strip_prefix("builtin").filter(|rest| rest.is_empty() || rest.starts_with([':', '?']));
        let Some(rest) = rest else {
            return match cross_origin {
                true => {
                    Err("--cross-origin is for the built-in endpoint and forward:NAME; a URL has its own origin".to_owned())
                }
                false => Ok(Target::Own(text.trim().to_owned())),
            };
        };
        let (preset, parameters) = rest.split_once('?').unwrap_or((rest, ""));
        let preset = match preset.trim_start_matches(':') {
            "" => "chat",
            preset => preset,
        };
        let query = match parameters {
            "" => format!("preset={preset}"),
            parameters => format!("preset={preset}&{parameters}"),
        };
        let wanted = Wanted::parse(&query).map_err(|e| format!("--target {text}: {e}"))?;
        Ok(Target::BuiltIn { preset: preset.to_owned(), query, plan: Box::new(wanted.plan), cross_origin })
    }

    pub(super) fn kind(&self) -> TargetKind {
        match self {
            Target::Own(_) | Target::Forward { .. } => TargetKind::Own,
            Target::BuiltIn { preset, .. } => TargetKind::BuiltIn(preset.clone()),
        }
    }

    /// Its answers are single predictions or batches of them, which can't be streamed.
    pub(super) fn predicts(&self) -> bool {
        matches!(self, Target::BuiltIn { plan, .. } if !plan.format.streams() && plan.format != Format::Html)
    }

    /// Its address on origins that stand in for a server's.
    pub(super) fn url_for_check(&self) -> String {
        self.address("http://127.0.0.1", "http://127.0.0.1")
    }

    /// Its address.
    pub(super) fn url(&self, server: &Running) -> String {
        self.address(&server.origin(), &server.second_origin())
    }

    fn address(&self, origin: &str, second_origin: &str) -> String {
        match self {
            Target::Own(url) => url.clone(),
            Target::BuiltIn { query, cross_origin: true, .. } => format!("{second_origin}{PATH}?{query}"),
            Target::BuiltIn { query, .. } => format!("{origin}{PATH}?{query}"),
            Target::Forward { path, cross_origin: true } => format!("{second_origin}{path}"),
            Target::Forward { path, .. } => format!("{origin}{path}"),
        }
    }
}

fn forwarded(path: &str, cross_origin: bool, forwards: &Forwards) -> Result<Target, String> {
    let name = path.split(['/', '?']).next().unwrap_or_default();
    if forwards.names().any(|known| known == name) {
        return Ok(Target::Forward { path: format!("{FORWARD_PREFIX}{path}"), cross_origin });
    }
    Err(format!("--target forward:{name}: there is no such forwarder; add --forward {name}=https://api.example.com"))
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Own(url) => f.write_str(&redacted_url(url)),
            Target::BuiltIn { query, .. } => write!(f, "the built-in endpoint ({query})"),
            Target::Forward { path, .. } => f.write_str(&redacted_url(path)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forwards() -> Forwards {
        Forwards::parse(&["api=https://api.example.com".to_owned()]).unwrap_or_default()
    }

    fn url(text: &str) -> String {
        Target::parse(text, false, &forwards()).map(|t| t.url_for_check()).unwrap_or_else(|e| e)
    }

    #[test]
    fn built_in_or_a_url() {
        assert_eq!(url("builtin"), "http://127.0.0.1/v1/chat/completions?preset=chat");
        assert_eq!(url("builtin:fast?tokens=5&gap_ms=1"), "http://127.0.0.1/v1/chat/completions?preset=fast&tokens=5&gap_ms=1");
        assert_eq!(url("builtin?tokens=5"), "http://127.0.0.1/v1/chat/completions?preset=chat&tokens=5");
        assert_eq!(url("http://a/b"), "http://a/b");
        assert_eq!(url("builtins.example/v1"), "builtins.example/v1");
        assert!(url("builtin:slow").contains("slow-start"));
        assert!(url("builtin:chat?tokens=-1").contains("from 0 to 100000"));
    }

    #[test]
    fn only_a_named_forwarder() {
        assert_eq!(url("forward:api/v1/chat?k=1"), "http://127.0.0.1/forward/api/v1/chat?k=1");
        assert_eq!(url("forward:api"), "http://127.0.0.1/forward/api");
        assert!(url("forward:other/v1?k=1").contains("add --forward other="));
        let shown = Target::parse("forward:api/v1?key=1", false, &forwards()).map(|target| target.to_string());
        assert_eq!(shown.as_deref(), Ok("/forward/api/v1?key=redacted"));
    }

    #[test]
    fn a_url_has_its_own_origin() {
        assert!(Target::parse("http://a/b", true, &forwards()).is_err());
        let target = Target::parse("builtin:prediction", true, &forwards()).unwrap_or_else(|e| panic!("{e}"));
        assert!(target.predicts());
    }
}
