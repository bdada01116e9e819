//! Samples as JSON lines: an object for each request; what has no value has its reason under `absent`.

use serde_json::{Map, Value, json};

use super::samples::{Cell, Column, LISTS, Of, columns};
use crate::report::Run;

/// The text.
pub(super) fn write(run: &Run) -> String {
    let of = Of::run(run);
    let columns: Vec<(String, Column)> =
        columns().into_iter().chain(LISTS.iter().copied()).map(|column| (column.name(), column)).collect();
    let mut out = String::new();
    for trace in &run.traces {
        let (mut object, mut absent) = (Map::new(), Map::new());
        for (name, column) in &columns {
            match column.told(&of, trace) {
                Ok(cell) => object.insert(name.clone(), value(cell)),
                Err(why) => absent.insert(name.clone(), why.into()),
            };
        }
        object.insert("absent".to_owned(), absent.into());
        out.push_str(&Value::Object(object).to_string());
        out.push('\n');
    }
    out
}

fn value(cell: Cell) -> Value {
    match cell {
        Cell::Code(code) => code.into(),
        Cell::Text(text) => text.into(),
        Cell::Flag(holds) => holds.into(),
        Cell::Count(n) => n.into(),
        Cell::Thousandths(n) => json!(n as f64 / 1000.0),
        Cell::Parts(parts) => parts,
    }
}
