//! Schedules against a simulated server: lateness, pauses, drains, warm-up, coordinated omission.

use super::{config, even, poisson, quick, run};
use crate::Micros;
use crate::config::RunConfig;
use crate::load::simulator::{Server, simulate};
use crate::load::{
    Cancel, Cases, ClientLimit, Over, Shape, Spacing, Step, client_limited, lateness, paused, rates, response_times, window_end,
};
use crate::mark::{Absence, Mark};
use crate::metrics::{Figure, Metric, response_of, throughput_until};
use crate::outcome::Outcome;
use crate::stats::{Distribution, P99};
use crate::trace::Trace;

fn sent(trace: &Trace) -> Micros {
    trace.marks.get(Mark::Sent).expect("sent")
}

fn measured(traces: &[Trace]) -> Vec<&Trace> {
    traces.iter().filter(|t| !t.planned.warmup).collect()
}

fn service_times(traces: &[Trace]) -> Distribution {
    let values = traces.iter().filter_map(|t| match Metric::EndToEnd.of(t) {
        Ok(Figure::Exact(value)) => Some(value),
        _ => None,
    });
    Distribution::new(values.collect(), Vec::new())
}

#[test]
fn an_open_loop_sends_on_time_whatever_becomes_of_the_others() {
    let outcome = run(config(even(10.0), 50), quick(3000));
    for trace in &outcome.traces {
        let intended = trace.marks.get(Mark::Intended).expect("an open loop");
        assert_eq!(intended, Micros::ms(100 * i64::from(trace.planned.id)));
        assert_eq!((trace.marks.get(Mark::Dispatched), sent(trace)), (Ok(intended), intended));
        assert_eq!(response_of(Metric::EndToEnd, trace), Metric::EndToEnd.of(trace));
    }
    let all = measured(&outcome.traces);
    let rate = rates(&all).expect("rates");
    assert!((rate.wanted - 10.0).abs() < 1e-9 && (rate.achieved - 10.0).abs() < 1e-9);
    assert_eq!(client_limited(&all, 256, false, None), []);
}

#[test]
fn a_full_client_queues_and_drops_nothing() {
    let mut config = config(even(10.0), 20);
    config.load.max_in_flight = Some(2);
    let outcome = run(config, quick(400));
    assert!(outcome.sent.iter().all(|s| s.in_flight <= 2));
    assert_eq!(outcome.traces.len(), 20);
    // Two places of 400 ms serve 5 per second: request 2k goes out at 400 k, and was due at 200 k.
    for trace in &outcome.traces {
        let id = i64::from(trace.planned.id);
        assert_eq!(sent(trace), Micros::ms(400 * (id / 2) + 100 * (id % 2)));
        let late = 400 * (id / 2) + 100 * (id % 2) - 100 * id;
        assert_eq!(response_of(Metric::EndToEnd, trace), Ok(Figure::Exact(400_000 + late * 1000)));
    }
    let all = measured(&outcome.traces);
    let late = lateness(&all, 2);
    assert_eq!((late.waited, late.unsent, late.all.n(), late.client.n()), (18, 0, 20, 2));
    assert_eq!(
        client_limited(&all, 2, false, Some(Micros::ms(17))),
        [ClientLimit::InFlight(18, 20), ClientLimit::Stamping(Micros::ms(17))]
    );
    let rate = rates(&all).expect("rates");
    assert!(rate.achieved < 0.6 * rate.wanted, "{rate:?}");
}

#[test]
fn a_late_client_is_named() {
    let mut outcome = run(config(even(10.0), 40), quick(50));
    for trace in &mut outcome.traces {
        trace.marks.set(Mark::Sent, sent(trace) + Micros::ms(if trace.planned.id < 35 { 1 } else { 60 }));
        trace.flags.blocked = Micros::ms(30);
    }
    let all = measured(&outcome.traces);
    let limits = client_limited(&all, 256, true, None);
    assert!(matches!(limits[..], [ClientLimit::Schedule(Micros(60_000)), ClientLimit::MainThread(_)]), "{limits:?}");
    assert_eq!(client_limited(&all, 256, false, None).len(), 1, "a worker's stamps don't go through the main thread");
}

#[test]
fn closed_loops_have_no_response_time() {
    let outcome = run(config(Shape::Closed, 3), quick(50));
    assert_eq!(response_of(Metric::Ttft, &outcome.traces[0]), Err(Absence::ClosedLoop));
    assert_eq!(rates(&measured(&outcome.traces)), Err(Absence::ClosedLoop));
    assert_eq!(response_of(Metric::Generation, &outcome.traces[0]), Metric::Generation.of(&outcome.traces[0]));
}

#[test]
fn after_a_hidden_page_nothing_is_caught_up() {
    let hidden = [(Micros::ms(1050), Micros::ms(6050)), (Micros::ms(7000), Micros::ms(7500))];
    let outcome = simulate(config(even(10.0), 60), &Cases::ONE, quick(20), &hidden);
    assert_eq!(outcome.paused, Micros::ms(5500));
    let times: Vec<Micros> = outcome.sent.iter().map(|s| s.at).collect();
    assert!(times.windows(2).all(|w| w[1] - w[0] >= Micros::ms(100)), "never two in less than the interval");
    assert_eq!(times[10..12], [Micros::ms(1000), Micros::ms(6100)], "the next one comes as late as it would have");
    assert!(outcome.traces.iter().all(|t| Ok(sent(t)) == t.marks.get(Mark::Intended)), "nothing is late");
    let all = measured(&outcome.traces);
    assert_eq!(paused(&all), Micros::ms(5500), "it follows from the traces");
    assert!((rates(&all).expect("rates").achieved - 10.0).abs() < 1e-9);
}

#[test]
fn a_page_that_stood_still_moves_the_schedule_once() {
    use crate::outcome::Stop;
    use crate::session::Session;
    let mut session = Session::new(config(even(10.0), 20), 4, true, false);
    assert!(session.dispatch(Micros::ZERO).is_some());
    assert_eq!(session.next_due(), Some(Micros::ms(100)));
    session.stood_still(Micros::ms(50), Micros::ms(2050), Stop::Slept);
    assert_eq!(session.next_due(), Some(Micros::ms(2100)));
    // The same time again, as a hidden page that was frozen.
    session.visibility(true, Micros::ms(2060));
    assert_eq!(session.next_due(), None);
    session.stood_still(Micros::ms(2070), Micros::ms(3000), Stop::Frozen);
    session.visibility(false, Micros::ms(3060));
    assert_eq!((session.next_due(), session.paused()), (Some(Micros::ms(3100)), Micros::ms(3000)));
}

#[test]
fn a_time_limit_and_a_number_limit_whichever_comes_first() {
    let counts = |shape: Shape, requests, duration_ms| {
        let mut config = RunConfig { concurrency: 2, ..config(shape, requests) };
        config.load.duration_ms = duration_ms;
        run(config, quick(300)).traces.len()
    };
    assert_eq!(counts(even(10.0), 1000, Some(2000)), 20);
    assert_eq!(counts(even(10.0), 7, Some(2000)), 7);
    // Two at once, 300 ms each: sent at 0, 300, … 1800.
    assert_eq!(counts(Shape::Closed, 1000, Some(2000)), 14);
    assert_eq!(counts(Shape::Closed, 5, Some(2000)), 5);
}

#[test]
fn warm_up_is_kept_apart_and_obeys_the_same_limits() {
    let mut open = RunConfig { warmup: 5, ..config(even(10.0), 10) };
    open.load.max_in_flight = Some(3);
    let outcome = run(open.clone(), quick(250));
    let (warm, rest): (Vec<&Trace>, Vec<&Trace>) = outcome.traces.iter().partition(|t| t.planned.warmup);
    assert_eq!((warm.len(), rest.len()), (5, 10));
    assert!(warm.windows(2).all(|w| sent(w[1]) - sent(w[0]) == Micros::ms(100)), "at the rate of the load");
    let over = warm.iter().map(|t| t.last_known).max().expect("warm-up");
    assert_eq!(rest.iter().map(|t| sent(t)).min(), Some(over), "the measured part begins when all of it is over");
    assert!(outcome.sent.iter().all(|s| s.in_flight <= 3));
    // In time.
    open.load.warmup_ms = Some(250);
    assert_eq!(run(open, quick(250)).traces.iter().filter(|t| t.planned.warmup).count(), 3);
    let mut closed = RunConfig { concurrency: 2, ..config(Shape::Closed, 4) };
    closed.load.warmup_ms = Some(1000);
    let outcome = run(closed, quick(300));
    assert_eq!(outcome.traces.iter().filter(|t| t.planned.warmup).count(), 8, "two at 0, 300, 600, 900");
    assert_eq!(measured(&outcome.traces).len(), 4);
    assert!(outcome.sent.iter().all(|s| s.in_flight <= 2));
}

#[test]
fn steps_of_concurrency_change_what_is_under_way() {
    let step = |level, for_ms, requests| Step { level, for_ms, requests };
    let steps = vec![step(1.0, Some(1000), None), step(4.0, None, Some(8)), step(2.0, Some(1000), None)];
    let outcome = run(config(Shape::Steps { over: Over::Concurrency, steps, spacing: Spacing::Even }, 1000), quick(100));
    let of = |stage| outcome.sent.iter().filter(|s| s.stage == stage).collect::<Vec<_>>();
    assert_eq!((of(0).len(), of(1).len()), (10, 8));
    assert!(of(0).iter().all(|s| s.in_flight == 1 && s.at < Micros::ms(1000)));
    assert!(of(1).iter().any(|s| s.in_flight == 4) && of(1).iter().all(|s| s.in_flight <= 4));
    assert!(of(2).iter().all(|s| s.in_flight <= 2) && (18..=20).contains(&of(2).len()), "{}", of(2).len());
}

#[test]
fn what_is_cut_at_the_end_is_counted_and_censored() {
    let mut config = config(even(10.0), 20);
    (config.load.max_in_flight, config.load.drain_ms) = (Some(4), Some(600));
    let outcome = run(config.clone(), quick(1000));
    // Due until 1,900, cut at 2,500: four each at 0, 1,000 and 2,000 (a tenth of a second apart), the last four of them cut,
    // the remaining eight never sent.
    let cut: Vec<&Trace> = outcome.traces.iter().filter(|t| t.outcome == Outcome::Cut).collect();
    let unsent = cut.iter().filter(|t| t.marks.get(Mark::Sent).is_err()).count();
    assert_eq!((outcome.traces.len(), outcome.sent.len(), cut.len(), unsent), (20, 12, 12, 8));
    assert!(cut.iter().all(|t| t.last_known == Micros::ms(2500)));
    let response = response_times(Metric::EndToEnd, outcome.traces.iter());
    assert_eq!((response.n(), response.censored()), (20, 12));
    let p99 = response.percentile(P99).expect("a percentile");
    assert!(p99.at_least);
    // The window ends with the load: what was completed while draining is not in its throughput.
    let all = measured(&outcome.traces);
    let end = window_end(&config, &all);
    assert_eq!(end, Some(Micros::ms(1900)));
    let rate = throughput_until(&all, end).expect("throughput");
    assert_eq!((rate.window, (rate.requests * 1.9).round()), (Micros::ms(1900), 4.0));
}

#[test]
fn a_share_is_cancelled_as_planned_and_said_to_be() {
    let mut config = RunConfig { concurrency: 5, ..config(Shape::Closed, 200) };
    config.load.cancel = Some(Cancel { share: 0.3, from_ms: 100, to_ms: 400 });
    let outcome = run(config, quick(1000));
    for trace in &outcome.traces {
        let planned = trace.planned.cancel_after.is_some();
        assert_eq!((trace.outcome == Outcome::Cancelled, trace.cancelled_by_plan()), (planned, planned));
        assert!(!planned || trace.elapsed() == trace.planned.cancel_after);
    }
    let n = outcome.traces.iter().filter(|t| t.cancelled_by_plan()).count();
    assert!((44..=76).contains(&n), "{n} of 200");
}

#[test]
fn turns_wait_and_do_not_hold_up_others() {
    let follows = [false, true, true, false, false, true];
    let cases = Cases { count: 6, shuffled: false, follows: &follows };
    let config = RunConfig { concurrency: 3, ..config(Shape::Closed, 60) };
    let outcome = simulate(config, &cases, quick(100), &[]);
    let mut most = 0;
    for trace in &outcome.traces {
        if let Some(before) = trace.planned.after {
            assert!(outcome.traces[before as usize].last_known <= sent(trace));
        }
    }
    outcome.sent.iter().for_each(|s| most = most.max(s.in_flight));
    assert_eq!(most, 3, "other conversations go on meanwhile");
    assert_eq!(outcome.traces.len(), 60);
}

#[test]
fn a_freeze_shows_in_open_loop_response_times_and_not_in_a_closed_loop() {
    // 100 per second for 20 s, 10 ms each; the server does nothing for 2 s.
    let server = || Server::new(4, |_| Micros::ms(10)).freezing(Micros::ms(5000), Micros::ms(7000));
    let mut config = config(poisson(100.0), 2000);
    config.load.max_in_flight = Some(4);
    let open = run(config.clone(), server());
    let response = response_times(Metric::EndToEnd, open.traces.iter());
    let p99 = |d: &Distribution| d.percentile(P99).expect("a percentile").value;
    assert!(p99(&response) > 1_500_000, "{}", p99(&response));
    // Service time of the same run, behind the client's own queue: only four requests stood before the server.
    assert!(p99(&service_times(&open.traces)) < 50_000);
    // A closed loop sends nothing while it waits: four of 4,000 are slow.
    config.load = Default::default();
    (config.concurrency, config.requests) = (4, 4000);
    let closed = run(config, server());
    let service = service_times(&closed.traces);
    assert!(p99(&service) < 50_000 && service.max().expect("max").value > 1_900_000);
    let says = crate::text::LoadText::ClosedLoopOmits.get(crate::text::Lang::En);
    assert!(says.contains("can’t show"));
}
