//! `--otlp`: a run is sent to a collector.

use anyhow::{Context as _, Result};
use firstlight_core::report::Run;
use firstlight_server::otlp::{Collector, CollectorError, HEADERS_ENV, Patience};

/// Where to.
#[derive(clap::Args)]
#[group(id = "deliver")]
pub(super) struct Args {
    /// Send the run to an OpenTelemetry collector (docs/otlp.md), such as http://127.0.0.1:4318; headers for it are read from
    /// OTEL_EXPORTER_OTLP_HEADERS
    #[arg(long, value_name = "URL")]
    otlp: Option<String>,
}

impl Args {
    /// The collector, checked before anything is measured; none if none was asked for.
    pub(super) fn collector(&self) -> Result<Option<Collector>, CollectorError> {
        let headers = std::env::var(HEADERS_ENV).ok();
        self.otlp.as_deref().map(|url| Collector::new(url, headers.as_deref(), Patience::default())).transpose()
    }
}

/// Sends a run, and says what became of it.
pub(super) async fn send(collector: &Collector, run: &Run) -> Result<()> {
    let sent = collector.send(run).await.context("the run was not sent")?;
    sent.warnings.iter().for_each(|warning| eprintln!("warning: the collector says: {warning}"));
    let again = if sent.again > 0 { format!(", {} of them more than once", sent.again) } else { String::new() };
    eprintln!("Sent to the collector: {} documents{again}.", sent.documents);
    Ok(())
}
