//! Are two JSON values the same, as JSON Schema sees it? 1 and 1.0 are; 1 and true are not.

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// Whole numbers are exact; 2^53 + 1 is not 2^53.
pub(super) fn compare(a: &Number, b: &Number) -> Ordering {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        // A number with a fraction is below 2^53, where the other, if whole, is exact as a float or far away.
        _ => a.as_f64().partial_cmp(&b.as_f64()).unwrap_or(Ordering::Equal),
    }
}

/// The number, if it is whole.
pub(super) fn whole(number: &Number) -> Option<i128> {
    const EXACT: f64 = 1e38;
    let integer = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    integer.or_else(|| number.as_f64().filter(|f| f.fract() == 0.0 && f.abs() < EXACT).map(|f| f as i128))
}

/// Whether two values are the same.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => compare(a, b) == Ordering::Equal,
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}
