//! Right answers pass, wrong ones fail with a reason, unclear checks are refused, and nothing panics.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn check(value: Value) -> Check {
    Check::parse(&value).unwrap_or_else(|e| panic!("{value}: {e}"))
}

fn refused(value: Value) -> CheckError {
    Check::parse(&value).expect_err("refused")
}

#[test]
fn texts() {
    let contains = check(json!({"contains": "Seoul"}));
    assert_eq!(contains.judge("It is Seoul."), Ok(()));
    assert_eq!(contains.judge("It is seoul."), Err(CheckFailure::Contains("Seoul".into())));
    assert_eq!(check(json!({"contains": "SEOUL", "ignore_case": true})).judge("It is seoul."), Ok(()));
    let equals = check(json!({"equals": " 42 "}));
    assert_eq!(equals.judge("\n42\n"), Ok(()));
    assert_eq!(equals.judge("42."), Err(CheckFailure::Equals { wanted: "42".into(), found: "42.".into() }));
    assert_eq!(check(json!({"equals": "Yes", "ignore_case": true})).judge("YES"), Ok(()));
    let pattern = check(json!({"pattern": "^[A-D]$"}));
    assert_eq!((pattern.judge("B"), pattern.judge("E").is_err()), (Ok(()), true));
}

#[test]
fn json_answers() {
    let equals = check(json!({"pointer": "/a/0", "equals": 1}));
    assert_eq!(equals.judge(r#"{"a":[1.0]}"#), Ok(()));
    assert_eq!(equals.judge("```json\n{\"a\":[1]}\n```\n"), Ok(()));
    assert_eq!(equals.judge("```\n{\"a\":[1]}```"), Ok(()));
    assert!(matches!(equals.judge("Here: ```json\n{\"a\":[1]}\n```"), Err(CheckFailure::NotJson(_))));
    assert!(matches!(equals.judge("```json {\"a\":[1]}```"), Err(CheckFailure::NotJson(_))));
    assert_eq!(equals.judge("{}"), Err(CheckFailure::Missing("/a/0".into())));
    let differs = CheckFailure::Differs { pointer: "/a/0".into(), wanted: "1".into(), found: "true".into() };
    assert_eq!(equals.judge(r#"{"a":[true]}"#), Err(differs));
    assert_eq!(check(json!({"pointer": "/a", "exists": true})).judge(r#"{"a":null}"#), Ok(()));
    assert_eq!(check(json!({"pointer": "/a"})).judge(r#"{"a":0}"#), Ok(()));
    let absent = check(json!({"pointer": "/error", "exists": false}));
    assert_eq!((absent.judge("{}"), absent.judge(r#"{"error":1}"#)), (Ok(()), Err(CheckFailure::Present("/error".into()))));
}

#[test]
fn a_list_of_checks_must_all_hold() {
    let both = check(json!([{"contains": "a"}, {"contains": "b"}]));
    assert_eq!((both.judge("ab"), both.judge("a")), (Ok(()), Err(CheckFailure::Contains("b".into()))));
}

#[test]
fn the_place_and_keyword_of_a_schema_failure_are_named() {
    let schema = check(json!({"schema": {"properties": {"a/b": {"items": {"minimum": 2}}}, "required": ["c"]}}));
    let found = schema.judge(r#"{"a/b":[2,1],"c":0}"#);
    let wanted = CheckFailure::Schema { at: "/a~1b/1".into(), keyword: "minimum".into(), wanted: "2".into() };
    assert_eq!(found, Err(wanted.clone()));
    assert_eq!(wanted.to_string(), "breaks the schema at “/a~1b/1”: minimum 2");
    assert_eq!(serde_json::from_str::<CheckFailure>(&serde_json::to_string(&wanted).expect("json")).ok(), Some(wanted));
}

#[test]
fn unclear_checks_are_refused_and_named() {
    assert_eq!(refused(json!("text")), CheckError::NotObject);
    assert_eq!(refused(json!([])), CheckError::NotObject);
    assert_eq!(refused(json!({})), CheckError::NotOne);
    assert_eq!(refused(json!({"contains": "a", "equals": "a"})), CheckError::NotOne);
    assert_eq!(refused(json!({"contain": "a"})), CheckError::Unknown("contain".into()));
    assert_eq!(refused(json!({"contains": "a", "ignorecase": true})), CheckError::Unknown("ignorecase".into()));
    assert_eq!(refused(json!({"pattern": "a", "ignore_case": true})), CheckError::Unknown("ignore_case".into()));
    assert_eq!(refused(json!({"contains": 1})), CheckError::Field("contains"));
    assert_eq!(refused(json!({"pointer": "a"})), CheckError::Pointer("a".into()));
    assert_eq!(refused(json!({"pointer": "/a", "equals": 1, "exists": true})), CheckError::NotOne);
    assert!(matches!(refused(json!({"pattern": "(a"})), CheckError::Pattern(_)));
    assert!(matches!(refused(json!({"pattern": "(?=a)"})), CheckError::Pattern(_)));
    assert!(matches!(refused(json!({"pattern": "((a{999}){999}){999}"})), CheckError::Pattern(_)));
}

#[test]
fn no_keyword_of_a_schema_is_passed_over() {
    let problem = |schema: Value| match refused(json!({ "schema": schema })) {
        CheckError::Schema { at, problem } => (at, problem),
        other => panic!("{other:?}"),
    };
    let keyword = |name: &str| SchemaProblem::Keyword(name.into());
    for name in ["format", "$ref", "$defs", "patternProperties", "uniqueItems", "multipleOf", "not", "if", "contains", "Type"] {
        assert_eq!(problem(json!({ name: {} })), (String::new(), keyword(name)), "{name}");
    }
    assert_eq!(problem(json!({"properties": {"a": {"format": "date"}}})), ("/properties/a".into(), keyword("format")));
    assert_eq!(problem(json!({"anyOf": [true, {"x": 1}]})), ("/anyOf/1".into(), keyword("x")));
    for (name, value) in [
        ("type", json!("float")),
        ("type", json!([])),
        ("additionalProperties", json!({})),
        ("items", json!([])),
        ("minItems", json!(-1)),
        ("minLength", json!(1.5)),
        ("required", json!("a")),
        ("anyOf", json!([])),
        ("minimum", json!("1")),
    ] {
        let (at, problem) = problem(json!({ name: value }));
        let expected = if name == "items" { SchemaProblem::NotSchema } else { SchemaProblem::Value(name.into()) };
        assert_eq!((at, problem), (format!("/{name}"), expected));
    }
    assert!(matches!(problem(json!({"pattern": "["})), (at, SchemaProblem::Pattern(_)) if at == "/pattern"));
    let deep = (0..100).fold(json!({}), |inner, _| json!({ "items": inner }));
    assert_eq!(problem(deep).1, SchemaProblem::Depth);
}

#[test]
fn the_subset_judges_as_python_does() {
    let mut judged = 0;
    for line in include_str!("table.jsonl").lines() {
        let (schema, instance, valid): (Value, Value, bool) = serde_json::from_str(line).expect(line);
        let found = check(json!({ "schema": schema })).judge(&instance.to_string());
        assert_eq!(found.is_ok(), valid, "{line}: {found:?}");
        judged += 1;
    }
    assert!(judged >= 1800, "{judged}");
}

/// Backtracking matchers take 2^40 steps here; what is asserted is that there is an answer at all.
#[test]
fn a_pattern_can_not_take_long() {
    let nested = check(json!({"pattern": "^(a+)+$"}));
    assert!(nested.judge(&format!("{}!", "a".repeat(40_000))).is_err());
}

fn any_json() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "contains",
        "equals",
        "pattern",
        "schema",
        "pointer",
        "exists",
        "ignore_case",
        "type",
        "properties",
        "items",
        "anyOf",
        "required",
        "minimum",
        "object",
        "/a",
        "(a|b)*",
        "",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        // serde_json reads longer decimals to within one unit in the last place only.
        any::<i32>().prop_map(|n| Value::from(f64::from(n) / 1000.0)),
        word.clone().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..4).prop_map(|m| m
                .into_iter()
                .map(|(k, v)| (k.to_owned(), v))
                .collect::<Map<_, _>>()
                .into()),
        ]
    })
}

proptest! {
    #[test]
    fn reading_and_judging_never_panic(spec in any_json(), schema in any_json(), answer in any::<String>(), value in any_json()) {
        for spec in [spec, json!({ "schema": schema })] {
            if let Ok(check) = Check::parse(&spec) {
                for text in [answer.clone(), value.to_string(), format!("```json\n{value}\n```"), format!("```{answer}```")] {
                    if let Err(why) = check.judge(&text) {
                        prop_assert!(!why.to_string().is_empty());
                    }
                }
            }
        }
    }

    #[test]
    fn a_value_is_what_it_is(value in any_json()) {
        prop_assert_eq!(check(json!({"schema": {"const": value}})).judge(&value.to_string()), Ok(()));
        prop_assert_eq!(check(json!({"pointer": "", "equals": value})).judge(&value.to_string()), Ok(()));
    }
}
