//! Small cases whose every time was worked out by hand.

use super::*;

fn run(parameters: &Parameters, arrivals: &[(u64, Asked)]) -> Vec<Course> {
    simulate(parameters, arrivals.iter().copied())
}

/// 10 ms a step, 1 ms for each sequence in it, 10 µs for each token read.
fn plain() -> Parameters {
    Parameters { step_us_per_sequence: 1_000, prefill_us_per_token: 10, token_budget: 100, ..Parameters::default() }
}

fn leaves(course: &Course) -> Vec<u64> {
    course.tokens.iter().map(|(at_us, _)| *at_us).collect()
}

#[test]
fn input_is_read_in_parts_and_the_last_of_them_makes_a_token() {
    let course = &run(&Parameters { preprocess_us: 500, ..plain() }, &[(1_000, asked(250, 3))])[0];
    // 100, 100 and 50 tokens: 12, 12 and 11.5 ms.
    assert_eq!((course.queue_end_us, course.prefill_end_us), (Some(1_500), Some(37_000)));
    assert_eq!((leaves(course), course.end_us), (vec![37_000, 48_000, 59_000], Some(59_000)));
}

#[test]
fn reading_shares_its_steps_with_writing_and_slows_it() {
    let courses = run(&plain(), &[(0, asked(100, 5)), (13_000, asked(150, 2))]);
    // The first: read by 12, then 11 a step until the second joins at 23: 10 + 2 + 0.99 for 99 tokens, then 51.
    assert_eq!(leaves(&courses[0]), [12_000, 23_000, 35_990, 48_500, 60_500]);
    assert_eq!(courses[1].queue_end_us, Some(23_000));
    assert_eq!((courses[1].prefill_end_us, leaves(&courses[1])), (Some(48_500), vec![48_500, 60_500]));
}

#[test]
fn a_full_batch_makes_others_wait_and_a_full_queue_refuses_them() {
    let parameters = Parameters { max_batch: 1, queue_limit: Some(1), ..Parameters::default() };
    let courses = run(&parameters, &[(0, asked(1, 2)), (1, asked(1, 1)), (2, asked(1, 1)), (20_000, asked(1, 1))]);
    assert_eq!(courses[0].end_us, Some(20_000));
    assert_eq!((courses[1].queue_end_us, courses[1].end_us), (Some(20_000), Some(30_000)));
    assert_eq!((courses[2].refused, courses[2].queue_end_us), (Some(Refused::QueueFull(2)), None));
    // At the very µs at which the first is over there is room again.
    assert_eq!(courses[3].end_us, Some(40_000));
}

#[test]
fn a_full_cache_makes_others_wait_and_what_never_fits_is_refused() {
    let parameters = Parameters { cache_tokens: 30, ..Parameters::default() };
    let courses = run(&parameters, &[(0, asked(18, 2)), (0, asked(18, 2)), (0, asked(29, 2))]);
    assert_eq!((courses[0].end_us, courses[1].queue_end_us), (Some(20_000), Some(20_000)));
    assert_eq!(courses[2].refused, Some(Refused::TooLong { needed: 31, cache_tokens: 30 }));
}

#[test]
fn what_was_read_before_is_not_read_again() {
    let parameters = Parameters { prefix_cache_percent: 80, ..plain() };
    let other = Asked { prefix: 1, ..asked(100, 1) };
    let courses = run(&parameters, &[(0, asked(100, 1)), (20_000, asked(100, 1)), (40_000, other), (60_000, asked(1, 1))]);
    assert_eq!(courses.iter().map(|c| c.cached_tokens).collect::<Vec<_>>(), [0, 80, 0, 0]);
    assert_eq!(
        courses.iter().map(|c| c.end_us.expect("over") - c.arrived_us).collect::<Vec<_>>(),
        [12_000, 11_200, 12_000, 11_010]
    );
    let all = Parameters { prefix_cache_percent: 100, ..plain() };
    assert_eq!(run(&all, &[(0, asked(100, 1)), (20_000, asked(100, 1))])[1].cached_tokens, 99);
}

#[test]
fn a_cold_replica_starts_and_loads_and_is_cold_again_when_nobody_came() {
    let parameters = Parameters { start_ms: 2, load_ms: 3, unload_after_ms: Some(100), ..Parameters::default() };
    let at = [0, 1_000, 50_000, 150_000, 171_000, 271_000];
    let courses = run(&parameters, &at.map(|at| (at, asked(1, 1))));
    let starts: Vec<_> = courses.iter().map(|course| course.queue_end_us.expect("served")).collect();
    // The third ends at 60,000: 90 ms later the replica is warm. The fourth ends at 160,000, the fifth at 181,000.
    assert_eq!(starts, [5_000, 5_000, 50_000, 150_000, 171_000, 271_000]);
    let again = run(&parameters, &[(0, asked(1, 1)), (115_000, asked(1, 1))]);
    assert_eq!(again[1].queue_end_us, Some(120_000));
}

#[test]
fn drafts_that_are_all_accepted_come_at_once() {
    let parameters = Parameters { speculative: 3, acceptance_percent: 100, ..Parameters::default() };
    let course = &run(&parameters, &[(0, asked(1, 10))])[0];
    assert_eq!(course.tokens, [(10_000, 1), (20_000, 4), (30_000, 4), (40_000, 1)]);
    let none = Parameters { acceptance_percent: 0, ..parameters };
    assert_eq!(run(&none, &[(0, asked(1, 10))])[0].tokens.len(), 10);
}

#[test]
fn the_first_tokens_are_held_and_leave_together() {
    let held = |tokens, ms, output| {
        let parameters = Parameters { holdback_tokens: tokens, holdback_ms: ms, postprocess_us: 300, ..Parameters::default() };
        let course = run(&parameters, &[(0, asked(1, output))]).remove(0);
        (leaves(&course), course.end_us.expect("over"))
    };
    assert_eq!(held(3, 0, 5), (vec![30_300, 30_300, 30_300, 40_300, 50_300], 50_300));
    assert_eq!(held(0, 15, 4), (vec![25_300, 25_300, 30_300, 40_300], 40_300));
    assert_eq!(held(2, 15, 4), (vec![35_300, 35_300, 35_300, 40_300], 40_300));
    assert_eq!(held(9, 5, 2), (vec![25_300, 25_300], 25_300), "the end releases what there is");
}

#[test]
fn routers_and_speeds() {
    let replicas = |router, at: &[u64]| -> Vec<Option<u32>> {
        let parameters = Parameters { replicas: 2, speeds_permille: vec![1_000, 500], router, ..Parameters::default() };
        run(&parameters, &at.iter().map(|at| (*at, asked(1, 2))).collect::<Vec<_>>()).iter().map(|c| c.replica).collect()
    };
    assert_eq!(replicas(Router::RoundRobin, &[0, 0, 0, 0]), [0, 1, 0, 1].map(Some));
    // The fast one is free again at 20 ms, the slow one at 40.
    assert_eq!(replicas(Router::LeastLoaded, &[0, 0, 25_000, 26_000]), [0, 1, 0, 0].map(Some).to_vec().as_slice());
    let random = replicas(Router::Random, &[0; 64]);
    assert!(random.contains(&Some(0)) && random.contains(&Some(1)));
    let parameters = Parameters { replicas: 2, speeds_permille: vec![1_000, 500], ..Parameters::default() };
    let courses = run(&parameters, &[(0, asked(1, 2)), (0, asked(1, 2))]);
    assert_eq!(courses.iter().map(|c| c.end_us).collect::<Vec<_>>(), [Some(20_000), Some(40_000)]);
    // Whom a full replica refused had its turn: the next one goes to the other.
    let full = Parameters { max_batch: 1, queue_limit: Some(0), ..parameters };
    let courses = run(&full, &[0, 0, 25_000, 26_000, 46_000].map(|at| (at, asked(1, 2))));
    assert_eq!(courses[3].refused, Some(Refused::QueueFull(1)));
    assert_eq!(courses[4].replica, Some(0));
}

#[test]
fn a_replica_is_not_idle_during_the_step_of_one_that_went() {
    let parameters = Parameters { prefix_cache_percent: 100, unload_after_ms: Some(1), ..Parameters::default() };
    let mut model = Model::new(parameters);
    let mut told = Vec::new();
    model.arrive(0, asked(100, 1), |e| told.push(e)).expect("admitted");
    let over_us = model.next_at().expect("a step");
    let gone = model.arrive(over_us, asked(100, 50), |e| told.push(e)).expect("admitted");
    model.abort(over_us + 1_000, gone, |e| told.push(e));
    let last = model.arrive(over_us + 4_000, asked(100, 1), |e| told.push(e)).expect("admitted");
    model.advance(u64::MAX, |e| told.push(e));
    let cached = told.iter().find_map(|e| match e.what {
        What::Starts { cached_tokens, .. } if e.request == last => Some(cached_tokens),
        _ => None,
    });
    assert_eq!(cached, Some(99), "what it had read is still there");
}

#[test]
fn who_goes_away_leaves_the_place_to_the_next() {
    let mut model = Model::new(Parameters { max_batch: 1, ..Parameters::default() });
    let mut told = Vec::new();
    let ids: Vec<RequestId> = (0..3).map(|at| model.arrive(at, asked(1, 5), |e| told.push(e)).expect("admitted")).collect();
    model.abort(12_000, ids[0], |e| told.push(e));
    model.abort(12_500, ids[1], |e| told.push(e));
    assert_eq!((model.running(), model.waiting()), (0, 1));
    model.advance(u64::MAX, |e| told.push(e));
    let of = |id: RequestId| told.iter().filter(move |e| e.request == id).map(|e| e.at_us).collect::<Vec<_>>();
    assert_eq!(of(ids[0]), [0, 10_000, 10_000], "it started, was read, and one token left");
    assert!(of(ids[1]).is_empty());
    // The step of the one that went is done to its end.
    assert_eq!(of(ids[2])[0], 20_000);
    assert_eq!(*of(ids[2]).last().expect("over"), 70_000);
}
