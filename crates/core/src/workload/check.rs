//! Is an answer right? Checks as data: read once, every mistake in them named; judging never fails and never takes long.

mod number;
mod schema;

use regex_lite::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use schema::Schema;
pub use schema::SchemaProblem;

/// A check, ready to judge.
#[derive(Clone, Debug)]
pub enum Check {
    /// The answer contains a text.
    Contains(Wording),
    /// The answer is a text, white space at both ends left aside.
    Equals(Wording),
    /// The pattern is found in the answer.
    Pattern(Regex),
    /// The answer is JSON that a schema allows.
    Schema(Box<Schema>),
    /// The answer is JSON with, or without, something at a JSON pointer.
    Exists(String, bool),
    /// The answer is JSON with this value at a JSON pointer.
    PointerEquals(String, Value),
    /// All of these.
    All(Vec<Check>),
}

/// A text to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wording {
    text: String,
    ignore_case: bool,
}

/// Why a check can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", crate::text::check_error(crate::text::Lang::En, self))]
pub enum CheckError {
    /// Neither an object nor a list of objects.
    NotObject,
    /// Not exactly one of `contains`, `equals`, `pattern`, `schema`, `pointer`.
    NotOne,
    /// A field that this check doesn't have.
    Unknown(String),
    /// A field holds something else than it should.
    Field(&'static str),
    /// A pattern that can't be read, and why.
    Pattern(String),
    /// Not a JSON pointer.
    Pointer(String),
    /// Something in the schema, at this place in it.
    Schema {
        /// A JSON pointer into the schema.
        at: String,
        /// What is wrong there.
        problem: SchemaProblem,
    },
}

/// Why an answer is not right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[error("{}", crate::text::check_failure(crate::text::Lang::En, self))]
pub enum CheckFailure {
    /// It doesn't contain this.
    Contains(String),
    /// It is not this, but that.
    Equals {
        /// What it should be.
        wanted: String,
        /// What it is, its beginning.
        found: String,
    },
    /// The pattern is not found in it.
    Pattern(String),
    /// It is not JSON.
    NotJson(String),
    /// Its JSON is not as the schema wants it.
    Schema {
        /// A JSON pointer into the answer.
        at: String,
        /// The keyword that it breaks.
        keyword: String,
        /// What the keyword wants there.
        wanted: String,
    },
    /// There is nothing at this JSON pointer.
    Missing(String),
    /// There is something at this JSON pointer.
    Present(String),
    /// There is another value at a JSON pointer.
    Differs {
        /// The pointer.
        pointer: String,
        /// What should be there.
        wanted: String,
        /// What is there.
        found: String,
    },
}

/// What a compiled pattern may take; with it, the time for a given answer is bounded.
const PATTERN_BYTES: usize = 1 << 18;

impl Check {
    /// Reads a check as it is written in a case.
    pub fn parse(value: &Value) -> Result<Check, CheckError> {
        match value {
            Value::Array(list) if !list.is_empty() => {
                let one = |value: &Value| Check::one(value.as_object().ok_or(CheckError::NotObject)?);
                Ok(Check::All(list.iter().map(one).collect::<Result<_, _>>()?))
            }
            Value::Object(map) => Check::one(map),
            _ => Err(CheckError::NotObject),
        }
    }

    fn one(map: &Map<String, Value>) -> Result<Check, CheckError> {
        let only = |known: &[&str]| match map.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(CheckError::Unknown(name.clone())),
            None => Ok(()),
        };
        let text = |name: &'static str| map[name].as_str().map(str::to_owned).ok_or(CheckError::Field(name));
        let wording = |name: &'static str| {
            only(&[name, "ignore_case"])?;
            let ignore_case = map.get("ignore_case").map_or(Some(false), Value::as_bool);
            let text = text(name)?;
            let text = if name == "equals" { text.trim().to_owned() } else { text };
            Ok(Wording { text, ignore_case: ignore_case.ok_or(CheckError::Field("ignore_case"))? })
        };
        let has = |name: &str| map.contains_key(name);
        if has("pointer") {
            only(&["pointer", "equals", "exists"])?;
            let pointer = text("pointer")?;
            if !pointer.is_empty() && !pointer.starts_with('/') {
                return Err(CheckError::Pointer(pointer));
            }
            return match (map.get("equals"), map.get("exists")) {
                (Some(value), None) => Ok(Check::PointerEquals(pointer, value.clone())),
                (None, exists) => {
                    let exists = exists.map_or(Some(true), Value::as_bool).ok_or(CheckError::Field("exists"))?;
                    Ok(Check::Exists(pointer, exists))
                }
                (Some(_), Some(_)) => Err(CheckError::NotOne),
            };
        }
        let kinds: Vec<&str> = ["contains", "equals", "pattern", "schema"].into_iter().filter(|name| has(name)).collect();
        match kinds[..] {
            ["contains"] => wording("contains").map(Check::Contains),
            ["equals"] => wording("equals").map(Check::Equals),
            ["pattern"] => {
                only(&["pattern"])?;
                pattern(&text("pattern")?).map(Check::Pattern).map_err(CheckError::Pattern)
            }
            ["schema"] => {
                only(&["schema"])?;
                let schema = Schema::parse(&map["schema"]);
                schema.map(|s| Check::Schema(Box::new(s))).map_err(|(at, problem)| CheckError::Schema { at, problem })
            }
            // A single misspelt word is named; more would be a guess.
            [] if map.len() == 1 => Err(CheckError::Unknown(map.keys().next().cloned().unwrap_or_default())),
            _ => Err(CheckError::NotOne),
        }
    }

    /// Whether an answer is right, and if not, why.
    pub fn judge(&self, answer: &str) -> Result<(), CheckFailure> {
        let holds = |right: bool, why: &dyn Fn() -> CheckFailure| if right { Ok(()) } else { Err(why()) };
        match self {
            Check::Contains(w) => {
                let found = if w.ignore_case {
                    answer.to_lowercase().contains(&w.text.to_lowercase())
                } else {
                    answer.contains(&w.text)
                };
                holds(found, &|| CheckFailure::Contains(excerpt(&w.text)))
            }
            Check::Equals(w) => {
                let answer = answer.trim();
                let same = if w.ignore_case { answer.to_lowercase() == w.text.to_lowercase() } else { answer == w.text };
                holds(same, &|| CheckFailure::Equals { wanted: excerpt(&w.text), found: excerpt(answer) })
            }
            Check::Pattern(regex) => holds(regex.is_match(answer), &|| CheckFailure::Pattern(excerpt(regex.as_str()))),
            Check::Schema(schema) => schema.judge(&json(answer)?),
            Check::Exists(pointer, wanted) => {
                let found = json(answer)?.pointer(pointer).is_some();
                holds(found == *wanted, &|| match wanted {
                    true => CheckFailure::Missing(excerpt(pointer)),
                    false => CheckFailure::Present(excerpt(pointer)),
                })
            }
            Check::PointerEquals(pointer, wanted) => {
                let json = json(answer)?;
                let found = json.pointer(pointer).ok_or_else(|| CheckFailure::Missing(excerpt(pointer)))?;
                holds(number::same(found, wanted), &|| CheckFailure::Differs {
                    pointer: excerpt(pointer),
                    wanted: excerpt(&wanted.to_string()),
                    found: excerpt(&found.to_string()),
                })
            }
            Check::All(checks) => checks.iter().try_for_each(|check| check.judge(answer)),
        }
    }
}

/// A pattern of regex-lite's syntax, whose search takes time linear in the text.
fn pattern(text: &str) -> Result<Regex, String> {
    RegexBuilder::new(text).size_limit(PATTERN_BYTES).build().map_err(|e| e.to_string())
}

/// An answer as JSON. One Markdown fence around all of it is taken off; text beside the JSON is not.
fn json(answer: &str) -> Result<Value, CheckFailure> {
    serde_json::from_str(unfenced(answer)).map_err(|e| CheckFailure::NotJson(e.to_string()))
}

fn unfenced(answer: &str) -> &str {
    let answer = answer.trim();
    let inside = answer.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    // Behind the opening fence stands the language, if any, up to the line's end.
    inside.and_then(|inside| inside.split_once('\n')).map_or(answer, |(_, body)| body)
}

/// The beginning of a text, short enough for a line.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
