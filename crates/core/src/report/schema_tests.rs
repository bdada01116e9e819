//! The published schema says what the writer writes, and no more; its documentation says what the schema says.

mod check;
mod runs;
mod table;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::*;
use crate::mark::{Absence, Mark};
use crate::outcome::Outcome;
use crate::scrape::Quantity;
use crate::server_report::{Boundary, Source, Stage, Unit};
use check::{Checker, places};

fn schema() -> Value {
    serde_json::from_str(include_str!("../../../../schemas/run-v1.schema.json")).expect("JSON")
}

#[test]
fn every_field_that_is_written_is_named_and_every_name_is_written() {
    let schema = schema();
    let mut met = BTreeSet::new();
    for run in runs::all() {
        let file: Value = serde_json::from_str(&run.to_json()).expect("JSON");
        let checker = Checker { root: &schema, closed: true };
        checker.check(&schema, "", &file, "", &mut met).unwrap_or_else(|why| panic!("{why}\n{file:#}"));
    }
    let named = places(&schema);
    // Null may stand for what is left out; the writer leaves it out.
    let is_null = |place: &str| schema.pointer(place).is_some_and(|node| node["type"] == "null");
    let never: Vec<&String> = named.difference(&met).filter(|place| !is_null(place)).collect();
    assert!(never.is_empty(), "in the schema, and never written: {never:#?}");
    assert!(named.len() > 300, "{}", named.len());
}

#[test]
fn what_the_reader_refuses_is_refused_and_what_it_passes_over_is_allowed() {
    let schema = schema();
    let file: Value = serde_json::from_str(&super::tests::run().to_json()).expect("JSON");
    let fits =
        |file: &Value| Checker { root: &schema, closed: false }.check(&schema, "", file, "", &mut BTreeSet::new()).is_ok();
    assert!(fits(&file));
    let check = |change: &dyn Fn(&mut Value), want: bool| {
        let mut file = file.clone();
        change(&mut file);
        let read = Run::from_json(&file.to_string());
        assert_eq!((fits(&file), read.is_ok()), (want, want), "{read:?}\n{file:#}");
    };
    check(&|f| f["new"] = json!(1), true);
    check(&|f| f["requests"][0]["new"] = json!(1), true);
    check(&|f| f["environment"]["new"] = json!(1), true);
    check(&|f| f["config"]["new"] = json!(1), false);
    check(&|f| f["config"]["load"]["new"] = json!(1), false);
    check(&|f| f["requests"][0]["marks"]["new"] = json!(1), false);
    check(&|f| f["requests"][0]["absent"]["first_byte"] = json!("rain"), false);
    check(&|f| f["requests"][0]["outcome"] = json!("perfect"), false);
    check(&|f| f["requests"][0]["reads"][0] = json!([1, 2, 3]), false);
    check(&|f| f["version"] = json!(2), false);
    check(&|f| f["format"] = json!("other"), false);
    for required in ["created", "config", "requests", "stopped", "clock"] {
        check(&|f| drop(f.as_object_mut().expect("an object").remove(required)), false);
    }
    for optional in ["probes", "histograms"] {
        check(&|f| drop(f.as_object_mut().expect("an object").remove(optional)), true);
    }
}

#[test]
fn codes_are_those_of_the_program() {
    let schema = schema();
    let codes = |pointer: &str| -> Vec<String> {
        let list = schema.pointer(pointer).and_then(Value::as_array).unwrap_or_else(|| panic!("no {pointer}"));
        list.iter().filter_map(|code| code.as_str().map(str::to_owned)).collect()
    };
    let keys = |pointer: &str| -> Vec<String> {
        schema.pointer(pointer).and_then(Value::as_object).unwrap_or_else(|| panic!("no {pointer}")).keys().cloned().collect()
    };
    assert_eq!(codes("/$defs/reason/enum"), Absence::ALL.map(Absence::code));
    assert_eq!(codes("/$defs/span/properties/boundary/enum"), Boundary::ALL.map(Boundary::code));
    assert_eq!(codes("/$defs/span/properties/source/enum"), Source::ALL.map(Source::code));
    assert_eq!(codes("/$defs/span/properties/unit/enum"), Unit::ALL.map(Unit::code));
    assert!(codes("/$defs/request/properties/outcome/enum").iter().all(|code| Outcome::from_code(code, 500).is_some()));
    assert_eq!(keys("/$defs/request/properties/marks/properties"), Mark::ALL.map(Mark::code));
    assert_eq!(keys("/$defs/request/properties/absent/properties"), Mark::ALL.map(Mark::code));
    let stages = "/$defs/request/properties/stages/anyOf/0/properties/at/properties";
    assert_eq!(keys(stages), Stage::ALL.map(Stage::code));
    let quantities = "/$defs/scraped/properties/unusable/items/prefixItems/0/enum";
    assert_eq!(codes(quantities), Quantity::ALL.map(Quantity::code));
    assert_eq!(schema["properties"]["version"]["const"], VERSION);
    assert_eq!(schema["properties"]["format"]["const"], FORMAT);
}

#[test]
fn every_field_has_a_description_and_every_number_a_unit() {
    let schema = schema();
    for place in places(&schema) {
        let node = schema.pointer(&place).unwrap_or_else(|| panic!("no {place}"));
        let numeric = |t: &Value| matches!(t.as_str(), Some("integer" | "number"));
        let types = &node["type"];
        if numeric(types) || types.as_array().is_some_and(|types| types.iter().any(numeric)) {
            assert!(node["x-unit"].as_str().is_some_and(|unit| !unit.is_empty()), "{place} has no unit");
        }
        let is_field = place.rsplit('/').nth(1) == Some("properties");
        assert!(!is_field || node["description"].as_str().is_some_and(|text| text.len() > 3), "{place} says nothing");
    }
}

#[test]
fn the_table_in_the_documentation_is_that_of_the_schema() {
    let docs = include_str!("../../../../docs/run-file.md");
    let (_, rest) = docs.split_once("<!-- fields: made from the schema -->\n").expect("a place for the table");
    let (written, _) = rest.split_once("<!-- end of fields -->").expect("its end");
    let want = table::of(&schema());
    if written != want {
        let first = written.lines().zip(want.lines()).find(|(a, b)| a != b);
        panic!("docs/run-file.md is not what the schema says, first at {first:?}; it should be\n{want}");
    }
}
