//! Response headers that are timings: whose, in which unit, and what they describe where the reply came whole. On a stream
//! every header describes the time *to the headers*.

use super::Boundary::{Component, PrefillDecode, Preprocessing, Queue, TimeToFirstToken, Total};
use super::{Boundary, Mapping, Source, Span, Unit};

/// Name, unit, and what it is of a whole reply.
type Known = (&'static str, Unit, Boundary);

/// The headers that are known. `x-response-time` and others may carry their unit behind the number, which then holds.
pub const TIMING_HEADERS: [Known; 24] = [
    ("openai-processing-ms", Unit::Ms, Total),
    ("x-envoy-upstream-service-time", Unit::Ms, Component),
    ("cmp-upstream-response-duration", Unit::Ms, Component),
    ("ms-azureml-model-time", Unit::Ms, Component),
    ("x-kong-upstream-latency", Unit::Ms, Component),
    ("x-kong-proxy-latency", Unit::Ms, Component),
    // Seconds with a fraction at TGI, whole milliseconds at Together: see `unit_of`.
    ("x-compute-time", Unit::Ms, Component),
    ("x-total-time", Unit::Ms, Total),
    ("x-validation-time", Unit::Ms, Preprocessing),
    ("x-queue-time", Unit::Ms, Queue),
    ("x-inference-time", Unit::Ms, PrefillDecode),
    ("x-amzn-bedrock-invocation-latency", Unit::Ms, Total),
    ("fireworks-server-time-to-first-token", Unit::S, TimeToFirstToken),
    ("fireworks-server-processing-time", Unit::S, Total),
    ("x-litellm-response-duration-ms", Unit::Ms, Total),
    ("x-litellm-overhead-duration-ms", Unit::Ms, Component),
    ("x-litellm-callback-duration-ms", Unit::Ms, Component),
    ("x-litellm-timing-pre-processing-ms", Unit::Ms, Component),
    ("x-litellm-timing-llm-api-ms", Unit::Ms, Component),
    ("x-litellm-timing-post-processing-ms", Unit::Ms, Component),
    ("x-litellm-timing-message-copy-ms", Unit::Ms, Component),
    ("x-runtime", Unit::S, Total),
    ("x-response-time", Unit::Ms, Total),
    ("x-process-time", Unit::S, Total),
];

/// LiteLLM hands on its upstream's headers under this name; they are of the upstream.
const RELAYED: &str = "llm_provider-";

/// Spans of every header that is known or mapped by hand.
pub fn spans_from_headers(headers: &[(String, String)], mappings: &[Mapping], streamed: bool) -> Vec<Span> {
    let lower: Vec<(String, &str)> = headers.iter().map(|(n, v)| (n.to_ascii_lowercase(), v.as_str())).collect();
    let is_tgi = lower.iter().any(|(name, _)| name == "x-compute-type");
    let span = |(name, value): &(String, &str)| {
        if let Some(mapping) = mappings.iter().find(|m| m.is_header(name)) {
            return one(&mapping.name, value, mapping.unit, mapping.boundary, streamed);
        }
        let own = name.strip_prefix(RELAYED);
        let (_, unit, boundary) = TIMING_HEADERS.into_iter().find(|(known, ..)| *known == own.unwrap_or(name))?;
        let seconds = own.unwrap_or(name) == "x-compute-time" && (is_tgi || value.contains('.'));
        let boundary = if own.is_some() { Component } else { boundary };
        one(name, value, if seconds { Unit::S } else { unit }, boundary, streamed)
    };
    lower.iter().filter_map(span).collect()
}

fn one(name: &str, raw: &str, unit: Unit, boundary: Boundary, streamed: bool) -> Option<Span> {
    let (value, unit) = number(raw, unit)?;
    Some(Span {
        name: name.to_owned(),
        description: None,
        raw: raw.trim().to_owned(),
        unit,
        value: unit.duration(value)?,
        source: Source::Header,
        boundary: if streamed { Boundary::ToHeaders } else { boundary },
        before_end: true,
    })
}

/// A number, perhaps with its unit behind it.
pub(super) fn number(text: &str, unit: Unit) -> Option<(f64, Unit)> {
    let text = text.trim();
    let end = text.find(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E') || c == 'µ').unwrap_or(text.len());
    let unit = match &text[end..] {
        "" => unit,
        "µs" => Unit::Us,
        code => Unit::from_code(code)?,
    };
    Some((firstlight_json::number(text[..end].trim())?, unit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Micros;
    use crate::server_report::From;

    fn check(headers: &[(&str, &str)], streamed: bool, want: &[(&str, i64, Unit, Boundary)]) {
        let headers: Vec<_> = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let mapping = Mapping { from: From::Header("X-Mine".into()), name: "mine".into(), unit: Unit::Us, boundary: Queue };
        let spans = spans_from_headers(&headers, &[mapping], streamed);
        let got: Vec<_> = spans.iter().map(|s| (s.name.as_str(), s.value, s.unit, s.boundary)).collect();
        let want: Vec<_> = want.iter().map(|w| (w.0, Micros(w.1), w.2, w.3)).collect();
        assert_eq!(got, want, "{headers:?}");
    }

    #[test]
    fn one_name_is_seconds_at_one_and_milliseconds_at_another() {
        check(
            &[("X-Compute-Time", "384"), ("x-total-time", "384")],
            false,
            &[("x-compute-time", 384_000, Unit::Ms, Component), ("x-total-time", 384_000, Unit::Ms, Total)],
        );
        check(&[("x-compute-time", "2.484567121")], false, &[("x-compute-time", 2_484_567, Unit::S, Component)]);
        check(
            &[("x-compute-type", "gpu"), ("x-compute-time", "2")],
            false,
            &[("x-compute-time", 2_000_000, Unit::S, Component)],
        );
    }

    #[test]
    fn on_a_stream_every_header_is_to_the_headers() {
        check(&[("openai-processing-ms", "297")], true, &[("openai-processing-ms", 297_000, Unit::Ms, Boundary::ToHeaders)]);
        check(&[("x-mine", "5")], true, &[("mine", 5, Unit::Us, Boundary::ToHeaders)]);
        check(&[("x-mine", "5")], false, &[("mine", 5, Unit::Us, Queue)]);
    }

    #[test]
    fn units_behind_the_number_hold_and_nonsense_is_no_span() {
        check(
            &[("x-response-time", "12.5ms"), ("x-runtime", "0.25")],
            false,
            &[("x-response-time", 12_500, Unit::Ms, Total), ("x-runtime", 250_000, Unit::S, Total)],
        );
        check(&[("x-response-time", "1.5 s")], false, &[("x-response-time", 1_500_000, Unit::S, Total)]);
        check(&[("x-response-time", "fast"), ("x-runtime", ""), ("x-total-time", "-4"), ("server", "5")], false, &[]);
        check(
            &[("llm_provider-openai-processing-ms", "7")],
            false,
            &[("llm_provider-openai-processing-ms", 7_000, Unit::Ms, Component)],
        );
    }
}
