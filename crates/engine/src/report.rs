//! What the endpoint says about itself: the `Server-Timing` header, and fields of the body.

use serde_json::{Number, Value, json};

use crate::plan::{Plan, ServerTiming, Span};
use crate::reply::Times;

/// Times that were really taken up to the moment when the headers leave, in µs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// From receipt until the request was read and understood.
    pub accept_us: u64,
    /// Held in the queue.
    pub queue_us: u64,
    /// From receipt until the headers leave.
    pub total_us: u64,
}

/// Longer than any client waits.
pub(crate) fn lie(us: u64) -> u64 {
    us * 10 + LIE_US
}

const LIE_US: u64 = 60_000_000;

/// The header's text. For a stream it can only speak of the time up to the headers, so it names no total.
pub(crate) fn header(choice: &ServerTiming, streamed: bool, measured: Measured) -> Option<String> {
    let ms = |us: u64| format!("{}.{:03}", us / 1000, us % 1000);
    match choice {
        ServerTiming::Left => None,
        ServerTiming::Verbatim(text) => Some(text.clone()),
        ServerTiming::Lying => {
            Some(format!("total;dur={}, queue;dur={}", ms(lie(measured.total_us)), ms(lie(measured.queue_us))))
        }
        ServerTiming::Truthful if streamed => {
            Some(format!("queue;dur={}, accept;dur={}", ms(measured.queue_us), ms(measured.accept_us)))
        }
        ServerTiming::Truthful => Some(format!("total;dur={}, queue;dur={}", ms(measured.total_us), ms(measured.queue_us))),
    }
}

/// `server_timing` of a body: components at unknown places, and spans with a boundary.
pub(crate) fn server_timing(plan: &Plan, times: Times) -> Option<Value> {
    let components =
        plan.components.iter().map(|c| json!({"name": c.name, "dur": in_ms(c.us), "desc": c.name.replace('_', " ")}));
    let spans = plan.spans.iter().map(|span| {
        let us = match span {
            Span::Queue => times.queue_us,
            Span::Prefill => times.prefill_us - times.queue_us,
            Span::TimeToFirstToken => times.first_us,
            Span::Decode => times.last_us - times.first_us,
            Span::Total => times.last_us,
        };
        json!({"name": span.name(), "dur": in_ms(us), "boundary": span.name()})
    });
    let all: Vec<Value> = components.chain(spans).collect();
    (!all.is_empty()).then(|| Value::Array(all))
}

/// llama.cpp's `timings`: both times begin when the request got its place, so the queue is left out.
pub(crate) fn timings(plan: &Plan, times: Times, prompt_tokens: u32, tokens: u64) -> Option<Value> {
    plan.timings.then(|| {
        json!({
            "prompt_n": prompt_tokens,
            "prompt_ms": in_ms(times.prefill_us - times.queue_us),
            "predicted_n": tokens,
            "predicted_ms": in_ms(times.last_us - times.first_us),
        })
    })
}

/// Milliseconds, whole where they are whole.
fn in_ms(us: u64) -> Number {
    match us % 1000 {
        0 => Number::from(us / 1000),
        _ => Number::from_f64(us as f64 / 1000.0).unwrap_or_else(|| Number::from(us / 1000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_names_no_total() {
        let measured = Measured { accept_us: 123, queue_us: 100_004, total_us: 100_130 };
        let text = |streamed| header(&ServerTiming::Truthful, streamed, measured);
        assert_eq!(text(true).as_deref(), Some("queue;dur=100.004, accept;dur=0.123"));
        assert_eq!(text(false).as_deref(), Some("total;dur=100.130, queue;dur=100.004"));
        assert_eq!(header(&ServerTiming::Verbatim("a;dur=x".into()), true, measured).as_deref(), Some("a;dur=x"));
        assert_eq!(header(&ServerTiming::Left, true, measured), None);
    }

    #[test]
    fn whole_milliseconds_stay_whole() {
        assert_eq!(in_ms(720_000).to_string(), "720");
        assert_eq!(in_ms(1_500).to_string(), "1.5");
    }
}
