//! Timings in the body: llama.cpp's `timings`, and named components in a usage event.

use serde_json::Value;

use super::{Boundary, Source, Span, Unit, duration_from_ms};

/// llama.cpp's `timings`. Both spans begin when the request got a slot: queueing is left out.
pub fn llama_cpp_timings(timings: &Value, before_end: bool) -> Vec<Span> {
    let span = |field: &str, boundary| {
        let value = timings.get(field)?;
        Some(Span {
            name: format!("timings.{field}"),
            description: None,
            raw: value.to_string(),
            unit: Unit::Ms,
            value: duration_from_ms(value.as_f64()?)?,
            source: Source::BodyField,
            boundary,
            before_end,
        })
    };
    [span("prompt_ms", Boundary::Prefill), span("predicted_ms", Boundary::Decode)].into_iter().flatten().collect()
}

/// A body's `server_timing: [{"name", "dur" in ms, "desc"?, "boundary"?}]`. Without a `boundary` that is known here, an
/// entry is a named component somewhere inside the request.
pub fn components(list: &Value, source: Source) -> Vec<Span> {
    let entries = list.as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |entry: &Value, field: &str| entry.get(field).and_then(Value::as_str).map(str::to_owned);
    let span = |entry: &Value| {
        let dur = entry.get("dur").filter(|d| d.is_number())?;
        let boundary = entry.get("boundary").and_then(Value::as_str).and_then(Boundary::from_code);
        Some(Span {
            name: text(entry, "name")?,
            description: text(entry, "desc"),
            raw: dur.to_string(),
            unit: Unit::Ms,
            value: duration_from_ms(dur.as_f64()?)?,
            source,
            boundary: boundary.unwrap_or(Boundary::Component),
            before_end: false,
        })
    };
    entries.iter().filter_map(span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Micros;

    #[test]
    fn llama_cpp_reports_prefill_and_decode_without_the_queue() {
        let timings = serde_json::json!({"prompt_n": 24, "prompt_ms": 1.56, "predicted_ms": 10.751});
        let spans = llama_cpp_timings(&timings, false);
        let got: Vec<_> = spans.iter().map(|s| (s.name.as_str(), s.value, s.boundary, s.raw.as_str())).collect();
        assert_eq!(
            got,
            [
                ("timings.prompt_ms", Micros(1_560), Boundary::Prefill, "1.56"),
                ("timings.predicted_ms", Micros(10_751), Boundary::Decode, "10.751"),
            ]
        );
    }

    #[test]
    fn a_component_without_duration_is_no_span() {
        let list =
            serde_json::json!([{"name": "model", "dur": 720}, {"name": "x"}, {"name": "q", "dur": 3, "boundary": "queue"}, 5]);
        let spans = components(&list, Source::UsageEvent);
        assert_eq!(spans.len(), 2);
        assert_eq!((spans[0].value, spans[0].boundary), (Micros(720_000), Boundary::Component));
        assert_eq!(spans[1].boundary, Boundary::Queue);
        assert!(components(&serde_json::json!({"a": 1}), Source::UsageEvent).is_empty());
    }
}
