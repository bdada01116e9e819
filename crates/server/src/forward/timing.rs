//! What the forwarder itself takes, told in every reply. A header leaves before the body, so it can tell of the time to the
//! headers only; pieces of the body pass without waiting.

use std::time::{Duration, Instant};

/// Stamps of one request, in their order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamps {
    /// The head of the request was read.
    pub(super) received: Instant,
    /// A connection to the upstream was asked for.
    pub(super) asked: Instant,
    /// A connection was there and began to send the request.
    pub(super) sent: Instant,
    /// The upstream's headers were read.
    pub(super) answered: Instant,
}

impl Stamps {
    /// The spans of `Server-Timing`, with headers that are written now. They don't overlap, and together they are the time
    /// from `received` to now.
    pub(super) fn spans(&self, now: Instant) -> String {
        let own = (self.asked - self.received) + (now - self.answered);
        let span = |name: &str, time: Duration, desc: &str| {
            format!("{name};dur={:.3};desc=\"firstlight forwarder: {desc}\"", time.as_secs_f64() * 1000.0)
        };
        [
            span("forward", own, "request received to request handed on, and upstream headers received to headers written"),
            span("connect", self.sent - self.asked, "request handed on to a connection to the upstream being ready"),
            span("upstream", self.answered - self.sent, "request sent upstream to its headers received"),
        ]
        .join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spans_add_up_to_the_whole() {
        let received = Instant::now();
        let at = |us| received + Duration::from_micros(us);
        let stamps = Stamps { received, asked: at(1_500), sent: at(4_000), answered: at(304_000) };
        let header = stamps.spans(at(304_250));
        let spans = firstlight_core::server_report::spans_from_header(&header, false);
        let figures: Vec<_> = spans.iter().map(|span| (span.name.as_str(), span.value.0)).collect();
        assert_eq!(figures, [("forward", 1_750), ("connect", 2_500), ("upstream", 300_000)]);
        assert!(spans.iter().all(|span| span.description.as_ref().is_some_and(|d| d.starts_with("firstlight forwarder: "))));
    }
}
