//! Numbers as people read them: three significant digits, no decimal that the clock can't support.

use crate::Micros;
use crate::metrics::Unit;
use crate::stats::Quantile;

/// Groups thousands: 12,345.
fn grouped(digits: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |d| ("−", d));
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(w, f)| (w, Some(f)));
    let mut out = String::new();
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    match fraction {
        Some(f) => format!("{sign}{out}.{f}"),
        None => format!("{sign}{out}"),
    }
}

/// Three significant digits of a number, at most `decimals` of them behind the point.
pub fn significant(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let magnitude = value.abs();
    let wanted = match magnitude {
        m if m >= 99.95 => 0,
        m if m >= 9.995 => 1,
        _ => 2,
    };
    let text = format!("{value:.*}", wanted.min(decimals));
    grouped(if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
        text.trim_start_matches('-')
    } else {
        &text
    })
}

/// Decimals of a millisecond that a clock of this step supports.
pub fn clock_decimals(step: Micros) -> usize {
    match step.0 {
        s if s >= 1000 => 0,
        s if s >= 100 => 1,
        _ => 2,
    }
}

/// A time in milliseconds, without its unit. From 10 s on, thousands of milliseconds stay whole.
pub fn millis(value: i64, step: Micros) -> String {
    significant(value as f64 / 1000.0, clock_decimals(step))
}

/// A difference in milliseconds with its sign, without its unit.
pub fn signed_millis(value: i64, step: Micros) -> String {
    format!("{}{}", if value > 0 { "+" } else { "" }, millis(value, step))
}

/// A value at a rank, with “≥” where the true one may be larger.
pub fn quantile(of: Quantile, show: impl FnOnce(i64) -> String) -> String {
    format!("{}{}", if of.at_least { "≥ " } else { "" }, show(of.value))
}

/// A share in percent, without its sign.
pub fn percent(share: f64) -> String {
    significant(share * 100.0, 0)
}

/// A metric's value without its unit.
pub fn value(value: i64, unit: Unit, step: Micros) -> String {
    match unit {
        Unit::Time => millis(value, step),
        Unit::Count | Unit::TokenRate => significant(value as f64 / 1000.0, 2),
    }
}

/// A length of time for people who wait: `8 s`, `2 min 05 s`.
pub fn rough(time: Micros) -> (i64, i64) {
    let seconds = (time.0.max(0) + 999_999) / 1_000_000;
    (seconds / 60, seconds % 60)
}

/// A whole number with grouped thousands.
pub fn count(n: usize) -> String {
    grouped(&n.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_significant_digits_and_no_decimal_the_clock_cannot_support() {
        let fine = Micros(5);
        for (us, want) in [
            (450_000, "450"),
            (1_400_000, "1,400"),
            (12_345_678, "12,346"),
            (4_567, "4.57"),
            (45_678, "45.7"),
            (-3_400, "−3.40"),
            (0, "0.00"),
            (-1, "0.00"),
            (99_960, "100"),
        ] {
            assert_eq!(millis(us, fine), want);
        }
        assert_eq!(millis(4_567, Micros(1000)), "5");
        assert_eq!(millis(4_567, Micros(100)), "4.6");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(significant(f64::NAN, 2), "–");
    }

    #[test]
    fn waiting_times() {
        assert_eq!(rough(Micros::ms(125_000)), (2, 5));
        assert_eq!(rough(Micros(-5)), (0, 0));
    }
}
