//! Lengths are distributed as they are said to be, prompts differ, and a seed makes the same everywhere.

use std::collections::HashSet;

use proptest::prelude::*;
use statrs::distribution::{ContinuousCDF, LogNormal, Normal};

use super::*;

const CASES: u32 = 5_000;

fn generator(input: Lengths) -> Generator {
    Generator { cases: CASES, seed: 42, input, output: None, shared_prefix: 0, held_out: 0 }
}

fn inputs(lengths: Lengths) -> Vec<u32> {
    let generator = generator(lengths);
    assert_eq!(generator.problem(), None);
    (0..CASES).map(|index| generator.lengths(index).0).collect()
}

/// The largest distance between what was drawn and what should be, taken half-way between whole lengths, where rounding
/// changes nothing.
fn distance(mut drawn: Vec<u32>, cdf: impl Fn(f64) -> f64) -> f64 {
    drawn.sort_unstable();
    let n = drawn.len() as f64;
    let below = |edge: f64| drawn.partition_point(|x| f64::from(*x) < edge) as f64 / n;
    let edges = drawn.iter().flat_map(|x| [f64::from(*x) - 0.5, f64::from(*x) + 0.5]);
    edges.map(|edge| (below(edge) - cdf(edge)).abs()).fold(0.0, f64::max)
}

/// Kolmogorov–Smirnov at 5 %.
fn critical() -> f64 {
    1.358 / f64::from(CASES).sqrt()
}

#[test]
fn normal_lengths_are_normal() {
    let drawn = inputs(Lengths::Normal { mean: 2000, sd: 300, min: 4, max: 100_000 });
    let theory = Normal::new(2000.0, 300.0).expect("a distribution");
    let d = distance(drawn, |x| theory.cdf(x));
    assert!(d < critical(), "{d} ≥ {}", critical());
}

#[test]
fn log_normal_lengths_are_log_normal() {
    let drawn = inputs(Lengths::LogNormal { median: 512, p95: 2048, min: 4, max: 200_000 });
    let theory = LogNormal::new(512f64.ln(), 4f64.ln() / Z95).expect("a distribution");
    assert!((theory.cdf(2048.0) - 0.95).abs() < 1e-9);
    let d = distance(drawn, |x| theory.cdf(x));
    assert!(d < critical(), "{d} ≥ {}", critical());
}

#[test]
fn another_distribution_would_be_noticed() {
    let drawn = inputs(Lengths::Normal { mean: 2000, sd: 300, min: 4, max: 100_000 });
    let other = Normal::new(2000.0, 330.0).expect("a distribution");
    assert!(distance(drawn, |x| other.cdf(x)) > critical());
}

#[test]
fn uniform_lengths_are_uniform() {
    let mut counts = [0u32; 10];
    for length in inputs(Lengths::Uniform { min: 11, max: 20 }) {
        counts[(length - 11) as usize] += 1;
    }
    let expected = f64::from(CASES) / 10.0;
    let chi: f64 = counts.iter().map(|n| (f64::from(*n) - expected).powi(2) / expected).sum();
    // 95th percentile of chi-squared with 9 degrees of freedom.
    assert!(chi < 16.919, "{chi}: {counts:?}");
}

#[test]
fn what_falls_outside_is_moved_to_the_bound() {
    let drawn = inputs(Lengths::Normal { mean: 100, sd: 50, min: 90, max: 110 });
    let share = |n: u32| drawn.iter().filter(|x| **x == n).count() as f64 / f64::from(CASES);
    // P(x < 90.5) and P(x > 109.5) are both 0.4247; five standard errors around.
    assert!((share(90) - 0.4247).abs() < 0.035 && (share(110) - 0.4247).abs() < 0.035, "{} {}", share(90), share(110));
    assert_eq!(inputs(Lengths::Fixed(7)), vec![7; CASES as usize]);
}

#[test]
fn input_and_output_are_drawn_apart() {
    let lengths = Lengths::Uniform { min: 100, max: 1099 };
    let generator = Generator { output: Some(lengths), ..generator(lengths) };
    let pairs: Vec<(f64, f64)> = (0..CASES)
        .map(|index| generator.lengths(index))
        .map(|(input, output)| (f64::from(input), f64::from(output.expect("an output"))))
        .collect();
    let n = f64::from(CASES);
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (mx, my) = (mean(&|p| p.0), mean(&|p| p.1));
    let (vx, vy) = (mean(&|p| (p.0 - mx).powi(2)), mean(&|p| (p.1 - my).powi(2)));
    let correlation = mean(&|p| (p.0 - mx) * (p.1 - my)) / (vx * vy).sqrt();
    assert!(correlation.abs() < 1.96 / n.sqrt(), "{correlation}");
}

#[test]
fn the_same_numbers_make_the_same_prompt_for_ever() {
    let generator = Generator { shared_prefix: 5, ..generator(Lengths::LogNormal { median: 20, p95: 60, min: 4, max: 100 }) };
    let text = generator.case(3).messages[0].content.text();
    // Whoever changes this raises GENERATOR_VERSION.
    assert_eq!(text, "job bag never good. line common drink laugh mother bag note floor become list picture. become back.");
    assert_eq!(GENERATOR_VERSION, 1);
}

#[test]
fn words_are_distinct_and_short() {
    let distinct: HashSet<&str> = WORDS.into_iter().collect();
    assert_eq!(distinct.len(), 256);
    assert!(WORDS.iter().all(|w| (2..=7).contains(&w.len()) && w.bytes().all(|b| b.is_ascii_lowercase())));
}

#[test]
fn numbers_outside_their_range_are_named() {
    let fine = generator(Lengths::Fixed(4));
    let field = |generator: Generator| match generator.problem() {
        Some(WorkloadProblem::Generator { field, .. }) => Some(field),
        _ => None,
    };
    assert_eq!(field(fine), None);
    assert_eq!(field(Generator { cases: 0, ..fine }), Some(GeneratorField::Cases));
    assert_eq!(field(Generator { held_out: CASES + 1, ..fine }), Some(GeneratorField::HeldOut));
    assert_eq!(field(Generator { input: Lengths::Fixed(3), ..fine }), Some(GeneratorField::Input));
    assert_eq!(field(Generator { input: Lengths::Uniform { min: 9, max: 8 }, ..fine }), Some(GeneratorField::Input));
    assert_eq!(field(Generator { output: Some(Lengths::Fixed(0)), ..fine }), Some(GeneratorField::Output));
    let flat = Lengths::LogNormal { median: 9, p95: 9, min: 4, max: 20 };
    assert_eq!(field(Generator { input: flat, ..fine }), Some(GeneratorField::P95));
}

/// Words and full stops, as the estimate counts them.
fn estimate(text: &str) -> usize {
    text.split_whitespace().count() + text.matches('.').count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_prompt_is_as_long_as_drawn_and_like_no_other(seed in any::<u64>(), min in MIN_INPUT..40, more in 0u32..40, shared_prefix in 0u32..30) {
        let input = Lengths::Uniform { min, max: min + more };
        let generator = Generator { seed, shared_prefix, cases: 300, held_out: 10, ..generator(input) };
        let mut seen = HashSet::new();
        let mut fronts = HashSet::new();
        for index in 0..generator.cases {
            let case = generator.case(index);
            let text = case.messages[0].content.text();
            prop_assert_eq!(estimate(&text), (generator.lengths(index).0 + shared_prefix) as usize, "{}", text);
            let own = Generator { shared_prefix: 0, ..generator }.case(index).messages[0].content.text();
            prop_assert!(text.ends_with(&own));
            fronts.insert(own.split_whitespace().take(4).map(|w| w.trim_end_matches('.').to_owned()).collect::<Vec<_>>());
            prop_assert_eq!(case.held_out, index >= 290);
            seen.insert(text);
        }
        prop_assert_eq!((seen.len(), fronts.len()), (300, 300));
    }
}
