//! The schema as tables for people: one for the file, one for each part of it that has a name.

use serde_json::Value;

/// The text between the marks of the documentation.
pub(super) fn of(schema: &Value) -> String {
    let mut out = String::new();
    part(&mut out, "The file", schema);
    for (name, node) in schema["$defs"].as_object().into_iter().flatten() {
        part(&mut out, &format!("`{name}`"), node);
    }
    out
}

fn part(out: &mut String, title: &str, node: &Value) {
    out.push_str(&format!("\n### {title}\n\n{}\n", said(node)));
    let mut rows = Vec::new();
    inside(node, "", &mut rows);
    if !rows.is_empty() {
        out.push_str("\n| field | type | unit | meaning |\n| --- | --- | --- | --- |\n");
        rows.iter().for_each(|row| out.push_str(row));
    } else if node["enum"].is_array() {
        out.push_str(&format!("\n{}\n", kind(node)));
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
}

fn said(node: &Value) -> &str {
    node["description"].as_str().unwrap_or_default()
}

/// A row for everything inside.
fn inside(node: &Value, path: &str, rows: &mut Vec<String>) {
    let required = |name: &str| node["required"].as_array().is_some_and(|list| list.iter().any(|one| one == name));
    for (name, inner) in node["properties"].as_object().into_iter().flatten() {
        let dot = if path.is_empty() { "" } else { "." };
        row(inner, &format!("{path}{dot}{name}"), required(name), rows);
    }
    for (index, inner) in node["prefixItems"].as_array().into_iter().flatten().enumerate() {
        row(inner, &format!("{path}[{index}]"), true, rows);
    }
    for branch in ["oneOf", "anyOf"].iter().flat_map(|keyword| node[*keyword].as_array().into_iter().flatten()) {
        inside(branch, path, rows);
    }
    if node["items"].is_object() {
        inside(&node["items"], &format!("{path}[]"), rows);
    }
    if node["additionalProperties"].is_object() {
        inside(&node["additionalProperties"], &format!("{path}.*"), rows);
    }
}

fn row(node: &Value, path: &str, always: bool, rows: &mut Vec<String>) {
    let unit = unit(node);
    let star = if always { "" } else { "?" };
    rows.push(format!("| `{path}`{star} | {} | {unit} | {} |\n", kind(node), said(node).replace('|', "\\|")));
    inside(node, path, rows);
}

/// Of a number, or of the numbers of a list.
fn unit(node: &Value) -> &str {
    node["x-unit"].as_str().or(node["items"]["x-unit"].as_str()).unwrap_or_default()
}

/// Its type in words.
fn kind(node: &Value) -> String {
    if let Some(name) = node["$ref"].as_str() {
        return format!("`{}`", name.trim_start_matches("#/$defs/"));
    }
    if let Some(value) = node.get("const") {
        return format!("`{value}`");
    }
    let list = |values: &Vec<Value>, show: &dyn Fn(&Value) -> String| values.iter().map(show).collect::<Vec<_>>().join(", ");
    if let Some(values) = node["enum"].as_array() {
        return list(values, &|value| format!("`{value}`"));
    }
    for keyword in ["oneOf", "anyOf"] {
        if let Some(branches) = node[keyword].as_array() {
            let of = |branch: &Value| match branch["properties"].as_object().filter(|_| keyword == "oneOf") {
                Some(members) => members.keys().map(|name| format!("{{`{name}`}}")).collect(),
                None => kind(branch),
            };
            return branches.iter().map(of).collect::<Vec<_>>().join(" or ");
        }
    }
    let one = |name: &str| match name {
        "array" if node["items"].is_object() => format!("list of {}", kind(&node["items"])),
        "array" => "list".to_owned(),
        name => name.to_owned(),
    };
    match &node["type"] {
        Value::String(name) => one(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).map(one).collect::<Vec<_>>().join(" or "),
        _ => "any".to_owned(),
    }
}
