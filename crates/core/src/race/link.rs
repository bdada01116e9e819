//! A race's set-up in the page's address: what others open. It has a version, and no place for a key.

use std::fmt::Write as _;

use super::{MAX_PAIRS, MIN_PAIRS, Margin};
use crate::config::{check_url, recipe, redacted_url};

/// The version of links. Every change of what they mean raises it.
pub const VERSION: u32 = 1;

/// The longest link, in characters of its fragment: programs that pass links on cut longer ones.
pub const MAX_LINK: usize = 8_000;

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

/// Why a link is not opened. Nothing of it is used then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// It says no version.
    #[error("the link has no version: it was cut, or is none of this page's")]
    NoVersion,
    /// It was made by a newer page.
    #[error("the link has version {0}, and this page knows {VERSION}: open it with a newer Firstlight")]
    Newer(u32),
    /// A part that this version does not have.
    #[error("the link has a part “{0}” that is not known")]
    Unknown(String),
    /// A part that is there twice.
    #[error("the link has the part “{0}” twice")]
    Twice(&'static str),
    /// A part whose value can't be.
    #[error("the link’s part “{0}” has a value that can't be")]
    Value(&'static str),
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
        let pairs = || query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        // The version first: what else there is means what that version says.
        let version = pairs().find(|(name, _)| *name == "v").ok_or(LinkError::NoVersion)?.1;
        match version.parse::<u32>() {
            Ok(VERSION) => {}
            Ok(newer) if newer > VERSION => return Err(LinkError::Newer(newer)),
            _ => return Err(LinkError::Value("v")),
        }
        let mut parts = Parts(std::array::from_fn(|_| None));
        for (name, value) in pairs() {
            let at = PARTS.iter().position(|known| *known == name);
            let at = at.ok_or_else(|| LinkError::Unknown(name.chars().take(40).collect()))?;
            let value = decode(value).ok_or(LinkError::Value(PARTS[at]))?;
            if parts.0[at].replace(value).is_some() {
                return Err(LinkError::Twice(PARTS[at]));
            }
        }
        Ok(parts)
    }

    fn get(&self, name: &str) -> Option<&str> {
        let at = PARTS.iter().position(|known| *known == name)?;
        self.0[at].as_deref().filter(|value| !value.is_empty())
    }
}

/// An address as a link may hold it: without names and passwords, and without values that are called secret.
fn public(url: &str) -> String {
    let url = redacted_url(url.trim());
    let Some((scheme, rest)) = url.split_once("://") else { return url };
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let host = rest[..end].rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{}", &rest[end..])
}

/// As UTF-8, with everything but letters, digits and `-._~:/` in percent.
fn encode(text: &str, into: &mut String) {
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b':' | b'/' => into.push(byte.into()),
            _ => {
                let _ = write!(into, "%{byte:02X}");
            }
        }
    }
}

/// None of what is no UTF-8 or no percent code.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                let (high, low) = (digit(rest.next())?, digit(rest.next())?);
                u8::try_from(16 * high + low).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}
