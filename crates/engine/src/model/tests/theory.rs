//! One server, one request at a time: the mean wait is known in closed form.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;

const REQUESTS: usize = 200_000;
/// Long against the time over which waits are alike, also at a utilisation of 0.8.
const BATCH: usize = 4_000;
const SERVICE_US: u64 = 100_000;

fn single(step_time: StepTime, seed: u64) -> Parameters {
    Parameters { seed, max_batch: 1, step_us: SERVICE_US, step_time, ..Parameters::default() }
}

/// The mean, and its standard error from the means of batches.
fn mean(values: &[f64]) -> (f64, f64) {
    let of = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let batches: Vec<f64> = values.chunks_exact(BATCH).map(of).collect();
    let middle = of(&batches);
    let variance = batches.iter().map(|one| (one - middle).powi(2)).sum::<f64>() / (batches.len() - 1) as f64;
    (of(values), (variance / batches.len() as f64).sqrt())
}

fn check(step_time: StepTime, closed_form: impl Fn(f64) -> f64) {
    for (utilisation, seed) in [(0.3, 11), (0.5, 12), (0.8, 13)] {
        let arrivals = poisson(Xoshiro256PlusPlus::seed_from_u64(seed), SERVICE_US as f64 / utilisation, REQUESTS, asked(1, 1));
        let courses = simulate(&single(step_time, seed), arrivals);
        let waits: Vec<f64> = courses.iter().filter_map(|course| Some(course.waited_us()? as f64)).collect();
        assert_eq!(waits.len(), REQUESTS);
        let ((mean, error), expected) = (mean(&waits), closed_form(utilisation) * SERVICE_US as f64);
        println!("{step_time:?} at {utilisation}: {mean:.0} µs ± {error:.0}, in theory {expected:.0}");
        assert!((mean - expected).abs() <= 3.0 * error, "{step_time:?} at {utilisation}: {mean} ± {error}, not {expected}");
        assert!(error < 0.05 * expected, "too coarse to tell: {mean} ± {error}");
    }
}

#[test]
fn waits_of_exponential_service_are_those_of_m_m_1() {
    check(StepTime::Exponential, |utilisation| utilisation / (1.0 - utilisation));
}

#[test]
fn waits_of_fixed_service_are_those_of_m_d_1() {
    check(StepTime::Fixed, |utilisation| utilisation / (2.0 * (1.0 - utilisation)));
}

/// Over a run that begins and ends empty, the time-average of those inside times the length is the sum of their times, to the
/// µs: for those who wait and for those who are served.
#[test]
fn littles_law_holds() {
    let parameters = Parameters {
        preprocess_us: 700,
        max_batch: 4,
        token_budget: 64,
        prefill_us_per_token: 30,
        step_us_per_sequence: 500,
        replicas: 2,
        router: Router::Random,
        speculative: 2,
        ..Parameters::default()
    };
    let arrivals = poisson(Xoshiro256PlusPlus::seed_from_u64(5), 20_000.0, 20_000, asked(100, 9));
    let (mut waiting, mut running, mut now) = (0, 0, 0);
    let mut model = Model::new(parameters.clone());
    let mut until = |model: &mut Model, to: u64| {
        while let Some(at) = model.next_at().filter(|at| *at <= to) {
            waiting += model.waiting() as u64 * (at - now);
            running += model.running() as u64 * (at - now);
            now = at;
            model.advance(at, |_| {});
        }
        if to < u64::MAX {
            waiting += model.waiting() as u64 * (to - now);
            running += model.running() as u64 * (to - now);
            now = to;
        }
    };
    for (at, asked) in arrivals.iter().copied() {
        until(&mut model, at);
        model.arrive(at, asked, |_| {}).expect("admitted");
    }
    until(&mut model, u64::MAX);
    let courses = simulate(&parameters, arrivals);
    assert_eq!(waiting, courses.iter().filter_map(Course::waited_us).sum::<u64>());
    let served = |course: &Course| Some(course.end_us? - course.queue_end_us?);
    assert_eq!(running, courses.iter().filter_map(served).sum::<u64>());
    assert!(waiting > 0 && running > waiting / 100);
}
