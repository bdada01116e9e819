//! A race's set-up in the page's address: what others open. It has a version, and no place for a key.

use std::fmt::Write as _;

use super::{MAX_PAIRS, MIN_PAIRS, Margin};
use crate::config::{check_url, recipe};
use crate::link::{LinkError, VERSION, decode, encode, parts, public, shown};

/// What a fragment begins with.
const NAME: &str = "race";

/// Whose endpoint runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The endpoint that comes with the server; its preset.
    BuiltIn(String),
    /// Somebody's own.
    Own {
        /// Its address.
        url: String,
        /// The recipe it is asked by; empty for a chat completion.
        recipe: String,
    },
}

/// What a link holds. Keys, headers and bodies written by hand are no part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceSetup {
    /// Whose endpoint.
    pub target: Target,
    /// The model.
    pub model: String,
    /// Address and model of a second endpoint, asked in the same way.
    pub second: Option<(String, String)>,
    /// The prompt.
    pub prompt: String,
    /// The most output tokens.
    pub max_tokens: Option<u32>,
    /// Pairs of the verdict.
    pub pairs: u32,
    /// What its completion is judged by.
    pub margin: Margin,
}

/// Every part of a link.
const PARTS: [&str; 11] =
    ["v", "preset", "url", "recipe", "model", "second", "second-model", "prompt", "tokens", "pairs", "margin"];

impl RaceSetup {
    /// As a fragment, without `#`. What an address holds of secrets is left out.
    pub fn to_fragment(&self) -> String {
        let mut fragment = format!("{NAME}?v={VERSION}");
        let mut part = |name: &str, value: &str| {
            if !value.is_empty() {
                let _ = write!(fragment, "&{name}=");
                encode(value, &mut fragment);
            }
        };
        match &self.target {
            Target::BuiltIn(preset) => part("preset", preset),
            Target::Own { url, recipe } => {
                part("url", &public(url));
                part("recipe", recipe);
            }
        }
        part("model", &self.model);
        if let Some((url, model)) = &self.second {
            part("second", &public(url));
            part("second-model", model);
        }
        part("prompt", &self.prompt);
        part("tokens", &self.max_tokens.map(|n| n.to_string()).unwrap_or_default());
        part("pairs", &self.pairs.to_string());
        part("margin", &self.margin.to_string().replace(' ', ""));
        fragment
    }

    /// Whether a fragment, with or without its `#`, is the address of the race page.
    pub fn is_race(fragment: &str) -> bool {
        let fragment = fragment.trim_start_matches('#');
        fragment == NAME || fragment.strip_prefix(NAME).is_some_and(|rest| rest.starts_with('?'))
    }

    /// Of a fragment of the race page; none where it holds no set-up. `page` is the page's own address.
    pub fn from_fragment(fragment: &str, page: &str) -> Result<Option<RaceSetup>, LinkError> {
        let fragment = fragment.trim_start_matches('#');
        let Some(query) = fragment.strip_prefix(NAME).and_then(|rest| rest.strip_prefix('?')) else { return Ok(None) };
        let parts = Parts::read(query)?;
        let text = |name| parts.get(name).unwrap_or_default().to_owned();
        let number = |name, min: u32, max: u32| match parts.get(name) {
            None => Ok(None),
            Some(value) => {
                let number = value.parse().ok().filter(|n| (min..=max).contains(n));
                number.map(Some).ok_or(LinkError::Value(name))
            }
        };
        let sound = |name, url: &str| check_url(url, page).map_err(|_| LinkError::Value(name));
        let target = match (parts.get("preset"), parts.get("url")) {
            (Some(preset), None) => {
                let named = preset.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
                if !named || parts.get("recipe").is_some() {
                    return Err(LinkError::Value("preset"));
                }
                Target::BuiltIn(preset.to_owned())
            }
            (None, Some(url)) => {
                sound("url", url)?;
                let code = text("recipe");
                if !code.is_empty() && recipe(&code).is_none() {
                    return Err(LinkError::Value("recipe"));
                }
                Target::Own { url: public(url), recipe: code }
            }
            _ => return Err(LinkError::Value("url")),
        };
        let second = parts.get("second").map(|url| sound("second", url).map(|()| (public(url), text("second-model"))));
        let second = second.transpose()?;
        if second.is_none() && parts.get("second-model").is_some() {
            return Err(LinkError::Value("second-model"));
        }
        let prompt = text("prompt");
        if prompt.trim().is_empty() {
            return Err(LinkError::Value("prompt"));
        }
        let margin = parts.get("margin").map(|m| m.parse().map_err(|_| LinkError::Value("margin"))).transpose()?;
        Ok(Some(RaceSetup {
            target,
            model: text("model"),
            second,
            prompt,
            max_tokens: number("tokens", 1, 1_000_000)?,
            pairs: number("pairs", MIN_PAIRS, MAX_PAIRS)?.unwrap_or(super::verdict::USUAL_PAIRS),
            margin: margin.unwrap_or_default(),
        }))
    }
}

/// Each part once, decoded.
struct Parts([Option<String>; PARTS.len()]);

impl Parts {
    fn read(query: &str) -> Result<Parts, LinkError> {
        let mut each = Parts(std::array::from_fn(|_| None));
        for (name, value) in parts(query)? {
            let at = PARTS.iter().position(|known| *known == name);
            let at = at.ok_or_else(|| LinkError::Unknown(shown(name)))?;
            let value = decode(value).ok_or(LinkError::Value(PARTS[at]))?;
            if each.0[at].replace(value).is_some() {
                return Err(LinkError::Twice(PARTS[at]));
            }
        }
        Ok(each)
    }

    fn get(&self, name: &str) -> Option<&str> {
        let at = PARTS.iter().position(|known| *known == name)?;
        self.0[at].as_deref().filter(|value| !value.is_empty())
    }
}
