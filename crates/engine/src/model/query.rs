//! Query parameters → a modelled server, and what one request says of itself to it.

use super::parameters::{Parameters, Router, StepTime};
use super::preset::ModelPreset;
use super::request::Asked;
use crate::ask::Ask;
use crate::error::ScheduleError;
use crate::format::Format;
use crate::parameters::number;
use crate::plan::{MAX_MS, MAX_TOKENS, Plan};
use crate::reply::Reply;

/// Every parameter of the model.
pub const MODEL_PARAMETERS: [&str; 26] = [
    "engine",
    "seed",
    "replicas",
    "speeds",
    "router",
    "queue_limit",
    "refuse_status",
    "preprocess_us",
    "max_batch",
    "token_budget",
    "prefill_us_per_token",
    "step_us",
    "step_us_per_sequence",
    "step_time",
    "prefix_cache",
    "cache_tokens",
    "start_ms",
    "load_ms",
    "unload_after_ms",
    "speculative",
    "acceptance",
    "holdback_tokens",
    "holdback_ms",
    "postprocess_us",
    // Of one request.
    "input_tokens",
    "prefix",
];

/// Parameters of a fixed schedule that have no meaning where a model says when.
const FIXED: [&str; 7] = ["ttft_ms", "gap_ms", "queue_ms", "reasoning_at_ms", "slots", "freeze_at_ms", "freeze_ms"];

/// The longest time of a parameter in µs.
const MAX_US: u64 = 60_000_000;
/// The most replicas.
const MAX_REPLICAS: u64 = 64;
/// The largest batch.
const MAX_BATCH: u64 = 4_096;
/// The most tokens of an input, a budget or a cache.
const MAX_INPUT: u64 = 100_000_000;
/// The most tokens drafted at once.
const MAX_DRAFT: u64 = 16;
/// Speeds from 0.01 to 100.
const SPEEDS_PERMILLE: std::ops::RangeInclusive<u32> = 10..=100_000;
/// The longest name of a prefix.
const MAX_PREFIX: usize = 100;

/// A modelled server, and what one request says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modelled {
    /// The server.
    pub parameters: Parameters,
    /// Tokens of the input, where it is not counted by words.
    input_tokens: Option<u32>,
    /// What the input begins with, by a name.
    prefix: String,
}

impl Modelled {
    /// Reads its own of all parameters; none if no server is named.
    pub(crate) fn of<N: AsRef<str>, V: AsRef<str>>(pairs: &[(N, V)]) -> Result<Option<Modelled>, ScheduleError> {
        let pairs = || pairs.iter().map(|(name, value)| (name.as_ref(), value.as_ref()));
        let Some((_, preset)) = pairs().find(|(name, _)| *name == "engine") else {
            let of_model = pairs().find(|(name, _)| MODEL_PARAMETERS.contains(name));
            return of_model.map_or(Ok(None), |(name, _)| Err(ScheduleError::NeedsEngine(name.to_owned())));
        };
        let parameters = ModelPreset::parse(preset)?.parameters();
        let mut modelled = Modelled { parameters, input_tokens: None, prefix: String::new() };
        for (name, value) in pairs() {
            if FIXED.contains(&name) {
                return Err(ScheduleError::FixedTime(name.to_owned()));
            }
            modelled.set(name, value)?;
        }
        let given = |wanted: &str| pairs().any(|(name, _)| name == wanted);
        if given("speeds") && !given("replicas") {
            modelled.parameters.replicas = modelled.parameters.speeds_permille.len() as u32;
        }
        modelled.parameters = modelled.parameters.check()?;
        Ok(Some(modelled))
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), ScheduleError> {
        let p = &mut self.parameters;
        let us = || number(name, value, 0, MAX_US);
        let ms = || number(name, value, 0, MAX_MS);
        let of = |min: u64, max: u64| number(name, value, min, max).map(|n| n as u32);
        match name {
            "seed" => p.seed = number(name, value, 0, u64::MAX)?,
            "replicas" => p.replicas = of(1, MAX_REPLICAS)?,
            "speeds" => p.speeds_permille = speeds(value)?,
            "router" => {
                let known =
                    [("round-robin", Router::RoundRobin), ("least-loaded", Router::LeastLoaded), ("random", Router::Random)];
                p.router = choice(name, value, &known)?;
            }
            "queue_limit" => p.queue_limit = Some(of(0, MAX_INPUT)?),
            "refuse_status" => p.refuse_status = choice(name, value, &[("429", 429), ("503", 503)])?,
            "preprocess_us" => p.preprocess_us = us()?,
            "max_batch" => p.max_batch = of(1, MAX_BATCH)?,
            "token_budget" => p.token_budget = of(1, MAX_INPUT)?,
            "prefill_us_per_token" => p.prefill_us_per_token = us()?,
            "step_us" => p.step_us = us()?,
            "step_us_per_sequence" => p.step_us_per_sequence = us()?,
            "step_time" => {
                p.step_time = choice(name, value, &[("fixed", StepTime::Fixed), ("exponential", StepTime::Exponential)])?;
            }
            "prefix_cache" => p.prefix_cache_percent = of(0, 100)?,
            "cache_tokens" => p.cache_tokens = of(1, MAX_INPUT)?,
            "start_ms" => p.start_ms = ms()?,
            "load_ms" => p.load_ms = ms()?,
            "unload_after_ms" => p.unload_after_ms = Some(ms()?),
            "speculative" => p.speculative = of(0, MAX_DRAFT)?,
            "acceptance" => p.acceptance_percent = of(0, 100)?,
            "holdback_tokens" => p.holdback_tokens = of(0, MAX_TOKENS)?,
            "holdback_ms" => p.holdback_ms = ms()?,
            "postprocess_us" => p.postprocess_us = us()?,
            "input_tokens" => self.input_tokens = Some(of(0, MAX_INPUT)?),
            "prefix" if value.len() <= MAX_PREFIX => self.prefix = value.to_owned(),
            "prefix" => return Err(ScheduleError::Prefix),
            // Another's, already read, or refused by the plan.
            _ => {}
        }
        Ok(())
    }

    /// Tokens of a question's input: as given, or the words of its prompt.
    pub fn input_tokens(&self, ask: &Ask) -> u32 {
        self.input_tokens.unwrap_or(ask.prompt_tokens)
    }
}

impl Plan {
    /// A reply that a model says the times of; none if there is no model, or the reply holds nothing that was generated.
    pub fn modelled(&self) -> Option<&Modelled> {
        use crate::fault::Fault::{Hang, Html, Status};
        let made = !matches!(self.fault, Some(Status(_) | Hang | Html)) && self.format != Format::Html;
        self.engine.as_ref().filter(|_| made)
    }

    /// What a question asks of a modelled server.
    pub fn asked(&self, modelled: &Modelled, ask: &Ask) -> Asked {
        let reply = Reply::new(self, ask, crate::limit::Service::default());
        let tokens = match self.format {
            Format::Prediction => 1,
            // What is read is all there is to do.
            Format::Embeddings => 0,
            _ => u32::try_from(reply.tokens()).unwrap_or(u32::MAX),
        };
        Asked { input_tokens: modelled.input_tokens(ask), output_tokens: tokens, prefix: named(&modelled.prefix) }
    }
}

/// A name as a number: FNV-1a.
fn named(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn choice<T: Copy>(name: &str, value: &str, known: &[(&str, T)]) -> Result<T, ScheduleError> {
    known.iter().find(|(word, _)| *word == value).map(|(_, wanted)| *wanted).ok_or_else(|| ScheduleError::Choice {
        name: name.to_owned(),
        value: value.to_owned(),
        allowed: known.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", "),
    })
}

/// Speeds with commas between, each a decimal number.
fn speeds(value: &str) -> Result<Vec<u32>, ScheduleError> {
    let wrong = || ScheduleError::Speeds(value.to_owned());
    let speeds: Vec<u32> = value
        .split(',')
        .map(|one| {
            let speed: f64 = one.trim().parse().map_err(|_| wrong())?;
            // What is no number becomes 0, which is out of range.
            let permille = (speed * 1_000.0).round() as u32;
            if SPEEDS_PERMILLE.contains(&permille) { Ok(permille) } else { Err(wrong()) }
        })
        .collect::<Result<_, _>>()?;
    if speeds.len() as u64 <= MAX_REPLICAS { Ok(speeds) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(pairs: &[(&str, &str)]) -> Plan {
        Plan::parse(pairs).expect("a plan")
    }

    fn refused(pairs: &[(&str, &str)]) -> String {
        Plan::parse(pairs).map(|p| format!("{p:?}")).expect_err("must be refused").to_string()
    }

    #[test]
    fn a_preset_and_what_lies_over_it() {
        for preset in ModelPreset::ALL {
            let read = plan(&[("engine", preset.name())]).engine.expect("a server").parameters;
            assert_eq!(read, preset.parameters());
            assert_eq!(read.clone().check(), Ok(read));
        }
        let with =
            plan(&[("max_batch", "8"), ("engine", "cold"), ("speeds", "1, 0.25"), ("router", "least-loaded"), ("pool", "a")]);
        let read = with.engine.expect("a server").parameters;
        let cold = ModelPreset::Cold.parameters();
        let wanted =
            Parameters { max_batch: 8, replicas: 2, speeds_permille: vec![1_000, 250], router: Router::LeastLoaded, ..cold };
        assert_eq!(read, wanted);
        let six = plan(&[("engine", "cold"), ("speeds", "1,2"), ("replicas", "6")]).engine.expect("a server").parameters;
        assert_eq!((six.replicas, six.speed_permille(4), six.speed_permille(5)), (6, 1_000, 2_000));
    }

    #[test]
    fn every_parameter_changes_something() {
        let values = [
            ("seed", "7"),
            ("replicas", "2"),
            ("speeds", "2"),
            ("router", "random"),
            ("queue_limit", "7"),
            ("refuse_status", "503"),
            ("preprocess_us", "7"),
            ("max_batch", "7"),
            ("token_budget", "700"),
            ("prefill_us_per_token", "7"),
            ("step_us", "7"),
            ("step_us_per_sequence", "7"),
            ("step_time", "exponential"),
            ("prefix_cache", "7"),
            ("cache_tokens", "7"),
            ("start_ms", "7"),
            ("load_ms", "7"),
            ("unload_after_ms", "7"),
            ("speculative", "7"),
            ("acceptance", "7"),
            ("holdback_tokens", "7"),
            ("holdback_ms", "7"),
            ("postprocess_us", "7"),
            ("input_tokens", "7"),
            ("prefix", "7"),
        ];
        assert_eq!(MODEL_PARAMETERS[1..], values.map(|(name, _)| name));
        let before = plan(&[("engine", "interactive-small")]);
        for value in values {
            assert_ne!(plan(&[("engine", "interactive-small"), value]), before, "{value:?}");
        }
    }

    #[test]
    fn errors_say_what_to_do() {
        assert!(refused(&[("engine", "fast")]).contains("must be one of: interactive-small, interactive-large"));
        assert!(refused(&[("max_batch", "8")]).contains("add engine=interactive-small"));
        assert!(refused(&[("engine", "cold"), ("ttft_ms", "8")]).contains("ttft_ms sets a time"));
        assert!(refused(&[("engine", "cold"), ("slots", "8")]).contains("leave it out"));
        assert!(refused(&[("engine", "cold"), ("max_batch", "512"), ("speculative", "4")]).contains("= 2560 tokens a step"));
        for speeds in ["", "1,", "0", "x", "NaN", "101"] {
            assert!(refused(&[("engine", "cold"), ("speeds", speeds)]).contains("0.01 to 100"), "{speeds}");
        }
        assert!(refused(&[("engine", "cold"), ("router", "x")]).contains("round-robin, least-loaded, random"));
        assert_eq!(refused(&[("engine", "cold"), ("step_us", "1"), ("step_us", "2")]), "step_us is given more than once");
    }

    #[test]
    fn what_a_question_asks_of_the_server() {
        let asked = |pairs: &[(&str, &str)], ask: &Ask| {
            let plan = plan(&[&[("engine", "interactive-small")], pairs].concat());
            plan.modelled().map(|modelled| plan.asked(modelled, ask))
        };
        let ask = Ask { prompt_tokens: 12, max_tokens: Some(40), ..Ask::streaming() };
        let plain = asked(&[], &ask).expect("modelled");
        assert_eq!((plain.input_tokens, plain.output_tokens), (12, 40));
        let given = asked(&[("input_tokens", "900"), ("prefix", "x"), ("preset", "reasoning")], &Ask::streaming());
        let given = given.expect("modelled");
        assert_eq!((given.input_tokens, given.output_tokens), (900, 95));
        assert_ne!(given.prefix, plain.prefix);
        assert_eq!(asked(&[("preset", "prediction")], &ask).expect("modelled").output_tokens, 1);
        assert_eq!(asked(&[("fault", "status-500")], &ask), None);
        assert!(asked(&[("fault", "truncate")], &ask).is_some());
    }
}
