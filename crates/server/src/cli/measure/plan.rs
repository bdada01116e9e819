//! Arguments of the load, the workload, the comparison, limits and the decision, in the notations that the page reads too.

use std::path::PathBuf;

use firstlight_core::config::RunConfig;
use firstlight_core::cost::Prices;
use firstlight_core::decision::{Decision, IfItFails};
use firstlight_core::load::{Cancel, Load, Shape, Versus, What, read_replay, spelled_time};
use firstlight_core::slo::{Criterion, Threshold};
use firstlight_core::stop_rule::StopRule;
use firstlight_core::text::{Lang, import_error};
use firstlight_core::workload::{CacheMode, Generator, Lengths, Source, Workload, import};

/// Load, workload, comparison, limits.
#[derive(clap::Args)]
#[group(id = "plan")]
pub(in crate::cli) struct Args {
    /// How requests start: closed; rate 5/s; poisson 5/s; gamma 5/s burstiness 0.5; ramp 1/s to 10/s over 60s;
    /// steps 1 2 4 each 30s; sweep 1 2 4 8 settle 1s (levels with /s are rates)
    #[arg(long, value_name = "LOAD", default_value = "closed", value_parser = Shape::spelled)]
    load: Shape,
    /// Start requests at the times of a file: one in ms a line, or JSONL or CSV with a timestamp column
    #[arg(long, value_name = "FILE", conflicts_with = "load")]
    replay: Option<PathBuf>,
    /// Speed of a replay
    #[arg(long, value_name = "N", default_value_t = 1.0, requires = "replay")]
    replay_speed: f64,
    /// Start no request later than this, such as 60s
    #[arg(long, value_name = "TIME", value_parser = spelled_time)]
    duration: Option<u32>,
    /// Limit the warm-up in time as well, such as 10s
    #[arg(long, value_name = "TIME", value_parser = spelled_time)]
    warmup_time: Option<u32>,
    /// Most requests of an open loop under way at once
    #[arg(long, value_name = "N")]
    max_in_flight: Option<u32>,
    /// Grace at the end; what is still under way after it is cut [default: the time limit]
    #[arg(long, value_name = "TIME", value_parser = spelled_time)]
    drain: Option<u32>,
    /// Closed loop: invent the requests that one every so often would have sent during a stall, and show them beside
    #[arg(long, value_name = "TIME", value_parser = spelled_time)]
    expected_interval: Option<u32>,
    /// Users who give up: 10% after 500ms to 2s
    #[arg(long, value_name = "SHARE", value_parser = Cancel::spelled)]
    cancel: Option<Cancel>,
    /// Cases to ask, one JSON object a line (docs/workloads.md)
    #[arg(long, value_name = "FILE.jsonl")]
    workload: Option<PathBuf>,
    /// Ask so many generated cases
    #[arg(long, value_name = "N", conflicts_with = "workload")]
    generate: Option<u32>,
    /// Input lengths of generated cases: 512; 100..900; normal 512 sd 100; lognormal median 512 p95 2000
    #[arg(long, value_name = "LENGTHS", default_value = "lognormal median 200 p95 800", value_parser = Lengths::spelled)]
    input: Lengths,
    /// Output limits of generated cases, in the same form
    #[arg(long, value_name = "LENGTHS", value_parser = Lengths::spelled)]
    output: Option<Lengths>,
    /// Whether requests share a beginning
    #[arg(long, value_enum, default_value_t = CacheName::AsIs)]
    cache: CacheName,
    /// Run the cases held out, and only those
    #[arg(long)]
    confirmation: bool,
    /// Interleave a candidate at this URL
    #[arg(long, value_name = "URL")]
    versus_url: Option<String>,
    /// The candidate's model
    #[arg(long, value_name = "NAME")]
    versus_model: Option<String>,
    /// Interleave requests that the prefix cache can help with requests that it can't
    #[arg(long, conflicts_with_all = ["versus_url", "versus_model"])]
    versus_cache: bool,
    /// The candidate gets one request in so many
    #[arg(long, value_name = "N", default_value_t = 2)]
    versus_one_in: u32,
    /// A limit of each request, such as first_visible<800ms; may be given several times
    #[arg(long, value_name = "LIMIT")]
    limit: Vec<Threshold>,
    /// End early once this is shown not to hold: p95(first_visible)<2s, error_rate<5%, spend<=2.5; may be given several times
    #[arg(long, value_name = "RULE")]
    stop_unless: Vec<StopRule>,
    /// What must hold for exit status 0, such as p95(first_visible)<800ms or error_rate<1%, of each mode by itself; a mode may
    /// stand in front, such as 'streaming p95(first_visible)<800ms'; may be given several times
    #[arg(long, visible_alias = "slo", value_name = "CRITERION")]
    criterion: Vec<Criterion>,
    /// The claim that the criteria decide
    #[arg(long, value_name = "TEXT", requires = "criterion")]
    claim: Option<String>,
    /// Price of a million input tokens
    #[arg(long, value_name = "PRICE")]
    price_input: Option<f64>,
    /// Price of a million output tokens
    #[arg(long, value_name = "PRICE")]
    price_output: Option<f64>,
    /// Currency of the prices
    #[arg(long, value_name = "NAME", default_value = "USD")]
    currency: String,
}

/// A cache mode, as it is written.
#[derive(Clone, Copy, clap::ValueEnum)]
enum CacheName {
    AsIs,
    Bust,
    Reuse,
}

impl Args {
    /// Puts all of it into a configuration. Every problem is told.
    pub(super) fn apply(&self, config: &mut RunConfig, lang: Lang, problems: &mut Vec<String>) {
        config.load = Load {
            shape: self.shape(problems),
            duration_ms: self.duration,
            warmup_ms: self.warmup_time,
            max_in_flight: self.max_in_flight,
            drain_ms: self.drain,
            cancel: self.cancel,
            expected_interval_ms: self.expected_interval,
        };
        config.workload = Workload { source: self.source(config.seed, lang, problems), ..Workload::default() };
        config.cache = match self.cache {
            CacheName::AsIs => CacheMode::AsIs,
            CacheName::Bust => CacheMode::Bust,
            CacheName::Reuse => CacheMode::Reuse,
        };
        config.confirmation = self.confirmation;
        config.versus = self.versus(&config.url);
        config.thresholds.clone_from(&self.limit);
        config.stop_rules.clone_from(&self.stop_unless);
        let priced = self.price_input.is_some() || self.price_output.is_some();
        config.prices = priced.then(|| Prices {
            currency: self.currency.clone(),
            input_per_million: self.price_input.unwrap_or(0.0),
            output_per_million: self.price_output.unwrap_or(0.0),
        });
        config.decision = (!self.criterion.is_empty()).then(|| Decision {
            claim: self
                .claim
                .clone()
                .unwrap_or_else(|| self.criterion.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
            owner: String::new(),
            affected: String::new(),
            criteria: self.criterion.clone(),
            baseline: None,
            falsified_by: String::new(),
            if_it_fails: IfItFails::AskSomeone,
        });
    }

    fn shape(&self, problems: &mut Vec<String>) -> Shape {
        let Some(path) = &self.replay else { return self.load.clone() };
        let text = std::fs::read_to_string(path).map_err(|e| e.to_string());
        match text.and_then(|text| read_replay(&text).map_err(|e| e.to_string())) {
            Ok(at_ms) => Shape::Replay { at_ms, speed: self.replay_speed },
            Err(why) => {
                problems.push(format!("--replay {}: {why}", path.display()));
                Shape::Closed
            }
        }
    }

    fn source(&self, seed: u64, lang: Lang, problems: &mut Vec<String>) -> Source {
        if let Some(cases) = self.generate {
            let (input, output) = (self.input, self.output);
            return Source::Generated(Generator { cases, seed, input, output, shared_prefix: 0, held_out: 0 });
        }
        let Some(path) = &self.workload else { return Source::Prompt };
        match std::fs::read_to_string(path) {
            Ok(text) => match import(&text) {
                Ok(imported) => return imported.workload.source,
                Err(errors) => {
                    problems.extend(errors.iter().map(|e| format!("--workload {}: {}", path.display(), import_error(lang, e))))
                }
            },
            Err(why) => problems.push(format!("--workload {}: {why}", path.display())),
        }
        Source::Prompt
    }

    fn versus(&self, url: &str) -> Option<Versus> {
        let what = if self.versus_cache {
            What::Cache
        } else if self.versus_url.is_some() || self.versus_model.is_some() {
            What::Endpoint {
                url: self.versus_url.clone().unwrap_or_else(|| url.to_owned()),
                model: self.versus_model.clone().unwrap_or_default(),
            }
        } else {
            return None;
        };
        Some(Versus { what, one_in: self.versus_one_in })
    }
}
