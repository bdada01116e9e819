//! Whether a value fits the schema: the keywords that it uses, and nothing that it doesn't.

use std::collections::BTreeSet;

use serde_json::Value;

/// A schema in its document.
pub(super) struct Checker<'a> {
    pub(super) root: &'a Value,
    /// Members that are not named are refused everywhere.
    pub(super) closed: bool,
}

/// Every place of a field, a part of a list or a branch, as a JSON pointer; what is behind a reference stands where it is defined.
pub(super) fn places(root: &Value) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    walk(root, "", &mut all);
    for (name, node) in root["$defs"].as_object().into_iter().flatten() {
        walk(node, &format!("/$defs/{name}"), &mut all);
    }
    all
}

fn walk(node: &Value, at: &str, all: &mut BTreeSet<String>) {
    for (name, inner) in node["properties"].as_object().into_iter().flatten() {
        step(inner, format!("{at}/properties/{name}"), all);
    }
    for keyword in ["prefixItems", "oneOf", "anyOf"] {
        for (index, inner) in node[keyword].as_array().into_iter().flatten().enumerate() {
            step(inner, format!("{at}/{keyword}/{index}"), all);
        }
    }
    for keyword in ["items", "additionalProperties"] {
        if node[keyword].is_object() {
            step(&node[keyword], format!("{at}/{keyword}"), all);
        }
    }
}

fn step(node: &Value, at: String, all: &mut BTreeSet<String>) {
    walk(node, &at, all);
    all.insert(at);
}

type Fits = Result<(), String>;

impl Checker<'_> {
    /// Checks a value against the node at a place, and notes the places that were met.
    pub(super) fn check(&self, node: &Value, at: &str, value: &Value, path: &str, met: &mut BTreeSet<String>) -> Fits {
        let known = ["$schema", "$id", "$defs", "title", "description", "x-unit", "format", "additionalProperties"];
        for (keyword, rule) in node.as_object().into_iter().flatten() {
            let wrong = |what: &str| Err(format!("{path}: {what}, at {at}/{keyword}: {value}"));
            let fits = match keyword.as_str() {
                "$ref" => {
                    let at = rule.as_str().unwrap_or_default().trim_start_matches('#');
                    let node = self.root.pointer(at).ok_or(format!("no {at}"))?;
                    self.check(node, at, value, path, met)?;
                    true
                }
                "type" => types(rule).any(|name| is_of(value, name)),
                "const" => value == rule,
                "enum" => rule.as_array().is_some_and(|list| list.contains(value)),
                "required" => {
                    let names = rule.as_array().into_iter().flatten().filter_map(Value::as_str);
                    names.into_iter().all(|name| !value.is_object() || value.get(name).is_some())
                }
                "minimum" => !value.is_number() || value.as_f64() >= rule.as_f64(),
                "maximum" => !value.is_number() || value.as_f64() <= rule.as_f64(),
                "minItems" => value.as_array().is_none_or(|list| list.len() as u64 >= rule.as_u64().unwrap_or(u64::MAX)),
                "properties" => self.members(node, at, value, path, met).map(|()| true)?,
                "prefixItems" => {
                    for (index, (item, node)) in
                        value.as_array().into_iter().flatten().zip(rule.as_array().into_iter().flatten()).enumerate()
                    {
                        self.step(node, format!("{at}/prefixItems/{index}"), item, &format!("{path}/{index}"), met)?;
                    }
                    true
                }
                "items" if rule.is_boolean() => {
                    let most = node["prefixItems"].as_array().map_or(0, Vec::len);
                    value.as_array().is_none_or(|list| list.len() <= most)
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.step(rule, format!("{at}/items"), item, &format!("{path}/{index}"), met)?;
                    }
                    true
                }
                "oneOf" | "anyOf" => {
                    let branches = rule.as_array().into_iter().flatten().enumerate();
                    let tried = branches.map(|(index, node)| {
                        let mut own = BTreeSet::new();
                        self.step(node, format!("{at}/{keyword}/{index}"), value, path, &mut own).map(|()| own)
                    });
                    let (fitting, whys): (Vec<_>, Vec<_>) = tried.partition(Result::is_ok);
                    if fitting.len() != 1 {
                        let whys: Vec<String> = whys.into_iter().filter_map(Result::err).collect();
                        return Err(format!("{path}: {} branches of {at}/{keyword} fit {value}: {whys:#?}", fitting.len()));
                    }
                    fitting.into_iter().flatten().for_each(|own| met.extend(own));
                    true
                }
                other if known.contains(&other) => true,
                other => return Err(format!("the keyword {other} is not checked here")),
            };
            if !fits {
                return wrong("does not fit");
            }
        }
        // Members under names of any kind.
        let of = &node["additionalProperties"];
        for (name, inner) in value.as_object().filter(|_| of.is_object()).into_iter().flatten() {
            self.step(of, format!("{at}/additionalProperties"), inner, &format!("{path}/{name}"), met)?;
        }
        Ok(())
    }

    fn step(&self, node: &Value, at: String, value: &Value, path: &str, met: &mut BTreeSet<String>) -> Fits {
        self.check(node, &at, value, path, met)?;
        met.insert(at);
        Ok(())
    }

    fn members(&self, node: &Value, at: &str, value: &Value, path: &str, met: &mut BTreeSet<String>) -> Fits {
        for (name, inner) in value.as_object().into_iter().flatten() {
            match &node["properties"][name] {
                Value::Null if self.closed || node["additionalProperties"] == false => {
                    return Err(format!("{path}/{name} is not named at {at}"));
                }
                Value::Null => {}
                node => self.step(node, format!("{at}/properties/{name}"), inner, &format!("{path}/{name}"), met)?,
            }
        }
        Ok(())
    }
}

fn types(rule: &Value) -> impl Iterator<Item = &str> {
    rule.as_str().into_iter().chain(rule.as_array().into_iter().flatten().filter_map(Value::as_str))
}

fn is_of(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
        Value::Number(n) => name == "number" || name == "integer" && n.as_f64().is_some_and(|f| f.fract() == 0.0),
    }
}
