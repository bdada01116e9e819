//! Sends a run to a collector as OTLP/HTTP JSON: metrics first, then its requests in parts that every receiver takes. What may
//! be tried again is tried again, a few times; everything that did not arrive is said.

use std::fmt;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use axum::http::{HeaderMap, Request, StatusCode, Uri};
use firstlight_core::export::otlp::{metrics, traces_in_batches};
use firstlight_core::report::Run;
use serde::Deserialize;

use crate::forward::{Reason, Sender, sender};

/// The variable that holds headers for the collector, as OpenTelemetry's own programs read it: `name=value,name=value`.
pub const HEADERS_ENV: &str = "OTEL_EXPORTER_OTLP_HEADERS";
/// Requests in one document: some hundreds of kB, where collectors take 20 MB.
const REQUESTS_AT_ONCE: usize = 200;
/// More than this is not read of what a collector answers.
const ANSWER_LIMIT: usize = 64 * 1024;

/// How often something is tried again, and when.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Attempts, the first one among them.
    pub attempts: u32,
    /// The pause before the second; each further one is twice as long.
    pub first: Duration,
    /// The longest pause, also of those that the collector asks for.
    pub longest: Duration,
    /// The limit of one attempt.
    pub limit: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            attempts: 5,
            first: Duration::from_millis(500),
            longest: Duration::from_secs(30),
            limit: Duration::from_secs(30),
        }
    }
}

/// A kind of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Histograms and counts.
    Metrics,
    /// Spans.
    Traces,
}

impl Signal {
    fn path(self) -> &'static str {
        match self {
            Signal::Metrics => "/v1/metrics",
            Signal::Traces => "/v1/traces",
        }
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Signal::Metrics => "metrics",
            Signal::Traces => "traces",
        })
    }
}

/// Why there is no collector to send to.
#[derive(Debug, thiserror::Error)]
pub enum CollectorError {
    /// Not an address.
    #[error(
        "{0} is no address of a collector: write its base, such as http://127.0.0.1:4318; /v1/metrics and /v1/traces follow by themselves"
    )]
    Url(String),
    /// A name and a password in it.
    #[error("the address holds a name or password, which would stand in logs: give them in {HEADERS_ENV}")]
    Credentials,
    /// Not headers.
    #[error("{HEADERS_ENV}: “{0}” is no header: write name=value,name=value, with what is not plain percent-encoded")]
    Header(String),
    /// Encryption can't be set up.
    #[error("encrypted connections can't be set up: {0}")]
    Tls(#[from] rustls::Error),
}

/// Why something did not arrive.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// No answer, at the last attempt.
    #[error("the {signal} did not reach {place} in {attempts} attempts: {why}")]
    NoAnswer {
        /// What was sent.
        signal: Signal,
        /// Where to.
        place: String,
        /// How often.
        attempts: u32,
        /// The last reason.
        why: String,
    },
    /// Refused.
    #[error("{place} refused the {signal} with HTTP {status}{said} (attempt {attempts})")]
    Refused {
        /// What was sent.
        signal: Signal,
        /// Where to.
        place: String,
        /// The status.
        status: StatusCode,
        /// What was said beside it; empty, or after a colon.
        said: String,
        /// How often.
        attempts: u32,
    },
    /// Taken in part.
    #[error("{place} took the {signal} without {rejected} of their parts{said}")]
    Rejected {
        /// What was sent.
        signal: Signal,
        /// Where to.
        place: String,
        /// How many spans or points it did not take.
        rejected: u64,
        /// What was said beside it; empty, or after a colon.
        said: String,
    },
}

/// What arrived.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Documents.
    pub documents: u32,
    /// Attempts beyond one for each.
    pub again: u32,
    /// What the collector had to say though it took everything.
    pub warnings: Vec<String>,
}

/// Where to send to.
pub struct Collector {
    base: String,
    headers: HeaderMap,
    client: Sender,
    patience: Patience,
}

impl Collector {
    /// By its base address, with headers as [`HEADERS_ENV`] has them.
    pub fn new(base: &str, headers: Option<&str>, patience: Patience) -> Result<Collector, CollectorError> {
        let base = base.trim().trim_end_matches('/');
        let wrong = || CollectorError::Url(shown(base));
        let uri: Uri = base.parse().map_err(|_| wrong())?;
        let is_base = matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty());
        if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return Err(CollectorError::Credentials);
        }
        if !is_base || uri.query().is_some() || [Signal::Metrics, Signal::Traces].iter().any(|s| base.ends_with(s.path())) {
            return Err(wrong());
        }
        let headers = self::headers(headers.unwrap_or_default())?;
        Ok(Collector { base: base.to_owned(), headers, client: sender()?, patience })
    }

    /// Sends both documents of a run.
    pub async fn send(&self, run: &Run) -> Result<Sent, SendError> {
        let mut sent = Sent::default();
        self.post(Signal::Metrics, metrics(run), &mut sent).await?;
        for batch in traces_in_batches(run, REQUESTS_AT_ONCE) {
            self.post(Signal::Traces, batch, &mut sent).await?;
        }
        Ok(sent)
    }

    /// Sends one document.
    pub async fn post(&self, signal: Signal, document: String, sent: &mut Sent) -> Result<(), SendError> {
        let place = format!("{}{}", self.base, signal.path());
        let mut pause = self.patience.first;
        let mut attempts = 0;
        loop {
            attempts += 1;
            let last = attempts >= self.patience.attempts.max(1);
            let wait = match self.attempt(&place, document.clone()).await {
                Ok(Answer { status, body, .. }) if status.is_success() => {
                    sent.again += attempts - 1;
                    return taken(signal, place, &body, sent);
                }
                Ok(Answer { status, retry_after, .. }) if may_pass(status) && !last => retry_after,
                Ok(Answer { status, body, .. }) => {
                    return Err(SendError::Refused { signal, place, status, said: said(&body), attempts });
                }
                Err(why) if last => return Err(SendError::NoAnswer { signal, place, attempts, why }),
                Err(_) => None,
            };
            tokio::time::sleep(wait.unwrap_or(pause).min(self.patience.longest)).await;
            pause = pause.saturating_mul(2);
        }
    }

    async fn attempt(&self, place: &str, document: String) -> Result<Answer, String> {
        let mut request = Request::post(place).header(CONTENT_TYPE, "application/json").body(Body::from(document));
        if let Ok(request) = &mut request {
            request.headers_mut().extend(self.headers.clone());
        }
        let request = request.map_err(|e| e.to_string())?;
        let answered = async {
            let response = self.client.request(request).await.map_err(|e| Reason::of(&e).to_string())?;
            let (head, body) = response.into_parts();
            let seconds = head.headers.get(RETRY_AFTER).and_then(|v| v.to_str().ok()?.trim().parse().ok());
            // A body that breaks off says nothing; the status does.
            let body = to_bytes(Body::new(body), ANSWER_LIMIT).await.unwrap_or_default();
            Ok(Answer { status: head.status, retry_after: seconds.map(Duration::from_secs), body: body.to_vec() })
        };
        let limit = self.patience.limit;
        tokio::time::timeout(limit, answered)
            .await
            .unwrap_or_else(|_| Err(format!("no answer within {} s", limit.as_secs_f64())))
    }
}

/// What a collector answered.
struct Answer {
    status: StatusCode,
    retry_after: Option<Duration>,
    body: Vec<u8>,
}

/// The specification names these; any other refusal is for good.
fn may_pass(status: StatusCode) -> bool {
    matches!(status.as_u16(), 429 | 502 | 503 | 504)
}

/// The body of an answer that took something.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Taken {
    partial_success: Option<Partial>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Partial {
    rejected_spans: Number,
    rejected_data_points: Number,
    error_message: String,
}

/// 64-bit integers come as texts or as numbers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Number(u64),
    Text(String),
}

impl Default for Number {
    fn default() -> Number {
        Number::Number(0)
    }
}

impl Number {
    fn value(&self) -> u64 {
        match self {
            Number::Number(n) => *n,
            Number::Text(text) => text.parse().unwrap_or(0),
        }
    }
}

fn taken(signal: Signal, place: String, body: &[u8], sent: &mut Sent) -> Result<(), SendError> {
    // Some answer nothing at all, or in another form than they were asked in: then nothing was refused.
    let partial = serde_json::from_slice::<Taken>(body).unwrap_or_default().partial_success.unwrap_or_default();
    let rejected = partial.rejected_spans.value() + partial.rejected_data_points.value();
    let message = partial.error_message;
    if rejected > 0 {
        let said = if message.is_empty() { message } else { format!(": {message}") };
        return Err(SendError::Rejected { signal, place, rejected, said });
    }
    sent.documents += 1;
    if !message.is_empty() {
        sent.warnings.push(message);
    }
    Ok(())
}

/// What stands beside a status, where it is text: a beginning of it, in one line.
fn said(body: &[u8]) -> String {
    let text = match serde_json::from_slice::<serde_json::Value>(body) {
        Ok(json) => json["message"].as_str().unwrap_or_default().to_owned(),
        Err(_) => String::from_utf8_lossy(body).into_owned(),
    };
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(200).collect();
    if line.is_empty() { line } else { format!(": {line}") }
}

/// An address without what may be secret in it.
fn shown(url: &str) -> String {
    firstlight_core::config::redacted_url(url)
}

fn headers(text: &str) -> Result<HeaderMap, CollectorError> {
    let mut headers = HeaderMap::new();
    for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let name = pair.split('=').next().unwrap_or_default().trim();
        // The value may be a key: never told.
        let wrong = || CollectorError::Header(name.to_owned());
        let (_, value) = pair.split_once('=').ok_or_else(wrong)?;
        let value = percent_decoded(value.trim()).ok_or_else(wrong)?;
        let name = HeaderName::try_from(name).map_err(|_| wrong())?;
        let mut value = HeaderValue::try_from(value).map_err(|_| wrong())?;
        value.set_sensitive(true);
        headers.append(name, value);
    }
    Ok(headers)
}

/// None of what is not UTF-8 in the end, or ends in the middle of an escape.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut out = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'%' => {
                let digits = [bytes.next()?, bytes.next()?];
                let both = digits.iter().all(u8::is_ascii_hexdigit);
                u8::from_str_radix(std::str::from_utf8(&digits).ok().filter(|_| both)?, 16).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
#[path = "otlp_tests.rs"]
mod tests;
