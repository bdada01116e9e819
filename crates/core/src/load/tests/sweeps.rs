//! Sweeps against simulated servers of known capacity.

use rand::SeedableRng;
use rand_distr::{Distribution, Exp1};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{config, run};
use crate::Micros;
use crate::config::RunConfig;
use crate::load::simulator::{Outcome, Server};
use crate::load::{Level, Over, Saturated, Shape, Spacing, levels, saturation};
use crate::mark::Mark;

fn sweep(over: Over, levels: &[f64], spacing: Spacing, requests: u32) -> RunConfig {
    config(Shape::Sweep { over, levels: levels.to_vec(), settle_ms: 1000, spacing }, requests)
}

fn judged(config: &RunConfig, outcome: &Outcome) -> Vec<Level> {
    saturation(&config.load.shape, &levels(config), &outcome.traces)
}

/// Eight places of 100 ms: 80 per second.
fn fixed() -> Server {
    Server::new(8, |_| Micros::ms(100))
}

/// The same capacity, exponential times.
fn random(seed: u64) -> Server {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    Server::new(8, move |_| {
        let time: f64 = Exp1.sample(&mut random);
        Micros((time * 100_000.0) as i64 + 1)
    })
}

#[test]
fn a_sweep_over_rate_finds_the_capacity_within_a_step() {
    let rates: Vec<f64> = (2..=14).map(|n| 10.0 * f64::from(n)).collect();
    let check = |spacing, requests, server: Server| {
        let config = sweep(Over::Rate, &rates, spacing, requests);
        let outcome = run(config.clone(), server);
        let found = judged(&config, &outcome);
        let last = found.last().expect("levels");
        assert!(matches!(last.saturated, Some(Saturated::FallsBehind(_))), "{last:?}");
        assert!(found.iter().rev().skip(1).all(|l| l.saturated.is_none()), "the first that is saturated is the last");
        assert!((80.0..=100.0).contains(&last.level), "{spacing:?}: {}", last.level);
        let throughput = last.throughput.expect("throughput");
        assert!((72.0..=88.0).contains(&throughput), "{throughput}: the capacity is 80 per second");
    };
    check(Spacing::Even, 200, fixed());
    for seed in 0..10 {
        check(Spacing::Poisson, 600, random(seed));
    }
}

#[test]
fn a_sweep_over_concurrency_finds_the_capacity_within_a_step() {
    let check = |all: &[f64], server: Server, requests, wanted: f64| {
        let config = sweep(Over::Concurrency, all, Spacing::Even, requests);
        let found = judged(&config, &run(config.clone(), server));
        let last = found.last().expect("levels");
        assert!(matches!(last.saturated, Some(Saturated::NoGain(gain)) if gain < 0.1), "{last:?}");
        assert_eq!(last.level, wanted, "the first level that brings nothing more");
    };
    check(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0], fixed(), 100, 16.0);
    check(&[2.0, 4.0, 6.0, 8.0, 10.0, 12.0], fixed(), 100, 10.0);
    check(&[5.0, 6.0, 7.0, 8.0, 9.0, 10.0], fixed(), 200, 9.0);
    // Exponential times are the noisiest: a gain is uncertain by √(2/n), so that many are asked for.
    for seed in 0..10 {
        check(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0], random(seed), 4000, 16.0);
    }
}

#[test]
fn levels_settle_before_the_next_begins_and_one_that_is_not_reached_stays_unsent() {
    let config = sweep(Over::Rate, &[20.0, 200.0, 400.0], Spacing::Even, 50);
    let outcome = run(config.clone(), fixed());
    let of = |stage| outcome.traces.iter().filter(move |t| t.planned.stage == stage);
    assert_eq!((of(0).count(), of(1).count(), of(2).count()), (50, 50, 0));
    let over = of(0).map(|t| t.last_known).max().expect("level 0");
    let begun = of(1).filter_map(|t| t.marks.get(Mark::Sent).ok()).min().expect("level 1");
    assert!(begun >= over + Micros::ms(1000), "{over} to {begun}");
    assert_eq!(judged(&config, &outcome).len(), 2);
}

#[test]
fn failures_and_cuts_saturate() {
    let mut config = sweep(Over::Rate, &[20.0, 400.0], Spacing::Even, 100);
    config.timeout_ms = 300;
    let outcome = run(config.clone(), fixed());
    let found = judged(&config, &outcome);
    assert_eq!(found[0].saturated, None);
    assert!(matches!(found[1].saturated, Some(Saturated::Failures(share)) if share > 0.5), "{found:?}");
    let first = found[0].first.expect("time to first token");
    assert_eq!((first.0.value, found[0].end_to_end.map(|e| e.1.value)), (50_000, Some(100_000)));
}

#[test]
fn a_target_that_is_never_saturated_is_swept_to_the_end() {
    let config = sweep(Over::Rate, &[10.0, 20.0, 40.0], Spacing::Poisson, 200);
    let found = judged(&config, &run(config.clone(), random(3)));
    assert_eq!(
        found.iter().map(|l| (l.stage, l.n, l.saturated)).collect::<Vec<_>>(),
        [(0, 200, None), (1, 200, None), (2, 200, None)]
    );
}
