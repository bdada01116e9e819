//! `--metrics-url`: a URL, the built-in endpoint's own metrics, or metrics behind a forwarder.

use firstlight_core::load::spelled_time;
use firstlight_core::scrape::ServerMetrics;
use firstlight_server::endpoint::METRICS_PATH;
use firstlight_server::{Forwards, Running};

use super::target::Target;

/// Whether and how the server's own metrics are read.
#[derive(clap::Args)]
#[group(id = "metrics")]
pub(in crate::cli) struct Args {
    /// Read the server's own metrics during the run: a Prometheus page such as http://127.0.0.1:8000/metrics, forward:NAME/PATH,
    /// or builtin (docs/server-metrics.md)
    #[arg(long, value_name = "URL")]
    metrics_url: Option<String>,
    /// How often, from 250ms to 60s
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = spelled_time, requires = "metrics_url")]
    metrics_period: u32,
}

/// Where the metrics are.
pub(super) enum Place {
    /// The built-in endpoint's.
    BuiltIn {
        /// On the second origin.
        second: bool,
    },
    /// A URL, or behind a forwarder.
    Other(Target),
}

impl Args {
    /// Where the metrics are; none if they are not to be read.
    pub(super) fn place(&self, cross_origin: bool, forwards: &Forwards) -> Result<Option<Place>, String> {
        let Some(text) = &self.metrics_url else { return Ok(None) };
        if text == "builtin" {
            // Not on the target's own origin, where a sample would take one of the browser's connections to it.
            return Ok(Some(Place::BuiltIn { second: !cross_origin }));
        }
        match Target::parse(text, false, forwards).map_err(|wrong| wrong.replacen("--target", "--metrics-url", 1))? {
            Target::BuiltIn { .. } => Err(format!("--metrics-url {text}: the built-in endpoint's metrics are builtin alone")),
            other => Ok(Some(Place::Other(other))),
        }
    }

    /// What to read, on origins that stand in for a server's.
    pub(super) fn asked(&self, place: &Place) -> ServerMetrics {
        let url = match place {
            Place::BuiltIn { .. } => format!("http://127.0.0.1{METRICS_PATH}"),
            Place::Other(target) => target.url_for_check(),
        };
        ServerMetrics { url, period_ms: self.metrics_period }
    }
}

impl Place {
    /// Its address.
    pub(super) fn url(&self, server: &Running) -> String {
        match self {
            Place::BuiltIn { second: true } => format!("{}{METRICS_PATH}", server.second_origin()),
            Place::BuiltIn { second: false } => format!("{}{METRICS_PATH}", server.origin()),
            Place::Other(target) => target.url(server),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<String, String> {
        let args = Args { metrics_url: Some(text.to_owned()), metrics_period: 500 };
        let forwards = Forwards::parse(&["gpu=http://127.0.0.1:9400".to_owned()]).unwrap_or_default();
        let place = args.place(false, &forwards)?.ok_or("none")?;
        Ok(args.asked(&place).url)
    }

    #[test]
    fn a_url_the_built_in_ones_or_behind_a_forwarder() {
        assert_eq!(check("http://a:8000/metrics").as_deref(), Ok("http://a:8000/metrics"));
        assert_eq!(check("builtin").as_deref(), Ok("http://127.0.0.1/metrics"));
        assert_eq!(check("forward:gpu/metrics").as_deref(), Ok("http://127.0.0.1/forward/gpu/metrics"));
        let refused = check("forward:cpu/metrics").expect_err("refused");
        assert!(refused.starts_with("--metrics-url forward:cpu") && refused.contains("--forward cpu="), "{refused}");
        assert!(check("builtin:chat").expect_err("refused").contains("builtin alone"));
        let none = Args { metrics_url: None, metrics_period: 1000 }.place(false, &Forwards::default());
        assert!(matches!(none, Ok(None)));
    }
}
