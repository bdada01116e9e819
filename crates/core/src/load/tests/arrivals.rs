//! Arrival times against their distributions: Kolmogorov–Smirnov and chi-squared at the 1 % level, on fixed seeds.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use statrs::distribution::{ContinuousCDF, Gamma};

use crate::Micros;
use crate::load::{Arrival, Over, Shape, Spacing, Step, arrivals};

const N: usize = 20_000;

fn drawn(shape: &Shape, count: usize, limit: Option<Micros>) -> Vec<Arrival> {
    arrivals(shape, 0, count, limit, &mut Xoshiro256PlusPlus::seed_from_u64(5))
}

fn seconds(all: &[Arrival]) -> Vec<f64> {
    all.iter().map(|a| a.at.as_secs()).collect()
}

/// Intervals, the first from 0.
fn intervals(all: &[Arrival]) -> Vec<f64> {
    let times = seconds(all);
    let before = [0.0].into_iter().chain(times.iter().copied());
    times.iter().zip(before).map(|(at, before)| at - before).collect()
}

/// √n times the largest distance of an empirical distribution from a given one; above 1.628 in 1 % of samples.
fn ks(mut sample: Vec<f64>, cdf: impl Fn(f64) -> f64) -> f64 {
    sample.sort_by(f64::total_cmp);
    let n = sample.len() as f64;
    let distance = |(at, x): (usize, &f64)| (cdf(*x) - at as f64 / n).abs().max((cdf(*x) - (at + 1) as f64 / n).abs());
    sample.iter().enumerate().map(distance).fold(0.0, f64::max) * n.sqrt()
}

const KS_1: f64 = 1.628;

fn gamma_cdf(burstiness: f64, rate: f64) -> impl Fn(f64) -> f64 {
    let gamma = Gamma::new(burstiness, burstiness * rate).expect("parameters");
    move |x| gamma.cdf(x)
}

#[test]
fn poisson_intervals_are_exponential_and_independent() {
    let of_poisson = intervals(&drawn(&Shape::Open { per_second: 8.0, spacing: Spacing::Poisson }, N, None));
    let exponential = |x: f64| 1.0 - (-8.0 * x).exp();
    assert!(ks(of_poisson.clone(), exponential) < KS_1);
    // The test can tell: intervals twice as even are none.
    let of_gamma = intervals(&drawn(&Shape::Open { per_second: 8.0, spacing: Spacing::Gamma { burstiness: 2.0 } }, N, None));
    assert!(ks(of_gamma, exponential) > 3.0 * KS_1);
    let (mean, lagged) = (1.0 / 8.0, of_poisson.windows(2));
    let covariance: f64 = lagged.map(|w| (w[0] - mean) * (w[1] - mean)).sum::<f64>() / N as f64;
    let correlation = covariance * 64.0;
    assert!(correlation.abs() < 2.576 / (N as f64).sqrt(), "{correlation}");
}

#[test]
fn gamma_intervals_follow_their_burstiness_and_1_is_poisson() {
    // So slow that rounding to whole µs does not show: of bursty arrivals at 20 per second 4 % are less than one apart.
    let rate = 1e-4;
    for burstiness in [0.25, 1.0, 4.0] {
        let spacing = Spacing::Gamma { burstiness };
        let of_gamma = intervals(&drawn(&Shape::Open { per_second: rate, spacing }, N, None));
        assert!(ks(of_gamma.clone(), gamma_cdf(burstiness, rate)) < KS_1, "{burstiness}");
        let mean = of_gamma.iter().sum::<f64>() / N as f64;
        let variance = of_gamma.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / N as f64;
        let cv2 = variance / (mean * mean);
        assert!((mean * rate - 1.0).abs() < 0.05, "{mean}");
        assert!((cv2 * burstiness - 1.0).abs() < 0.1, "{cv2} at {burstiness}");
    }
    let exponential = |x: f64| 1.0 - (-rate * x).exp();
    let spacing = Spacing::Gamma { burstiness: 1.0 };
    assert!(ks(intervals(&drawn(&Shape::Open { per_second: rate, spacing }, N, None)), exponential) < KS_1);
}

#[test]
fn poisson_counts_in_windows_have_the_variance_of_their_mean() {
    // The index of dispersion × (windows − 1) is chi-squared: 999 degrees of freedom, 0.5 % on either side.
    let all = seconds(&drawn(&Shape::Open { per_second: 10.0, spacing: Spacing::Poisson }, 2 * N, None));
    let mut counts = vec![0.0; 1000];
    all.iter().filter_map(|t| (*t < 1000.0).then_some(*t as usize)).for_each(|window| counts[window] += 1.0);
    let mean = counts.iter().sum::<f64>() / 1000.0;
    let dispersion = counts.iter().map(|c| (c - mean).powi(2)).sum::<f64>() / mean;
    assert!((887.6..=1117.9).contains(&dispersion), "{dispersion}");
}

#[test]
fn even_arrivals_stand_at_exact_instants() {
    let all = drawn(&Shape::Open { per_second: 3.0, spacing: Spacing::Even }, 7, None);
    let want = [0, 333_333, 666_667, 1_000_000, 1_333_333, 1_666_667, 2_000_000];
    assert_eq!(all.iter().map(|a| a.at.0).collect::<Vec<_>>(), want);
    assert_eq!(drawn(&Shape::Open { per_second: 3.0, spacing: Spacing::Even }, 7, Some(Micros::ms(1000))).len(), 3);
}

#[test]
fn a_ramp_reaches_its_end_and_stays() {
    let ramp = |from, to, spacing| Shape::Ramp { from, to, over_ms: 10_000, spacing };
    // From 2 to 6 per second in 10 s: 2t + 0.2 t² requests by t. The 40th of them ends the ramp; then 6 per second.
    let all = seconds(&drawn(&ramp(2.0, 6.0, Spacing::Even), 53, None));
    for (nth, t) in all.iter().enumerate().take(41) {
        assert!((2.0 * t + 0.2 * t * t - nth as f64).abs() < 1e-4, "{nth} at {t}");
    }
    assert!((all[40] - 10.0).abs() < 1e-5 && (all[46] - 11.0).abs() < 1e-5 && (all[52] - 12.0).abs() < 1e-5);
    // Falling, and not changing at all.
    let down = seconds(&drawn(&ramp(6.0, 2.0, Spacing::Even), 43, None));
    assert!((down[40] - 10.0).abs() < 1e-5 && (down[42] - 11.0).abs() < 1e-5);
    assert!((seconds(&drawn(&ramp(4.0, 4.0, Spacing::Even), 9, None))[8] - 2.0).abs() < 1e-9);
    // Poisson: in ten equal times, as many as the integral of the rate. Chi-squared with 9 degrees of freedom, 1 %.
    let random = seconds(&drawn(&ramp(100.0, 300.0, Spacing::Poisson), N, Some(Micros::ms(10_000))));
    let expected = |tenth: usize| 100.0 + 20.0 * (tenth as f64 + 0.5);
    let seen = |tenth: usize| random.iter().filter(|t| **t as usize == tenth).count() as f64;
    let chi2: f64 = (0..10).map(|tenth| (seen(tenth) - expected(tenth)).powi(2) / expected(tenth)).sum();
    assert!(chi2 < 21.67, "{chi2}");
    let flat: f64 = (0..10).map(|tenth| (seen(tenth) - 200.0).powi(2) / 200.0).sum();
    assert!(flat > 21.67, "the test can tell a ramp from a constant rate");
}

#[test]
fn steps_last_their_time_or_their_number() {
    let step = |level, for_ms, requests| Step { level, for_ms, requests };
    let steps = vec![step(10.0, Some(1000), None), step(100.0, None, Some(50)), step(20.0, Some(500), Some(1000))];
    let all = drawn(&Shape::Steps { over: Over::Rate, steps: steps.clone(), spacing: Spacing::Even }, 1000, None);
    let of = |stage| all.iter().filter(|a| a.stage == stage).map(|a| a.at).collect::<Vec<_>>();
    assert_eq!((of(0).len(), of(1).len(), of(2).len()), (10, 50, 10));
    assert_eq!((of(1)[0], of(2)[0], of(2)[9]), (Micros::ms(1000), Micros::ms(1500), Micros::ms(1950)));
    let random = drawn(&Shape::Steps { over: Over::Rate, steps, spacing: Spacing::Poisson }, 1000, None);
    assert!(random.windows(2).all(|w| w[0].at <= w[1].at && w[0].stage <= w[1].stage));
    assert!(random.iter().filter(|a| a.stage == 0).all(|a| a.at < Micros::ms(1000)));
    assert_eq!(random.iter().filter(|a| a.stage == 1).count(), 50);
    // Poisson within a step too: many steps of 1 s at 40 per second, intervals inside them.
    let many = vec![step(40.0, Some(1000), None); 400];
    let all = drawn(&Shape::Steps { over: Over::Rate, steps: many, spacing: Spacing::Poisson }, 100_000, None);
    let per_step = (0..400).map(|s| all.iter().filter(|a| a.stage == s).count() as f64);
    let chi2: f64 = per_step.map(|n| (n - 40.0).powi(2) / 40.0).sum();
    assert!((330.9..=478.3).contains(&chi2), "{chi2}: 400 degrees of freedom, 0.5 % on either side");
}

#[test]
fn a_trace_is_replayed_at_its_speed() {
    let shape = Shape::Replay { at_ms: vec![0.0, 10.0, 10.0, 45.5], speed: 2.0 };
    assert_eq!(drawn(&shape, 10, None).iter().map(|a| a.at.0).collect::<Vec<_>>(), [0, 5000, 5000, 22_750]);
    assert_eq!(drawn(&shape, 2, None).len(), 2);
}
