//! Whose pages may send: a list of origins, for browsers hold to it. It keeps nobody out who is no browser.

use axum::http::HeaderValue;

/// The origins that are let in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    listed: Vec<String>,
    any: bool,
    none: bool,
}

/// What is no origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "--origin {0}: write an origin as browsers do, such as https://app.example or http://localhost:3000; * lets every page in, \
     none those who send no origin"
)]
pub struct OriginError(String);

/// What is answered to an origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Allowed {
    /// No header: nobody asks for one.
    Silent,
    /// This origin may read the answer.
    Origin(HeaderValue),
}

impl Origins {
    /// Of what was asked for.
    pub fn parse(texts: &[String]) -> Result<Origins, OriginError> {
        let mut origins = Origins::default();
        for text in texts {
            match text.trim() {
                "*" => origins.any = true,
                "none" => origins.none = true,
                origin if is_origin(origin) => origins.listed.push(origin.to_owned()),
                _ => return Err(OriginError(text.clone())),
            }
        }
        Ok(origins)
    }

    /// Nobody is let in.
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty() && !self.any && !self.none
    }

    /// Whether this one is let in.
    pub(super) fn allowed(&self, origin: Option<&HeaderValue>) -> Option<Allowed> {
        let Some(origin) = origin else { return (self.none || self.any).then_some(Allowed::Silent) };
        let text = origin.to_str().ok()?;
        let known = self.any || self.listed.iter().any(|listed| listed == text);
        known.then(|| Allowed::Origin(origin.clone()))
    }
}

/// Scheme, host, and the port where it is not the usual one: compared as text, as browsers write it.
fn is_origin(text: &str) -> bool {
    let Some((scheme, host)) = text.split_once("://") else { return text == "null" };
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-:[]".contains(c);
    !host.is_empty() && host.chars().all(plain) && scheme.chars().all(|c| c.is_ascii_lowercase() || "+-.".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(list: &[&str], origin: Option<&'static str>) -> bool {
        let list: Vec<String> = list.iter().map(|text| (*text).to_owned()).collect();
        let origins = Origins::parse(&list).expect("origins");
        origins.allowed(origin.map(HeaderValue::from_static).as_ref()).is_some()
    }

    #[test]
    fn only_those_that_are_listed() {
        let list = ["https://app.example", "http://localhost:3000"];
        assert!(allowed(&list, Some("https://app.example")) && allowed(&list, Some("http://localhost:3000")));
        for other in ["https://app.example.evil", "http://app.example", "https://app.example:444", "null", "https://evil"] {
            assert!(!allowed(&list, Some(other)), "{other}");
        }
        assert!(!allowed(&list, None) && allowed(&["none"], None) && !allowed(&["none"], Some("https://a")));
        assert!(allowed(&["*"], Some("https://anything")) && allowed(&["null"], Some("null")));
        for wrong in ["app.example", "https://app.example/", "https://App.example", "https://", "file:///a"] {
            assert!(Origins::parse(&[wrong.to_owned()]).is_err(), "{wrong}");
        }
    }
}
