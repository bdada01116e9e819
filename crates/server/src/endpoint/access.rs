//! Query parameters of a request, and who may read the reply.

use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, Response, StatusCode, header};
use firstlight_engine::{Plan, ScheduleError};

use crate::reply::{empty, set};

/// Parameters of the server itself, beside those of the engine.
const PARAMETERS: &str = "cors=off, preflight=reject, preflight_ms, expose=off, tao=off, rid";
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
    /// Reads the query of an address.
    pub fn parse(query: &str) -> Result<Wanted, WantedError> {
        let (mut access, mut rid, mut reject, mut delay_ms) = (Access::default(), None, false, 0);
        let mut of_engine: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match name.as_ref() {
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
        access.preflight = if reject { Preflight::Reject(delay_ms) } else { Preflight::Allow(delay_ms) };
        let plan = Plan::parse(&of_engine).map_err(|error| match error {
            ScheduleError::UnknownParameter { .. } => WantedError::Unknown(error),
            other => WantedError::Schedule(other),
        })?;
        Ok(Wanted { plan, access, rid })
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
            set(headers, header::ACCESS_CONTROL_EXPOSE_HEADERS, "Server-Timing, Retry-After");
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

    #[test]
    fn parameters_of_the_server_and_of_the_engine() {
        let wanted = Wanted::parse("preset=fast&cors=off&tao=off&rid=a%20b&preflight=reject&preflight_ms=5").expect("wanted");
        assert_eq!(wanted.rid.as_deref(), Some("a b"));
        assert_eq!(wanted.access, Access { cors: false, expose: true, tao: false, preflight: Preflight::Reject(5) });
        assert_eq!(wanted.plan.tokens, 10);
        assert_eq!(Wanted::parse("").expect("wanted").access, Access::default());
    }

    #[test]
    fn errors_say_what_is_allowed() {
        let refused = |query: &str| Wanted::parse(query).map(|w| format!("{w:?}")).expect_err("refused").to_string();
        assert_eq!(refused("cors=no"), "cors=no: cors must be off");
        assert!(refused("preflight_ms=x").contains("from 0 to 600000"));
        assert!(refused("corse=off").contains("parameters of the server: cors=off"));
        assert!(refused("rid=").contains("1 to 200"));
        assert!(refused("tokens=x").contains("tokens must be a whole number"));
    }
}
