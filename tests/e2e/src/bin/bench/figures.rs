//! Figures of the benches: percentiles as core takes them, shares with their intervals.

use firstlight_core::Micros;
use firstlight_core::stats::{Distribution, Interval, P, P50, Share, difference};

/// Of the intervals' bootstrap.
const SEED: u64 = 1;

/// As milliseconds with two decimals.
pub fn ms(us: i64) -> String {
    format!("{:.2}", Micros(us).as_ms())
}

/// The nearest rank of µs in milliseconds; a dash of none.
pub fn percentile(values: &[i64], p: P) -> Option<i64> {
    Distribution::new(values.to_vec(), Vec::new()).percentile(p).map(|q| q.value)
}

/// Several percentiles and the largest, in milliseconds.
pub fn spread(values: &[i64], percentiles: &[P], with_max: bool) -> String {
    let max = with_max.then(|| values.iter().max().copied());
    let all = percentiles.iter().map(|p| percentile(values, *p)).chain(max);
    all.map(|value| value.map_or("–".to_owned(), ms)).collect::<Vec<_>>().join(" / ")
}

/// Counts what holds.
pub fn share<T>(all: &[T], holds: impl Fn(&T) -> bool) -> Share {
    Share { hits: all.iter().filter(|one| holds(one)).count(), of: all.len() }
}

/// In per cent, with Wilson's 95 % interval.
pub fn percent(share: Share) -> String {
    match share.value().zip(share.wilson()) {
        Some((value, (low, high))) => {
            format!("{:.1} % ({:.1}–{:.1})", value * 100.0, low * 100.0, high * 100.0)
        }
        None => "–".to_owned(),
    }
}

/// The 95 % interval of the difference of two medians, `b − a`, as core takes it.
pub fn difference_of_medians(a: &[i64], b: &[i64]) -> Option<(i64, i64)> {
    let [a, b] = [a, b].map(|values| Distribution::new(values.to_vec(), Vec::new()));
    match difference(&a, &b, P50, SEED)?.interval {
        Interval::Between { lower, upper } => lower.zip(upper),
        Interval::Needs { .. } => None,
    }
}

/// Rows of cells as a table of Markdown, which is readable as text too.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = head.iter().map(|cell| cell.chars().count()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        format!("| {} |\n", padded.collect::<Vec<_>>().join(" | "))
    };
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let rule = widths.iter().map(|width| "-".repeat(*width)).collect::<Vec<_>>();
    let body: String = rows.iter().map(|row| line(row)).collect();
    format!("{}{}{body}", line(&head), line(&rule))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_agrees_with_published_values() {
        let (low, high) = Share { hits: 388, of: 400 }.wilson().expect("an interval");
        assert!((low - 0.9484).abs() < 0.0005 && (high - 0.9827).abs() < 0.0005, "{low} {high}");
        let (low, high) = Share { hits: 20, of: 20 }.wilson().expect("an interval");
        assert!((low - 0.8389).abs() < 0.0005 && high > 0.999_999, "{low} {high}");
        assert_eq!(Share::default().wilson(), None);
    }

    #[test]
    fn the_interval_of_a_difference_holds_it() {
        let a: Vec<i64> = (0..200).map(|n| 1_000 + n * 7 % 400).collect();
        let b: Vec<i64> = a.iter().map(|n| n + 500).collect();
        let (low, high) = difference_of_medians(&a, &b).expect("an interval");
        assert!(low <= 500 && high >= 500 && high - low < 200, "{low} {high}");
        assert_eq!(difference_of_medians(&a[..5], &b), None);
    }

    #[test]
    fn a_table_is_as_wide_as_its_cells() {
        let text = table(&["a", "b"], &[vec!["long".into(), "1".into()]]);
        assert_eq!(text, "| a    | b |\n| ---- | - |\n| long | 1 |\n");
    }
}
