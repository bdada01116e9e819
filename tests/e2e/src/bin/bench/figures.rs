//! Figures of the benches: percentiles as core takes them, shares with their intervals.

use firstlight_core::Micros;
use firstlight_core::stats::{Distribution, P};

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

/// How many of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Those that are.
    pub hits: usize,
    /// All.
    pub of: usize,
}

impl Share {
    /// Counts what holds.
    pub fn count<T>(all: &[T], holds: impl Fn(&T) -> bool) -> Share {
        Share { hits: all.iter().filter(|one| holds(one)).count(), of: all.len() }
    }

    /// As a fraction; none of none.
    pub fn value(self) -> Option<f64> {
        (self.of > 0).then(|| self.hits as f64 / self.of as f64)
    }

    /// Wilson's 95 % interval; none of none.
    pub fn interval(self) -> Option<(f64, f64)> {
        const Z: f64 = 1.959_963_985;
        let p = self.value()?;
        let n = self.of as f64;
        let middle = p + Z * Z / (2.0 * n);
        let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        Some((((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0)))
    }

    /// In per cent, with the interval.
    pub fn text(self) -> String {
        match self.value().zip(self.interval()) {
            Some((value, (low, high))) => {
                format!("{:.1} % ({:.1}–{:.1})", value * 100.0, low * 100.0, high * 100.0)
            }
            None => "–".to_owned(),
        }
    }
}

/// The 95 % interval of the difference of two medians, `b − a`, by a seeded bootstrap that resamples each side.
pub fn difference_of_medians(a: &[i64], b: &[i64], resamples: usize) -> Option<(i64, i64)> {
    const P50: P = firstlight_core::stats::P50;
    if a.len() < 6 || b.len() < 6 {
        return None;
    }
    // SplitMix64.
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(z ^ (z >> 31)) * below as u128) >> 64) as usize
    };
    let mut again =
        |values: &[i64]| -> Vec<i64> { (0..values.len()).filter_map(|_| values.get(random(values.len())).copied()).collect() };
    let mut differences: Vec<i64> =
        (0..resamples).filter_map(|_| Some(percentile(&again(b), P50)? - percentile(&again(a), P50)?)).collect();
    differences.sort_unstable();
    let at = |share: f64| differences.get((share * (differences.len().saturating_sub(1)) as f64).round() as usize).copied();
    at(0.025).zip(at(0.975))
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
        let (low, high) = Share { hits: 388, of: 400 }.interval().expect("an interval");
        assert!((low - 0.9484).abs() < 0.0005 && (high - 0.9827).abs() < 0.0005, "{low} {high}");
        let (low, high) = Share { hits: 20, of: 20 }.interval().expect("an interval");
        assert!((low - 0.8389).abs() < 0.0005 && high > 0.999_999, "{low} {high}");
        assert_eq!(Share::default().interval(), None);
    }

    #[test]
    fn the_interval_of_a_difference_holds_it() {
        let a: Vec<i64> = (0..200).map(|n| 1_000 + n * 7 % 400).collect();
        let b: Vec<i64> = a.iter().map(|n| n + 500).collect();
        let (low, high) = difference_of_medians(&a, &b, 500).expect("an interval");
        assert!(low <= 500 && high >= 500 && high - low < 200, "{low} {high}");
        assert_eq!(difference_of_medians(&a[..5], &b, 10), None);
    }

    #[test]
    fn a_table_is_as_wide_as_its_cells() {
        let text = table(&["a", "b"], &[vec!["long".into(), "1".into()]]);
        assert_eq!(text, "| a    | b |\n| ---- | - |\n| long | 1 |\n");
    }
}
