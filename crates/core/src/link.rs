//! Set-ups in the page's address, behind its `#`: browsers send that part to no server. A link has a version, and no place for a key.
//!
//! What all links have in common is here; [`set_up`] is the measuring page's, [`crate::race::RaceSetup`] the race page's.

pub mod set_up;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use crate::config::redacted_url;

/// The version of links. Every change of what they mean raises it.
pub const VERSION: u32 = 1;

/// The longest link, in characters of its fragment: programs that pass links on cut longer ones.
pub const MAX_LINK: usize = 8_000;

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

/// The parts of a link of this version, as they are written. The version first: what else there is means what that says.
pub(crate) fn parts(query: &str) -> Result<impl Iterator<Item = (&str, &str)>, LinkError> {
    let version = pairs(query).find(|(name, _)| *name == "v").ok_or(LinkError::NoVersion)?.1;
    match version.parse::<u32>() {
        Ok(VERSION) => Ok(pairs(query)),
        Ok(newer) if newer > VERSION => Err(LinkError::Newer(newer)),
        _ => Err(LinkError::Value("v")),
    }
}

fn pairs(query: &str) -> impl Iterator<Item = (&str, &str)> {
    query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

/// The name of a part that is not taken, as short as it can be shown.
pub(crate) fn shown(name: &str) -> String {
    name.chars().take(40).collect()
}

/// An address as a link may hold it: without names and passwords, and without values that are called secret.
pub(crate) fn public(url: &str) -> String {
    let url = redacted_url(url.trim());
    let Some((scheme, rest)) = url.split_once("://") else { return url };
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let host = rest[..end].rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{}", &rest[end..])
}

/// As UTF-8, with everything but letters, digits and `-._~:/` in percent.
pub(crate) fn encode(text: &str, into: &mut String) {
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
pub(crate) fn decode(text: &str) -> Option<String> {
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
