//! Does a JSON value fit a schema? A subset of JSON Schema 2020-12; a keyword outside it is refused when the schema is
//! read, since one that is passed over would call wrong answers right.

use std::cmp::Ordering;

use regex_lite::Regex;
use serde_json::{Number, Value};

use super::number::{compare, same, whole};
use super::{CheckFailure, excerpt, pattern};

/// Deeper schemas are refused.
const DEEPEST: usize = 64;
/// Say something about the schema and nothing about values.
const ANNOTATIONS: [&str; 10] =
    ["$schema", "$id", "$comment", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"];
const TYPES: [&str; 7] = ["null", "boolean", "object", "array", "number", "string", "integer"];

/// A schema, ready to judge: every rule must hold.
#[derive(Clone, Debug)]
pub struct Schema(Vec<Rule>);

#[derive(Clone, Debug)]
enum Rule {
    Never,
    Type(Vec<String>),
    Enum(Vec<Value>),
    Const(Value),
    Properties(Vec<(String, Schema)>),
    /// No others than these.
    Closed(Vec<String>),
    Required(Vec<String>),
    Items(Schema),
    /// A size of a list or text is at least, or at most, this.
    Size(Sized, Ordering, u64),
    /// A number is not on this side of the bound; `bool`: the bound itself is left out too.
    Bound(Ordering, bool, Number),
    Pattern(Regex),
    Any(Vec<Schema>),
    All(Vec<Schema>),
    One(Vec<Schema>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sized {
    List,
    Text,
}

/// What is wrong at a place in a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaProblem {
    /// Neither an object nor true or false.
    NotSchema,
    /// A keyword that is not checked here.
    Keyword(String),
    /// A keyword's value is not what it should be.
    Value(String),
    /// A pattern that can't be read, and why.
    Pattern(String),
    /// Nested too deeply.
    Depth,
}

type Problem = (String, SchemaProblem);

impl Schema {
    /// Reads a schema; a problem comes with a JSON pointer to its place.
    pub(super) fn parse(value: &Value) -> Result<Schema, Problem> {
        Schema::at(value, "", 0)
    }

    fn at(value: &Value, at: &str, depth: usize) -> Result<Schema, Problem> {
        let map = match value {
            _ if depth > DEEPEST => return Err((at.to_owned(), SchemaProblem::Depth)),
            Value::Bool(true) => return Ok(Schema(Vec::new())),
            Value::Bool(false) => return Ok(Schema(vec![Rule::Never])),
            Value::Object(map) => map,
            _ => return Err((at.to_owned(), SchemaProblem::NotSchema)),
        };
        let mut rules = Vec::new();
        for (keyword, value) in map {
            if ANNOTATIONS.contains(&keyword.as_str()) {
                continue;
            }
            let place = format!("{at}/{}", escaped(keyword));
            let wrong = || (place.clone(), SchemaProblem::Value(keyword.clone()));
            let names = || names(value).ok_or_else(wrong);
            let list = || value.as_array().filter(|list| !list.is_empty()).ok_or_else(wrong);
            let inner = |value: &Value, place: &str| Schema::at(value, place, depth + 1);
            let several = || {
                let each = list()?.iter().enumerate().map(|(i, value)| inner(value, &format!("{place}/{i}")));
                each.collect::<Result<Vec<_>, _>>()
            };
            let size = |of, side| Ok(Rule::Size(of, side, count(value).ok_or_else(wrong)?));
            let bound = |side, exclusive| Ok(Rule::Bound(side, exclusive, value.as_number().ok_or_else(wrong)?.clone()));
            rules.push(match keyword.as_str() {
                "type" => Rule::Type(types(value).ok_or_else(wrong)?),
                "enum" => Rule::Enum(list()?.clone()),
                "const" => Rule::Const(value.clone()),
                "properties" => {
                    let members = value.as_object().ok_or_else(wrong)?.iter();
                    let each =
                        members.map(|(name, value)| Ok((name.clone(), inner(value, &format!("{place}/{}", escaped(name)))?)));
                    Rule::Properties(each.collect::<Result<_, Problem>>()?)
                }
                "required" => Rule::Required(names()?),
                "additionalProperties" => match value.as_bool().ok_or_else(wrong)? {
                    true => continue,
                    false => {
                        let known = map.get("properties").and_then(Value::as_object);
                        Rule::Closed(known.into_iter().flat_map(|known| known.keys().cloned()).collect())
                    }
                },
                "items" => Rule::Items(inner(value, &place)?),
                "minItems" => size(Sized::List, Ordering::Less)?,
                "maxItems" => size(Sized::List, Ordering::Greater)?,
                "minLength" => size(Sized::Text, Ordering::Less)?,
                "maxLength" => size(Sized::Text, Ordering::Greater)?,
                "minimum" => bound(Ordering::Less, false)?,
                "maximum" => bound(Ordering::Greater, false)?,
                "exclusiveMinimum" => bound(Ordering::Less, true)?,
                "exclusiveMaximum" => bound(Ordering::Greater, true)?,
                "pattern" => {
                    let text = value.as_str().ok_or_else(wrong)?;
                    Rule::Pattern(pattern(text).map_err(|e| (place.clone(), SchemaProblem::Pattern(e)))?)
                }
                "anyOf" => Rule::Any(several()?),
                "allOf" => Rule::All(several()?),
                "oneOf" => Rule::One(several()?),
                _ => return Err((at.to_owned(), SchemaProblem::Keyword(keyword.clone()))),
            });
        }
        Ok(Schema(rules))
    }

    /// Whether a value fits; if not, the first place and keyword where it doesn't.
    pub(super) fn judge(&self, value: &Value) -> Result<(), CheckFailure> {
        self.judge_at(value, "")
    }

    fn fits(&self, value: &Value) -> bool {
        self.judge_at(value, "").is_ok()
    }

    fn judge_at(&self, value: &Value, at: &str) -> Result<(), CheckFailure> {
        self.0.iter().try_for_each(|rule| rule.judge(value, at))
    }
}

impl Rule {
    fn judge(&self, value: &Value, at: &str) -> Result<(), CheckFailure> {
        let must = |holds: bool, keyword: &str, wanted: &dyn Fn() -> String| match holds {
            true => Ok(()),
            false => Err(CheckFailure::Schema { at: excerpt(at), keyword: keyword.to_owned(), wanted: excerpt(&wanted()) }),
        };
        let count = |schemas: &[Schema]| schemas.iter().filter(|schema| schema.fits(value)).count();
        match (self, value) {
            (Rule::Never, _) => must(false, "false", &|| "–".to_owned()),
            (Rule::Type(names), _) => must(names.iter().any(|name| is_of(value, name)), "type", &|| names.join(", ")),
            (Rule::Enum(values), _) => {
                must(values.iter().any(|v| same(v, value)), "enum", &|| Value::from(values.clone()).to_string())
            }
            (Rule::Const(wanted), _) => must(same(wanted, value), "const", &|| wanted.to_string()),
            (Rule::Properties(schemas), Value::Object(map)) => schemas.iter().try_for_each(|(name, schema)| {
                map.get(name).map_or(Ok(()), |value| schema.judge_at(value, &format!("{at}/{}", escaped(name))))
            }),
            (Rule::Closed(known), Value::Object(map)) => {
                let other = map.keys().find(|name| !known.contains(name));
                must(other.is_none(), "additionalProperties", &|| format!("≠ {}", other.cloned().unwrap_or_default()))
            }
            (Rule::Required(names), Value::Object(map)) => {
                let missing = names.iter().find(|name| !map.contains_key(*name));
                must(missing.is_none(), "required", &|| missing.cloned().unwrap_or_default())
            }
            (Rule::Items(schema), Value::Array(list)) => {
                list.iter().enumerate().try_for_each(|(i, value)| schema.judge_at(value, &format!("{at}/{i}")))
            }
            (Rule::Size(Sized::List, side, bound), Value::Array(list)) => {
                let keyword = if side.is_lt() { "minItems" } else { "maxItems" };
                must((list.len() as u64).cmp(bound) != *side, keyword, &|| bound.to_string())
            }
            (Rule::Size(Sized::Text, side, bound), Value::String(text)) => {
                let keyword = if side.is_lt() { "minLength" } else { "maxLength" };
                must((text.chars().count() as u64).cmp(bound) != *side, keyword, &|| bound.to_string())
            }
            (Rule::Bound(side, exclusive, bound), Value::Number(number)) => {
                let order = compare(number, bound);
                let keyword = match (side, exclusive) {
                    (Ordering::Less, false) => "minimum",
                    (Ordering::Less, true) => "exclusiveMinimum",
                    (_, false) => "maximum",
                    (_, true) => "exclusiveMaximum",
                };
                must(order != *side && !(*exclusive && order.is_eq()), keyword, &|| bound.to_string())
            }
            (Rule::Pattern(regex), Value::String(text)) => must(regex.is_match(text), "pattern", &|| regex.as_str().to_owned()),
            (Rule::Any(schemas), _) => must(count(schemas) > 0, "anyOf", &|| "≥ 1".to_owned()),
            (Rule::All(schemas), _) => schemas.iter().try_for_each(|schema| schema.judge_at(value, at)),
            (Rule::One(schemas), _) => must(count(schemas) == 1, "oneOf", &|| "1".to_owned()),
            // The keyword says nothing about values of this type.
            _ => Ok(()),
        }
    }
}

fn is_of(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
        Value::Number(n) => name == "number" || name == "integer" && is_whole(n),
    }
}

/// 1.0 is whole, and so is every float too large for a fraction.
fn is_whole(number: &Number) -> bool {
    whole(number).is_some() || number.as_f64().is_some_and(|f| f.fract() == 0.0)
}

fn types(value: &Value) -> Option<Vec<String>> {
    let names = value.as_str().map_or_else(|| names(value), |name| Some(vec![name.to_owned()]))?;
    (!names.is_empty() && names.iter().all(|name| TYPES.contains(&name.as_str()))).then_some(names)
}

fn names(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|v| v.as_str().map(str::to_owned)).collect()
}

fn count(value: &Value) -> Option<u64> {
    u64::try_from(whole(value.as_number()?)?).ok()
}

/// A name as part of a JSON pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
