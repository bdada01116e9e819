//! The way to the collector: OTLP over HTTP in JSON, each request answered before the page is. After a failure nothing is tried
//! for a while: pages are told at once to come back later.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Uri, header};
use serde_json::Value;

use super::CollectOptions;
use crate::forward::{Sender, sender};

/// The longest answer that is read.
const MOST_ANSWER: usize = 64 << 10;
/// The pause after a failure; doubled with each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause, whatever the collector asks for.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Why there is no way to the collector.
#[derive(Debug, thiserror::Error)]
pub enum UpstreamError {
    /// No address.
    #[error("--otlp {0}: write the address of a collector's OTLP/HTTP receiver, such as http://127.0.0.1:4318")]
    Address(String),
    /// Not a header.
    #[error("the header {0} for the collector can't be sent: a name and a value of visible characters are needed")]
    Header(String),
    /// No encrypted connections can be made.
    #[error("encrypted connections to the collector can't be set up: {0}")]
    Tls(rustls::Error),
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    /// Taken, but for so many.
    Taken {
        /// What the collector says it did not take.
        rejected: u64,
    },
    /// Not now: come back after this.
    Later(Duration),
    /// Never, in the collector's words.
    Refused(String),
}

/// Pauses after failures.
#[derive(Default)]
struct Pause {
    failures: u32,
    until: Option<Instant>,
}

pub(super) struct Upstream {
    client: Sender,
    traces: Uri,
    metrics: Uri,
    headers: HeaderMap,
    patience: Duration,
    pause: Mutex<Pause>,
}

impl Upstream {
    pub(super) fn new(options: &CollectOptions) -> Result<Upstream, UpstreamError> {
        let base = options.otlp.trim_end_matches('/');
        let address = |path: &str| {
            let uri: Uri = format!("{base}{path}").parse().map_err(|_| UpstreamError::Address(options.otlp.clone()))?;
            let of_web = matches!(uri.scheme_str(), Some("http" | "https")) && uri.query().is_none();
            let named = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
            (of_web && named).then_some(uri).ok_or_else(|| UpstreamError::Address(options.otlp.clone()))
        };
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in &options.otlp_headers {
            let wrong = || UpstreamError::Header(name.clone());
            let mut value = HeaderValue::from_str(value).map_err(|_| wrong())?;
            value.set_sensitive(true);
            headers.insert(name.parse::<HeaderName>().map_err(|_| wrong())?, value);
        }
        let (traces, metrics) = (address("/v1/traces")?, address("/v1/metrics")?);
        Ok(Upstream {
            client: sender().map_err(UpstreamError::Tls)?,
            traces,
            metrics,
            headers,
            patience: options.patience,
            pause: Mutex::default(),
        })
    }

    /// How long nothing is tried yet.
    pub(super) fn paused(&self) -> Option<Duration> {
        let pause = self.pause.lock().unwrap_or_else(PoisonError::into_inner);
        let left = pause.until?.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }

    pub(super) async fn traces(&self, body: String) -> Sent {
        self.send(&self.traces, body, "rejectedSpans").await
    }

    pub(super) async fn metrics(&self, body: String) -> Sent {
        self.send(&self.metrics, body, "rejectedDataPoints").await
    }

    async fn send(&self, to: &Uri, body: String, rejected: &str) -> Sent {
        let mut request = Request::new(Body::from(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = to.clone();
        *request.headers_mut() = self.headers.clone();
        let asked = async {
            let answer = self.client.request(request).await.ok()?;
            let (head, body) = answer.into_parts();
            let text = to_bytes(Body::new(body), MOST_ANSWER).await.ok()?;
            Some((head.status, head.headers, String::from_utf8_lossy(&text).into_owned()))
        };
        let Some((status, headers, text)) = tokio::time::timeout(self.patience, asked).await.ok().flatten() else {
            return self.later(None);
        };
        if status.is_success() {
            *self.pause.lock().unwrap_or_else(PoisonError::into_inner) = Pause::default();
            return Sent::Taken { rejected: rejected_of(&text, rejected) };
        }
        // What the collector would refuse each time is no matter of waiting; a wrong key or path is the operator's to mend.
        if matches!(status, StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE | StatusCode::UNPROCESSABLE_ENTITY) {
            return Sent::Refused(format!("the collector answered {}", status.as_u16()));
        }
        self.later(headers.get(header::RETRY_AFTER))
    }

    fn later(&self, asked: Option<&HeaderValue>) -> Sent {
        let mut pause = self.pause.lock().unwrap_or_else(PoisonError::into_inner);
        let own = FIRST_PAUSE.saturating_mul(1 << pause.failures.min(6)).min(LONGEST_PAUSE);
        let asked = asked.and_then(|value| value.to_str().ok()?.trim().parse().ok()).map(Duration::from_secs);
        let wait = asked.map_or(own, |asked| asked.clamp(FIRST_PAUSE, LONGEST_PAUSE));
        pause.failures = pause.failures.saturating_add(1);
        pause.until = Some(Instant::now() + wait);
        Sent::Later(wait)
    }
}

/// OTLP's partial success; a number that is text, as protobuf's JSON has it, or a number.
fn rejected_of(answer: &str, name: &str) -> u64 {
    let value: Value = serde_json::from_str(answer).unwrap_or_default();
    let count = &value["partialSuccess"][name];
    count.as_u64().or_else(|| count.as_str()?.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::Origins;
    use super::*;

    #[test]
    fn addresses_and_headers_are_checked_at_the_start() {
        let new = |otlp: &str| Upstream::new(&CollectOptions::to(otlp, Origins::default()));
        assert_eq!(
            new("http://127.0.0.1:4318/").map(|up| up.traces.to_string()).ok().as_deref(),
            Some("http://127.0.0.1:4318/v1/traces")
        );
        for wrong in ["127.0.0.1:4318", "ftp://a", "http://user:key@a", "http://a/?key=1", ""] {
            assert!(matches!(new(wrong), Err(UpstreamError::Address(_))), "{wrong}");
        }
        let mut options = CollectOptions::to("http://a", Origins::default());
        options.otlp_headers = vec![("api-key".to_owned(), "secret\n".to_owned())];
        let error = Upstream::new(&options).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.contains("api-key") && !error.contains("secret"), "{error}");
    }

    #[test]
    fn partial_success_in_either_form() {
        assert_eq!(rejected_of(r#"{"partialSuccess":{"rejectedSpans":"3"}}"#, "rejectedSpans"), 3);
        assert_eq!(rejected_of(r#"{"partialSuccess":{"rejectedSpans":2}}"#, "rejectedSpans"), 2);
        assert_eq!(rejected_of("", "rejectedSpans"), 0);
    }
}
