//! OpenTelemetry's exponential histogram: buckets whose edges are powers of 2^(2^-scale).

use serde_json::{Value, json};

/// Most buckets, as in OpenTelemetry's own SDKs.
const MOST: i64 = 160;
/// The finest scale.
const FINEST: i32 = 20;

/// A data point of values that are not negative, as fine as the most buckets allow.
pub(crate) fn exponential(values: &[f64]) -> Value {
    let zeros = values.iter().filter(|v| **v <= 0.0).count();
    let positive: Vec<f64> = values.iter().copied().filter(|v| *v > 0.0).collect();
    let bounds = positive.iter().copied().fold(None, |bounds: Option<(f64, f64)>, v| {
        Some(bounds.map_or((v, v), |(low, high)| (low.min(v), high.max(v))))
    });
    let (mut scale, mut offset, mut counts) = (FINEST, 0, Vec::new());
    if let Some((low, high)) = bounds {
        while index(high, scale) - index(low, scale) >= MOST {
            scale -= 1;
        }
        offset = index(low, scale);
        counts = vec![0u64; usize::try_from(index(high, scale) - offset + 1).unwrap_or(1)];
        for value in &positive {
            if let Some(n) = usize::try_from(index(*value, scale) - offset).ok().and_then(|at| counts.get_mut(at)) {
                *n += 1;
            }
        }
    }
    let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
    let mut point = json!({
        "count": values.len().to_string(),
        "sum": values.iter().sum::<f64>(),
        "scale": scale,
        "zeroCount": zeros.to_string(),
        "positive": {"offset": offset, "bucketCounts": counts},
    });
    let least = values.iter().copied().reduce(f64::min);
    let most = values.iter().copied().reduce(f64::max);
    if let (Some(least), Some(most)) = (least, most) {
        point["min"] = least.into();
        point["max"] = most.into();
    }
    point
}

/// The bucket of a value: `base^index < value ≤ base^(index + 1)`.
fn index(value: f64, scale: i32) -> i64 {
    let steps = f64::from(scale).exp2();
    (libm::log2(value) * steps).ceil() as i64 - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers(value: &Value) -> Vec<u64> {
        value.as_array().expect("a list").iter().map(|n| n.as_str().and_then(|n| n.parse().ok()).expect("a number")).collect()
    }

    #[test]
    fn one_value_has_one_bucket() {
        let point = exponential(&[1.0]);
        assert_eq!(numbers(&point["positive"]["bucketCounts"]), [1]);
        // An edge belongs to the bucket below it: 1 = base^0 is the upper edge of bucket -1.
        assert_eq!(point["positive"]["offset"], -1);
        assert_eq!((point["min"].as_f64(), point["max"].as_f64()), (Some(1.0), Some(1.0)));
        let empty = exponential(&[]);
        assert_eq!((empty["count"].as_str(), empty.get("min")), (Some("0"), None));
        assert_eq!(exponential(&[0.0, 2.0])["zeroCount"], "1");
    }

    proptest! {
        #[test]
        fn every_value_lies_in_a_bucket_that_counts_it(values in prop::collection::vec(1e-6f64..1e5, 1..200)) {
            let point = exponential(&values);
            let counts = numbers(&point["positive"]["bucketCounts"]);
            prop_assert!(counts.len() as i64 <= MOST);
            prop_assert_eq!(counts.iter().sum::<u64>(), values.len() as u64);
            let scale = point["scale"].as_i64().expect("a scale") as i32;
            let base = (-f64::from(scale)).exp2().exp2();
            let offset = point["positive"]["offset"].as_i64().expect("an offset");
            for (at, count) in counts.iter().enumerate() {
                let low = base.powf((offset + at as i64) as f64);
                let high = low * base;
                // Edges are rounded: a value that lies on one may be counted on either side.
                let inside = values.iter().filter(|v| **v > low * (1.0 + 1e-9) && **v <= high * (1.0 - 1e-9)).count() as u64;
                let near = values.iter().filter(|v| **v > low * (1.0 - 1e-9) && **v <= high * (1.0 + 1e-9)).count() as u64;
                prop_assert!((inside..=near).contains(count), "{} not in {}..={} at {}", count, inside, near, at);
            }
        }
    }
}
