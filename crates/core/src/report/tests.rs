//! Saved and opened again: nothing is lost, and what is not ours is refused with a reason.

use super::*;
use crate::Micros;
use crate::config::tests::sound;
use crate::metrics::tests::worked_example;

pub(crate) fn run() -> Run {
    let config = RunConfig { url: "https://a/v1?key=sk-secret".into(), requests: 1, ..sound() };
    let mut trace = worked_example();
    trace.first_visible = Ok(crate::paint::Seen {
        method: crate::paint::Method::FrameCallbacks,
        earliest: Micros::ms(451),
        latest: None,
        value: None,
    });
    trace.network = Ok(crate::network::NetworkTiming { protocol: Some("h2".into()), ..Default::default() });
    Run {
        config,
        environment: Environment { user_agent: "test".into(), isolated: true, ..Environment::default() },
        clock: Clock { step_us: 5, joint_us: Some(120) },
        created: "2026-01-02T03:04:05Z".into(),
        stopped: true,
        traces: vec![trace],
    }
}

#[test]
fn a_run_comes_back_as_it_was_but_for_secrets() {
    let run = run();
    let text = run.to_json();
    assert!(!text.contains("sk-secret"));
    let mut back = Run::from_json(&text).expect("opened");
    back.config.url.clone_from(&run.config.url);
    assert_eq!(back, run);
}

#[test]
fn files_that_are_not_runs_say_why() {
    let text = run().to_json();
    let check = |text: &str, want: fn(&OpenError) -> bool| {
        let error = Run::from_json(text).expect_err("refused");
        assert!(want(&error), "{error}");
    };
    for cut in [1, text.len() / 3, text.len() - 2] {
        check(&text[..cut], |e| *e == OpenError::Truncated);
    }
    check("", |e| matches!(e, OpenError::NotJson(_)));
    check("<html>", |e| matches!(e, OpenError::NotJson(_)));
    check("{\"a\": 1}", |e| *e == OpenError::NotOurs);
    check("[1]", |e| *e == OpenError::NotOurs);
    check(&text.replace("\"version\":1,", "\"version\":99,"), |e| *e == OpenError::Newer { found: 99, known: VERSION });
    check(&text.replace("\"outcome\":\"complete\"", "\"outcome\":\"perfect\""), |e| matches!(e, OpenError::Damaged(_)));
    check(&text.replace("\"version\":1,", ""), |e| matches!(e, OpenError::Damaged(_)));
}

#[test]
fn a_file_holds_a_histogram_of_each_time_for_merging() {
    let file = run().to_file();
    let e2e = &file.histograms["e2e/streaming/value"];
    let histogram = crate::stats::Histogram::decode(e2e["hdr"].as_str().expect("text")).expect("interchange form");
    assert_eq!((histogram.len(), &e2e["clamped_high"], &e2e["censored"]), (1, &0.into(), &0.into()));
    assert!((histogram.percentile(crate::stats::P50) as i64 - 1_400_000).abs() <= 1_400);
    assert!(
        file.histograms.contains_key("ttfv/streaming/earliest")
            && !file.histograms.contains_key("tokens_per_chunk/streaming/value")
    );
}
