//! Percentiles and intervals against scipy and numpy on 20 data sets, and the coverage of the intervals, exact and simulated.

use std::collections::HashMap;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;

#[test]
fn percentiles_and_intervals_agree_with_scipy() {
    let mut sets: HashMap<(&str, &str), Vec<i64>> = HashMap::new();
    let mut checked = 0;
    for line in include_str!("reference/percentiles.txt").lines().filter(|l| !l.starts_with('#')) {
        let [name, p, n, value, lower, upper, values] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("not seven columns: {line}")
        };
        if values != "same" {
            sets.insert((name, n), values.split(' ').map(|v| v.parse().expect("a value")).collect());
        }
        let p = P(p.parse().expect("thousandths"));
        let set = &sets[&(name, n)];
        let distribution = Distribution::new(set.clone(), vec![]);
        assert_eq!(distribution.percentile(p).map(|q| q.value.to_string()), Some(value.to_owned()), "{line:.60}");
        let ranks = lower.parse().ok().zip(upper.parse().ok());
        assert_eq!(interval::ranks(p, set.len()), ranks, "{line:.60}");
        let at = |rank: usize| Quantile { value: distribution.sorted()[rank - 1], at_least: false };
        let wanted = match ranks {
            Some((lower, upper)) => Interval::Between { lower: at(lower), upper: at(upper) },
            None => Interval::Needs { at_least: minimum_n(p), has: set.len() },
        };
        assert_eq!(distribution.interval(p), wanted, "{line:.60}");
        checked += 1;
    }
    assert_eq!((sets.len(), checked), (20, 100));
}

/// How likely the interval holds the true percentile, of any continuous distribution: the sum of binomial weights from the
/// lower rank to below the upper one, by their ratios from the mode outwards.
fn exact_coverage(p: P, n: usize) -> f64 {
    let (lower, upper) = ranks(p, n).expect("enough values");
    let odds = p.probability() / (1.0 - p.probability());
    let mode = ((n + 1) * p.0 as usize / 1000).min(n);
    let (mut all, mut inside) = (0.0, 0.0);
    let mut add = |k: usize, weight: f64| {
        all += weight;
        inside += if (lower..upper).contains(&k) { weight } else { 0.0 };
        weight > 1e-18
    };
    let (mut up, mut down) = (1.0, 1.0);
    add(mode, 1.0);
    for k in mode..n {
        up *= (n - k) as f64 / (k + 1) as f64 * odds;
        if !add(k + 1, up) {
            break;
        }
    }
    for k in (0..mode).rev() {
        down *= (k + 1) as f64 / ((n - k) as f64 * odds);
        if !add(k, down) {
            break;
        }
    }
    inside / all
}

#[test]
fn every_interval_up_to_5_000_values_covers_at_least_95_percent_exactly() {
    for p in P::SHOWN {
        for n in minimum_n(p)..=5000 {
            let covered = exact_coverage(p, n);
            assert!((0.95 - 1e-9..1.0).contains(&covered), "{p:?} of {n}: {covered}");
        }
    }
}

#[test]
fn simulated_coverage_agrees_with_the_exact_one() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    for (p, n) in [(P50, 6), (P50, 30), (P90, 50), (P95, 72), (P95, 200), (P99, 400)] {
        // Exponential, so that the true percentile is known.
        let truth = (-1e6 * (1.0 - p.probability()).ln()) as i64;
        let mut sample = || -> Vec<i64> { (0..n).map(|_| (-1e6 * (1.0 - random.random::<f64>()).ln()) as i64).collect() };
        let holds = (0..2000).filter(|_| match Distribution::new(sample(), vec![]).interval(p) {
            Interval::Between { lower, upper } => lower.value <= truth && truth <= upper.value,
            Interval::Needs { .. } => false,
        });
        let (simulated, exact) = (holds.count() as f64 / 2000.0, exact_coverage(p, n));
        let error = (exact * (1.0 - exact) / 2000.0).sqrt();
        assert!((simulated - exact).abs() <= 3.0 * error, "{p:?} of {n}: {simulated} against {exact} ± {error}");
    }
}

/// Requests of unequal pace, each with several gaps: the bootstrap over requests must hold the true percentile of the pool.
#[test]
fn the_bootstrap_over_requests_covers_at_least_93_percent() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(12);
    // A request's own pace is 20, 21, …, 79 ms; its gaps spread evenly from half to three halves of it.
    let mut request = || -> Vec<i64> {
        let pace = random.random_range(20..80i64) * 1000;
        (0..12).map(|_| pace / 2 + random.random_range(0..pace)).collect()
    };
    let whole = Pooled::new(&(0..40_000).map(|_| request()).collect::<Vec<_>>());
    for (p, n) in [(P50, 6), (P50, 30), (P90, 36), (P95, 72)] {
        let truth = whole.percentile(p).expect("values");
        let runs = 1000;
        let covered = (0..runs).filter(|seed| {
            let pool = Pooled::new(&(0..n).map(|_| request()).collect::<Vec<_>>());
            let Interval::Between { lower, upper } = pool.interval(p, *seed) else { return false };
            lower.value <= truth && truth <= upper.value
        });
        let covered = covered.count() as f64 / runs as f64;
        println!("{p:?} of {n} requests: {covered}");
        assert!(covered >= 0.93, "{p:?} of {n} requests: {covered}");
    }
}
