//! Which browsers a service is asked for.

use std::time::Duration;

use serde_json::{Map, Value, json};

/// Switches that chromedriver turns on by itself and that users' browsers don't have: with them, hidden pages would not be slowed
/// down.
const NOT_IN_USERS_BROWSERS: [&str; 3] =
    ["disable-background-timer-throttling", "disable-backgrounding-occluded-windows", "disable-renderer-backgrounding"];

/// What `--capabilities` holds: of one browser, or of several by turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted(Vec<Map<String, Value>>);

/// What it can't hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WantedError {
    /// Not JSON.
    #[error("it is not JSON ({0})")]
    NotJson(String),
    /// JSON of something else.
    #[error(
        "write one JSON object of WebDriver capabilities, or a list of objects that browsers get by turns, such as \
         {{\"browserName\": \"firefox\"}}"
    )]
    NotCapabilities,
}

impl Wanted {
    /// Browsers of this name, as the service has them.
    pub fn named(browser: &str) -> Wanted {
        let mut one = Map::new();
        one.insert("browserName".to_owned(), browser.into());
        Wanted(vec![one])
    }

    /// Reads the option.
    pub fn parse(text: &str) -> Result<Wanted, WantedError> {
        let value: Value = serde_json::from_str(text).map_err(|e| WantedError::NotJson(e.to_string()))?;
        let all = match value {
            Value::Array(all) => all,
            one => vec![one],
        };
        let object = |value: Value| match value {
            Value::Object(map) => Ok(map),
            _ => Err(WantedError::NotCapabilities),
        };
        let all = all.into_iter().map(object).collect::<Result<Vec<_>, _>>()?;
        if all.is_empty() { Err(WantedError::NotCapabilities) } else { Ok(Wanted(all)) }
    }

    /// Of a browser by its number from 1, with what a measurement needs where it says nothing else.
    pub fn of(&self, number: u32, accept_certificate: bool, page_load: Duration) -> Value {
        let at = (number.max(1) as usize - 1) % self.0.len();
        let mut one = self.0[at].clone();
        // Until the document is there: a service that can't reach the page says so, and does nothing once it runs.
        one.entry("pageLoadStrategy").or_insert_with(|| "eager".into());
        one.entry("timeouts").or_insert_with(|| json!({"pageLoad": page_load.as_millis() as u64}));
        if accept_certificate {
            // The server's own is made for this run, and nobody vouches for it.
            one.entry("acceptInsecureCerts").or_insert(true.into());
        }
        let chrome = one.get("browserName").and_then(Value::as_str).is_some_and(|name| name.starts_with("chrom"));
        if chrome && let Some(options) = one.entry("goog:chromeOptions").or_insert_with(|| json!({})).as_object_mut() {
            options.entry("excludeSwitches").or_insert_with(|| json!(NOT_IN_USERS_BROWSERS));
        }
        Value::Object(one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(60);

    #[test]
    fn browsers_get_them_by_turns() {
        let wanted = Wanted::parse(r#"[{"browserName": "chrome"}, {"browserName": "firefox"}]"#).expect("capabilities");
        let names: Vec<Value> = (1..=4).map(|number| wanted.of(number, false, LIMIT)["browserName"].clone()).collect();
        assert_eq!(names, ["chrome", "firefox", "chrome", "firefox"]);
        for wrong in ["[]", "3", "[3]"] {
            assert_eq!(Wanted::parse(wrong), Err(WantedError::NotCapabilities), "{wrong}");
        }
        assert!(matches!(Wanted::parse("{"), Err(WantedError::NotJson(_))));
    }

    #[test]
    fn what_is_asked_for_stays_and_the_rest_is_as_users_have_it() {
        let asked =
            r#"{"browserName": "chrome", "pageLoadStrategy": "none", "goog:chromeOptions": {"args": ["--headless=new"]}}"#;
        let of = Wanted::parse(asked).expect("capabilities").of(1, true, LIMIT);
        assert_eq!((&of["pageLoadStrategy"], &of["acceptInsecureCerts"]), (&json!("none"), &json!(true)));
        assert_eq!(of["goog:chromeOptions"]["args"], json!(["--headless=new"]));
        assert_eq!(of["goog:chromeOptions"]["excludeSwitches"], json!(NOT_IN_USERS_BROWSERS));
        let of = Wanted::named("firefox").of(1, false, LIMIT);
        assert_eq!(of, json!({"browserName": "firefox", "pageLoadStrategy": "eager", "timeouts": {"pageLoad": 60_000}}));
    }
}
