//! Where is the target's clock asked?

use super::{Problem, RunConfig, TargetKind, check_url};
use crate::load::What;
use crate::trace::Mode;

/// Where the built-in endpoint tells its time.
const BUILT_IN: &str = "/clock";

/// The query parameters of the built-in endpoint that change its clock or the way to it.
const OF_CLOCK: [&str; 3] = ["skew_ms", "outbound_ms", "return_ms"];

impl RunConfig {
    /// The addresses at which the clocks of the run's servers are asked, before and after: one for each arm. Empty where the
    /// target tells no time.
    pub fn probe_urls(&self) -> Vec<String> {
        let candidate = self.versus.as_ref().and_then(|versus| match &versus.what {
            What::Endpoint { url, .. } => Some(url.clone()),
            What::Cache => None,
        });
        let arms = [Some(self.url(Mode::Streaming)), candidate];
        let mut urls: Vec<String> = arms.iter().flatten().filter_map(|url| self.probe_of(url)).collect();
        urls.dedup();
        urls
    }

    fn probe_of(&self, url: &str) -> Option<String> {
        match self.probe.as_deref().map(str::trim) {
            Some(path) if path.starts_with('/') => Some(format!("{}{path}", origin(url)?)),
            Some(absolute) => Some(absolute.to_owned()),
            None if matches!(self.target, TargetKind::BuiltIn(_)) => built_in(url),
            None => None,
        }
    }

    /// What is wrong with the probe's address.
    pub(super) fn probe_problem(&self, page: &str) -> Option<Problem> {
        let probe = self.probe.as_deref().map(str::trim).filter(|probe| !probe.starts_with('/'))?;
        check_url(probe, page).err().map(|wrong| Problem::Probe(Box::new(wrong)))
    }
}

/// Scheme, host and port.
fn origin(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    url.get(..scheme.len() + 3 + host.len())
}

/// The built-in endpoint stamps its stages when it is asked to.
fn built_in(url: &str) -> Option<String> {
    let query = url.split('#').next()?.split_once('?')?.1;
    if !query.split('&').any(|pair| pair == "aligned=1") {
        return None;
    }
    let of_clock = |pair: &&str| pair.split_once('=').is_some_and(|(name, _)| OF_CLOCK.contains(&name));
    let same: Vec<&str> = query.split('&').filter(of_clock).collect();
    let query = if same.is_empty() { String::new() } else { format!("?{}", same.join("&")) };
    Some(format!("{}{BUILT_IN}{query}", origin(url)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sound;
    use crate::load::Versus;

    #[test]
    fn a_path_is_of_every_arms_own_server() {
        let config = RunConfig { url: "https://a:1/v1?x=/y".into(), probe: Some("/clock?z".into()), ..sound() };
        assert_eq!(config.probe_urls(), ["https://a:1/clock?z"]);
        let what = What::Endpoint { url: "http://b/v1".into(), model: String::new() };
        let both = RunConfig { versus: Some(Versus { what, one_in: 2 }), ..config.clone() };
        assert_eq!(both.probe_urls(), ["https://a:1/clock?z", "http://b/clock?z"]);
        let one = RunConfig { probe: Some(" https://c/now ".into()), ..both };
        assert_eq!(one.probe_urls(), ["https://c/now"]);
        assert!(RunConfig { probe: None, ..config }.probe_urls().is_empty());
    }

    #[test]
    fn the_built_in_endpoint_is_asked_if_it_stamps() {
        let url = "http://127.0.0.1:1/v1/chat/completions?preset=fast&aligned=1&skew_ms=-5&tokens=3&return_ms=7";
        let config = RunConfig { target: TargetKind::BuiltIn("fast".into()), url: url.into(), ..sound() };
        assert_eq!(config.probe_urls(), ["http://127.0.0.1:1/clock?skew_ms=-5&return_ms=7"]);
        let silent = RunConfig { url: "http://127.0.0.1:1/v1?preset=fast".into(), ..config };
        assert!(silent.probe_urls().is_empty());
    }

    #[test]
    fn an_address_that_can_not_be_asked_is_a_problem_of_its_field() {
        let page = "http://127.0.0.1:8600/";
        let problem = |probe: &str| RunConfig { probe: Some(probe.into()), ..sound() }.probe_problem(page);
        assert_eq!((problem("/clock"), problem("http://a/clock")), (None, None));
        let wrong = problem("clock").expect("a problem");
        assert_eq!(wrong.field(), crate::config::Field::Probe);
    }
}
