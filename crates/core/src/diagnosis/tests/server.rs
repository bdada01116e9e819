//! Rules about the server's own report and its levels.

use super::*;
use crate::load::{Over, Shape, Spacing};
use crate::server_report::Boundary;

/// Sent at one instant, each 80 ms later answered than the one before; `reported` of so many ms.
fn queued(n: u32, first: impl Fn(i64) -> i64, reported: impl Fn(i64) -> i64) -> Run {
    at_once(n, |i, t| {
        let first = first(i64::from(i));
        answered(t, first, 3000);
        network(t, 0, 0, "h2");
        t.spans[0].value = Micros::ms(reported(i64::from(i)));
    })
}

#[test]
fn a_wait_that_grows_with_what_is_under_way_is_a_queue_outside_the_report() {
    let run = queued(12, |i| 100 + 80 * i, |_| 60);
    let found = check(&run, Rule::ServerQueue, Verdict::Found);
    assert!(found.evidence.starts_with("With each request more under way, 80.0 ms more passed outside"), "{}", found.evidence);
    assert!(found.evidence.ends_with("changed by 0.00 ms (n = 12, rank correlation 1.00)."), "{}", found.evidence);
    assert!(found.share.is_some_and(|share| share > 0.8), "{:?}", found.share);
    // The report shows the queue.
    check(&queued(12, |i| 100 + 80 * i, |i| 60 + 80 * i), Rule::ServerQueue, Verdict::NotFound);
    // What passes outside is long and has nothing to do with it.
    let scattered = [370, 120, 310, 240, 190, 420, 150, 280, 400, 130, 220, 330];
    check(&queued(12, |i| scattered[i as usize], |_| 60), Rule::ServerQueue, Verdict::NotFound);
    // Next to nothing passes outside.
    check(&queued(12, |i| 1000 + i, |_| 998), Rule::ServerQueue, Verdict::NotFound);
}

#[test]
fn a_queue_is_not_told_where_nothing_varies_or_the_browser_may_queue() {
    let same = check(&requests(12, |_, t| network(t, 0, 0, "h2")), Rule::ServerQueue, Verdict::CantTell).evidence;
    assert!(same.contains("sweep"), "{same}");
    // Not known when they went out: the browser's own queue looks the same from the seventh on.
    let hidden = at_once(12, |i, t| answered(t, 100 + 80 * i64::from(i), 3000));
    let why = check(&hidden, Rule::ServerQueue, Verdict::CantTell).evidence;
    assert!(why.contains("Timing-Allow-Origin"), "{why}");
    let silent = queued(12, |i| 100 + 80 * i, |_| 60);
    let silent = Run { traces: silent.traces.into_iter().map(|t| Trace { spans: Vec::new(), ..t }).collect(), ..silent };
    check(&silent, Rule::ServerQueue, Verdict::CantTell);
}

#[test]
fn a_unit_that_is_off_by_a_thousand() {
    let run = |boundary, us| {
        requests(8, move |_, t| {
            t.spans[0].boundary = boundary;
            t.spans[0].value = Micros(us);
        })
    };
    let large = check(&run(Boundary::TimeToFirstToken, 60_000_000), Rule::Unit, Verdict::Found);
    assert_eq!(large.evidence, "“ttft” is 60,000 ms as sent, 600 times the 100 ms that contain it (medians, n = 8).");
    let small = check(&run(Boundary::TimeToFirstToken, 60), Rule::Unit, Verdict::Found);
    assert!(small.evidence.contains("1,667 times too short"), "{}", small.evidence);
    check(&run(Boundary::TimeToFirstToken, 60_000), Rule::Unit, Verdict::NotFound);
    // A server that is fast, but not a thousand times too fast.
    check(&run(Boundary::TimeToFirstToken, 3_000), Rule::Unit, Verdict::NotFound);
    // A short queue is no wrong unit, and a small excess is an overlap.
    check(&run(Boundary::Queue, 60), Rule::Unit, Verdict::NotFound);
    check(&run(Boundary::TimeToFirstToken, 150_000), Rule::Unit, Verdict::NotFound);
    check(&requests(8, |_, t| t.spans.clear()), Rule::Unit, Verdict::CantTell);
    check(&requests(5, |_, _| {}), Rule::Unit, Verdict::CantTell);
}

/// Two levels of 20 requests: one at a time, then eight times as fast; first tokens after these ms.
fn sweep(first: [i64; 2]) -> Run {
    let mut run = requests(40, |i, t| {
        let stage = i / 20;
        t.planned.stage = stage;
        let first = first[stage as usize] + i64::from(i % 7);
        answered(t, first, first + 100);
    });
    for trace in run.traces.iter_mut().filter(|t| t.planned.stage == 1) {
        let id = i64::from(trace.planned.id - 20);
        shift(trace, Micros::ms(-875 * id));
    }
    run.config.load.shape =
        Shape::Sweep { over: Over::Concurrency, levels: vec![1.0, 8.0], settle_ms: 0, spacing: Spacing::Even };
    run
}

#[test]
fn throughput_that_was_bought_with_the_first_output() {
    let found = check(&sweep([100, 200]), Rule::Batching, Verdict::Found);
    assert!(found.evidence.contains("(p50) went 103 → 203 ms"), "{}", found.evidence);
    assert_eq!(found.requests.len(), 20);
    check(&sweep([100, 100]), Rule::Batching, Verdict::NotFound);
    // Later, but too little to notice.
    check(&sweep([100, 104]), Rule::Batching, Verdict::NotFound);
    check(&requests(40, |_, _| {}), Rule::Batching, Verdict::CantTell);
    let mut few = sweep([100, 200]);
    few.traces.retain(|t| t.planned.id % 20 < 5);
    check(&few, Rule::Batching, Verdict::CantTell);
}

#[test]
fn a_cache_that_helped() {
    use crate::trace::Usage;
    let run = |cached: Option<u64>, dialect: &'static str| {
        requests(10, move |_, t| {
            t.usage = Some(Usage { input: Some(100), cached, ..Usage::default() });
            t.dialect = Some((dialect, ""));
        })
    };
    let found = check(&run(Some(80), "openai_chat"), Rule::Cache, Verdict::Found);
    assert!(found.evidence.contains("80 % of all prompt tokens"), "{}", found.evidence);
    check(&run(Some(10), "openai_chat"), Rule::Cache, Verdict::NotFound);
    // 80 cached beside 100 others are less than half.
    check(&run(Some(80), "anthropic"), Rule::Cache, Verdict::NotFound);
    check(&run(None, "openai_chat"), Rule::Cache, Verdict::CantTell);
}

#[test]
fn both_cache_modes_beside_each_other() {
    use crate::load::{Versus, What};
    let run = |reused: i64| {
        let mut run = requests(40, |i, t| {
            t.planned.arm = (i % 2) as u8;
            let first = if i % 2 == 1 { reused } else { 300 } + i64::from(i);
            answered(t, first, first + 100);
        });
        run.config.versus = Some(Versus { what: What::Cache, one_in: 2 });
        run
    };
    let found = check(&run(100), Rule::Cache, Verdict::Found);
    assert!(found.requests.iter().all(|id| id % 2 == 1) && found.requests.len() == 20);
    check(&run(500), Rule::Cache, Verdict::NotFound);
    check(&run(300), Rule::Cache, Verdict::CantTell);
}
