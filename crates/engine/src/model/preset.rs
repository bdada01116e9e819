//! Which servers have a name? Their figures are round ones of the right size, and no product's: see `docs/engine.md`.

use super::parameters::Parameters;
use crate::error::ScheduleError;

/// A named server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModelPreset {
    /// A small model on one accelerator, tuned for answers that come soon.
    InteractiveSmall,
    /// A large model on several accelerators, tuned the same way.
    InteractiveLarge,
    /// The small model again, tuned for many tokens in all.
    Throughput,
    /// The small model where a handful of requests at once is too much.
    Overloaded,
    /// The small model, not loaded until the first request comes.
    Cold,
}

impl ModelPreset {
    /// Every preset.
    pub const ALL: [ModelPreset; 5] = [
        ModelPreset::InteractiveSmall,
        ModelPreset::InteractiveLarge,
        ModelPreset::Throughput,
        ModelPreset::Overloaded,
        ModelPreset::Cold,
    ];

    /// The name used in addresses.
    pub fn name(self) -> &'static str {
        match self {
            ModelPreset::InteractiveSmall => "interactive-small",
            ModelPreset::InteractiveLarge => "interactive-large",
            ModelPreset::Throughput => "throughput",
            ModelPreset::Overloaded => "overloaded",
            ModelPreset::Cold => "cold",
        }
    }

    /// Every name, with commas between.
    pub fn names() -> String {
        ModelPreset::ALL.map(ModelPreset::name).join(", ")
    }

    /// The preset of a name.
    pub fn parse(value: &str) -> Result<ModelPreset, ScheduleError> {
        ModelPreset::ALL.into_iter().find(|preset| preset.name() == value).ok_or_else(|| ScheduleError::Choice {
            name: "engine".to_owned(),
            value: value.to_owned(),
            allowed: ModelPreset::names(),
        })
    }

    /// The server before parameters change it.
    pub fn parameters(self) -> Parameters {
        let small = Parameters {
            queue_limit: Some(256),
            preprocess_us: 1_000,
            max_batch: 32,
            token_budget: 2_048,
            prefill_us_per_token: 40,
            step_us: 8_000,
            step_us_per_sequence: 100,
            postprocess_us: 300,
            ..Parameters::default()
        };
        match self {
            ModelPreset::InteractiveSmall => small,
            ModelPreset::InteractiveLarge => Parameters {
                preprocess_us: 2_000,
                prefill_us_per_token: 200,
                step_us: 25_000,
                step_us_per_sequence: 300,
                ..small
            },
            ModelPreset::Throughput => Parameters { max_batch: 256, token_budget: 16_384, queue_limit: Some(4_096), ..small },
            ModelPreset::Overloaded => Parameters { max_batch: 4, token_budget: 512, queue_limit: Some(16), ..small },
            ModelPreset::Cold => Parameters { start_ms: 1_500, load_ms: 4_000, unload_after_ms: Some(60_000), ..small },
        }
    }
}
