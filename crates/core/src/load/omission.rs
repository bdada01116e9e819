//! What would users have waited who never came, because a closed loop waited too? Coordinated omission, corrected by inventing
//! them.

use crate::Micros;
use crate::stats::Distribution;

/// More samples than this are not invented: the interval is then far too short for what was measured.
pub const MOST_INVENTED: i64 = 1_000_000;

/// Samples with those added that a load with one request an interval would have had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corrected {
    /// Measured and invented samples.
    pub of: Distribution,
    /// How many are invented.
    pub invented: u32,
}

/// For each sample that is longer than the interval, those of the requests that would have been sent while it was waited for:
/// shorter by one interval each, down to the last that is not shorter than the interval itself (as `HdrHistogram` does it).
/// Of a censored sample they are censored too. None if that would be more than [`MOST_INVENTED`], or of no interval.
pub fn expected_interval(measured: &Distribution, interval: Micros) -> Option<Corrected> {
    if interval <= Micros::ZERO {
        return None;
    }
    let missing = |value: &i64| (value / interval.0 - 1).max(0);
    let all = || measured.sorted().iter().chain(measured.censored_values());
    let invented: i64 = all().map(missing).sum();
    if invented > MOST_INVENTED {
        return None;
    }
    let with = |values: &[i64]| {
        let each = |value: &i64| {
            let value = *value;
            (0..=missing(&value)).map(move |n| value - n * interval.0)
        };
        values.iter().flat_map(each).collect::<Vec<_>>()
    };
    let of = Distribution::new(with(measured.sorted()), with(measured.censored_values()));
    Some(Corrected { of, invented: invented as u32 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stall_of_a_second_hides_nine_users_at_ten_a_second() {
        let measured = Distribution::new(vec![20_000, 30_000, 1_000_000], vec![]);
        let corrected = expected_interval(&measured, Micros::ms(100)).expect("few");
        assert_eq!(corrected.invented, 9);
        let want = [20, 30, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000].map(|ms| ms * 1000);
        assert_eq!(corrected.of.sorted(), want);
    }

    #[test]
    fn what_is_shorter_than_two_intervals_invents_nothing() {
        let measured = Distribution::new(vec![99, 100, 199], vec![]);
        assert_eq!(expected_interval(&measured, Micros(100)).map(|c| (c.invented, c.of)), Some((0, measured)));
    }

    #[test]
    fn what_was_cut_invents_what_is_cut() {
        let corrected = expected_interval(&Distribution::new(vec![], vec![350]), Micros(100)).expect("few");
        assert_eq!((corrected.invented, corrected.of.censored_values()), (2, [150, 250, 350].as_slice()));
    }

    #[test]
    fn an_interval_that_is_too_short_for_it_is_refused() {
        let measured = Distribution::new(vec![3_600_000_000], vec![]);
        assert_eq!(expected_interval(&measured, Micros(1)), None);
        assert_eq!(expected_interval(&measured, Micros::ZERO), None);
    }
}
