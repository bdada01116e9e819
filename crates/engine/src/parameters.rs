//! Query parameters → [`Plan`]: names, ranges, and an error that says what is allowed.

use crate::error::ScheduleError;
use crate::fault::Fault;
use crate::format::Format;
use crate::limit::Freeze;
use crate::model::{MODEL_PARAMETERS, Modelled};
use crate::plan::{Component, MAX_CALLS, MAX_FIRST_CHUNK, MAX_MS, MAX_POOL, MAX_SLOTS, MAX_TOKENS, Plan, ServerTiming, Span};
use crate::preset::Preset;
use crate::words::Writing;

/// Every parameter.
pub const PARAMETERS: [&str; 30] = [
    "preset",
    "format",
    "writing",
    "ttft_ms",
    "gap_ms",
    "tokens",
    "tokens_per_chunk",
    "first_chunk_bytes",
    "reasoning_tokens",
    "reasoning_at_ms",
    "tool_calls",
    "role_chunk",
    "usage",
    "done",
    "finish",
    "keep_alive_ms",
    "queue_ms",
    "server_timing",
    "component",
    "spans",
    "timings",
    "split",
    "crlf",
    "bom",
    "burst",
    "fault",
    "slots",
    "pool",
    "freeze_at_ms",
    "freeze_ms",
];

impl Plan {
    /// Reads parameters; those that are not given keep the preset's value (`preset` itself is `chat` if not given).
    pub fn parse<N: AsRef<str>, V: AsRef<str>>(pairs: &[(N, V)]) -> Result<Plan, ScheduleError> {
        let given = |name: &str| pairs.iter().find(|(n, _)| n.as_ref() == name);
        let mut plan = match given("preset") {
            Some((_, value)) => Preset::parse(value.as_ref())?,
            None => Preset::Chat,
        }
        .plan();
        plan.engine = Modelled::of(pairs)?;
        for (at, (name, value)) in pairs.iter().enumerate() {
            let name = name.as_ref();
            if name != "component" && pairs[..at].iter().any(|(n, _)| n.as_ref() == name) {
                return Err(ScheduleError::Twice(name.to_owned()));
            }
            if !MODEL_PARAMETERS.contains(&name) {
                plan.set(name, value.as_ref())?;
            }
        }
        plan.check()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), ScheduleError> {
        let ms = || number(name, value, 0, MAX_MS);
        match name {
            "preset" => {}
            "format" => self.format = Format::parse(value)?,
            "writing" => self.writing = Writing::parse(value)?,
            "ttft_ms" => self.ttft_ms = ms()?,
            "gap_ms" => self.gap_ms = ms()?,
            "tokens" => self.tokens = number(name, value, 0, MAX_TOKENS)?,
            "tokens_per_chunk" => self.tokens_per_chunk = number(name, value, 1, MAX_TOKENS)?,
            "first_chunk_bytes" => self.first_chunk_bytes = number(name, value, 0, MAX_FIRST_CHUNK)? as usize,
            "reasoning_tokens" => self.reasoning_tokens = number(name, value, 0, MAX_TOKENS)?,
            "reasoning_at_ms" => self.reasoning_at_ms = ms()?,
            "tool_calls" => self.tool_calls = number(name, value, 0, MAX_CALLS)?,
            "role_chunk" => self.role_chunk = switch(name, value)?,
            "usage" => self.usage = switch(name, value)?,
            "done" => self.done = switch(name, value)?,
            "finish" => self.finish = switch(name, value)?,
            "keep_alive_ms" => self.keep_alive_ms = Some(number(name, value, 10, MAX_MS)?),
            "queue_ms" => self.queue_ms = ms()?,
            "server_timing" => self.server_timing = header(value)?,
            "component" => self.component(value)?,
            "spans" => self.spans = Span::parse_list(value)?,
            "timings" if value == "llamacpp" => self.timings = true,
            "timings" => return Err(choice(name, value, "llamacpp")),
            "split" => self.split = Some(number(name, value, 1, 1_000_000)? as usize),
            "crlf" => self.crlf = switch(name, value)?,
            "bom" => self.bom = switch(name, value)?,
            "burst" => self.burst = switch(name, value)?,
            "fault" => self.fault = Some(Fault::parse(value)?),
            "slots" => self.limit.slots = Some(number(name, value, 1, MAX_SLOTS)? as u32),
            "pool" if (1..=MAX_POOL).contains(&value.len()) => self.limit.pool = value.to_owned(),
            "pool" => return Err(ScheduleError::Pool),
            "freeze_at_ms" => self.freeze().at_ms = ms()?,
            "freeze_ms" => self.freeze().ms = number(name, value, 1, MAX_MS)?,
            _ => {
                let known = format!("{}, {}", PARAMETERS.join(", "), MODEL_PARAMETERS.join(", "));
                return Err(ScheduleError::UnknownParameter { name: name.to_owned(), known });
            }
        }
        Ok(())
    }

    /// Begins at once and has no length until that is given.
    fn freeze(&mut self) -> &mut Freeze {
        self.limit.freeze.get_or_insert(Freeze { at_ms: 0, ms: 0 })
    }

    /// `NAME:MS`; a second of the same name replaces the first.
    fn component(&mut self, value: &str) -> Result<(), ScheduleError> {
        let wrong = || ScheduleError::Component(value.to_owned());
        let (name, ms) = value.rsplit_once(':').ok_or_else(wrong)?;
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        let ms: f64 = ms.parse().map_err(|_| wrong())?;
        if !is_name || !(0.0..=MAX_MS as f64).contains(&ms) {
            return Err(wrong());
        }
        self.components.retain(|c| c.name != name);
        self.components.push(Component { name: name.to_owned(), us: (ms * 1000.0).round() as u64 });
        Ok(())
    }
}

fn choice(name: &str, value: &str, allowed: &str) -> ScheduleError {
    ScheduleError::Choice { name: name.to_owned(), value: value.to_owned(), allowed: allowed.to_owned() }
}

pub(crate) fn number(name: &str, value: &str, min: u64, max: u64) -> Result<u64, ScheduleError> {
    let wrong = || ScheduleError::Number { name: name.to_owned(), value: value.to_owned(), min, max };
    let number: u64 = value.parse().map_err(|_| wrong())?;
    if (min..=max).contains(&number) { Ok(number) } else { Err(wrong()) }
}

fn switch(name: &str, value: &str) -> Result<bool, ScheduleError> {
    match value {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(choice(name, value, "0, 1")),
    }
}

fn header(value: &str) -> Result<ServerTiming, ScheduleError> {
    match value {
        "" => Ok(ServerTiming::Left),
        v if v.chars().all(|c| (' '..='~').contains(&c)) => Ok(ServerTiming::Verbatim(v.to_owned())),
        _ => Err(ScheduleError::Header),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(pairs: &[(&str, &str)]) -> String {
        Plan::parse(pairs).map(|p| format!("{p:?}")).expect_err("must be refused").to_string()
    }

    #[test]
    fn nothing_given_is_the_chat_preset_and_parameters_lie_over_it() {
        assert_eq!(Plan::parse::<&str, &str>(&[]), Ok(Preset::Chat.plan()));
        let plan = Plan::parse(&[("ttft_ms", "5"), ("preset", "fast"), ("component", "a:1.5"), ("component", "b:2")]);
        let plan = plan.expect("a plan");
        assert_eq!((plan.ttft_ms, plan.gap_ms, plan.tokens), (5, 5, 10));
        assert_eq!(plan.components[0], Component { name: "a".into(), us: 1_500 });
        assert_eq!(plan.components.len(), 2);
    }

    #[test]
    fn the_same_component_again_replaces_it() {
        let plan = Plan::parse(&[("preset", "worked-example"), ("component", "model_container:900")]).expect("a plan");
        assert_eq!(plan.components, [Component { name: "model_container".into(), us: 900_000 }]);
    }

    #[test]
    fn errors_say_what_is_allowed() {
        assert!(refused(&[("preset", "slow")]).contains("worked-example, reasoning, slow-start"));
        assert!(refused(&[("ttft", "5")]).contains("unknown parameter ttft; known are: preset, format, writing, ttft_ms"));
        assert_eq!(refused(&[("writing", "html")]), "writing=html: writing must be one of: prose, markdown");
        assert_eq!(refused(&[("tokens", "100001")]), "tokens=100001: tokens must be a whole number from 0 to 100000");
        assert_eq!(refused(&[("gap_ms", "-1")]), "gap_ms=-1: gap_ms must be a whole number from 0 to 600000");
        assert_eq!(refused(&[("usage", "yes")]), "usage=yes: usage must be one of: 0, 1");
        assert!(refused(&[("fault", "x")]).contains("status-401"));
        assert!(refused(&[("spans", "queue,x")]).contains("time_to_first_token"));
        assert!(refused(&[("component", "model:fast")]).contains("component=NAME:MS"));
        assert!(refused(&[("component", "model:NaN")]).contains("component=NAME:MS"));
        assert!(refused(&[("server_timing", "a\nb")]).contains("printable ASCII"));
        assert_eq!(refused(&[("tokens", "1"), ("tokens", "2")]), "tokens is given more than once");
    }

    #[test]
    fn reasoning_must_end_before_the_answer_begins() {
        let error = refused(&[("preset", "reasoning"), ("reasoning_tokens", "36")]);
        assert!(error.contains("36 reasoning tokens end 900 ms after the start, but the answer begins at 900 ms"), "{error}");
    }

    #[test]
    fn slots_pools_and_freezes() {
        let limit = |pairs: &[(&str, &str)]| Plan::parse(pairs).expect("a plan").limit;
        assert!(!limit(&[("preset", "fast")]).binds());
        let both = limit(&[("slots", "4"), ("pool", "a"), ("freeze_ms", "2000"), ("freeze_at_ms", "500")]);
        assert_eq!((both.slots, both.pool.as_str(), both.freeze), (Some(4), "a", Some(Freeze { at_ms: 500, ms: 2_000 })));
        assert_eq!(limit(&[("freeze_ms", "7")]).freeze, Some(Freeze { at_ms: 0, ms: 7 }));
        assert_eq!(refused(&[("slots", "0")]), "slots=0: slots must be a whole number from 1 to 100000");
        assert!(refused(&[("freeze_at_ms", "5")]).contains("add freeze_ms"));
        assert!(refused(&[("pool", "a")]).contains("add slots or freeze_ms"));
        assert!(refused(&[("pool", ""), ("slots", "1")]).contains("1 to 100"));
    }

    #[test]
    fn every_listed_parameter_is_known() {
        for name in PARAMETERS.iter().chain(&MODEL_PARAMETERS).copied() {
            let result = Plan::parse(&[(name, "\u{1}")]);
            assert!(!matches!(result, Err(ScheduleError::UnknownParameter { .. })), "{name}");
        }
    }
}
