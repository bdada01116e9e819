//! One WebDriver service, such as a Selenium Grid.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Method, Request, Uri, header};
use base64::Engine as _;
use firstlight_core::report::Session;
use serde_json::{Value, json};

use crate::forward::{Reason, Sender, sender};

/// The longest answer.
const MOST_ANSWER: usize = 4 << 20;
/// The longest part of a message that is told: drivers add their own stack.
const MOST_SAID: usize = 300;

/// Where browsers are opened.
#[derive(Clone)]
pub struct WebDriver {
    client: Sender,
    base: String,
    host: String,
    key: Option<HeaderValue>,
}

/// A session that must be closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSession {
    id: String,
    /// Its browser, as the service names it.
    pub browser: Session,
}

/// What a service did not do.
#[derive(Debug, thiserror::Error)]
pub enum WebDriverError {
    /// Not an address.
    #[error("--webdriver: write the address of a WebDriver service, such as http://grid.example:4444")]
    Address,
    /// The key stands in the address.
    #[error(
        "--webdriver: leave user and password out of the address; put USER:PASSWORD into an environment variable and name it \
         with --webdriver-auth-env"
    )]
    Credentials,
    /// The key can't be sent.
    #[error("--webdriver-auth-env: the variable holds characters that no header can have")]
    Key,
    /// No encrypted connections can be made.
    #[error("encrypted connections to the WebDriver service can't be set up: {0}")]
    Tls(rustls::Error),
    /// No answer.
    #[error("the WebDriver service did not answer: {0}")]
    NoAnswer(String),
    /// An answer of something else.
    #[error("what answered is no WebDriver service (status {0}); is the address right, and is a path such as /wd/hub missing?")]
    NotWebDriver(u16),
    /// Its own error.
    #[error("{error}: {message}")]
    Said {
        /// The code of WebDriver.
        error: String,
        /// What it says further.
        message: String,
    },
}

impl WebDriver {
    /// At this address; `key` is `USER:PASSWORD`.
    pub fn at(address: &str, key: Option<&str>) -> Result<WebDriver, WebDriverError> {
        let base = address.trim().trim_end_matches('/').to_owned();
        let uri: Uri = base.parse().map_err(|_| WebDriverError::Address)?;
        let authority = uri.authority().ok_or(WebDriverError::Address)?;
        if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.query().is_some() {
            return Err(WebDriverError::Address);
        }
        if authority.as_str().contains('@') {
            return Err(WebDriverError::Credentials);
        }
        let key = key.map(|key| {
            let text = format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(key));
            let mut value = HeaderValue::from_str(&text).map_err(|_| WebDriverError::Key)?;
            value.set_sensitive(true);
            Ok(value)
        });
        let client = sender().map_err(WebDriverError::Tls)?;
        Ok(WebDriver { client, host: authority.host().to_owned(), base, key: key.transpose()? })
    }

    /// Its host's name or address.
    pub fn host(&self) -> &str {
        self.host.trim_matches(['[', ']'])
    }

    /// Its address.
    pub fn address(&self) -> &str {
        &self.base
    }

    /// Opens a session; a grid may make it wait for a free place.
    pub async fn open(&self, number: u32, capabilities: Value) -> Result<OpenSession, WebDriverError> {
        let asked = json!({"capabilities": {"alwaysMatch": capabilities}});
        let answer = self.ask(Method::POST, "/session", Some(&asked)).await?;
        let id = answer["sessionId"].as_str().ok_or(WebDriverError::NotWebDriver(200))?.to_owned();
        let said = |name: &str| answer["capabilities"][name].as_str().unwrap_or_default().to_owned();
        let browser =
            Session { number, browser: said("browserName"), version: said("browserVersion"), platform: said("platformName") };
        Ok(OpenSession { id, browser })
    }

    /// Goes to an address.
    pub async fn go(&self, session: &OpenSession, url: &str) -> Result<(), WebDriverError> {
        self.ask(Method::POST, &format!("/session/{}/url", session.id), Some(&json!({"url": url}))).await.map(drop)
    }

    /// Closes a session, and its browser with it.
    pub async fn close(&self, session: &OpenSession) -> Result<(), WebDriverError> {
        self.ask(Method::DELETE, &format!("/session/{}", session.id), None).await.map(drop)
    }

    /// The `value` of the answer.
    async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, WebDriverError> {
        let mut request = Request::new(body.map_or_else(Body::empty, |body| Body::from(body.to_string())));
        *request.method_mut() = method;
        *request.uri_mut() = format!("{}{path}", self.base).parse().map_err(|_| WebDriverError::Address)?;
        let headers = request.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(key) = &self.key {
            headers.insert(header::AUTHORIZATION, key.clone());
        }
        let answer =
            self.client.request(request).await.map_err(|error| WebDriverError::NoAnswer(Reason::of(&error).to_string()))?;
        let status = answer.status();
        let bytes = to_bytes(Body::new(answer.into_body()), MOST_ANSWER).await;
        let bytes = bytes.map_err(|error| WebDriverError::NoAnswer(error.to_string()))?;
        let not_webdriver = || WebDriverError::NotWebDriver(status.as_u16());
        let mut answer: Value = serde_json::from_slice(&bytes).map_err(|_| not_webdriver())?;
        let value = answer.get_mut("value").map(Value::take).ok_or_else(not_webdriver)?;
        if status.is_success() {
            return Ok(value);
        }
        let error = value["error"].as_str().ok_or_else(not_webdriver)?.to_owned();
        let message = value["message"].as_str().unwrap_or_default();
        let message = message.lines().find(|line| !line.trim().is_empty()).unwrap_or("it does not say why");
        Err(WebDriverError::Said { error, message: message.chars().take(MOST_SAID).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked_and_hold_no_key() {
        let at = |text: &str| WebDriver::at(text, None).map(|driver| (driver.host().to_owned(), driver.base));
        assert_eq!(at("http://grid:4444/wd/hub/").ok(), Some(("grid".to_owned(), "http://grid:4444/wd/hub".to_owned())));
        assert_eq!(at("http://[::1]:4444").ok().map(|(host, _)| host).as_deref(), Some("::1"));
        for wrong in ["grid:4444", "ftp://grid", "http://grid/?key=1", ""] {
            assert!(matches!(at(wrong), Err(WebDriverError::Address)), "{wrong}");
        }
        assert!(matches!(at("https://me:secret@grid"), Err(WebDriverError::Credentials)));
    }
}
