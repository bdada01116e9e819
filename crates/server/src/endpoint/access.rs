//! Query parameters of a request, and who may read the reply.

use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, Response, StatusCode, header};
use firstlight_engine::{Plan, ScheduleError};

use super::Aligned;
use super::path::Expected;
use crate::reply::{empty, set};

/// Parameters of the server itself, beside those of the engine.
const PARAMETERS: &str = "cors=off, preflight=reject, preflight_ms, expose=off, tao=off, rid, \
                          aligned=1, outbound_ms, return_ms, skew_ms";
/// The longest delay of a preflight.
const MAX_PREFLIGHT_MS: u64 = 600_000;
/// The longest id of a request.
const MAX_RID: usize = 200;

/// What is asked for in the address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// How the endpoint behaves.
    pub plan: Plan,
    /// Who may read the reply.
    pub access: Access,
    /// The id under which the truth is written down; without one it is not.
    pub rid: Option<String>,
    /// Stage times, and ways there and back.
    pub aligned: Aligned,
}

/// Which headers let a page of another origin read the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// `Access-Control-Allow-Origin` is sent.
    pub cors: bool,
    /// `Access-Control-Expose-Headers` is sent.
    pub expose: bool,
    /// `Timing-Allow-Origin` is sent.
    pub tao: bool,
    /// How a preflight is answered.
    pub preflight: Preflight,
}

/// How a preflight is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preflight {
    /// With 204, after so many ms.
    Allow(u64),
    /// With 403 and no permission, after so many ms.
    Reject(u64),
}

/// Why the address can't be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WantedError {
    /// A parameter of the engine.
    #[error("{0}")]
    Schedule(ScheduleError),
    /// A name that neither the engine nor the server knows.
    #[error("{0}; parameters of the server: {PARAMETERS}")]
    Unknown(ScheduleError),
    /// A value that a parameter of the server can't have.
    #[error("{name}={value}: {name} must be {allowed}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// As given.
        value: String,
        /// What is allowed.
        allowed: &'static str,
    },
}

impl Default for Access {
    fn default() -> Access {
        Access { cors: true, expose: true, tao: true, preflight: Preflight::Allow(0) }
    }
}

impl Wanted {
    /// Reads the query of an address whose path says nothing of the format.
    pub fn parse(query: &str) -> Result<Wanted, WantedError> {
        Wanted::of("", query, &Expected::default())
    }

    /// Reads the query of an address, over parameters that hold where it does not name them. A format in it counts more than that of
    /// the path.
    pub(crate) fn of(defaults: &str, query: &str, expected: &Expected) -> Result<Wanted, WantedError> {
        let given = || form_urlencoded::parse(query.as_bytes());
        let defaults = form_urlencoded::parse(defaults.as_bytes()).filter(|(name, _)| given().all(|(other, _)| other != *name));
        let (mut access, mut rid, mut reject, mut delay_ms) = (Access::default(), None, false, 0);
        let mut aligned = Aligned::default();
        let mut of_engine: Vec<(String, String)> = Vec::new();
        for (name, value) in defaults.chain(given()) {
            if let Some(read) = aligned.set(&name, &value) {
                read.map_err(|(name, allowed)| WantedError::Value { name, value: value.into_owned(), allowed })?;
                continue;
            }
            match name.as_ref() {
                name if expected.ignored.contains(&name) => {}
                "cors" => access.cors = !only("cors", &value, "off")?,
                "expose" => access.expose = !only("expose", &value, "off")?,
                "tao" => access.tao = !only("tao", &value, "off")?,
                "preflight" => reject = only("preflight", &value, "reject")?,
                "preflight_ms" => delay_ms = delay(&value)?,
                "rid" if value.is_empty() || value.len() > MAX_RID => {
                    return Err(WantedError::Value { name: "rid", value: value.into_owned(), allowed: "1 to 200 bytes long" });
                }
                "rid" => rid = Some(value.into_owned()),
                _ => of_engine.push((name.into_owned(), value.into_owned())),
            }
        }
        if let Some(format) = expected.format.filter(|_| of_engine.iter().all(|(name, _)| name != "format")) {
            of_engine.push(("format".to_owned(), format.to_owned()));
        }
        access.preflight = if reject { Preflight::Reject(delay_ms) } else { Preflight::Allow(delay_ms) };
        let plan = Plan::parse(&of_engine).map_err(|error| match error {
            ScheduleError::UnknownParameter { .. } => WantedError::Unknown(error),
            other => WantedError::Schedule(other),
        })?;
        Ok(Wanted { plan, access, rid, aligned })
    }
}

/// True if the value is the only one that is allowed.
fn only(name: &'static str, value: &str, allowed: &'static str) -> Result<bool, WantedError> {
    if value == allowed { Ok(true) } else { Err(WantedError::Value { name, value: value.to_owned(), allowed }) }
}

fn delay(value: &str) -> Result<u64, WantedError> {
    value.parse().ok().filter(|ms| *ms <= MAX_PREFLIGHT_MS).ok_or_else(|| WantedError::Value {
        name: "preflight_ms",
        value: value.to_owned(),
        allowed: "a whole number from 0 to 600000",
    })
}

impl Access {
    /// Adds what lets a page of another origin read a reply.
    pub(crate) fn allow(self, headers: &mut HeaderMap) {
        if self.cors {
            set(headers, header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
        }
        if self.expose {
            let names = match headers.contains_key(header::CONTENT_ENCODING) {
                true => "Server-Timing, Retry-After, Content-Encoding",
                false => "Server-Timing, Retry-After",
            };
            set(headers, header::ACCESS_CONTROL_EXPOSE_HEADERS, names);
        }
        if self.tao {
            set(headers, HeaderName::from_static("timing-allow-origin"), "*");
        }
    }

    /// Answers a preflight.
    pub(crate) async fn preflight(self, asked: &HeaderMap) -> Response<Body> {
        let (Preflight::Allow(ms) | Preflight::Reject(ms)) = self.preflight;
        tokio::time::sleep(Duration::from_millis(ms)).await;
        if matches!(self.preflight, Preflight::Reject(_)) {
            return empty(StatusCode::FORBIDDEN);
        }
        let mut response = empty(StatusCode::NO_CONTENT);
        let headers = response.headers_mut();
        if self.cors {
            set(headers, header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
            set(headers, header::ACCESS_CONTROL_ALLOW_METHODS, "POST");
            set(headers, header::ACCESS_CONTROL_MAX_AGE, "600");
            // The wildcard would leave out Authorization, so what was asked for is repeated.
            if let Some(names) = asked.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
                headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
            }
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use firstlight_engine::Format;

    #[test]
    fn parameters_of_the_server_and_of_the_engine() {
        let wanted = Wanted::parse("preset=fast&cors=off&tao=off&rid=a%20b&preflight=reject&preflight_ms=5").expect("wanted");
        assert_eq!(wanted.rid.as_deref(), Some("a b"));
        assert_eq!(wanted.access, Access { cors: false, expose: true, tao: false, preflight: Preflight::Reject(5) });
        assert_eq!(wanted.plan.tokens, 10);
        assert_eq!(Wanted::parse("").expect("wanted").access, Access::default());
        let aligned = Wanted::parse("aligned=1&outbound_ms=20&return_ms=10&skew_ms=-5000").expect("wanted").aligned;
        assert_eq!(aligned, Aligned { stamps: true, outbound_ms: 20, return_ms: 10, skew_ms: -5_000 });
    }

    #[test]
    fn defaults_hold_where_the_address_says_nothing() {
        let wanted = Wanted::of("preset=fast&tokens=7&cors=off", "tokens=9", &Expected::default()).expect("wanted");
        assert_eq!((wanted.plan.ttft_ms, wanted.plan.tokens, wanted.access.cors), (20, 9, false));
    }

    #[test]
    fn a_format_in_the_query_counts_more_than_the_paths() {
        let messages = Expected::of("/v1/messages").expect("a path");
        let format = |query: &str| Wanted::of("", query, &messages).expect("wanted").plan.format;
        assert_eq!(format("preset=text&beta=true"), Format::Anthropic);
        assert_eq!(format("format=ollama"), Format::Ollama);
        assert!(Wanted::parse("beta=true").is_err());
    }

    #[test]
    fn errors_say_what_is_allowed() {
        let refused = |query: &str| Wanted::parse(query).map(|w| format!("{w:?}")).expect_err("refused").to_string();
        assert_eq!(refused("cors=no"), "cors=no: cors must be off");
        assert!(refused("preflight_ms=x").contains("from 0 to 600000"));
        assert!(refused("corse=off").contains("parameters of the server: cors=off"));
        assert!(refused("rid=").contains("1 to 200"));
        assert_eq!(refused("return_ms=60001"), "return_ms=60001: return_ms must be a whole number from 0 to 60000");
        assert_eq!(refused("aligned=yes"), "aligned=yes: aligned must be 0 or 1");
        assert!(refused("skew_ms=x").contains("ten years"));
        assert!(refused("tokens=x").contains("tokens must be a whole number"));
    }
}
