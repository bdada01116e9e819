//! Timings in the body: which field of which server is which span, in which unit, and what it leaves out.

use super::Boundary::{Component, Decode, Prefill, PrefillDecode, Queue, TimeToFirstToken, Total};
use super::{Boundary, Source, Span, Unit};
use firstlight_json::Json;

type Fields = [(&'static str, Boundary)];

/// llama.cpp: both begin when the request got a slot; queueing is left out.
const LLAMA_CPP: &Fields = &[("prompt_ms", Prefill), ("predicted_ms", Decode)];
/// Groq: the total is prompt and completion; the queue is beside it.
const GROQ: &Fields =
    &[("queue_time", Queue), ("prompt_time", Prefill), ("completion_time", Decode), ("total_time", PrefillDecode)];
/// Cerebras: the total is more than its parts.
const CEREBRAS: &Fields =
    &[("queue_time", Queue), ("prompt_time", Prefill), ("completion_time", Decode), ("total_time", Total)];
/// vLLM: time to first token begins when the request was scheduled; HTTP, tokenising and detokenising are left out.
const VLLM: &Fields = &[("queue_time_ms", Queue), ("time_to_first_token_ms", Prefill), ("generation_time_ms", Decode)];
/// mistral.rs: where the total begins and ends is not documented.
const MISTRAL_RS: &Fields =
    &[("total_prompt_time_sec", Prefill), ("total_completion_time_sec", Decode), ("total_time_sec", Component)];
/// Fireworks.
const FIREWORKS: &Fields = &[
    ("server-time-to-first-token", TimeToFirstToken),
    ("server-processing-time", Total),
    ("tokenizer-queue-duration", Component),
    ("tokenizer-duration", Component),
    ("prefill-queue-duration", Component),
    ("prefill-duration", Component),
    ("generation-queue-duration", Component),
];
/// Ollama: `load` is everything up to a ready runner, waiting for a place included; the total is more than its parts.
const OLLAMA: &Fields =
    &[("load_duration", Queue), ("prompt_eval_duration", Prefill), ("eval_duration", Decode), ("total_duration", Total)];
/// SGLang: from the tokenizer's acceptance to the end.
const SGLANG: &Fields = &[("queue_time", Queue), ("e2e_latency", Total)];
/// Bedrock.
const BEDROCK: &Fields = &[("latencyMs", Total), ("invocationLatency", Total), ("firstByteLatency", TimeToFirstToken)];

/// A number, or a text that is one, perhaps with its unit behind it.
fn number(value: Json<'_>, unit: Unit) -> Option<(f64, Unit)> {
    value.as_f64().map(|n| (n, unit)).or_else(|| super::headers::number(&value.as_text()?, unit))
}

fn fields(object: Option<Json<'_>>, path: &str, fields: &Fields, unit: Unit) -> Vec<Span> {
    let Some(object) = object else { return Vec::new() };
    let span = |(field, boundary): &(&str, Boundary)| {
        let value = object.get(field)?;
        let (number, unit) = number(value, unit)?;
        Some(Span {
            name: format!("{path}{field}"),
            description: None,
            raw: value.as_text().map_or_else(|| value.raw().to_owned(), |t| t.into_owned()),
            unit,
            value: unit.duration(number)?,
            source: Source::BodyField,
            boundary: *boundary,
            before_end: false,
        })
    };
    fields.iter().filter_map(span).collect()
}

/// Every report that a chunk of an OpenAI-like server may carry.
pub(crate) fn openai_like(json: Json<'_>) -> Vec<Span> {
    let usage = json.get("usage").or_else(|| json.path(&["x_groq", "usage"]));
    let mut spans = fields(json.get("timings"), "timings.", LLAMA_CPP, Unit::Ms);
    spans.extend(fields(usage, "usage.", GROQ, Unit::S));
    spans.extend(fields(usage, "usage.", MISTRAL_RS, Unit::S));
    spans.extend(fields(json.get("time_info"), "time_info.", CEREBRAS, Unit::S));
    spans.extend(fields(json.get("metrics"), "metrics.", VLLM, Unit::Ms));
    spans.extend(fields(json.get("perf_metrics"), "perf_metrics.", FIREWORKS, Unit::S));
    spans.extend(json.get("server_timing").map(components).unwrap_or_default());
    spans
}

/// The last line of Ollama.
pub(crate) fn ollama(json: Json<'_>) -> Vec<Span> {
    fields(Some(json), "", OLLAMA, Unit::Ns)
}

/// SGLang's `meta_info`.
pub(crate) fn sglang(meta: Json<'_>) -> Vec<Span> {
    fields(Some(meta), "meta_info.", SGLANG, Unit::S)
}

/// Bedrock's `metrics`, and the metrics of an invocation.
pub(crate) fn bedrock(json: Json<'_>) -> Vec<Span> {
    let mut spans = fields(json.get("metrics"), "metrics.", BEDROCK, Unit::Ms);
    spans.extend(fields(Some(json), "", BEDROCK, Unit::Ms));
    spans
}

/// A body's `server_timing: [{"name", "dur" in ms, "desc"?, "boundary"?}]`. Without a `boundary` that is known here, an
/// entry is a named component somewhere inside the request.
fn components(list: Json<'_>) -> Vec<Span> {
    let text = |entry: Json<'_>, field: &str| entry.get(field).and_then(Json::as_text).map(|t| t.into_owned());
    let span = |entry: Json<'_>| {
        let dur = entry.get("dur")?;
        let boundary = entry.get("boundary").and_then(Json::as_text).and_then(|b| Boundary::from_code(&b));
        Some(Span {
            name: text(entry, "name")?,
            description: text(entry, "desc"),
            raw: dur.raw().to_owned(),
            unit: Unit::Ms,
            value: Unit::Ms.duration(dur.as_f64()?)?,
            source: Source::UsageEvent,
            boundary: boundary.unwrap_or(Component),
            before_end: false,
        })
    };
    list.items().filter_map(span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Micros;
    use firstlight_json::Tape;

    fn check(spans: fn(Json<'_>) -> Vec<Span>, body: &str, want: &[(&str, i64, &str, Boundary)]) {
        let mut tape = Tape::default();
        let got = spans(tape.read(body).expect("json"));
        let got: Vec<_> = got.iter().map(|s| (s.name.as_str(), s.value, s.raw.as_str(), s.boundary)).collect();
        let want: Vec<_> = want.iter().map(|w| (w.0, Micros(w.1), w.2, w.3)).collect();
        assert_eq!(got, want, "{body}");
    }

    #[test]
    fn every_server_has_its_units_and_boundaries() {
        check(
            openai_like,
            r#"{"timings":{"prompt_n":24,"prompt_ms":1.56,"predicted_ms":10.751}}"#,
            &[("timings.prompt_ms", 1_560, "1.56", Prefill), ("timings.predicted_ms", 10_751, "10.751", Decode)],
        );
        check(
            openai_like,
            r#"{"x_groq":{"usage":{"queue_time":0.0419,"prompt_time":0.003940145,"completion_time":2.652230333,"total_time":2.656170478}}}"#,
            &[
                ("usage.queue_time", 41_900, "0.0419", Queue),
                ("usage.prompt_time", 3_940, "0.003940145", Prefill),
                ("usage.completion_time", 2_652_230, "2.652230333", Decode),
                ("usage.total_time", 2_656_170, "2.656170478", PrefillDecode),
            ],
        );
        check(
            openai_like,
            r#"{"time_info":{"total_time":0.3441,"created":1}}"#,
            &[("time_info.total_time", 344_100, "0.3441", Total)],
        );
        check(
            openai_like,
            r#"{"metrics":{"time_to_first_token_ms":12.5,"queue_time_ms":3,"mean_itl_ms":9,"generation_time_ms":null}}"#,
            &[("metrics.queue_time_ms", 3_000, "3", Queue), ("metrics.time_to_first_token_ms", 12_500, "12.5", Prefill)],
        );
        check(
            openai_like,
            r#"{"usage":{"total_time_sec":1.5,"total_prompt_time_sec":0.5}}"#,
            &[("usage.total_prompt_time_sec", 500_000, "0.5", Prefill), ("usage.total_time_sec", 1_500_000, "1.5", Component)],
        );
        check(
            openai_like,
            r#"{"perf_metrics":{"server-time-to-first-token":"0.21","server-processing-time":1.1}}"#,
            &[
                ("perf_metrics.server-time-to-first-token", 210_000, "0.21", TimeToFirstToken),
                ("perf_metrics.server-processing-time", 1_100_000, "1.1", Total),
            ],
        );
        check(
            ollama,
            r#"{"total_duration":5589157167,"load_duration":3013701500,"prompt_eval_duration":0}"#,
            &[
                ("load_duration", 3_013_702, "3013701500", Queue),
                ("prompt_eval_duration", 0, "0", Prefill),
                ("total_duration", 5_589_157, "5589157167", Total),
            ],
        );
        check(sglang, r#"{"e2e_latency":0.25}"#, &[("meta_info.e2e_latency", 250_000, "0.25", Total)]);
        check(bedrock, r#"{"metrics":{"latencyMs":551}}"#, &[("metrics.latencyMs", 551_000, "551", Total)]);
        check(
            bedrock,
            r#"{"invocationLatency":900,"firstByteLatency":120}"#,
            &[("invocationLatency", 900_000, "900", Total), ("firstByteLatency", 120_000, "120", TimeToFirstToken)],
        );
    }

    #[test]
    fn a_component_without_duration_is_no_span() {
        check(
            openai_like,
            r#"{"server_timing":[{"name":"model","dur":720},{"name":"x"},{"name":"q","dur":3,"boundary":"queue"},5]}"#,
            &[("model", 720_000, "720", Component), ("q", 3_000, "3", Queue)],
        );
        check(openai_like, r#"{"server_timing":{"a":1},"timings":{"prompt_ms":-1,"predicted_ms":"fast"}}"#, &[]);
    }

    #[test]
    fn preprocessing_is_only_ever_named_by_the_server() {
        check(
            openai_like,
            r#"{"server_timing":[{"name":"tok","dur":1,"boundary":"preprocessing"}]}"#,
            &[("tok", 1_000, "1", Boundary::Preprocessing)],
        );
    }
}
