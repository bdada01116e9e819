//! Runs whose server's metrics are known.

use super::*;
use crate::stats::{Distribution, P, P50, P95};
use crate::summary::fixture::{run, trace};
use proptest::prelude::*;

const EDGES: [f64; 4] = [0.01, 0.05, 0.25, 1.0];

/// A page in vLLM's names: running, waiting, output tokens, and times to first token in seconds.
pub(crate) fn page(running: u32, waiting: u32, tokens: u32, first: &[f64]) -> String {
    let bucket = |edge: f64| first.iter().filter(|t| **t <= edge).count();
    let name = "vllm:time_to_first_token_seconds";
    let buckets: String = EDGES.iter().map(|edge| format!("{name}_bucket{{le=\"{edge}\"}} {}\n", bucket(*edge))).collect();
    format!(
        "vllm:num_requests_running {running}\nvllm:num_requests_waiting {waiting}\nvllm:generation_tokens_total {tokens}\n\
         {buckets}{name}_bucket{{le=\"+Inf\"}} {n}\n{name}_count {n}\n",
        n = first.len()
    )
}

/// Samples at these ms.
pub(crate) fn scraped(pages: &[(i64, Result<String, Missed>)]) -> Scraped {
    let mut sampler = Sampler::default();
    for (at, page) in pages {
        let reply = page.as_ref().map(String::as_str).map_err(Clone::clone);
        sampler.take(Micros::ms(*at - 2), Micros::ms(*at + 2), reply);
    }
    sampler.finish()
}

/// Requests that were all sent at 1,000 ms and answered first after 10, 20, …, 100 ms, the last of them until 1,200 ms; the
/// server's page asked for at these ms.
pub(crate) fn sampled(pages: &[(i64, Result<String, Missed>)]) -> Run {
    let mut run = run((1..=10).map(|id| trace(id, i64::from(id) * 10)).collect());
    run.config.server_metrics = Some(ServerMetrics { url: "http://localhost:8080/metrics".into(), period_ms: 1000 });
    run.scraped = Some(scraped(pages));
    run
}

#[test]
fn a_sample_stands_in_the_middle_of_its_question_and_a_missing_one_says_why() {
    let mut sampler = Sampler::default();
    sampler.take(Micros(1000), Micros(1301), Ok("tgi_queue_size 2\n"));
    sampler.take(Micros(2000), Micros(2010), Ok("go_goroutines 2\n?\n"));
    sampler.take(Micros(3000), Micros(3010), Err("Failed to fetch".to_owned().into()));
    sampler.skip(Micros(4000));
    sampler.take(Micros(5000), Micros(5010), Err(Missed::Status(404)));
    sampler.take(Micros(6000), Micros(5990), Err(Missed::Status(404)));
    let scraped = sampler.finish();
    assert_eq!((scraped.samples[0].at, scraped.samples[0].took), (Micros(1150), Micros(301)));
    assert_eq!((scraped.samples[5].at, scraped.samples[5].took), (Micros(6000), Micros::ZERO));
    let network = Missed::Network("Failed to fetch".into());
    let want = [(&Missed::Status(404), 2), (&Missed::NothingKnown, 1), (&network, 1), (&Missed::Busy, 1)];
    assert_eq!(scraped.missed(), want);
    assert_eq!((scraped.read().count(), scraped.speakers.as_slice(), scraped.not_understood), (1, &[Speaker::Tgi][..], 1));
}

#[test]
fn gauges_are_as_told_and_counters_are_rates_and_a_gap_stays_a_gap() {
    let run = sampled(&[
        (0, Ok(page(1, 0, 100, &[]))),
        (1000, Ok(page(4, 2, 300, &[]))),
        (1100, Err(Missed::Busy)),
        (1200, Ok(page(2, 0, 301, &[]))),
        (4200, Ok(page(0, 0, 301, &[]))),
    ]);
    let all = series(&run);
    assert_eq!(
        all.iter().map(|s| s.quantity).collect::<Vec<_>>(),
        [Quantity::Running, Quantity::Waiting, Quantity::OutputTokens]
    );
    let at = |points: &[(i64, f64)]| points.iter().map(|(ms, v)| (Micros::ms(*ms), *v)).collect::<Vec<_>>();
    assert_eq!(all[0].points, at(&[(0, 1.0), (1000, 4.0), (1200, 2.0), (4200, 0.0)]));
    assert_eq!(all[2].points, at(&[(500, 200.0), (1100, 5.0), (2700, 0.0)]));
    assert_eq!(measured_part(&run), Some((Micros::ms(1000), Micros::ms(1200))));
    let figures = figures(&run);
    assert_eq!((figures[0].n, figures[0].mean, figures[0].max, figures[0].max_at), (2, 3.0, 4.0, Micros::ms(1000)));
    assert_eq!((figures[2].n, figures[2].mean, figures[2].max_at), (1, 5.0, Micros::ms(1100)));
}

#[test]
fn a_histogram_is_counted_over_the_measured_part_alone() {
    let before = [0.005; 7];
    let mut during = before.to_vec();
    during.extend([0.02, 0.02, 0.2, 3.0]);
    let mut after = during.clone();
    after.extend([0.9; 50]);
    let run = sampled(&[
        (100, Ok(page(0, 0, 0, &[]))),
        (900, Ok(page(0, 0, 0, &before))),
        (1100, Ok(page(0, 0, 0, &during[..9]))),
        (1300, Ok(page(0, 0, 0, &during))),
        (2300, Ok(page(0, 0, 0, &after))),
    ]);
    let observed = observed(&run, Quantity::FirstToken).expect("counted");
    assert_eq!((observed.n(), observed.from, observed.to), (4, Micros::ms(900), Micros::ms(1300)));
    let between = |above: i64, up_to: Option<i64>| Some(Between { above: Micros::ms(above), up_to: up_to.map(Micros::ms) });
    assert_eq!(observed.percentile(P50), between(10, Some(50)));
    assert_eq!(observed.percentile(P(750)), between(50, Some(250)));
    assert_eq!(observed.percentile(P95), between(1000, None));
}

#[test]
fn what_can_not_be_compared_says_why() {
    let why = |pages: &[(i64, Result<String, Missed>)], quantity| observed(&sampled(pages), quantity).expect_err("no figure");
    let two = |first: String, last: String| [(900, Ok(first)), (1300, Ok(last))];
    let (empty, some) = (page(0, 0, 0, &[]), page(0, 0, 0, &[0.02]));
    assert_eq!(why(&[(900, Ok(some.clone()))], Quantity::FirstToken), NotObserved::TooFewSamples);
    assert_eq!(why(&[(900, Ok(some.clone())), (1300, Err(Missed::Busy))], Quantity::FirstToken), NotObserved::TooFewSamples);
    assert_eq!(why(&two(empty.clone(), some.clone()), Quantity::EndToEnd), NotObserved::NotTold);
    assert_eq!(why(&two(some.clone(), some.clone()), Quantity::FirstToken), NotObserved::NoneCounted);
    assert_eq!(why(&two(page(0, 0, 0, &[0.02; 5]), some.clone()), Quantity::FirstToken), NotObserved::Reset);
    let mut silent = run(vec![]);
    silent.scraped = Some(scraped(&two(empty, some)));
    assert_eq!(observed(&silent, Quantity::FirstToken), Err(NotObserved::TooFewSamples));
}

#[test]
fn counting_anew_is_noticed_wherever_it_shows() {
    let found = |pages: &[String]| {
        let pages: Vec<_> = pages.iter().cloned().zip(0..).map(|(page, n)| (900 + n * 100, Ok(page))).collect();
        let run = sampled(&pages);
        (resets(&run), series(&run).into_iter().find(|s| s.quantity == Quantity::OutputTokens).map_or(0, |s| s.points.len()))
    };
    let between = |from, to| vec![(Micros::ms(from), Micros::ms(to))];
    assert_eq!(found(&[page(0, 0, 10, &[]), page(0, 0, 20, &[]), page(0, 0, 30, &[0.1])]), (vec![], 2));
    // The tokens fell, and would have grown by a restart's count otherwise.
    assert_eq!(found(&[page(0, 0, 10, &[]), page(0, 0, 5, &[]), page(0, 0, 30, &[])]), (between(900, 1000), 1));
    // The tokens caught up, but the histogram shows it: fewer in one bucket, though more in all.
    assert_eq!(found(&[page(0, 0, 10, &[0.02]), page(0, 0, 20, &[0.2, 0.2])]), (between(900, 1000), 0));
    let other = page(0, 0, 20, &[0.02, 0.02]).replace("0.05", "0.06");
    assert_eq!(found(&[page(0, 0, 10, &[0.02]), other]), (between(900, 1000), 0));
    let none = "vllm:generation_tokens_total 20\n".to_owned();
    assert_eq!(found(&[page(0, 0, 10, &[0.02]), none.clone()]), (between(900, 1000), 0));
    // One that held nothing may go and come.
    assert_eq!(found(&[page(0, 0, 10, &[]), none, page(0, 0, 30, &[0.02])]), (vec![], 2));
}

#[test]
fn one_of_six_connections_is_taken_on_the_same_origin_over_http_1_alone() {
    let mut run = sampled(&[]);
    let network = |protocol: &str| Ok(crate::network::NetworkTiming { protocol: Some(protocol.into()), ..Default::default() });
    assert!(!takes_a_connection(&run), "the protocol is not known");
    run.traces[0].network = network("http/1.1");
    assert!(takes_a_connection(&run));
    run.traces[0].network = network("h2");
    assert!(!takes_a_connection(&run));
    run.traces[0].network = network("http/1.1");
    run.config.server_metrics = Some(ServerMetrics { url: "http://localhost:9400/metrics".into(), period_ms: 1000 });
    assert!(!takes_a_connection(&run));
    run.config.server_metrics = None;
    assert!(!takes_a_connection(&run));
}

proptest! {
    /// The true percentile of what came in between lies within the bounds that the histogram gives, whatever came before.
    #[test]
    fn bounds_hold_the_true_percentile(
        before in prop::collection::vec(0u32..3_000, 0..40),
        during in prop::collection::vec(0u32..3_000, 1..80),
        thousandths in 1u32..1000,
    ) {
        let seconds = |ms: &[u32]| ms.iter().map(|ms| f64::from(*ms) / 1000.0).collect::<Vec<_>>();
        let all: Vec<u32> = before.iter().chain(&during).copied().collect();
        let run = sampled(&[(900, Ok(page(0, 0, 0, &seconds(&before)))), (1300, Ok(page(0, 0, 0, &seconds(&all))))]);
        let observed = observed(&run, Quantity::FirstToken).expect("counted");
        prop_assert_eq!(observed.n(), during.len() as u64);
        let p = P(thousandths);
        let truth = Distribution::new(during.iter().map(|ms| i64::from(*ms) * 1000).collect(), vec![]).percentile(p).expect("some");
        let Between { above, up_to } = observed.percentile(p).expect("some");
        prop_assert!(above.0 < truth.value || above == Micros::ZERO, "{} {:?}", truth.value, above);
        prop_assert!(up_to.is_none_or(|up_to| truth.value <= up_to.0));
        prop_assert_eq!(up_to.is_none(), truth.value > 1_000_000);
    }

    /// Bounds rise with the percentile.
    #[test]
    fn bounds_are_in_order(during in prop::collection::vec(0u32..3_000, 1..80), low in 1u32..1000, more in 0u32..999) {
        let first: Vec<f64> = during.iter().map(|ms| f64::from(*ms) / 1000.0).collect();
        let run = sampled(&[(900, Ok(page(0, 0, 0, &[]))), (1300, Ok(page(0, 0, 0, &first)))]);
        let observed = observed(&run, Quantity::FirstToken).expect("counted");
        let (low, high) = (observed.percentile(P(low)), observed.percentile(P((low + more).min(1000))));
        prop_assert!(low.map(|b| b.above) <= high.map(|b| b.above));
    }
}
