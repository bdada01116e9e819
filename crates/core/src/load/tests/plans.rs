//! Plans: order, pairs, arms, cases, turns, shares.

use proptest::prelude::*;

use super::{config, even, poisson};
use crate::Micros;
use crate::config::{ModeChoice, Problem, RunConfig, Secrets};
use crate::load::{Cancel, Cases, Load, Over, Shape, Spacing, Step, Versus, What, Wrong, plan, total_of};
use crate::trace::{Mode, Planned};

fn closed(mode: ModeChoice, requests: u32, concurrency: u32, warmup: u32) -> RunConfig {
    RunConfig { mode, concurrency, warmup, ..config(Shape::Closed, requests) }
}

fn of(config: &RunConfig, slots: u32) -> Vec<Planned> {
    plan(config, &Cases::ONE, slots)
}

#[test]
fn warm_up_comes_first_and_ids_count_up() {
    let plan = of(&closed(ModeChoice::Streaming, 3, 1, 2), 4);
    let got: Vec<_> = plan.iter().map(|p| (p.id, p.warmup, p.painted, p.pair)).collect();
    let want: Vec<_> = (0..5).map(|id| (id, id < 2, true, None)).collect();
    assert_eq!(got, want);
}

#[test]
fn both_modes_come_in_pairs_of_random_order() {
    let config = closed(ModeChoice::Both, 100, 1, 0);
    let plan = of(&config, 4);
    assert_eq!((plan.len() as u64, total_of(&config)), (200, 200));
    let mut streaming_first = 0;
    for pair in plan.chunks(2) {
        assert_eq!(pair[0].pair, pair[1].pair);
        assert_ne!(pair[0].mode, pair[1].mode);
        streaming_first += u32::from(pair[0].mode == Mode::Streaming);
    }
    assert!((30..=70).contains(&streaming_first), "{streaming_first} of 100 pairs begin with streaming");
    assert_eq!(plan, of(&config, 4));
}

#[test]
fn with_fewer_places_than_streams_a_share_is_painted() {
    let share = |config: &RunConfig| of(config, 4).iter().filter(|p| p.painted).count();
    let painted = share(&closed(ModeChoice::Streaming, 4000, 16, 0));
    assert!((850..=1150).contains(&painted), "{painted} of 4000");
    // In an open loop, of the most that may be under way.
    let mut open = config(even(10.0), 4000);
    open.load.max_in_flight = Some(16);
    assert!((850..=1150).contains(&share(&open)));
}

#[test]
fn two_arms_are_interleaved_in_blocks() {
    let versus = |one_in| Some(Versus { what: What::Cache, one_in });
    let halves = of(&RunConfig { versus: versus(2), ..closed(ModeChoice::Streaming, 200, 1, 4) }, 4);
    assert_eq!(halves.len(), 204);
    let measured: Vec<&Planned> = halves.iter().filter(|p| !p.warmup).collect();
    let mut candidate_first = 0;
    for pair in measured.chunks(2) {
        assert_eq!((pair[0].pair, pair[0].arm + pair[1].arm), (pair[1].pair, 1));
        candidate_first += u32::from(pair[0].arm == 1);
    }
    assert!((30..=70).contains(&candidate_first), "{candidate_first}");
    // A canary: one candidate in each block of twenty, at every place of the block.
    let canary = RunConfig { versus: versus(20), ..closed(ModeChoice::Streaming, 2010, 1, 0) };
    let plan = of(&canary, 4);
    assert_eq!((plan.len() as u64, total_of(&canary)), (2020, 2020));
    let mut places = [0; 20];
    for block in plan.chunks(20) {
        let candidates: Vec<usize> = (0..20).filter(|at| block[*at].arm == 1).collect();
        assert_eq!(candidates.len(), 1);
        assert!(block.iter().all(|p| p.pair == block[0].pair));
        places[candidates[0]] += 1;
    }
    assert!(places.iter().all(|n| (1..=14).contains(n)), "{places:?}");
}

#[test]
fn a_candidate_has_its_own_address_and_comparisons_exclude_each_other() {
    let what = What::Endpoint { url: "http://localhost:9/v1".into(), model: String::new() };
    let config = RunConfig { versus: Some(Versus { what, one_in: 2 }), ..closed(ModeChoice::Streaming, 4, 1, 0) };
    assert_eq!((config.of_arm(0).url.as_str(), config.of_arm(1).url.as_str()), (&*config.url, "http://localhost:9/v1"));
    assert_eq!(config.of_arm(1).model, config.model);
    let problems = |config: &RunConfig| config.problems(&Secrets::default(), "http://127.0.0.1:8600/");
    assert!(problems(&config).is_empty());
    let both = RunConfig { mode: ModeChoice::Both, ..config };
    assert_eq!(problems(&both), [Problem::Load(Wrong::TwoComparisons)]);
    let levels = (1..=200).map(f64::from).collect();
    let shape = Shape::Sweep { over: Over::Rate, levels, settle_ms: 0, spacing: Spacing::Even };
    let vast = RunConfig {
        requests: 10_000,
        load: Load { shape, ..Load::default() },
        versus: None,
        ..closed(ModeChoice::Streaming, 1, 1, 0)
    };
    assert_eq!(problems(&RunConfig { requests: 10_000, ..vast }), [Problem::Load(Wrong::TooMany)]);
}

#[test]
fn cases_come_in_turn_or_shuffled_each_once_before_any_again() {
    let config = closed(ModeChoice::Streaming, 12, 1, 0);
    let cases =
        |shuffled| plan(&config, &Cases { count: 4, shuffled, follows: &[] }, 4).iter().map(|p| p.case).collect::<Vec<_>>();
    assert_eq!(cases(false), [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
    let shuffled = cases(true);
    assert_ne!(shuffled, cases(false));
    for round in shuffled.chunks(4) {
        let mut round = round.to_vec();
        round.sort_unstable();
        assert_eq!(round, [0, 1, 2, 3]);
    }
}

#[test]
fn turns_stay_together_and_name_the_one_before() {
    let follows = [false, true, true, false, false, true];
    let cases = Cases { count: 6, shuffled: true, follows: &follows };
    let both = closed(ModeChoice::Both, 60, 3, 5);
    let plan = plan(&both, &cases, 4);
    for p in plan.iter().filter(|p| !p.warmup) {
        let Some(before) = p.after.map(|id| plan[id as usize]) else { continue };
        assert_eq!((before.case + 1, before.mode, before.warmup), (p.case, p.mode, false));
        assert!(follows[p.case as usize] && before.id < p.id);
    }
    // A turn is never sent without its past, not even where the warm-up ended inside a conversation.
    assert!(plan.iter().filter(|p| follows[p.case as usize]).all(|p| p.after.is_some()));
    let open = RunConfig { load: Load { shape: even(5.0), ..Load::default() }, ..both };
    assert!(super::super::plan(&open, &cases, 4).iter().all(|p| p.after.is_none()), "an open loop waits for nobody");
}

#[test]
fn a_share_is_cancelled_after_an_even_time() {
    let mut config = config(Shape::Closed, 10_000);
    config.warmup = 50;
    config.load.cancel = Some(Cancel { share: 0.2, from_ms: 100, to_ms: 300 });
    let plan = of(&config, 4);
    let times: Vec<i64> = plan.iter().filter_map(|p| Some(p.cancel_after?.0)).collect();
    // 2,000 ± 2.576 √(n p q).
    assert!((1897..=2103).contains(&times.len()), "{}", times.len());
    assert!(plan.iter().all(|p| !p.warmup || p.cancel_after.is_none()));
    let mut tenths = [0.0; 10];
    times.iter().for_each(|t| tenths[((t - 100_000) * 10 / 200_001) as usize] += 1.0);
    let expected = times.len() as f64 / 10.0;
    let chi2: f64 = tenths.iter().map(|n| (n - expected).powi(2) / expected).sum();
    assert!(chi2 < 21.67, "{chi2}: 9 degrees of freedom, 1 %");
}

#[test]
fn more_warm_up_moves_no_arrival() {
    let times = |warmup| {
        let config = RunConfig { warmup, ..config(poisson(7.0), 50) };
        of(&config, 4).iter().filter(|p| !p.warmup).map(|p| p.intended).collect::<Vec<_>>()
    };
    assert_eq!(times(0), times(9));
}

#[test]
fn a_million_requests_are_planned_in_order() {
    let config = config(poisson(5000.0), 1_000_000);
    let plan = of(&config, 4);
    assert_eq!(plan.len(), 1_000_000);
    assert!(plan.windows(2).all(|w| w[0].intended <= w[1].intended && w[0].id + 1 == w[1].id));
    let seconds = plan[999_999].intended.expect("an open loop").as_secs();
    assert!((199.0..=201.0).contains(&seconds), "{seconds}: 1,000,000 at 5,000 per second, ± 5 standard errors");
}

#[test]
fn what_is_wrong_is_said() {
    let check = |shape: Shape, want: Wrong| assert_eq!(Load { shape, ..Load::default() }.wrong(), [want]);
    check(even(0.0), Wrong::Rate);
    check(even(f64::NAN), Wrong::Rate);
    check(Shape::Open { per_second: 1.0, spacing: Spacing::Gamma { burstiness: 0.0 } }, Wrong::Burstiness);
    check(Shape::Ramp { from: 1.0, to: 2.0, over_ms: 0, spacing: Spacing::Even }, Wrong::Time);
    let steps = |over, step| Shape::Steps { over, steps: vec![step], spacing: Spacing::Even };
    check(steps(Over::Rate, Step { level: 1.0, for_ms: None, requests: None }), Wrong::EndlessStep);
    check(steps(Over::Concurrency, Step { level: 1.5, for_ms: Some(1), requests: None }), Wrong::Concurrency);
    let sweep =
        |levels: &[f64]| Shape::Sweep { over: Over::Rate, levels: levels.to_vec(), settle_ms: 0, spacing: Spacing::Even };
    check(sweep(&[]), Wrong::Length);
    check(sweep(&[2.0, 2.0]), Wrong::NotRising);
    check(Shape::Replay { at_ms: vec![5.0, 4.0], speed: 1.0 }, Wrong::TraceOrder);
    check(Shape::Replay { at_ms: vec![5.0], speed: 0.0 }, Wrong::Speed);
    let load = Load { cancel: Some(Cancel { share: 1.5, from_ms: 0, to_ms: 1 }), max_in_flight: Some(0), ..Load::default() };
    assert_eq!(load.wrong(), [Wrong::Cancel, Wrong::InFlight]);
    assert!(Load::default().wrong().is_empty());
}

#[test]
fn a_load_is_written_and_read_as_data() {
    let text = r#"{"shape":{"open":{"per_second":5.0,"spacing":{"gamma":{"burstiness":0.5}}}},"duration_ms":1000}"#;
    let load: Load = serde_json::from_str(text).expect("a load");
    assert_eq!(serde_json::to_string(&load).expect("text"), text);
    assert_eq!(serde_json::from_str::<Load>("{}").expect("the default"), Load::default());
    assert_eq!(load.shape, Shape::Open { per_second: 5.0, spacing: Spacing::Gamma { burstiness: 0.5 } });
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let spacing = prop_oneof![
        Just(Spacing::Even),
        Just(Spacing::Poisson),
        (0.1..8.0).prop_map(|burstiness| Spacing::Gamma { burstiness })
    ];
    let over = prop_oneof![Just(Over::Rate), Just(Over::Concurrency)];
    let step = (1u32..20, prop::option::of(1u32..3000), 1u32..30).prop_map(|(level, for_ms, n)| Step {
        level: level.into(),
        for_ms,
        requests: for_ms.is_none().then_some(n),
    });
    prop_oneof![
        Just(Shape::Closed),
        (0.5..200.0, spacing.clone()).prop_map(|(per_second, spacing)| Shape::Open { per_second, spacing }),
        (0.5..50.0, 0.5..50.0, 1u32..5000, spacing.clone()).prop_map(|(from, to, over_ms, spacing)| Shape::Ramp {
            from,
            to,
            over_ms,
            spacing
        }),
        (over.clone(), prop::collection::vec(step, 1..5), spacing.clone()).prop_map(|(over, steps, spacing)| Shape::Steps {
            over,
            steps,
            spacing
        }),
        (over, 1u32..5, spacing).prop_map(|(over, n, spacing)| Shape::Sweep {
            over,
            levels: (1..=n).map(|l| f64::from(2 * l)).collect(),
            settle_ms: 500,
            spacing
        }),
        (prop::collection::vec(0.0..500.0, 1..60), 0.5..4.0).prop_map(|(gaps, speed)| {
            let at_ms = gaps
                .iter()
                .scan(0.0, |sum, gap| {
                    *sum += gap;
                    Some(*sum)
                })
                .collect();
            Shape::Replay { at_ms, speed }
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_plan_is_in_order_and_every_run_of_it_ends(
        shape in any_shape(),
        requests in 1u32..60,
        warmup in 0u32..5,
        limits in (prop::option::of(1u32..4000), prop::option::of(1u32..2000), 1u32..9, prop::option::of(0u32..500)),
        (seed, service, turns) in (any::<u64>(), 1i64..900, any::<bool>()),
        hidden in prop::collection::vec((1i64..3000, 1i64..3000), 0..3),
    ) {
        let (duration_ms, warmup_ms, most, drain_ms) = limits;
        let load = Load { duration_ms, warmup_ms: warmup_ms.filter(|_| warmup > 0), max_in_flight: Some(most), drain_ms, cancel: Some(Cancel { share: 0.1, from_ms: 0, to_ms: 400 }), shape, expected_interval_ms: None };
        let config = RunConfig { warmup, seed, concurrency: most, load, ..config(Shape::Closed, requests) };
        prop_assert!(config.load_wrong().is_empty());
        let follows = [false, true, false, true, true];
        let cases = if turns { Cases { count: 5, shuffled: true, follows: &follows } } else { Cases::ONE };
        let plan = plan(&config, &cases, 4);
        prop_assert!(plan.len() as u64 <= total_of(&config));
        prop_assert!(plan.iter().zip(0..).all(|(p, id)| p.id == id));
        prop_assert!(plan.iter().all(|p| p.after.is_none_or(|before| before < p.id)));
        let mut pauses = Vec::new();
        let mut at = 0;
        for (gap, length) in hidden {
            pauses.push((Micros::ms(at + gap), Micros::ms(at + gap + length)));
            at += gap + length;
        }
        let open = config.load.shape.is_open();
        let stepped = matches!(config.load.shape, Shape::Steps { over: Over::Concurrency, .. } | Shape::Sweep { over: Over::Concurrency, .. });
        let server = crate::load::simulator::Server::new(3, move |id| Micros(service * 1000 + i64::from(id)));
        let outcome = crate::load::simulator::simulate(config.clone(), &cases, server, &pauses);
        let levels = crate::load::levels(&config);
        for sent in &outcome.sent {
            prop_assert!(!pauses.iter().any(|(from, to)| *from < sent.at && sent.at < *to), "nothing is sent while hidden");
            // A step may come down while more are still under way: none of them began in it.
            let step = levels.get(sent.stage as usize).filter(|_| stepped);
            let allowed = step.map_or(most as usize, |l| *l as usize);
            prop_assert!(sent.in_flight <= allowed);
        }
        let mut ids: Vec<u32> = outcome.traces.iter().map(|t| t.planned.id).collect();
        prop_assert!(ids.windows(2).all(|w| w[0] < w[1]));
        ids.dedup();
        prop_assert_eq!(ids.len(), outcome.traces.len());
        for trace in &outcome.traces {
            prop_assert!(trace.order_violations().is_empty());
            prop_assert_eq!(trace.marks.get(crate::mark::Mark::Intended).is_ok(), open);
            if let Some(before) = trace.planned.after.and_then(|id| outcome.traces.iter().find(|t| t.planned.id == id)) {
                let sent = trace.marks.get(crate::mark::Mark::Sent).expect("closed loops send all that they record");
                prop_assert!(before.last_known <= sent, "a turn waits for the one before");
            }
        }
    }
}
