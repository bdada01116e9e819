//! `collect`: reports of pages, passed on to an OpenTelemetry collector.

use std::time::Duration;

use firstlight_server::{Collect, CollectOptions, Origins};

use super::{Failure, stop};

/// What stands below the options in `--help`.
pub(super) const AFTER_HELP: &str = "\
Pages send their reports with firstlight/deliver: deliver({ url: \"http://HOST:8610/collect\" }). Shapes, limits and answers are in
docs/collect.md. Nothing is kept here: while the OpenTelemetry collector takes nothing, pages are told to come back (503).

Example, with a collector on this machine:
  firstlight collect --otlp http://127.0.0.1:4318 --origin https://app.example

OTEL_EXPORTER_OTLP_ENDPOINT stands in for --otlp; OTEL_EXPORTER_OTLP_HEADERS holds headers for it, such as api-key=KEY.";

/// Whose reports, where to, and how many.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The collector's OTLP/HTTP receiver; /v1/traces and /v1/metrics are added [default: OTEL_EXPORTER_OTLP_ENDPOINT, else
    /// http://127.0.0.1:4318]
    #[arg(long, value_name = "URL")]
    otlp: Option<String>,
    /// An origin whose pages may send, with its scheme; may be given several times. '*': every page; none: also those who send no
    /// origin, which are no browsers
    #[arg(long, value_name = "https://HOST", required = true)]
    origin: Vec<String>,
    /// Name or address to listen on
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Port (0: a free one)
    #[arg(long, default_value_t = 8610)]
    port: u16,
    /// The name under which reports of pages are filed (service.name) [default: OTEL_SERVICE_NAME, else firstlight]
    #[arg(long, value_name = "NAME")]
    service_name: Option<String>,
    /// A response header that reports may pass on, such as openai-processing-ms; may be given several times
    #[arg(long, value_name = "NAME")]
    pass_header: Vec<String>,
    /// The largest body, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20)]
    max_body: usize,
    /// The most reports in one delivery
    #[arg(long, value_name = "N", default_value_t = 500)]
    max_batch: usize,
    /// Bytes of all bodies under way at once
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20)]
    max_under_way: usize,
    /// Deliveries a second
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    rate: u32,
    /// How long the collector may take for an answer, in seconds
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    patience_s: u64,
}

pub(super) async fn run(args: Args) -> Result<(), Failure> {
    let wrong = |problem: String| Failure::Arguments(vec![problem]);
    let origins = Origins::parse(&args.origin).map_err(|e| wrong(e.to_string()))?;
    let otlp_headers = pairs(&variable("OTEL_EXPORTER_OTLP_HEADERS").unwrap_or_default()).map_err(wrong)?;
    let otlp = args.otlp.or_else(|| variable("OTEL_EXPORTER_OTLP_ENDPOINT"));
    let otlp = otlp.unwrap_or_else(|| "http://127.0.0.1:4318".to_owned());
    let service = args.service_name.or_else(|| variable("OTEL_SERVICE_NAME"));
    let options = CollectOptions {
        host: args.host,
        port: args.port,
        otlp_headers,
        service: service.unwrap_or_else(|| "firstlight".to_owned()),
        headers: args.pass_header.iter().map(|name| name.trim().to_ascii_lowercase()).collect(),
        max_body: args.max_body,
        max_batch: args.max_batch,
        max_under_way: args.max_under_way.max(args.max_body),
        rate: args.rate,
        patience: Duration::from_secs(args.patience_s),
        ..CollectOptions::to(&otlp, origins)
    };
    let collect = Collect::start(options).await?;
    println!("Reports: http://{}/collect", collect.address());
    println!("Counters: http://{}/metrics", collect.address());
    println!("Passed on to: {otlp}");
    println!("Ctrl-C stops it.");
    stop::asked().await;
    collect.stop().await;
    Ok(())
}

/// An environment variable that holds something.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// `name=value,name=value`, as OpenTelemetry has it; values may be written as in addresses (%20). Values are never told.
fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let pair = |part: &str| {
        let (name, value) = part.split_once('=')?;
        let value = form_urlencoded::parse(format!("v={}", value.trim().replace('+', "%2B").replace('&', "%26")).as_bytes())
            .next()?
            .1
            .into_owned();
        (!name.trim().is_empty()).then(|| (name.trim().to_owned(), value))
    };
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    let all: Option<Vec<_>> = parts.map(pair).collect();
    all.ok_or_else(|| "OTEL_EXPORTER_OTLP_HEADERS: write name=value, several with commas between them".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_as_opentelemetry_writes_them() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(pairs("api-key=a+b&c=%20d, x=1"), Ok(vec![pair("api-key", "a+b&c= d"), pair("x", "1")]));
        assert_eq!(pairs(""), Ok(Vec::new()));
        let error = pairs("secret").expect_err("refused");
        assert!(error.contains("name=value") && !error.contains("secret"), "{error}");
    }
}
