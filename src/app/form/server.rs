//! What else the server may be asked for: its clock, its metrics.

use firstlight_core::config::Problem;
use firstlight_core::config::{Field, RunConfig};
use firstlight_core::scrape::{MAX_PERIOD_MS, MIN_PERIOD_MS, PERIOD_MS, ServerMetrics};
use leptos::prelude::*;

use super::{number, text};

/// The fields. `Copy`.
#[derive(Clone, Copy)]
pub struct ServerForm {
    /// Where it tells the time of the clock that stamps stages.
    pub probe: RwSignal<String>,
    /// Where its metrics are.
    pub metrics: RwSignal<String>,
    /// How often they are read, in ms.
    pub period: RwSignal<String>,
}

impl Default for ServerForm {
    fn default() -> ServerForm {
        ServerForm { probe: text(""), metrics: text(""), period: text(&PERIOD_MS.to_string()) }
    }
}

impl ServerForm {
    /// What is asked for.
    pub fn read(&self, problems: &mut Vec<Problem>) -> (Option<String>, Option<ServerMetrics>) {
        let some = |text: RwSignal<String>| Some(text.get_untracked().trim().to_owned()).filter(|text| !text.is_empty());
        let metrics = some(self.metrics).map(|url| {
            let period_ms = number(self.period, Field::MetricsPeriod, MIN_PERIOD_MS, MAX_PERIOD_MS, problems);
            ServerMetrics { url, period_ms }
        });
        (some(self.probe), metrics)
    }

    /// Shows what came from elsewhere.
    pub fn show(&self, config: &RunConfig) {
        self.probe.set(config.probe.clone().unwrap_or_default());
        self.metrics.set(config.server_metrics.as_ref().map(|m| m.url.clone()).unwrap_or_default());
        self.period.set(config.server_metrics.as_ref().map_or(PERIOD_MS, |m| m.period_ms).to_string());
    }
}
