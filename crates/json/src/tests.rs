//! What is JSON and what is not, as `serde_json` sees it.

use super::*;
use crate::peer::agrees;
use proptest::prelude::*;
use serde_json::Value;

#[test]
fn it_reads_what_serde_json_reads() {
    for text in [
        "null",
        " true ",
        "false",
        "0",
        "-0",
        "-1.5e+10",
        "1E-2",
        "\"\"",
        "[]",
        "{}",
        "[[],{}]",
        "{\"a\":{\"b\":[1,\"2\",null]},\"c\":true}",
        "\"\\u00e9\\n\\/\\\"\\\\\"",
        "\"\\ud83d\\udc4b\"",
        "{\"a\":1,\"a\":2}",
        "\t[ 1 , 2 ]\r\n",
        "",
        " ",
        "tru",
        "nul",
        "01",
        "-",
        "1.",
        "1e",
        ".5",
        "+1",
        "[1,]",
        "{,}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "[1 2]",
        "[}",
        "{]",
        "1 2",
        "\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12G4\"",
        "\"\n\"",
        "{1:2}",
        "\u{feff}1",
        "[1",
        "{\"a\":[",
        "NaN",
        "'a'",
    ] {
        agrees(text);
    }
}

#[test]
fn a_deep_text_is_no_deep_stack() {
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    assert!(Tape::default().read(&deep).is_ok());
}

#[test]
fn members_paths_and_pointers() {
    let mut tape = Tape::default();
    let json = tape.read(r#"{"a":{"b/c":[10,{"~":"x"}],"n":null},"t":"","u":"é\n","a2":3}"#).expect("json");
    assert_eq!(json.pointer("/a/b~1c/0").and_then(Json::as_u64), Some(10));
    assert_eq!(json.pointer("/a/b~1c/1/~0").and_then(Json::as_text).as_deref(), Some("x"));
    assert_eq!(json.pointer("").map(|j| j.is_object()), Some(true));
    assert!(json.pointer("a").is_none() && json.pointer("/a/n").is_none() && json.pointer("/a/b~1c/2").is_none());
    assert!(json.path(&["a", "n"]).is_none());
    assert_eq!(json.path(&["a", "b/c"]).map(|j| j.items().count()), Some(2));
    assert!(json.text_at("t").is_none());
    assert_eq!(json.text_at("u").as_deref(), Some("é\n"));
    assert_eq!(json.u64_at("a2"), Some(3));
    assert_eq!(json.get("a").map(Json::raw), Some(r#"{"b/c":[10,{"~":"x"}],"n":null}"#));
    let mut tape = Tape::default();
    let half = tape.read("\"a\\ud83d!\"").expect("json");
    assert_eq!(half.as_text().as_deref(), Some("a\u{fffd}!"));
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
        "[\\x00-\\x1f\"\\\\/👋é]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec(("[a-c\"\\\\é]{0,3}", inner), 0..6).prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn every_json_is_read_as_serde_json_reads_it(value in json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        agrees(&text.expect("text"));
    }

    #[test]
    fn a_spoilt_json_is_refused_where_serde_json_refuses_it(value in json(), at in any::<prop::sample::Index>(), put in "[\\[\\]{}:,\"\\\\0-9ue.+-]{0,2}", cut in 0_usize..3) {
        let mut text: Vec<char> = serde_json::to_string(&value).expect("text").chars().collect();
        let at = at.index(text.len() + 1);
        text.splice(at..(at + cut).min(text.len()), put.chars());
        agrees(&text.into_iter().collect::<String>());
    }
}
