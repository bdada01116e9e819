//! Single fields: what a field may hold, and its path where it holds something else.

use serde_json::{Map, Value};

use super::report::{Known, Reason, Why};
use crate::Micros;

/// No page was open for longer than a year, and no wait is.
const LONGEST_MS: f64 = 366.0 * 86_400_000.0;
/// Longer addresses stay behind.
const LONGEST_URL: usize = 256;

/// A value and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    value: Option<&'a Value>,
    path: &'static str,
}

impl<'a> Field<'a> {
    pub(super) fn of(value: &'a Value, path: &'static str) -> Field<'a> {
        let mut parts = path.split('.');
        let found = parts.try_fold(value, |value, part| value.get(part));
        Field { value: found, path }
    }

    pub(super) fn wrong(&self, expected: &'static str) -> Why {
        match self.value {
            None => Why::Missing(self.path),
            Some(_) => Why::Wrong { path: self.path, expected },
        }
    }

    pub(super) fn is_there(&self) -> bool {
        self.value.is_some()
    }

    /// `{absent: reason}`, or what stands there instead.
    fn known(&self) -> Result<Known<&'a Value>, Why> {
        let value = self.value.ok_or(Why::Missing(self.path))?;
        match value.get("absent") {
            None => Ok(Ok(value)),
            Some(reason) => match reason.as_str().and_then(Reason::of) {
                Some(reason) => Ok(Err(reason)),
                None => Err(self.wrong("a reason of small letters, digits and _")),
            },
        }
    }

    fn either<T>(&self, expected: &'static str, read: impl FnOnce(&'a Value) -> Option<T>) -> Result<Known<T>, Why> {
        match self.known()? {
            Ok(value) => read(value).map(Ok).ok_or_else(|| self.wrong(expected)),
            Err(reason) => Ok(Err(reason)),
        }
    }

    pub(super) fn ms(&self) -> Result<Known<Micros>, Why> {
        self.either("milliseconds, or {absent}", ms)
    }

    pub(super) fn whole(&self) -> Result<Known<u64>, Why> {
        self.either("a whole number, or {absent}", Value::as_u64)
    }

    pub(super) fn yes(&self) -> Result<Known<bool>, Why> {
        self.either("true or false, or {absent}", Value::as_bool)
    }

    /// A name that must be one.
    pub(super) fn name(&self) -> Result<String, Why> {
        const EXPECTED: &str = "a name of at most 64 letters, digits and _-./:";
        let name = self.value.and_then(Value::as_str).filter(|name| is_name(name));
        name.map(str::to_owned).ok_or_else(|| self.wrong(EXPECTED))
    }

    /// A text of which `pass` makes what may be passed on. Where it makes nothing, the text stays behind, and that is said.
    pub(super) fn text(&self, pass: impl FnOnce(&str) -> Option<String>) -> Result<Known<String>, Why> {
        let text = self.either("a text, or {absent}", Value::as_str)?;
        Ok(text.and_then(|text| pass(text).ok_or_else(Reason::not_passed)))
    }

    /// An object, or nothing.
    pub(super) fn object(&self) -> Result<Known<&'a Map<String, Value>>, Why> {
        self.either("an object, or {absent}", Value::as_object)
    }

    pub(super) fn list(&self) -> Result<Known<&'a Vec<Value>>, Why> {
        self.either("a list, or {absent}", Value::as_array)
    }

    pub(super) fn number(&self) -> Option<f64> {
        self.value.and_then(Value::as_f64)
    }

    /// What can't be absent.
    pub(super) fn must<T>(&self, read: Known<T>, expected: &'static str) -> Result<T, Why> {
        read.map_err(|_| self.wrong(expected))
    }

    /// A whole number; 0 if there is no such field.
    pub(super) fn count(&self) -> Result<u64, Why> {
        match self.value {
            None => Ok(0),
            Some(value) => value.as_u64().ok_or_else(|| self.wrong("a whole number")),
        }
    }
}

/// Milliseconds within reason.
pub(super) fn ms(value: &Value) -> Option<Micros> {
    value.as_f64().filter(|ms| ms.is_finite() && ms.abs() <= LONGEST_MS).map(Micros::from_ms)
}

/// A word of the product's own: an error's name, a count's, a part's, a protocol.
pub(super) fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-./:".contains(&b))
}

/// The name itself, if it is one.
pub(super) fn a_name(text: &str) -> Option<String> {
    is_name(text).then(|| text.to_owned())
}

/// Type and subtype, before any parameter.
pub(super) fn media_type(text: &str) -> Option<String> {
    let essence = text.split(';').next()?.trim().to_ascii_lowercase();
    let (kind, sub) = essence.split_once('/')?;
    let token =
        |part: &str| (1..=64).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-._".contains(&b));
    (token(kind) && token(sub)).then_some(essence)
}

/// An address of the web without query, fragment, user or anything that is no character of an address.
pub(super) fn public_url(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once("://")?;
    let plain = text.len() <= LONGEST_URL && text.bytes().all(|b| b.is_ascii_graphic() && !b"?#@\"<>\\`{}".contains(&b));
    let of_web = ["http", "https", "ws", "wss"].contains(&scheme) && !rest.is_empty() && !rest.starts_with('/');
    (plain && of_web).then(|| text.to_owned())
}
