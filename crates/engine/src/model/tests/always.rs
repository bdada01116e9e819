//! What holds whatever the parameters and whoever comes and goes.

use std::collections::HashMap;

use proptest::prelude::*;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;

fn parameters() -> impl Strategy<Value = Parameters> {
    let routers = prop::sample::select(vec![Router::RoundRobin, Router::LeastLoaded, Router::Random]);
    let times = prop::sample::select(vec![StepTime::Fixed, StepTime::Exponential]);
    let server = (any::<u64>(), 1u32..4, prop::collection::vec(200u32..3_000, 1..3), routers, prop::option::of(0u32..6), times);
    let steps = (0u64..3_000, 1u32..6, 0u32..40, 0u64..50, 0u64..5_000, 0u64..500, 0u32..101);
    let rest = (0u64..4, 0u64..4, prop::option::of(0u64..50), 0u32..4, 0u32..101, 0u32..12, 0u64..30, 0u64..900);
    (server, steps, rest).prop_map(|(server, steps, rest)| {
        let (seed, replicas, speeds_permille, router, queue_limit, step_time) = server;
        let (preprocess_us, max_batch, more, prefill_us_per_token, step_us, step_us_per_sequence, prefix_cache_percent) = steps;
        let (start_ms, load_ms, unload_after_ms, speculative, acceptance_percent, holdback_tokens, holdback_ms, postprocess_us) =
            rest;
        Parameters {
            seed,
            replicas,
            speeds_permille,
            router,
            queue_limit,
            refuse_status: 429,
            preprocess_us,
            max_batch,
            token_budget: max_batch * (1 + speculative) + more,
            prefill_us_per_token,
            step_us,
            step_us_per_sequence,
            step_time,
            prefix_cache_percent,
            cache_tokens: 150,
            start_ms,
            load_ms,
            unload_after_ms,
            speculative,
            acceptance_percent,
            holdback_tokens,
            holdback_ms,
            postprocess_us,
        }
    })
}

/// Who comes: µs since the one before, what is asked, and after how many µs the client goes away, if it does.
fn clients() -> impl Strategy<Value = Vec<(u64, Asked, Option<u64>)>> {
    let asked = (0u32..100, 0u32..30, 0u64..3).prop_map(|(input_tokens, output_tokens, prefix)| Asked {
        input_tokens,
        output_tokens,
        prefix,
    });
    prop::collection::vec((0u64..9_000, asked, prop::option::weighted(0.2, 0u64..60_000)), 1..60)
}

/// Runs it with what goes away, and checks the limits at every event.
fn run(parameters: &Parameters, clients: &[(u64, Asked, Option<u64>)]) -> Vec<(Course, Option<u64>, Asked, Vec<u32>)> {
    let mut model = Model::new(parameters.clone());
    let (mut told, mut gone): (Vec<Emission>, Vec<(u64, RequestId)>) = (Vec::new(), Vec::new());
    let (mut all, mut of_id, mut now) = (Vec::new(), HashMap::new(), 0);
    let until = |model: &mut Model, to: u64, told: &mut Vec<Emission>| {
        while let Some(at) = model.next_at().filter(|at| *at <= to) {
            model.advance(at, |emission| told.push(emission));
            let replicas = parameters.replicas as usize;
            assert!(model.running() <= parameters.max_batch as usize * replicas);
            let (taken, there_is) = model.cache();
            assert!(taken <= there_is);
        }
    };
    for (after, asked, goes) in clients.iter().copied() {
        now += after;
        gone.sort_unstable();
        while let Some((at, id)) = gone.first().copied().filter(|(at, _)| *at <= now) {
            gone.remove(0);
            until(&mut model, at, &mut told);
            model.abort(at, id, |emission| told.push(emission));
        }
        until(&mut model, now, &mut told);
        let mut course = Course::arrived(now);
        let mut steps = Vec::new();
        match model.arrive(now, asked, |emission| told.push(emission)) {
            Ok(id) => {
                of_id.insert(id, all.len());
                steps = steps_of(parameters, id, asked.output_tokens);
                gone.extend(goes.map(|us| (now + us, id)));
            }
            Err(refused) => course.refused = Some(refused),
        }
        all.push((course, goes.map(|us| now + us), asked, steps));
    }
    gone.sort_unstable();
    for (at, id) in gone {
        until(&mut model, at, &mut told);
        model.abort(at, id, |emission| told.push(emission));
    }
    until(&mut model, u64::MAX, &mut told);
    assert_eq!((model.running(), model.waiting(), model.cache().0), (0, 0, 0), "everybody is gone");
    for emission in told {
        all[of_id[&emission.request]].0.note(emission);
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_admitted_token_leaves_once_and_in_order(parameters in parameters(), clients in clients()) {
        for (course, gone_us, asked, steps) in run(&parameters, &clients) {
            let left: u32 = course.tokens.iter().map(|(_, tokens)| tokens).sum();
            let mut times = vec![course.arrived_us];
            times.extend(course.queue_end_us);
            times.extend(course.prefill_end_us);
            times.extend(course.tokens.iter().map(|(at_us, _)| *at_us));
            times.extend(course.end_us);
            prop_assert!(times.is_sorted(), "{:?}", course);
            match (course.refused, course.end_us) {
                (Some(_), end_us) => prop_assert_eq!((end_us, left, course.queue_end_us), (None, 0, None)),
                (None, Some(end_us)) => {
                    prop_assert_eq!(left, asked.output_tokens);
                    prop_assert_eq!(course.tokens.iter().map(|(_, tokens)| *tokens).collect::<Vec<_>>(), steps);
                    prop_assert_eq!(end_us, course.tokens.last().map_or(end_us, |(at_us, _)| *at_us));
                }
                // Only who goes away has no end; what was not told by then never is.
                (None, None) => {
                    prop_assert!(gone_us.is_some(), "{:?}", course);
                    prop_assert!(left < asked.output_tokens.max(1));
                }
            }
        }
    }

    #[test]
    fn no_replica_serves_more_than_its_batch(parameters in parameters(), clients in clients()) {
        // What leaves late is not in the batch any more.
        let parameters = Parameters { holdback_tokens: 0, holdback_ms: 0, postprocess_us: 0, ..parameters };
        let mut now = 0;
        let arrivals: Vec<_> = clients.iter().map(|(after, asked, _)| { now += after; (now, *asked) }).collect();
        let courses = simulate(&parameters, arrivals);
        let served: Vec<_> = courses.iter().filter_map(|c| Some((c.replica?, c.queue_end_us?, c.end_us?))).collect();
        for (replica, from, _) in &served {
            let with_it = served.iter().filter(|(other, begin, end)| other == replica && begin <= from && from < end).count();
            prop_assert!(with_it <= parameters.max_batch as usize);
        }
        // First in, first out.
        for replica in 0..parameters.replicas {
            prop_assert!(served.iter().filter(|(of, ..)| *of == replica).map(|(_, from, _)| *from).is_sorted());
        }
    }

    /// How finely it is driven makes no difference: the clock of a real server comes late and at odd moments.
    #[test]
    fn the_same_arrivals_give_the_same_times_however_it_is_driven(
        parameters in parameters(),
        clients in clients(),
        looks in prop::collection::vec(0u64..20_000, 0..40),
    ) {
        let mut now = 0;
        let arrivals: Vec<_> = clients.iter().map(|(after, asked, _)| { now += after; (now, *asked) }).collect();
        let whole = simulate(&parameters, arrivals.clone());
        prop_assert_eq!(format!("{whole:?}"), format!("{:?}", simulate(&parameters, arrivals.clone())));
        let mut model = Model::new(parameters);
        let (mut told, mut of_id, mut looks) = (Vec::new(), Vec::new(), looks.into_iter().cycle());
        for (n, (at, asked)) in arrivals.iter().copied().enumerate() {
            let look = looks.next().unwrap_or(0);
            if look % 2 == 0 {
                model.advance(at.saturating_sub(look), |emission| told.push(emission));
            }
            if model.arrive(at, asked, |emission| told.push(emission)).is_ok() {
                of_id.push(n);
            }
            if look % 3 == 0 {
                model.advance(at, |emission| told.push(emission));
            }
        }
        model.advance(u64::MAX, |emission| told.push(emission));
        let mut courses: Vec<Course> = whole.iter().map(|c| Course { refused: c.refused, ..Course::arrived(c.arrived_us) }).collect();
        told.into_iter().for_each(|emission| courses[of_id[emission.request.0 as usize]].note(emission));
        prop_assert_eq!(courses, whole);
    }
}

#[test]
fn another_seed_is_another_run() {
    let arrivals = poisson(Xoshiro256PlusPlus::seed_from_u64(1), 5_000.0, 200, asked(20, 20));
    let run = |seed| {
        let parameters = Parameters { seed, speculative: 3, step_time: StepTime::Exponential, ..Parameters::default() };
        simulate(&parameters, arrivals.clone())
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn a_million_requests_leave_nothing_behind() {
    let mut model = Model::new(ModelPreset::Throughput.parameters());
    let arrivals = poisson(Xoshiro256PlusPlus::seed_from_u64(9), 6_000.0, 1_000_000, asked(60, 20));
    let (mut refused, mut tokens, mut ended) = (0u64, 0u64, 0u64);
    let mut note = |emission: Emission| match emission.what {
        What::Tokens(count) => tokens += u64::from(count),
        What::Ends => ended += 1,
        What::Starts { .. } | What::Prefilled => {}
    };
    for (at, asked) in arrivals {
        refused += u64::from(model.arrive(at, asked, &mut note).is_err());
    }
    model.advance(u64::MAX, &mut note);
    assert_eq!((refused, ended, tokens), (0, 1_000_000, 20_000_000));
    assert_eq!((model.running(), model.waiting()), (0, 0));
}
