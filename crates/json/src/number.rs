//! Decimal numbers, each the nearest double. The standard library's reader brings a table of powers with it, 10 kB that no compressor makes
//! smaller; this one divides short numbers once, which is exact enough to be right, and counts long ones out in whole words.

/// Digits that a double holds, whatever they are.
const SHORT: i32 = 15;
/// The highest power of ten that fits in 64 bits; a double holds it too.
const SHORT_TENS: u32 = 19;
/// Numbers that begin further before the point than this are infinite.
const MOST_TENS: i32 = 310;
/// Numbers that begin further behind the point than this are 0.
const LEAST_TENS: i32 = -325;
/// No number halfway between two doubles has more digits: of what follows them counts only whether it is nothing.
const DIGITS: i32 = 800;
/// Words that hold more bits than a double, wherever the first bit is.
const WIDE: usize = 3;
/// The exponent of a double's last bit, at least.
const LEAST_EXPONENT: i32 = -1074;
/// The same at most, counted from the least.
const MOST_EXPONENTS: i32 = 2045;

/// The number that a text is, in every way of writing that `str::parse` takes, and the same double.
pub fn number(text: &str) -> Option<f64> {
    let text = text.as_bytes();
    let (negative, size) = match text.split_first()? {
        (b'-', size) => (true, size),
        (b'+', size) => (false, size),
        _ => (false, text),
    };
    let size = unsigned(size)?;
    Some(if negative { -size } else { size })
}

fn unsigned(text: &[u8]) -> Option<f64> {
    let is = |word: &[u8]| text.eq_ignore_ascii_case(word);
    if is(b"inf") || is(b"infinity") {
        return Some(f64::INFINITY);
    }
    if is(b"nan") {
        return Some(f64::NAN);
    }
    let (whole, rest) = split_digits(text);
    let (fraction, rest) = match rest.strip_prefix(b".") {
        Some(rest) => split_digits(rest),
        None => (&rest[..0], rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let tens = match rest.split_first() {
        None => 0,
        Some((b'e' | b'E', text)) => exponent(text)?,
        Some(_) => return None,
    };
    let digits = whole.iter().chain(fraction).map(|digit| u32::from(*digit - b'0')).skip_while(|digit| *digit == 0);
    Some(nearest(digits, tens.saturating_sub(fraction.len() as i32)))
}

/// The digits that stand first, and what follows them.
fn split_digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len()))
}

fn exponent(text: &[u8]) -> Option<i32> {
    let (negative, digits) = match text.split_first()? {
        (b'-', digits) => (true, digits),
        (b'+', digits) => (false, digits),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let size = digits.iter().fold(0i32, |size, digit| size.saturating_mul(10).saturating_add(i32::from(*digit - b'0')));
    Some(if negative { -size } else { size })
}

/// The double that is nearest to a whole number, whose first digit is not 0, times ten to the power of `tens`.
fn nearest(digits: impl Iterator<Item = u32> + Clone, tens: i32) -> f64 {
    let len = digits.clone().count() as i32;
    // The number is less than ten to this power, and not ten times less.
    let size = tens.saturating_add(len);
    if len == 0 || size < LEAST_TENS {
        return 0.0;
    }
    if size > MOST_TENS {
        return f64::INFINITY;
    }
    if len > SHORT || tens.unsigned_abs() > SHORT_TENS {
        return long(digits, len, size);
    }
    // Both are held exactly, so that only this one step rounds.
    let significand = digits.fold(0u64, |read, digit| 10 * read + u64::from(digit)) as f64;
    let power = 10u64.pow(tens.unsigned_abs()) as f64;
    if tens < 0 { significand / power } else { significand * power }
}

/// The same in words of 32 bits, the lowest first; what a division leaves is only known not to be nothing.
#[cold]
fn long(mut digits: impl Iterator<Item = u32>, len: i32, size: i32) -> f64 {
    let kept = len.min(DIGITS);
    let mut words = Vec::new();
    for digit in digits.by_ref().take(kept as usize) {
        multiply(&mut words, 10, digit);
    }
    let mut inexact = digits.any(|digit| digit != 0);
    let tens = size - kept;
    for _ in 0..tens {
        multiply(&mut words, 10, 0);
    }
    // So many words more that `WIDE` are left: nine digits are less than a word.
    let mut down = tens.min(0).unsigned_abs();
    let behind = WIDE + down as usize / 9;
    let mut words = [vec![0; behind], words].concat();
    while down > 0 {
        let step = down.min(9);
        inexact |= divide(&mut words, 10u32.pow(step));
        down -= step;
    }
    while words.last() == Some(&0) {
        words.pop();
    }
    let (low, high) = words.split_at(words.len() - WIDE);
    let wide = high.iter().rev().fold(0u128, |wide, word| (wide << 32) | u128::from(*word));
    let up = wide.leading_zeros();
    let wide = wide << up;
    inexact |= wide as u64 != 0 || low.iter().any(|word| *word != 0);
    let exponent = 32 * (low.len() as i32 - behind as i32) - up as i32 + 64;
    rounded((wide >> 64) as u64, exponent, inexact)
}

fn multiply(words: &mut Vec<u32>, by: u32, add: u32) {
    let mut carry = u64::from(add);
    for word in words.iter_mut() {
        carry += u64::from(*word) * u64::from(by);
        *word = carry as u32;
        carry >>= 32;
    }
    if carry > 0 {
        words.push(carry as u32);
    }
}

/// Something was left.
fn divide(words: &mut [u32], by: u32) -> bool {
    let mut left = 0u64;
    for word in words.iter_mut().rev() {
        left = (left << 32) | u64::from(*word);
        *word = (left / u64::from(by)) as u32;
        left %= u64::from(by);
    }
    left > 0
}

/// The double nearest to `bits`, of which the first is set, times two to the power of `exponent`, or to a little more if that is inexact;
/// of two as near, the even one.
fn rounded(bits: u64, exponent: i32, inexact: bool) -> f64 {
    // A double keeps 53 bits, or those that it has a place for.
    let last = (exponent + 11).max(LEAST_EXPONENT);
    let below = (last - exponent) as u32;
    if below > u64::BITS {
        return 0.0;
    }
    let twice = bits >> (below - 1);
    let (kept, half) = (twice >> 1, twice & 1 == 1);
    let over = inexact || (twice << (below - 1)) != bits;
    let up = half && (over || kept & 1 == 1);
    let place = last - LEAST_EXPONENT;
    if place > MOST_EXPONENTS {
        return f64::INFINITY;
    }
    // The first of 53 bits, and one that is carried beyond it, count the exponent up by themselves.
    f64::from_bits(((place as u64) << 52) + kept + u64::from(up))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::number;

    /// The same number, the same sign of zero; or neither is one.
    fn same(text: &str) {
        let (found, wanted) = (number(text), text.parse::<f64>().ok());
        match (found, wanted) {
            (Some(found), Some(wanted)) if wanted.is_nan() => assert!(found.is_nan(), "{text}"),
            _ => assert_eq!(found.map(f64::to_bits), wanted.map(f64::to_bits), "{text}"),
        }
    }

    #[test]
    fn every_way_of_writing_is_that_of_the_standard_library() {
        let words = "0 -0 +0 1 007 1. .5 . 1.5 -1.5e3 1e-3 1E+06 1e 1e+ e5 .e5 inf +Inf -infinity NaN -nan infi + - 1_0 0x1 1,5 1f 1e5.5 é";
        words.split(' ').chain(["", " 1", "1 ", "- 1", "0e999999999999", "-0.000e-7"]).for_each(same);
    }

    #[test]
    fn exact_values() {
        let bits = |text: &str| number(text).map(f64::to_bits);
        assert_eq!(number("0.1"), Some(0.1));
        assert_eq!(number("-1.5e3"), Some(-1500.0));
        assert_eq!(number("123456789012345678"), Some(123_456_789_012_345_680.0));
        assert_eq!(bits("1.7976931348623157e308"), Some(f64::MAX.to_bits()));
        // Halfway to what would come next, and a little less.
        assert_eq!(number("1.7976931348623159e308"), Some(f64::INFINITY));
        assert_eq!(bits("1.7976931348623158e308"), Some(f64::MAX.to_bits()));
        assert_eq!(bits("2.2250738585072014e-308"), Some(1 << 52));
        assert_eq!(bits("2.2250738585072011e-308"), Some((1 << 52) - 1));
        assert_eq!(bits("5e-324"), Some(1));
        // Half of the smallest lies between these.
        assert_eq!(bits("2.4703282292062328e-324"), Some(1));
        assert_eq!(bits("2.4703282292062327e-324"), Some(0));
        assert_eq!(bits("-1e-400"), Some(1 << 63));
    }

    #[test]
    fn the_largest_and_the_smallest_are_read() {
        for text in ["1.8e308", "1e309", "1e310", "1e999999999999", "1e-323", "1e-325", "1e-326", "1e-999999999999"] {
            same(text);
        }
        same(&format!("{}e-330", "1".repeat(40)));
        same(&format!("{}e-1200", "9".repeat(900)));
        same(&format!("0.{}5e400", "0".repeat(400)));
        same(&format!("0.{}5e100000", "0".repeat(100_000)));
        same(&format!("5{}e-100000", "0".repeat(100_000)));
        // The most digits that doubles have.
        same(&format!("{:.1074}", f64::from_bits((1 << 52) - 1)));
        same(&format!("{:.0}", f64::MAX));
    }

    proptest! {
        #[test]
        fn digits_and_a_power_are_the_nearest_number(whole in "[0-9]{1,25}", fraction in "[0-9]{0,25}", power in -360i32..=330) {
            same(&format!("{whole}.{fraction}e{power}"));
            same(&format!("{whole}.{fraction}"));
        }

        #[test]
        fn what_servers_say_is_the_nearest_number(significand in any::<u64>(), power in -27i32..=27) {
            same(&format!("{significand}e{power}"));
            same(&format!("{}e{power}", significand >> 20));
        }

        #[test]
        fn what_a_double_is_written_as_is_it(bits in any::<u64>().prop_filter("a number", |bits| f64::from_bits(*bits).is_finite())) {
            let wanted = f64::from_bits(bits);
            for text in [format!("{wanted:?}"), format!("{wanted:e}"), format!("{wanted:.20e}")] {
                prop_assert_eq!(number(&text).map(f64::to_bits), Some(bits), "{}", text);
            }
            same(&format!("{wanted:.3}"));
        }

        #[test]
        fn ties_go_to_the_even_number(kept in (1u64 << 52)..(1 << 53), up in 0u32..=70) {
            let tie = u128::from((kept << 1) | 1) << up;
            same(&tie.to_string());
            same(&format!("{}e-1", tie * 10));
            same(&format!("{tie}.{}1", "0".repeat(900)));
            same(&format!("{}.{}", tie - 1, "9".repeat(900)));
        }

        #[test]
        fn no_other_text_is_a_number(text in "[-+.0-9eEinfa_ ]{0,8}") {
            same(&text);
        }
    }
}
